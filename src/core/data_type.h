#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/small_float.h"

namespace peakline {

/// What a benchmark's data are made of and how a collective treats them. Each enumeration has one
/// table of names, used for options, keys, tables and records alike.
enum class DataType {
  float32,
  float64,
  float16,
  bfloat16,
  float8_e4m3,
  float8_e5m2,
  int8,
  uint8,
  int32,
  uint32,
  int64,
  uint64
};
enum class ReduceOp { sum, prod, min, max, avg };
enum class Placement { in_place, out_of_place };

/// throughput: enqueue many, synchronise once. latency: one at a time, with an aligned start.
enum class TimingMode { throughput, latency };

/// registered: memory that the communication library has been told of, so that it need not copy
/// through its own.
enum class BufferKind { plain, registered };

/// How operations reach the device: one by one, or several recorded once and replayed as a whole (a
/// CUDA graph).
enum class LaunchKind { stream, graph };

/// Who multiplies matrices: the library of the device's maker, or a kernel of this project, by
/// which a change of the library can be told from one of the hardware.
enum class Implementation { library, kernel };

inline constexpr std::array all_data_types{
    DataType::float32,     DataType::float64,     DataType::float16, DataType::bfloat16,
    DataType::float8_e4m3, DataType::float8_e5m2, DataType::int8,    DataType::uint8,
    DataType::int32,       DataType::uint32,      DataType::int64,   DataType::uint64};
inline constexpr std::array all_reduce_ops{ReduceOp::sum, ReduceOp::prod, ReduceOp::min,
                                           ReduceOp::max, ReduceOp::avg};
inline constexpr std::array all_placements{Placement::in_place, Placement::out_of_place};
inline constexpr std::array all_timing_modes{TimingMode::throughput, TimingMode::latency};
inline constexpr std::array all_buffer_kinds{BufferKind::plain, BufferKind::registered};
inline constexpr std::array all_launch_kinds{LaunchKind::stream, LaunchKind::graph};
inline constexpr std::array all_implementations{Implementation::library, Implementation::kernel};

std::string_view name_of(DataType type);
std::string_view name_of(ReduceOp op);
std::string_view name_of(Placement placement);
std::string_view name_of(TimingMode mode);
std::string_view name_of(BufferKind buffers);
std::string_view name_of(LaunchKind launch);
std::string_view name_of(Implementation implementation);

/// The inverse of name_of. A usage Error lists what is allowed.
DataType parse_data_type(std::string_view name);
ReduceOp parse_reduce_op(std::string_view name);
Placement parse_placement(std::string_view name);
TimingMode parse_timing_mode(std::string_view name);
BufferKind parse_buffer_kind(std::string_view name);
LaunchKind parse_launch_kind(std::string_view name);
Implementation parse_implementation(std::string_view name);

/// Calls `function` with a value of the C++ type that `type` stands for, so that code for all types
/// is written once.
template <typename Function>
constexpr decltype(auto) with_type(DataType type, Function&& function) {
  switch (type) {
    case DataType::float64: return function(double{});
    case DataType::float16: return function(Float16{});
    case DataType::bfloat16: return function(BFloat16{});
    case DataType::float8_e4m3: return function(Float8E4M3{});
    case DataType::float8_e5m2: return function(Float8E5M2{});
    case DataType::int8: return function(std::int8_t{});
    case DataType::uint8: return function(std::uint8_t{});
    case DataType::int32: return function(std::int32_t{});
    case DataType::uint32: return function(std::uint32_t{});
    case DataType::int64: return function(std::int64_t{});
    case DataType::uint64: return function(std::uint64_t{});
    case DataType::float32: break;
  }
  return function(float{});
}

constexpr std::size_t size_of(DataType type) {
  return with_type(type, [](auto zero) { return sizeof zero; });
}

constexpr bool is_whole(DataType type) {
  switch (type) {
    case DataType::int8:
    case DataType::uint8:
    case DataType::int32:
    case DataType::uint32:
    case DataType::int64:
    case DataType::uint64: return true;
    default: return false;
  }
}

}  // namespace peakline
