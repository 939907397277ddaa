#include "cpu_kernel.h"

#include <atomic>

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
