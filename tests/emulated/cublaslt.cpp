// cuBLASLt's interface, as far as Peakline uses it: a plain matrix product, entry by entry.
#include <cublasLt.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "core/small_float.h"
#include "fault.h"

namespace {

using namespace peakline;

// What the opaque descriptors hold here.
struct Operation {
  cublasComputeType_t sum;
  cudaDataType_t scale;
  cublasOperation_t turn_first;
};
struct Layout {
  cudaDataType_t type;
  std::uint64_t rows;
  std::uint64_t columns;
  std::int64_t stride;
};

constexpr std::uint64_t ways = 3;  ///< that the heuristics offer; all do the same

template <typename Held, typename Opaque>
Held& held_by(Opaque* opaque) {
  static_assert(sizeof(Held) <= sizeof(Opaque));
  return *reinterpret_cast<Held*>(opaque);
}

/// Columns one after the other, as BLAS has them.
struct Operand {
  const void* data;
  Layout layout;
  bool turned;

  std::int64_t index(std::int64_t row, std::int64_t column) const {
    return turned ? row * layout.stride + column : column * layout.stride + row;
  }
};

template <typename Number, typename Out, typename Sum>
void multiply(const Operand& first, const Operand& second, void* product, const Layout& layout,
              std::int64_t depth) {
  const auto* a = static_cast<const Number*>(first.data);
  const auto* b = static_cast<const Number*>(second.data);
  auto* c = static_cast<Out*>(product);
  for (std::int64_t column = 0; column < static_cast<std::int64_t>(layout.columns); ++column) {
    for (std::int64_t row = 0; row < static_cast<std::int64_t>(layout.rows); ++row) {
      Sum sum = 0;
      for (std::int64_t i = 0; i < depth; ++i) {
        sum += static_cast<Sum>(static_cast<double>(a[first.index(row, i)])) *
               static_cast<Sum>(static_cast<double>(b[second.index(i, column)]));
      }
      c[column * layout.stride + row] = static_cast<Out>(static_cast<double>(sum));
    }
  }
}

using Multiply = void (*)(const Operand&, const Operand&, void*, const Layout&, std::int64_t);

/// Null for types that cuBLASLt does not multiply, or not into such a product.
Multiply find_multiply(cudaDataType_t factors, cudaDataType_t product, const Operation& operation) {
  const auto is = [&](cudaDataType_t factor, cudaDataType_t out, cudaDataType_t scale) {
    return factors == factor && product == out && operation.scale == scale;
  };
  const bool single = operation.sum == CUBLAS_COMPUTE_32F ||
                      (operation.sum == CUBLAS_COMPUTE_32F_FAST_TF32 && factors == CUDA_R_32F);
  if (operation.sum == CUBLAS_COMPUTE_64F && is(CUDA_R_64F, CUDA_R_64F, CUDA_R_64F)) {
    return multiply<double, double, double>;
  }
  if (operation.sum == CUBLAS_COMPUTE_32I && is(CUDA_R_8I, CUDA_R_32I, CUDA_R_32I)) {
    return multiply<std::int8_t, std::int32_t, std::int32_t>;
  }
  if (!single) return nullptr;
  if (is(CUDA_R_32F, CUDA_R_32F, CUDA_R_32F)) return multiply<float, float, float>;
  if (is(CUDA_R_16F, CUDA_R_16F, CUDA_R_32F)) return multiply<Float16, Float16, float>;
  if (is(CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F)) return multiply<BFloat16, BFloat16, float>;
  if (is(CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_32F)) return multiply<Float8E4M3, BFloat16, float>;
  return nullptr;
}

int compute_capability() {
  int device = 0;
  int major = 0;
  int minor = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  return 10 * major + minor;
}

/// cuBLAS documentation, cublasLtMatmul: 8 bit factors have the first one turned, dimensions of
/// whole 16 bytes, and floats of 8 bits a GPU from 8.9 on.
bool is_allowed(const Layout& first, const Layout& second, const Operation& operation) {
  const bool whole = first.type == CUDA_R_8I;
  const bool small_float = first.type == CUDA_R_8F_E4M3;
  if (!whole && !small_float) return true;
  if (operation.turn_first != CUBLAS_OP_T) return false;
  if (first.stride % 16 != 0 || second.stride % 16 != 0) return false;
  return whole || compute_capability() >= 89;
}

/// Of an entry of a product.
std::size_t size_of(cudaDataType_t type) {
  if (type == CUDA_R_64F) return 8;
  return type == CUDA_R_32F || type == CUDA_R_32I ? 4 : 2;
}

struct Job {
  Multiply multiply;
  Operand first;
  Operand second;
  void* product;
  Layout layout;
  std::int64_t depth;
};

void run(void* data) {
  const std::unique_ptr<Job> job(static_cast<Job*>(data));
  job->multiply(job->first, job->second, job->product, job->layout, job->depth);
  if (emulated::strikes("wrong_gemm")) {
    // The first entry gets another sign and another exponent.
    static_cast<unsigned char*>(job->product)[size_of(job->layout.type) - 1] ^= 0xC0U;
  }
}

}  // namespace

