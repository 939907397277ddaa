#include "bench/rotation.h"

namespace peakline {

Rotation rotation_of(std::size_t size_bytes, std::size_t cache_bytes) {
  // Twice the cache: what replaces its lines does not follow their age exactly.
  const std::size_t leaves_cache_bytes = 2 * cache_bytes;
  if (size_bytes == 0 || size_bytes >= leaves_cache_bytes) return {size_bytes, size_bytes, 1};
  constexpr std::size_t alignment_bytes = 512;  // as cudaMalloc's
  const std::size_t stride_bytes =
      (size_bytes + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
  return {size_bytes, stride_bytes, (leaves_cache_bytes + stride_bytes - 1) / stride_bytes};
}

}  // namespace peakline
