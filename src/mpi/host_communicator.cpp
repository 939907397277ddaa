#include "mpi/host_communicator.h"

#include <mpi.h>

#include <climits>

#include "core/error.h"
#include "mpi/check.h"
#include "mpi/mpi_world.h"
#include "mpi/session.h"

namespace peakline::mpi {
namespace {

MPI_Datatype mpi_type(DataType type) {
  switch (type) {
    case DataType::float32: return MPI_FLOAT;
    case DataType::float64: return MPI_DOUBLE;
    case DataType::int8: return MPI_INT8_T;
    case DataType::uint8: return MPI_UINT8_T;
    case DataType::int32: return MPI_INT32_T;
    case DataType::uint32: return MPI_UINT32_T;
    case DataType::int64: return MPI_INT64_T;
    case DataType::uint64: return MPI_UINT64_T;
    case DataType::float16:
    case DataType::bfloat16:
    case DataType::float8_e4m3:
    case DataType::float8_e5m2: break;
  }
  return MPI_DATATYPE_NULL;
}

MPI_Op mpi_op(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum: return MPI_SUM;
    case ReduceOp::prod: return MPI_PROD;
    case ReduceOp::min: return MPI_MIN;
    case ReduceOp::max: return MPI_MAX;
    case ReduceOp::avg: break;
  }
  return MPI_OP_NULL;
}

/// MPI 3 counts with int. A larger message would need another data type; the planner never asks.
int mpi_count(std::int64_t count) {
  if (count > INT_MAX) {
    throw Error(ExitStatus::run_failed, "MPI cannot send " + std::to_string(count) +
                                            " elements in one message: choose smaller --sizes.");
  }
  return static_cast<int>(count);
}

class HostCommunicator final : public Communicator {
 public:
  explicit HostCommunicator(MPI_Comm communicator)
      : world_(communicator, MpiWorld::Ownership::owned) {}

  int rank() const override { return world_.rank(); }
  int size() const override { return world_.size(); }
  std::string name() const override { return Session::library(); }

  bool supports(CollectiveKind kind, DataType type, Placement placement,
                ReduceOp op) const override {
    if (mpi_type(type) == MPI_DATATYPE_NULL || mpi_op(op) == MPI_OP_NULL) return false;
    return kind == CollectiveKind::allreduce || placement == Placement::in_place;
  }

  std::int64_t most_elements() const override { return INT_MAX; }

  void allreduce(const Buffer& send, Buffer& receive, std::int64_t count, DataType type,
                 ReduceOp op) override {
    const void* from = &send == &receive ? MPI_IN_PLACE : send.data();
    check(MPI_Allreduce(from, receive.data(), mpi_count(count), mpi_type(type), mpi_op(op),
                        world_.communicator()));
  }

  /// MPI knows it in place only, and supports() says so.
  void broadcast(const Buffer&, Buffer& receive, std::int64_t count, DataType type,
                 int root) override {
    check(MPI_Bcast(receive.data(), mpi_count(count), mpi_type(type), root, world_.communicator()));
  }

  void shift_ring(const Buffer& send, Buffer& receive, std::int64_t size_bytes) override {
    const int right = (rank() + 1) % size();
    const int left = (rank() + size() - 1) % size();
    const int count = mpi_count(size_bytes);
    check(MPI_Sendrecv(send.data(), count, MPI_BYTE, right, 0, receive.data(), count, MPI_BYTE,
                       left, 0, world_.communicator(), MPI_STATUS_IGNORE));
  }

  std::unique_ptr<Communicator> split(int group) override {
    MPI_Comm part = MPI_COMM_NULL;
    check(MPI_Comm_split(world_.communicator(), group, rank(), &part));
    return std::make_unique<HostCommunicator>(part);
  }

  /// Nothing is under way behind a call that has returned.
  void abort() noexcept override {}

 private:
  MpiWorld world_;
};

}  // namespace

std::unique_ptr<Communicator> make_host_communicator(World& world) {
  MPI_Comm copy = MPI_COMM_NULL;
  check(MPI_Comm_dup(dynamic_cast<MpiWorld&>(world).communicator(), &copy));
  check(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN));
  return std::make_unique<HostCommunicator>(copy);
}

}  // namespace peakline::mpi
