#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/gemm.h"
#include "cuda/cublaslt.h"
#include "cuda/cuda_stream.h"

namespace peakline::cuda {

/// cuBLASLt's words for the types of a product; nothing where it has none.
struct GemmTypes {
  cudaDataType_t factors;
  cudaDataType_t product;
  cublasComputeType_t sum;
  cudaDataType_t scale;
};
std::optional<GemmTypes> cublaslt_types(const GemmShape& shape);

/// Memory that ways may use beside the matrices. What NVIDIA recommends for Hopper and newer; older
/// GPUs need less (cuBLAS documentation, cublasSetWorkspace).
inline constexpr std::size_t gemm_workspace_bytes = 32 << 20;

/// The matrices of one product, on the device.
struct GemmOperands {
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  void* workspace = nullptr;
};

/// How cuBLASLt does the products of one shape. It reads columns where Peakline has rows: it
/// multiplies C^T = B^T A^T, which lies in memory as C = A B does.
class GemmPlan {
 public:
  GemmPlan(const CublasLt& library, cublasLtHandle_t handle, const GemmShape& shape,
           const GemmTypes& types);

  const GemmShape& shape() const { return shape_; }
  bool is_possible() const { return !ways_.empty(); }

  /// Keeps the fastest way, once.
  void choose(const GemmOperands& operands, const CudaStream& stream);
  void enqueue(const GemmOperands& operands, cudaStream_t stream) const;

 private:
  template <typename Descriptor>
  using Owned = std::unique_ptr<Descriptor, cublasStatus_t (*)(Descriptor*)>;
  using Layout = Owned<cublasLtMatrixLayoutOpaque_t>;

  Layout make_layout(cudaDataType_t type, std::int64_t rows, std::int64_t columns) const;
  void find_ways();
  void enqueue(const cublasLtMatmulAlgo_t& way, const GemmOperands& operands,
               cudaStream_t stream) const;
  double time_s(const cublasLtMatmulAlgo_t& way, const GemmOperands& operands,
                const CudaStream& stream) const;

  const CublasLt* library_;
  cublasLtHandle_t handle_;
  GemmShape shape_;
  bool is_whole_;
  Owned<cublasLtMatmulDescOpaque_t> operation_;
  Layout a_;
  Layout b_;
  Layout c_;
  std::vector<cublasLtMatmulAlgo_t> ways_;  ///< the best ones first, then the chosen one alone
};

}  // namespace peakline::cuda
