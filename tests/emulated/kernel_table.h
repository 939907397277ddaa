#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>

namespace emulated {

/// Work for a stream: the kernel over its whole grid, with its arguments as they were at the
/// launch.
using KernelRun = std::function<void()>;

/// How a kernel is launched; `arguments` are the addresses of its values.
struct Launch {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  void** arguments;
};

/// One kernel of kernels/, compiled for the CPU.
struct CpuKernel {
  const void* address;
  KernelRun (*bind)(const Launch& launch);
};

/// By the address of its CPU version; null when there is none. Exported by the kernels' library.
using FindCpuKernel = const CpuKernel* (*)(const void* address);
inline constexpr const char* find_cpu_kernel_symbol = "emulated_find_cpu_kernel";

}  // namespace emulated
