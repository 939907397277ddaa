#include "cuda/cublaslt.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include "core/error.h"

namespace peakline::cuda {
namespace {

/// A library that lacks a function is as good as none.
template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool find_all(void* library, CublasLt& functions) {
  return find(library, "cublasLtGetVersion", functions.version) &&
         find(library, "cublasLtGetStatusString", functions.status_string) &&
         find(library, "cublasLtCreate", functions.create) &&
         find(library, "cublasLtDestroy", functions.destroy) &&
         find(library, "cublasLtMatmulDescCreate", functions.create_operation) &&
         find(library, "cublasLtMatmulDescSetAttribute", functions.set_operation) &&
         find(library, "cublasLtMatmulDescDestroy", functions.destroy_operation) &&
         find(library, "cublasLtMatrixLayoutCreate", functions.create_layout) &&
         find(library, "cublasLtMatrixLayoutDestroy", functions.destroy_layout) &&
         find(library, "cublasLtMatmulPreferenceCreate", functions.create_preference) &&
         find(library, "cublasLtMatmulPreferenceSetAttribute", functions.set_preference) &&
         find(library, "cublasLtMatmulPreferenceDestroy", functions.destroy_preference) &&
         find(library, "cublasLtMatmulAlgoGetHeuristic", functions.find_algorithms) &&
         find(library, "cublasLtMatmul", functions.matmul);
}

}  // namespace

std::string CublasLt::name() const {
  const std::size_t number = version();
  return "cuBLASLt " + std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) +
         "." + std::to_string(number % 100);
}

void CublasLt::check(cublasStatus_t status, std::source_location place) const {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Error(ExitStatus::run_failed,
              std::string("A cuBLASLt call failed: ") + status_string(status), place);
}

std::optional<CublasLt> load_cublaslt(std::string& obstacle) {
  const std::string file = "libcublasLt.so." + std::to_string(CUDART_VERSION / 1000);
  CublasLt functions;
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // for as long as the process lives
  if (library != nullptr && find_all(library, functions)) return functions;
  obstacle = library != nullptr ? file + " lacks a function of today's" : dlerror();
  return std::nullopt;
}

}  // namespace peakline::cuda
