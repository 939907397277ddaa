#include "nccl_reduce.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "core/small_float.h"
#include "nccl_chatter.h"

namespace emulated {
namespace {

/// ncclFloat8e4m3 and ncclFloat8e5m2, which nccl.h names from 2.24 on.
constexpr int float8_e4m3 = 10;
constexpr int float8_e5m2 = 11;
constexpr int first_version_with_float8 = 22400;

/// What has no arithmetic of its own is computed as double, and rounded after every step. Whole
/// numbers wrap, as they do on a GPU.
template <typename Number>
Number combine(Number a, Number b, ncclRedOp_t op) {
  if constexpr (!std::is_arithmetic_v<Number>) {
    return Number(combine(static_cast<double>(a), static_cast<double>(b), op));
  } else {
    using Wrapping = std::conditional_t<std::is_integral_v<Number>, std::uint64_t, Number>;
    const auto first = static_cast<Wrapping>(a);
    const auto second = static_cast<Wrapping>(b);
    switch (op) {
      case ncclProd: return static_cast<Number>(first * second);
      case ncclMin: return std::min(a, b);
      case ncclMax: return std::max(a, b);
      default: return static_cast<Number>(first + second);
    }
  }
}

template <typename Number>
void take_share_as(void* data, std::size_t count, int ranks) {
  if constexpr (!std::is_integral_v<Number>) {
    auto* values = static_cast<Number*>(data);
    const auto share = static_cast<double>(static_cast<Number>(1.0 / ranks));
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = static_cast<Number>(static_cast<double>(values[i]) * share);
    }
  }
}

template <typename Number>
void divide_sum_as(void* data, std::size_t count, int ranks) {
  if constexpr (std::is_integral_v<Number>) {
    using Wide = std::conditional_t<std::is_signed_v<Number>, std::int64_t, std::uint64_t>;
    auto* values = static_cast<Number*>(data);
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = static_cast<Number>(static_cast<Wide>(values[i]) / static_cast<Wide>(ranks));
    }
  }
}

template <typename Number>
void reduce_as(void* into, const void* from, std::size_t count, ncclRedOp_t op) {
  auto* to = static_cast<Number*>(into);
  const auto* other = static_cast<const Number*>(from);
  for (std::size_t i = 0; i < count; ++i) to[i] = combine(to[i], other[i], op);
}

/// Calls `work` with a value of the type's C++ type.
template <typename Work>
void with_type(ncclDataType_t type, const Work& work) {
  switch (static_cast<int>(type)) {
    case ncclInt8: return work(std::int8_t{});
    case ncclUint8: return work(std::uint8_t{});
    case ncclInt32: return work(std::int32_t{});
    case ncclUint32: return work(std::uint32_t{});
    case ncclInt64: return work(std::int64_t{});
    case ncclUint64: return work(std::uint64_t{});
    case ncclFloat16: return work(peakline::Float16{});
    case ncclBfloat16: return work(peakline::BFloat16{});
    case ncclFloat32: return work(float{});
    case ncclFloat64: return work(double{});
    case float8_e4m3: return work(peakline::Float8E4M3{});
    case float8_e5m2: return work(peakline::Float8E5M2{});
    default: return;
  }
}

}  // namespace

std::size_t size_of_type(ncclDataType_t type) {
  if (type >= float8_e4m3 && nccl_version() < first_version_with_float8) return 0;
  std::size_t size_bytes = 0;
  with_type(type, [&](auto zero) { size_bytes = sizeof zero; });
  return size_bytes;
}

void reduce(void* into, const void* from, std::size_t count, ncclDataType_t type, ncclRedOp_t op) {
  with_type(type, [&](auto zero) { reduce_as<decltype(zero)>(into, from, count, op); });
}

void take_share(void* data, std::size_t count, ncclDataType_t type, int ranks) {
  with_type(type, [&](auto zero) { take_share_as<decltype(zero)>(data, count, ranks); });
}

void divide_sum(void* data, std::size_t count, ncclDataType_t type, int ranks) {
  with_type(type, [&](auto zero) { divide_sum_as<decltype(zero)>(data, count, ranks); });
}

}  // namespace emulated
