#pragma once

// In the place of CUDA's header of this name, for kernels that are compiled for the CPU.

#include <cstddef>

#include "block.h"

inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t size_bytes,
                                    std::size_t zero_bytes = 0) {
  emulated::copy_later(to, from, size_bytes, zero_bytes);
}
inline void __pipeline_commit() { emulated::end_copy_group(); }
inline void __pipeline_wait_prior(std::size_t groups_left) {
  emulated::wait_for_copies(groups_left);
}
