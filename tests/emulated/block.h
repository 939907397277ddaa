#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>

namespace emulated {

/// Runs `body` as every thread of every block, block after block. The warps of a block
/// take turns, and the threads of a warp: each runs on until it meets the others at a barrier, so
/// that what only a barrier makes right goes wrong without it, and always in the same way. A block
/// begins with shared memory full of what is no number. What is found wrong ends the program with
/// status 86 and a sentence: shared memory that is written and was not asked for, a barrier that
/// some threads do not come to.
void run_in_blocks(dim3 grid, dim3 block, std::size_t shared_bytes,
                   const std::function<void()>& body);

/// Ends the program with status 86 for what a kernel must not do.
[[noreturn]] void misuse(const char* sentence);

/// Called by a running thread: a copy to shared memory, with zeros for its last `zero_bytes`, that
/// is there only when it has been waited for.
void copy_later(void* to, const void* from, std::size_t size_bytes, std::size_t zero_bytes);
void end_copy_group();

/// For all groups but so many that were ended last.
void wait_for_copies(std::size_t groups_left);

}  // namespace emulated
