#include "cuda/gemm_plan.h"

#include <algorithm>
#include <array>
#include <limits>

#include "cuda/check.h"
#include "cuda/handles.h"

namespace peakline::cuda {

std::optional<GemmTypes> cublaslt_types(const GemmShape& shape) {
  const cublasComputeType_t single = shape.tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
  switch (shape.type) {
    case DataType::float64:
      return GemmTypes{CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F};
    case DataType::float32: return GemmTypes{CUDA_R_32F, CUDA_R_32F, single, CUDA_R_32F};
    case DataType::float16:
      return GemmTypes{CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F};
    case DataType::bfloat16:
      return GemmTypes{CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F};
    case DataType::float8_e4m3:
      return GemmTypes{CUDA_R_8F_E4M3, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F};
    case DataType::int8: return GemmTypes{CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, CUDA_R_32I};
    default: return std::nullopt;
  }
}

GemmPlan::GemmPlan(const CublasLt& library, cublasLtHandle_t handle, const GemmShape& shape,
                   const GemmTypes& types)
    : library_(&library),
      handle_(handle),
      shape_(shape),
      is_whole_(types.scale == CUDA_R_32I),
      operation_(nullptr, library.destroy_operation),
      a_(make_layout(types.factors, shape.k, shape.m)),
      b_(shape.b_is_transposed() ? make_layout(types.factors, shape.k, shape.n)
                                 : make_layout(types.factors, shape.n, shape.k)),
      c_(make_layout(types.product, shape.n, shape.m)) {
  cublasLtMatmulDesc_t operation = nullptr;
  library.check(library.create_operation(&operation, types.sum, types.scale));
  operation_.reset(operation);
  const cublasOperation_t turn = shape.b_is_transposed() ? CUBLAS_OP_T : CUBLAS_OP_N;
  library.check(library.set_operation(operation, CUBLASLT_MATMUL_DESC_TRANSA, &turn, sizeof turn));
  find_ways();
}

GemmPlan::Layout GemmPlan::make_layout(cudaDataType_t type, std::int64_t rows,
                                       std::int64_t columns) const {
  cublasLtMatrixLayout_t layout = nullptr;
  library_->check(library_->create_layout(&layout, type, static_cast<std::uint64_t>(rows),
                                          static_cast<std::uint64_t>(columns), rows));
  return {layout, library_->destroy_layout};
}

void GemmPlan::find_ways() {
  cublasLtMatmulPreference_t made = nullptr;
  library_->check(library_->create_preference(&made));
  const Owned<cublasLtMatmulPreferenceOpaque_t> preference(made, library_->destroy_preference);
  library_->check(library_->set_preference(made, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                           &gemm_workspace_bytes, sizeof gemm_workspace_bytes));
  std::array<cublasLtMatmulHeuristicResult_t, 8> found{};
  int count = 0;
  const cublasStatus_t status =
      library_->find_algorithms(handle_, operation_.get(), b_.get(), a_.get(), c_.get(), c_.get(),
                                made, static_cast<int>(found.size()), found.data(), &count);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE) return;
  library_->check(status);
  for (int i = 0; i < count; ++i) {
    const auto& way = found.at(static_cast<std::size_t>(i));
    if (way.state == CUBLAS_STATUS_SUCCESS) ways_.push_back(way.algo);
  }
}

void GemmPlan::enqueue(const cublasLtMatmulAlgo_t& way, const GemmOperands& operands,
                       cudaStream_t stream) const {
  constexpr float one = 1;
  constexpr float none = 0;
  constexpr double one_of_double = 1;
  constexpr double none_of_double = 0;
  constexpr std::int32_t one_of_whole = 1;
  constexpr std::int32_t none_of_whole = 0;
  const void* alpha = &one;
  const void* beta = &none;
  if (is_whole_) {
    alpha = &one_of_whole;
    beta = &none_of_whole;
  } else if (shape_.type == DataType::float64) {
    alpha = &one_of_double;
    beta = &none_of_double;
  }
  library_->check(library_->matmul(handle_, operation_.get(), alpha, operands.b, b_.get(),
                                   operands.a, a_.get(), beta, operands.c, c_.get(), operands.c,
                                   c_.get(), &way, operands.workspace, gemm_workspace_bytes,
                                   stream));
}

void GemmPlan::enqueue(const GemmOperands& operands, cudaStream_t stream) const {
  enqueue(ways_.front(), operands, stream);
}

/// The shortest of a few, after one that loads the kernel.
double GemmPlan::time_s(const cublasLtMatmulAlgo_t& way, const GemmOperands& operands,
                        const CudaStream& stream) const {
  constexpr int repeats = 3;
  const Event begin = make_event();
  const Event end = make_event();
  double shortest_s = std::numeric_limits<double>::infinity();
  enqueue(way, operands, stream.get());
  for (int repeat = 0; repeat < repeats; ++repeat) {
    cuda::check(cudaEventRecord(begin.get(), stream.get()));
    enqueue(way, operands, stream.get());
    cuda::check(cudaEventRecord(end.get(), stream.get()));
    stream.wait_for(end.get());
    float elapsed_ms = 0;
    cuda::check(cudaEventElapsedTime(&elapsed_ms, begin.get(), end.get()));
    shortest_s = std::min(shortest_s, static_cast<double>(elapsed_ms) / 1e3);
  }
  return shortest_s;
}

/// The ways come best first, as the library guesses. A large product of float64 takes long, so not
/// all of its ways are tried.
void GemmPlan::choose(const GemmOperands& operands, const CudaStream& stream) {
  constexpr double enough_s = 0.5;
  if (ways_.size() < 2) return;
  double shortest_s = std::numeric_limits<double>::infinity();
  double spent_s = 0;
  cublasLtMatmulAlgo_t best = ways_.front();
  for (const cublasLtMatmulAlgo_t& way : ways_) {
    const double way_s = time_s(way, operands, stream);
    if (way_s < shortest_s) {
      shortest_s = way_s;
      best = way;
    }
    constexpr int runs = 4;
    spent_s += runs * way_s;
    if (spent_s > enough_s) break;
  }
  ways_ = {best};
}

}  // namespace peakline::cuda
