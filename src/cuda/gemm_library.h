#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/device.h"
#include "cuda/cublaslt.h"
#include "cuda/cuda_stream.h"

namespace peakline::cuda {

class GemmPlan;

/// Matrix products by cuBLASLt, each by the fastest of the ways that its heuristics put first.
class GemmLibrary {
 public:
  /// `compute_major` is that of the GPU.
  GemmLibrary(const CudaStream& stream, int compute_major);
  ~GemmLibrary();
  GemmLibrary(const GemmLibrary&) = delete;
  GemmLibrary& operator=(const GemmLibrary&) = delete;

  /// "cuBLASLt 13.0.2"; empty when there is none.
  std::string name() const;

  /// Empty when it can be had; asks the library, which answers by the shape too.
  std::string why_not(const GemmShape& shape);

  /// The first product of a shape tries the ways on these buffers, and writes `c`.
  std::unique_ptr<Operation> product(const GemmShape& shape, const Buffer& a, const Buffer& b,
                                     Buffer& c);

 private:
  std::shared_ptr<GemmPlan> plan_of(const GemmShape& shape);

  const CudaStream* stream_;
  int compute_major_;
  std::string obstacle_;
  std::optional<CublasLt> library_;
  cublasLtHandle_t handle_ = nullptr;
  DeviceMemory workspace_;
  std::vector<std::shared_ptr<GemmPlan>> plans_;
};

}  // namespace peakline::cuda
