#pragma once

#include <cstddef>

namespace emulated {

/// Device memory of one process: host memory between red zones.

/// Null when the GPU has no room left.
void* allocate(int device, std::size_t size_bytes);

/// False when this is no allocation of device memory. Damage around it is remembered.
bool release(void* memory);

/// False when [begin, begin + size) reaches out of a live allocation that it begins in, or begins
/// in one that was released.
bool may_touch(const void* begin, std::size_t size_bytes);

std::size_t bytes_in_use(int device);

}  // namespace emulated
