#include <memory>
#include <vector>

#include "core/runner.h"
#include "host/host_device.h"
#include "mpi/host_communicator.h"
#include "session_world.h"
#include "support/catch.h"

using namespace peakline;

namespace {

std::size_t bytes_of(DataType type, std::int64_t count) {
  return static_cast<std::size_t>(count) * size_of(type);
}

/// Wrong elements over all ranks of one collective on `count` elements.
Verification allreduce_once(Device& device, Communicator& communicator, DataType type, ReduceOp op,
                            Placement placement, std::int64_t count) {
  const PatternSpec spec = make_pattern(7, communicator.size(), type, op);
  const auto receive = device.allocate(bytes_of(type, count));
  const auto send = device.allocate(bytes_of(type, count));
  device.fill_bytes(*receive, 0xA5);
  Buffer& input = placement == Placement::in_place ? *receive : *send;
  device.fill_pattern(input, type, count, spec, communicator.rank());
  communicator.allreduce(input, *receive, count, type, op);
  return combine_checks(session_world(), device.check_reduced(*receive, type, count, spec));
}

}  // namespace

TEST_CASE("allreduce is exact for every type, operation, placement and size") {
  const auto device = host::make_host_device(1);
  const auto communicator = mpi::make_host_communicator(session_world());
  std::int64_t combinations = 0;
  for (DataType type : all_data_types) {
    for (ReduceOp op : all_reduce_ops) {
      for (Placement placement : all_placements) {
        if (!communicator->supports(CollectiveKind::allreduce, type, placement, op)) continue;
        ++combinations;
        for (std::int64_t count : {1, 2, 7, 1000, 65537}) {
          const Verification result =
              allreduce_once(*device, *communicator, type, op, placement, count);
          CAPTURE(name_of(type), name_of(op), name_of(placement), count);
          if (!session_world().is_root()) continue;
          CHECK(result.checked == count * session_world().size());
          CHECK(result.wrong == 0);
        }
      }
    }
  }
  CHECK(combinations == 8 * 4 * 2);  // all but floats of 8 and 16 bits, all but the average
}

TEST_CASE("broadcast brings the root's data from any root") {
  const auto device = host::make_host_device(1);
  const auto communicator = mpi::make_host_communicator(session_world());
  for (int root = 0; root < communicator->size(); ++root) {
    for (std::int64_t count : {1, 1000, 65537}) {
      const PatternSpec spec =
          make_pattern(static_cast<std::uint64_t>(root), 1, DataType::float64, ReduceOp::sum);
      const auto buffer = device->allocate(bytes_of(DataType::float64, count));
      device->fill_bytes(*buffer, 0xA5);
      if (communicator->rank() == root) {
        device->fill_pattern(*buffer, DataType::float64, count, spec, 0);
      }
      communicator->broadcast(*buffer, *buffer, count, DataType::float64, root);
      CHECK(device->check_reduced(*buffer, DataType::float64, count, spec).wrong == 0);
    }
  }
  CHECK_FALSE(communicator->supports(CollectiveKind::broadcast, DataType::float32,
                                     Placement::out_of_place, ReduceOp::sum));
}

TEST_CASE("the ring shift brings the left neighbour's data") {
  const auto device = host::make_host_device(1);
  const auto communicator = mpi::make_host_communicator(session_world());
  const int left = (communicator->rank() + communicator->size() - 1) % communicator->size();
  const auto send = device->allocate(4096);
  const auto receive = device->allocate(4096);
  device->fill_bytes(*send, static_cast<unsigned char>(communicator->rank() + 1));
  device->fill_bytes(*receive, 0xA5);
  communicator->shift_ring(*send, *receive, 4096);
  std::vector<unsigned char> found(4096);
  device->download(found.data(), *receive, 4096);
  CHECK(found == std::vector<unsigned char>(4096, static_cast<unsigned char>(left + 1)));
}

TEST_CASE("a split communicator reduces within its group") {
  const auto device = host::make_host_device(1);
  const auto communicator = mpi::make_host_communicator(session_world());
  const auto part = communicator->split(communicator->rank() % 2);
  const PatternSpec spec = make_pattern(3, part->size(), DataType::int32, ReduceOp::sum);
  const auto buffer = device->allocate(400);
  device->fill_pattern(*buffer, DataType::int32, 100, spec, part->rank());
  part->allreduce(*buffer, *buffer, 100, DataType::int32, ReduceOp::sum);
  CHECK(device->check_reduced(*buffer, DataType::int32, 100, spec).wrong == 0);
}