extern "C" {

size_t cublasLtGetVersion() { return CUBLAS_VERSION; }

const char* cublasLtGetStatusString(cublasStatus_t status) {
  return status == CUBLAS_STATUS_NOT_SUPPORTED ? "not supported" : "an error of the emulation";
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  *handle = reinterpret_cast<cublasLtHandle_t>(new char);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  delete reinterpret_cast<char*>(handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* operation, cublasComputeType_t sum,
                                        cudaDataType_t scale) {
  *operation = new cublasLtMatmulDescOpaque_t{};
  held_by<Operation>(*operation) = {sum, scale, CUBLAS_OP_N};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t operation,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, size_t size_bytes) {
  if (attribute != CUBLASLT_MATMUL_DESC_TRANSA || size_bytes != sizeof(cublasOperation_t)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  held_by<Operation>(operation).turn_first = *static_cast<const cublasOperation_t*>(value);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t operation) {
  delete operation;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType_t type,
                                          uint64_t rows, uint64_t columns, int64_t stride) {
  *layout = new cublasLtMatrixLayoutOpaque_t{};
  held_by<Layout>(*layout) = {type, rows, columns, stride};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  *preference = new cublasLtMatmulPreferenceOpaque_t{};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void*, size_t) {
  return attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES ? CUBLAS_STATUS_SUCCESS
                                                               : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t, cublasLtMatmulDesc_t operation, cublasLtMatrixLayout_t first,
    cublasLtMatrixLayout_t second, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t product,
    cublasLtMatmulPreference_t, int most, cublasLtMatmulHeuristicResult_t results[], int* count) {
  *count = 0;
  const Operation& wanted = held_by<Operation>(operation);
  const Layout& one = held_by<Layout>(first);
  const Layout& other = held_by<Layout>(second);
  if (find_multiply(one.type, held_by<Layout>(product).type, wanted) == nullptr ||
      !is_allowed(one, other, wanted)) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  for (std::uint64_t way = 0; way < ways && *count < most; ++way) {
    results[*count] = {};
    results[*count].algo.data[0] = way + 1;
    results[*count].state = CUBLAS_STATUS_SUCCESS;
    ++*count;
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t operation, const void*,
                              const void* a, cublasLtMatrixLayout_t first, const void* b,
                              cublasLtMatrixLayout_t second, const void*, const void*,
                              cublasLtMatrixLayout_t, void* d, cublasLtMatrixLayout_t product,
                              const cublasLtMatmulAlgo_t* way, void*, size_t, cudaStream_t stream) {
  if (way == nullptr || way->data[0] == 0 || way->data[0] > ways) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  const Operation& wanted = held_by<Operation>(operation);
  const bool turned = wanted.turn_first == CUBLAS_OP_T;
  const Operand one{a, held_by<Layout>(first), turned};
  const Operand other{b, held_by<Layout>(second), false};
  const Layout& out = held_by<Layout>(product);
  const std::uint64_t depth = turned ? one.layout.rows : one.layout.columns;
  const Multiply multiply = find_multiply(one.layout.type, out.type, wanted);
  const bool fits = other.layout.rows == depth && other.layout.columns == out.columns &&
                    (turned ? one.layout.columns : one.layout.rows) == out.rows;
  if (multiply == nullptr || !fits) return CUBLAS_STATUS_INVALID_VALUE;
  auto job =
      std::make_unique<Job>(Job{multiply, one, other, d, out, static_cast<std::int64_t>(depth)});
  if (cudaLaunchHostFunc(stream, run, job.get()) != cudaSuccess) {
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  static_cast<void>(job.release());
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"
