// block_misuse KIND: does one thing with the threads of a block, right or wrong, to show that the
// emulation knows which. Status 0: it was right, and went as it should.
#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <string_view>

#include "block.h"
#include "cpu_kernel.h"

namespace peakline::kernels {
extern thread_local unsigned char shared_bytes[];
}

namespace {

using peakline::kernels::shared_bytes;

constexpr unsigned warp = 32;
constexpr std::size_t asked_bytes = 1024;

void run_block(const std::function<void()>& body) {
  emulated::run_in_blocks(dim3(1), dim3(2 * warp), asked_bytes, body);
}

/// Some threads wait for the rest of their warp, which waits for the rest of the block.
int wait_at_different_barriers() {
  run_block([] {
    if (threadIdx.x < warp / 2) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  });
  return 1;
}

int write_behind_shared_memory() {
  run_block([] { shared_bytes[asked_bytes] = 1; });
  return 1;
}

/// How many threads do not read what another one has written before the barrier.
int wrong_after(void (*barrier)(), unsigned distance) {
  int wrong = 0;
  run_block([&] {
    const unsigned other = (threadIdx.x + distance) % (2 * warp);
    shared_bytes[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
    barrier();
    wrong += shared_bytes[other] == other ? 0 : 1;
  });
  return wrong;
}

/// A barrier of a warp brings what its own threads have written, and nothing of the next warp's,
/// which the last thread of the first one asks for;
/// threads that have ended are not waited for.
int meet() {
  const bool right = wrong_after(__syncthreads, warp) == 0 && wrong_after(__syncwarp, 1) == 1;
  const bool seen = wrong_after([] {}, 1) > 0 && wrong_after(__syncwarp, warp) > 0;
  run_block([] {
    if (threadIdx.x < warp) __syncthreads();
  });
  return right && seen ? 0 : 1;
}

/// What is copied asynchronously is there after the wait for its group, and not before.
int copy_late() {
  int wrong = 0;
  const unsigned char byte = 7;
  emulated::run_in_blocks(dim3(2), dim3(1), asked_bytes, [&] {
    const auto expect = [&](bool is_so) { wrong += is_so ? 0 : 1; };
    emulated::copy_later(shared_bytes, &byte, 1, 0);
    emulated::end_copy_group();
    emulated::copy_later(shared_bytes + 1, &byte, 1, 1);
    emulated::end_copy_group();
    expect(shared_bytes[0] != byte);
    emulated::wait_for_copies(1);
    expect(shared_bytes[0] == byte && shared_bytes[1] != 0);
    emulated::wait_for_copies(0);
    expect(shared_bytes[1] == 0);
  });
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view kind = argc > 1 ? argv[1] : "";
  if (kind == "different-barriers") return wait_at_different_barriers();
  if (kind == "shared-overrun") return write_behind_shared_memory();
  if (kind == "meet") return meet();
  if (kind == "copy-late") return copy_late();
  return 2;
}
