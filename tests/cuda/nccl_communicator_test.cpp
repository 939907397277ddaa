// The communicator over NCCL on several ranks, each with an emulated GPU of its own.
#include "cuda/nccl_communicator.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "core/pattern.h"
#include "mpi/session_world.h"
#include "support/catch.h"

using namespace peakline;

namespace {

constexpr double limit_s = 30;

using Bytes = std::vector<unsigned char>;

/// In the order in which they can be ended.
struct Rank {
  std::unique_ptr<cuda::CudaDevice> device = cuda::make_cuda_device(session_world().rank());
  std::unique_ptr<Communicator> communicator =
      cuda::make_nccl_communicator(session_world(), *device, limit_s);
};

/// Different for every rank and place.
Bytes bytes_of_rank(int rank, std::int64_t count) {
  Bytes bytes(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<unsigned char>(mix64(static_cast<std::uint64_t>(rank + 1) << 40U | i));
  }
  return bytes;
}

Bytes received_in_ring(Device& device, Communicator& communicator, const Bytes& sent) {
  const auto send = device.allocate(sent.size());
  const auto receive = device.allocate(sent.size());
  device.upload(*send, sent.data(), sent.size());
  device.fill_bytes(*receive, 0xA5);
  communicator.shift_ring(*send, *receive, static_cast<std::int64_t>(sent.size()));
  Bytes received(sent.size());
  device.download(received.data(), *receive, received.size());
  return received;
}

}  // namespace

TEST_CASE("a ring brings every byte of the left neighbour's, at any size", "[ring]") {
  const Rank rank;
  Communicator& communicator = *rank.communicator;
  const int left = (communicator.rank() + communicator.size() - 1) % communicator.size();
  for (std::int64_t size_bytes : {1, 1000, 1 << 18, (1 << 18) + 1, 1000003}) {
    CAPTURE(size_bytes);
    const Bytes sent = bytes_of_rank(communicator.rank(), size_bytes);
    const bool exact = received_in_ring(*rank.device, communicator, sent) ==
                       bytes_of_rank(left, size_bytes);  // too long to be shown
    CHECK(exact);
  }
}

TEST_CASE("the parts of a split are communicators of their own, one after the other", "[ring]") {
  const Rank rank;
  const int me = rank.communicator->rank();
  const auto part = rank.communicator->split(me % 2);
  CHECK(part->rank() == me / 2);
  CHECK(part->size() == (me % 2 == 0 ? 2 : 1));
  const Bytes mine = bytes_of_rank(me, 1000);
  const int left = me % 2 == 0 ? 2 - me : me;
  CHECK(received_in_ring(*rank.device, *part, mine) == bytes_of_rank(left, 1000));
  const auto whole = part->split(0);
  CHECK(whole->size() == part->size());
  CHECK(received_in_ring(*rank.device, *whole, mine) == bytes_of_rank(left, 1000));
}
