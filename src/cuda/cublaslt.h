#pragma once

#include <cublasLt.h>

#include <optional>
#include <source_location>
#include <string>

namespace peakline::cuda {

/// The functions of cuBLASLt that Peakline uses, loaded at run time: a node without this library
/// can still measure everything but its GEMM.
struct CublasLt {
  decltype(&cublasLtGetVersion) version = nullptr;
  decltype(&cublasLtGetStatusString) status_string = nullptr;
  decltype(&cublasLtCreate) create = nullptr;
  decltype(&cublasLtDestroy) destroy = nullptr;
  decltype(&cublasLtMatmulDescCreate) create_operation = nullptr;
  decltype(&cublasLtMatmulDescSetAttribute) set_operation = nullptr;
  decltype(&cublasLtMatmulDescDestroy) destroy_operation = nullptr;
  decltype(&cublasLtMatrixLayoutCreate) create_layout = nullptr;
  decltype(&cublasLtMatrixLayoutDestroy) destroy_layout = nullptr;
  decltype(&cublasLtMatmulPreferenceCreate) create_preference = nullptr;
  decltype(&cublasLtMatmulPreferenceSetAttribute) set_preference = nullptr;
  decltype(&cublasLtMatmulPreferenceDestroy) destroy_preference = nullptr;
  decltype(&cublasLtMatmulAlgoGetHeuristic) find_algorithms = nullptr;
  decltype(&cublasLtMatmul) matmul = nullptr;

  /// "cuBLASLt 13.0.2"
  std::string name() const;

  /// Throws an Error with the library's words.
  void check(cublasStatus_t status,
             std::source_location place = std::source_location::current()) const;
};

/// Of the CUDA version that this was built with; nothing, and why in `obstacle`, when it cannot be
/// loaded.
std::optional<CublasLt> load_cublaslt(std::string& obstacle);

}  // namespace peakline::cuda
