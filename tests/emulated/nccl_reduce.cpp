#include "nccl_reduce.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace emulated {
namespace {

template <typename Number>
Number combine(Number a, Number b, ncclRedOp_t op) {
  switch (op) {
    case ncclProd: return static_cast<Number>(a * b);
    case ncclMin: return std::min(a, b);
    case ncclMax: return std::max(a, b);
    default: return static_cast<Number>(a + b);
  }
}

template <typename Number>
void reduce_as(void* into, const void* from, std::size_t count, ncclRedOp_t op) {
  auto* to = static_cast<Number*>(into);
  const auto* other = static_cast<const Number*>(from);
  for (std::size_t i = 0; i < count; ++i) to[i] = combine(to[i], other[i], op);
}

}  // namespace

std::size_t size_of_type(ncclDataType_t type) {
  switch (type) {
    case ncclInt8:
    case ncclUint8: return 1;
    case ncclInt32:
    case ncclUint32:
    case ncclFloat32: return 4;
    case ncclInt64:
    case ncclUint64:
    case ncclFloat64: return 8;
    default: return 0;
  }
}

void reduce(void* into, const void* from, std::size_t count, ncclDataType_t type, ncclRedOp_t op) {
  switch (type) {
    case ncclInt8: return reduce_as<std::int8_t>(into, from, count, op);
    case ncclUint8: return reduce_as<std::uint8_t>(into, from, count, op);
    case ncclInt32: return reduce_as<std::int32_t>(into, from, count, op);
    case ncclUint32: return reduce_as<std::uint32_t>(into, from, count, op);
    case ncclInt64: return reduce_as<std::int64_t>(into, from, count, op);
    case ncclUint64: return reduce_as<std::uint64_t>(into, from, count, op);
    case ncclFloat32: return reduce_as<float>(into, from, count, op);
    case ncclFloat64: return reduce_as<double>(into, from, count, op);
    default: return;
  }
}

}  // namespace emulated
