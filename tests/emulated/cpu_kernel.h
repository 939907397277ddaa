#pragma once

// What kernels/*.cu need of CUDA when they are compiled for the CPU: included before all else.

#include <cuda_runtime_api.h>

#include <cstdint>

namespace emulated {

/// Where the running kernel's thread is in its grid.
struct Position {
  uint3 thread;
  uint3 block;
  dim3 block_size;
  dim3 grid_size;
};
Position& position();

}  // namespace emulated

// A thread of the host runs one block at a time.
#undef __shared__
#define __shared__ thread_local
#define __launch_bounds__(...)
#define threadIdx (::emulated::position().thread)
#define blockIdx (::emulated::position().block)
#define blockDim (::emulated::position().block_size)
#define gridDim (::emulated::position().grid_size)

void __syncthreads();
void __syncwarp();

unsigned long long atomicAdd(unsigned long long* value, unsigned long long more);
unsigned long long atomicMin(unsigned long long* value, unsigned long long other);

/// A load that sees what others stored meanwhile.
unsigned long long __ldcv(const unsigned long long* value);

/// In nanoseconds.
long long clock64();

/// Lets others run, for a time of its own.
void __nanosleep(unsigned nanoseconds);
