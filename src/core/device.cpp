#include "core/device.h"

namespace peakline {

std::string_view name_of(MemoryKernel kernel) {
  return kernel == MemoryKernel::copy ? "copy" : "triad";
}

}  // namespace peakline
