// The part of the CUDA runtime that knows kernels: what nvcc's code registers, and launches.
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include "fault.h"
#include "gpu_model.h"
#include "kernel_table.h"
#include "stream.h"

namespace emulated {
namespace {

/// The kernels' library beside this one, opened for itself: looking names up in the default scope
/// could find the launch stub of the same name in the program.
void* open_kernels() {
  Dl_info here{};
  dladdr(reinterpret_cast<const void*>(&set_sticky_error), &here);
  const auto path = std::filesystem::path(here.dli_fname).parent_path() / "libcpu_kernels.so";
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  std::fprintf(stderr, "emulated GPU: no kernels: %s\n", dlerror());
  std::abort();
}

class Kernels {
 public:
  void add(const void* stub, const char* mangled_name) {
    const std::lock_guard lock(mutex_);
    names_[stub] = mangled_name;
  }

  const CpuKernel* find(const void* stub) {
    const std::lock_guard lock(mutex_);
    const auto name = names_.find(stub);
    if (name == names_.end()) return nullptr;
    const void* address = dlsym(library_, name->second.c_str());
    const auto look_up = reinterpret_cast<FindCpuKernel>(dlsym(library_, find_cpu_kernel_symbol));
    return address == nullptr ? nullptr : look_up(address);
  }

  /// What a block of this kernel may ask for.
  bool allow_shared_bytes(const void* stub, std::size_t size_bytes) {
    const std::lock_guard lock(mutex_);
    if (size_bytes > static_cast<std::size_t>(node().model.most_shared_bytes)) return false;
    shared_bytes_[stub] = size_bytes;
    return true;
  }

  bool may_have_shared_bytes(const void* stub, std::size_t size_bytes) {
    constexpr std::size_t unasked = 48 << 10;
    const std::lock_guard lock(mutex_);
    const auto allowed = shared_bytes_.find(stub);
    return size_bytes <= (allowed == shared_bytes_.end() ? unasked : allowed->second);
  }

 private:
  std::mutex mutex_;
  void* library_ = open_kernels();
  std::map<const void*, std::string> names_;
  std::map<const void*, std::size_t> shared_bytes_;
};

Kernels& kernels() {
  static Kernels all;
  return all;
}

}  // namespace
}  // namespace emulated

extern "C" {

void** __cudaRegisterFatBinary(void* image) { return static_cast<void**>(image); }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }

void __cudaRegisterFunction(void**, const char* stub, char*, const char* mangled_name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  emulated::kernels().add(stub, mangled_name);
}

cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  if (emulated::sticky_error() != cudaSuccess) return emulated::sticky_error();
  if (emulated::strikes("gpu_lost")) {
    emulated::set_sticky_error(cudaErrorUnknown);
    return cudaErrorUnknown;
  }
  const emulated::CpuKernel* kernel = emulated::kernels().find(stub);
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  if (!emulated::kernels().may_have_shared_bytes(stub, shared_bytes)) return cudaErrorInvalidValue;
  emulated::stream_of(stream).enqueue(kernel->bind({grid, block, shared_bytes, arguments}));
  return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* stub) {
  *attributes = {};
  return emulated::kernels().find(stub) == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* stub, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0) {
    return cudaErrorInvalidValue;
  }
  const bool allowed = emulated::kernels().allow_shared_bytes(stub, static_cast<size_t>(value));
  return allowed ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  emulated::stream_of(stream).enqueue([=] { function(data); });
  return cudaSuccess;
}

// What nvcc's launch stubs call. Peakline launches by address and never calls the stubs themselves.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(stub));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, size_t*, void*) {
  return cudaErrorMissingConfiguration;
}

}  // extern "C"
