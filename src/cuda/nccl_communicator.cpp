#include "cuda/nccl_communicator.h"

#include <algorithm>
#include <memory>
#include <source_location>
#include <utility>

#include "core/error.h"
#include "cuda/compatibility.h"
#include "cuda/nccl_check.h"
#include "cuda/nccl_float8.h"
#include "cuda/nccl_handle.h"
#include "cuda/nccl_log_file.h"
#include "cuda/nccl_registration.h"
#include "cuda/nccl_start.h"
#include "cuda/nccl_transport.h"
#include "cuda/nccl_types.h"
#include "cuda/recorded_calls.h"
#include "cuda/registered_buffer.h"

namespace peakline::cuda {
namespace {

/// Of rank 0 of the world, whose log it is; nothing for the others.
using LogFile = std::shared_ptr<NcclLogFile>;

class NcclCommunicator final : public Communicator {
 public:
  NcclCommunicator(ncclComm_t communicator, CudaDevice& device, LogFile log)
      : log_(std::move(log)),
        handle_(std::make_shared<NcclHandle>(communicator)),
        device_(&device),
        stream_(device.stream().get()) {
    must(ncclCommUserRank(communicator, &rank_));
    must(ncclCommCount(communicator, &size_));
    device.stream().watch(watch_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string name() const override { return "NCCL " + nccl_version_text(nccl_version()); }
  TransportReport transport() const override { return transport_; }
  void set_transport(TransportReport transport) { transport_ = std::move(transport); }

  /// The library that was loaded may be older than the header.
  bool supports(CollectiveKind, DataType type, Placement, ReduceOp) const override {
    if (type != DataType::float8_e4m3 && type != DataType::float8_e5m2) return true;
    return float8_types().known && reduces_float8(nccl_version(), device_->compute_major());
  }

  bool has(BufferKind buffers) const override {
    constexpr int first_version = 21900;
    return buffers == BufferKind::plain ||
           (knows_registration() && nccl_version() >= first_version);
  }
  bool has(LaunchKind) const override { return true; }

  std::unique_ptr<Buffer> allocate_registered(std::size_t size_bytes) override {
    return make_registered_buffer(handle_, *device_, size_bytes);
  }

  std::unique_ptr<Operation> record(const std::function<void()>& calls) override {
    return record_calls(stream_, *handle_, calls);
  }

  CallChoice explain(const std::function<void()>& calls) override {
    if (log_ == nullptr) return Communicator::explain(calls);
    const std::vector<TunedCall> tuned = parse_tuned_calls(log_->log_of(calls));
    if (tuned.empty()) return {};
    return {tuned.back().algorithm, tuned.back().protocol};
  }

  void allreduce(const Buffer& send, Buffer& receive, std::int64_t count, DataType type,
                 ReduceOp op) override {
    must(ncclAllReduce(send.data(), receive.data(), static_cast<std::size_t>(count),
                       nccl_type(type), nccl_op(op), handle_->get(), stream_));
  }

  void broadcast(const Buffer& send, Buffer& receive, std::int64_t count, DataType type,
                 int root) override {
    must(ncclBroadcast(send.data(), receive.data(), static_cast<std::size_t>(count),
                       nccl_type(type), root, handle_->get(), stream_));
  }

  /// The group is ended whatever happens in it: an open one takes in every later call of the
  /// thread.
  void shift_ring(const Buffer& send, Buffer& receive, std::int64_t size_bytes) override {
    const auto count = static_cast<std::size_t>(size_bytes);
    const int right = (rank_ + 1) % size_;
    const int left = (rank_ + size_ - 1) % size_;
    must(ncclGroupStart());
    const ncclResult_t sent =
        ncclSend(send.data(), count, ncclInt8, right, handle_->get(), stream_);
    const ncclResult_t received =
        ncclRecv(receive.data(), count, ncclInt8, left, handle_->get(), stream_);
    const ncclResult_t ended = ncclGroupEnd();
    for (const ncclResult_t result : {sent, received, ended}) must(result);
  }

  std::unique_ptr<Communicator> split(int group) override {
    ncclComm_t part = nullptr;
    must(ncclCommSplit(handle_->get(), group, rank_, &part, nullptr));
    return std::make_unique<NcclCommunicator>(part, *device_, nullptr);
  }

  void abort() noexcept override { handle_->abort(); }

 private:
  /// Gives up before it throws, with NCCL's last words taken: see CudaStream::watch.
  void must(ncclResult_t status, std::source_location place = std::source_location::current()) {
    try {
      check(status, handle_->get(), place);
    } catch (...) {
      abort();
      throw;
    }
  }

  /// What went wrong elsewhere, such as a peer that is gone.
  void throw_asynchronous_error() const {
    if (handle_->get() == nullptr) return;
    ncclResult_t status = ncclSuccess;
    check(ncclCommGetAsyncError(handle_->get(), &status), handle_->get());
    check(status, handle_->get());
  }

  LogFile log_;
  std::shared_ptr<NcclHandle> handle_;
  CudaDevice* device_;
  cudaStream_t stream_;
  int rank_ = 0;
  int size_ = 1;
  TransportReport transport_;
  std::shared_ptr<const Watch> watch_ = std::make_shared<const Watch>(
      Watch{[this] { throw_asynchronous_error(); }, [this] { abort(); }});
};

/// Elements of a message that NCCL treats as large, the same on every rank; less where memory is
/// scarce.
std::int64_t large_count(World& world, const CudaDevice& device) {
  constexpr double most_bytes = 16 << 20;
  constexpr double share_of_memory = 1.0 / 32;
  const double free_bytes = -world.maximum(-static_cast<double>(device.free_bytes()));
  const double size_bytes = std::min(most_bytes, share_of_memory * free_bytes);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(size_bytes / sizeof(float)));
}

/// Since 2.22 NCCL connects an algorithm, and a neighbour, at its first use, and its log names what
/// is connected. So each is used once: an allreduce of one element takes a tree as a rule, a
/// broadcast always a ring (2.28 src/graph/tuning.cc), a large allreduce what the machine has for
/// bandwidth, such as NVLS. That is so from 16 MiB within a node and between a few; NCCL may change
/// once more above, between the same places, and no size is large enough for every machine.
void connect_all(NcclCommunicator& communicator, World& world, CudaDevice& device) {
  constexpr DataType type = DataType::float32;
  const std::int64_t count = large_count(world, device);
  const auto large = device.allocate(static_cast<std::size_t>(count) * size_of(type));
  const auto small = device.allocate(size_of(type));
  device.fill_bytes(*large, 0);
  device.fill_bytes(*small, 0);
  communicator.allreduce(*small, *small, 1, type, ReduceOp::sum);
  communicator.broadcast(*small, *small, 1, type, 0);
  communicator.allreduce(*large, *large, count, type, ReduceOp::sum);
  communicator.shift_ring(*small, *large, static_cast<std::int64_t>(size_of(type)));
  device.synchronise();
}

}  // namespace

int nccl_version() {
  int version = 0;
  check(ncclGetVersion(&version));
  return version;
}

std::unique_ptr<Communicator> make_nccl_communicator(World& world, CudaDevice& device,
                                                     double limit_s) {
  const Scope scope = scope_of(world);
  const auto log = std::make_shared<NcclLogFile>();
  const ncclUniqueId id = share_unique_id(world);
  auto communicator = std::make_unique<NcclCommunicator>(
      start_communicator(id, world.rank(), world.size(), device.ordinal(), limit_s), device,
      world.is_root() ? log : nullptr);
  connect_all(*communicator, world, device);
  TransportReport report =
      report_transport(log->take(), available_transports(device.ordinal(), scope));
  if (const std::string obstacle = log->no_log_of_calls(); !obstacle.empty()) {
    report.choices["nccl_algorithms"] = "not read: " + obstacle;
  }
  communicator->set_transport(std::move(report));
  return communicator;
}

}  // namespace peakline::cuda
