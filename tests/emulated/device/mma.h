#pragma once

// In the place of CUDA's header of this name, for kernels that are compiled for the CPU: fragments
// of 16 x 16 results. Which element is whose differs from every GPU: a thread of a warp has half a
// row of the results, and of the factors all that its results need, so that no thread has to ask
// another. The layout is nobody's business but WMMA's own.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "block.h"
#include "cpu_kernel.h"

namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
enum layout_t { mem_row_major };
namespace precision {
struct tf32;
}

constexpr int edge = 16;
constexpr int warp_threads = 32;
constexpr int own_columns = edge * edge / warp_threads;

template <typename Factor>
struct StoredAs {
  using Type = Factor;
};
template <>
struct StoredAs<precision::tf32> {
  using Type = float;
};

template <typename Factor>
float product_factor(typename StoredAs<Factor>::Type value) {
  return static_cast<float>(value);
}
/// The bits that tf32 has not must be rounded away before (CUDA C++ Programming Guide, Alternate
/// Floating Point): what the tensor cores do with them is not said.
template <>
inline float product_factor<precision::tf32>(float value) {
  constexpr std::uint32_t no_bits_of_tf32 = 0x1FFF;
  if ((__builtin_bit_cast(std::uint32_t, value) & no_bits_of_tf32) != 0) {
    emulated::misuse("a kernel multiplies a float as tf32 that it has not rounded");
  }
  return value;
}

inline int own_row() { return static_cast<int>(threadIdx.x) % warp_threads / 2; }
inline int first_own_column() { return static_cast<int>(threadIdx.x) % 2 * own_columns; }

template <typename Stored, int count>
struct Elements {
  static constexpr int num_elements = count;
  Stored x[static_cast<unsigned>(count)];
};

template <typename Use, int m, int n, int k, typename Factor, typename Layout = void>
struct fragment;

template <int k, typename Factor>
struct fragment<matrix_a, edge, edge, k, Factor, row_major>
    : Elements<typename StoredAs<Factor>::Type, k> {};

template <int k, typename Factor>
struct fragment<matrix_b, edge, edge, k, Factor, row_major>
    : Elements<typename StoredAs<Factor>::Type, k * own_columns> {};

template <int k>
struct fragment<accumulator, edge, edge, k, float> : Elements<float, own_columns> {};

template <int k>
using Sums = fragment<accumulator, edge, edge, k, float>;

template <int k>
void fill_fragment(Sums<k>& sums, float value) {
  for (float& x : sums.x) x = value;
}

template <int k, typename Factor, typename Stored>
void load_matrix_sync(fragment<matrix_a, edge, edge, k, Factor, row_major>& a, const Stored* from,
                      int stride) {
  for (int i = 0; i < k; ++i) a.x[i] = from[own_row() * stride + i];
}

template <int k, typename Factor, typename Stored>
void load_matrix_sync(fragment<matrix_b, edge, edge, k, Factor, row_major>& b, const Stored* from,
                      int stride) {
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j < own_columns; ++j) {
      b.x[i * own_columns + j] = from[i * stride + first_own_column() + j];
    }
  }
}

template <int k, typename Factor>
void mma_sync(Sums<k>& sums, const fragment<matrix_a, edge, edge, k, Factor, row_major>& a,
              const fragment<matrix_b, edge, edge, k, Factor, row_major>& b, const Sums<k>& more) {
  for (int j = 0; j < own_columns; ++j) {
    float sum = more.x[j];
    for (int i = 0; i < k; ++i) {
      sum += product_factor<Factor>(a.x[i]) * product_factor<Factor>(b.x[i * own_columns + j]);
    }
    sums.x[j] = sum;
  }
}

template <int k>
void store_matrix_sync(float* to, const Sums<k>& sums, int stride, layout_t) {
  for (int j = 0; j < own_columns; ++j) {
    to[own_row() * stride + first_own_column() + j] = sums.x[j];
  }
}

/// To the nearest, and away from zero from the middle.
inline float __float_to_tf32(float value) {
  constexpr std::uint32_t half = 0x1000;
  constexpr std::uint32_t kept = 0xFFFFE000;
  return __builtin_bit_cast(float, (__builtin_bit_cast(std::uint32_t, value) + half) & kept);
}

}  // namespace nvcuda::wmma
