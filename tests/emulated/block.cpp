#include "block.h"

#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "cpu_kernel.h"

namespace emulated {

constexpr std::size_t most_shared_bytes = 227 << 10;  // of any model
constexpr std::size_t red_zone_bytes = 4096;

}  // namespace emulated

namespace peakline::kernels {

/// The kernels declare it, as CUDA has them do.
alignas(128) thread_local unsigned char shared_bytes[emulated::most_shared_bytes +
                                                     emulated::red_zone_bytes];

}  // namespace peakline::kernels

namespace emulated {
namespace {

constexpr std::size_t stack_bytes = 256 << 10;
constexpr std::size_t warp_threads = 32;

struct LateCopy {
  void* to;
  const void* from;
  std::size_t size_bytes;
  std::size_t zero_bytes;

  void perform() const {
    const std::size_t copied = size_bytes - zero_bytes;
    std::memcpy(to, from, copied);
    std::memset(static_cast<unsigned char*>(to) + copied, 0, zero_bytes);
  }
};
using CopyGroup = std::vector<LateCopy>;

enum class State { runs, waits_for_block, waits_for_warp, done };

struct Thread {
  ucontext_t context{};
  std::unique_ptr<unsigned char[]> stack =
      std::make_unique_for_overwrite<unsigned char[]>(stack_bytes);
  State state = State::runs;
  CopyGroup open_group;
  std::deque<CopyGroup> groups;
};

void enter_thread();

/// The threads of a block, as contexts of one thread of the host. The next block uses them again.
class Block {
 public:
  void run(std::size_t threads, const std::function<void()>& body) {
    body_ = &body;
    while (threads_.size() < threads) threads_.push_back(std::make_unique<Thread>());
    running_ = std::span(threads_).first(threads);
    for (const auto& thread : running_) start(*thread);
    do {
      for (std::size_t first = 0; first < threads; first += warp_threads) run_warp(first);
    } while (release(running_, State::waits_for_block));
    for (const auto& thread : running_) {
      if (thread->state == State::done) continue;
      misuse("threads of a block wait at a barrier that the others do not come to");
    }
  }

  Thread& current() { return *running_[current_]; }

  void run_body() { (*body_)(); }

  void leave(State state) {
    current().state = state;
    swapcontext(&current().context, &scheduler_);
  }

 private:
  using Threads = std::span<const std::unique_ptr<Thread>>;

  static void start(Thread& thread) {
    thread.state = State::runs;
    thread.open_group.clear();
    thread.groups.clear();
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.get();
    thread.context.uc_stack.ss_size = stack_bytes;
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, &enter_thread, 0);
  }

  /// Until each of its threads waits for the block, or is done, or waits in vain.
  void run_warp(std::size_t first) {
    const std::size_t end = std::min(first + warp_threads, running_.size());
    do {
      for (current_ = first; current_ < end; ++current_) {
        if (current().state != State::runs) continue;
        position().thread.x = static_cast<unsigned>(current_);
        swapcontext(&scheduler_, &current().context);
      }
    } while (release(running_.subspan(first, end - first), State::waits_for_warp));
  }

  /// Lets the threads go on if all of them that are not done wait in this way. Whether any does.
  static bool release(Threads threads, State waiting) {
    bool any_waits = false;
    for (const auto& thread : threads) {
      if (thread->state == State::done) continue;
      if (thread->state != waiting) return false;
      any_waits = true;
    }
    for (const auto& thread : threads) {
      if (thread->state == waiting) thread->state = State::runs;
    }
    return any_waits;
  }

  std::vector<std::unique_ptr<Thread>> threads_;
  Threads running_;
  std::size_t current_ = 0;
  const std::function<void()>* body_ = nullptr;
  ucontext_t scheduler_{};
};

Block& block_of_this_thread() {
  static thread_local Block block;
  return block;
}

void enter_thread() {
  block_of_this_thread().run_body();
  block_of_this_thread().leave(State::done);
}

/// Bytes that are no number in any format of floating numbers, and no pattern of the project's.
constexpr unsigned char unwritten = 0xFF;

std::span<unsigned char> red_zone(std::size_t shared_bytes) {
  return std::span(peakline::kernels::shared_bytes).subspan(shared_bytes, red_zone_bytes);
}

}  // namespace

void misuse(const char* sentence) {
  std::fprintf(stderr, "emulated GPU: %s\n", sentence);
  std::_Exit(86);
}

void run_in_blocks(dim3 grid, dim3 block, std::size_t shared_bytes,
                   const std::function<void()>& body) {
  Position& here = position();
  here.grid_size = grid;
  here.block_size = block;
  for (here.block.x = 0; here.block.x < grid.x; ++here.block.x) {
    std::memset(peakline::kernels::shared_bytes, unwritten, shared_bytes + red_zone_bytes);
    block_of_this_thread().run(block.x, body);
    if (std::ranges::any_of(red_zone(shared_bytes), [](auto byte) { return byte != unwritten; })) {
      misuse("a kernel wrote behind the shared memory that its launch asked for");
    }
  }
}

void copy_later(void* to, const void* from, std::size_t size_bytes, std::size_t zero_bytes) {
  block_of_this_thread().current().open_group.push_back({to, from, size_bytes, zero_bytes});
}

void end_copy_group() {
  Thread& thread = block_of_this_thread().current();
  thread.groups.push_back(std::move(thread.open_group));
  thread.open_group.clear();
}

void wait_for_copies(std::size_t groups_left) {
  auto& groups = block_of_this_thread().current().groups;
  for (; groups.size() > groups_left; groups.pop_front()) {
    for (const LateCopy& copy : groups.front()) copy.perform();
  }
}

}  // namespace emulated

void __syncthreads() { emulated::block_of_this_thread().leave(emulated::State::waits_for_block); }
void __syncwarp() { emulated::block_of_this_thread().leave(emulated::State::waits_for_warp); }
