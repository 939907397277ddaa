#include "core/device.h"

#include <stdexcept>

namespace peakline {

std::string_view name_of(MemoryKernel kernel) {
  switch (kernel) {
    case MemoryKernel::copy: return "copy";
    case MemoryKernel::scale: return "scale";
    case MemoryKernel::triad: return "triad";
    case MemoryKernel::read: return "read";
    case MemoryKernel::memcpy: return "memcpy";
  }
  return "unknown";
}

MemoryKernel parse_memory_kernel(std::string_view name) {
  for (MemoryKernel kernel : all_memory_kernels) {
    if (name_of(kernel) == name) return kernel;
  }
  throw std::invalid_argument("no memory kernel is called " + std::string(name));
}

}  // namespace peakline
