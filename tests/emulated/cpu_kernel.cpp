#include "cpu_kernel.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace emulated {

Position& position() {
  static thread_local Position here;
  return here;
}

}  // namespace emulated

unsigned long long atomicAdd(unsigned long long* value, unsigned long long more) {
  return std::atomic_ref(*value).fetch_add(more);
}

unsigned long long atomicMin(unsigned long long* value, unsigned long long other) {
  const std::atomic_ref shared(*value);
  unsigned long long before = shared.load();
  while (other < before && !shared.compare_exchange_weak(before, other)) {
  }
  return before;
}

unsigned long long __ldcv(const unsigned long long* value) {
  return std::atomic_ref(*const_cast<unsigned long long*>(value)).load(std::memory_order_acquire);
}

long long clock64() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void __nanosleep(unsigned) { std::this_thread::yield(); }
