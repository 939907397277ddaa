#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace peakline {

/// What a benchmark's data are made of and how a collective treats them. Each enumeration has one
/// table of names, used for options, keys, tables and records alike.
enum class DataType { float32, float64, int32 };
enum class ReduceOp { sum, prod, min, max };
enum class Placement { in_place, out_of_place };

/// throughput: enqueue many, synchronise once. latency: one at a time, with an aligned start.
enum class TimingMode { throughput, latency };

inline constexpr std::array all_data_types{DataType::float32, DataType::float64, DataType::int32};
inline constexpr std::array all_reduce_ops{ReduceOp::sum, ReduceOp::prod, ReduceOp::min,
                                           ReduceOp::max};
inline constexpr std::array all_placements{Placement::in_place, Placement::out_of_place};
inline constexpr std::array all_timing_modes{TimingMode::throughput, TimingMode::latency};

std::string_view name_of(DataType type);
std::string_view name_of(ReduceOp op);
std::string_view name_of(Placement placement);
std::string_view name_of(TimingMode mode);

/// The inverse of name_of. A usage Error lists what is allowed.
DataType parse_data_type(std::string_view name);
ReduceOp parse_reduce_op(std::string_view name);
Placement parse_placement(std::string_view name);
TimingMode parse_timing_mode(std::string_view name);

constexpr std::size_t size_of(DataType type) { return type == DataType::float64 ? 8 : 4; }

/// Calls `function` with a value of the C++ type that `type` stands for, so that code for all types
/// is written once.
template <typename Function>
decltype(auto) with_type(DataType type, Function&& function) {
  switch (type) {
    case DataType::float64: return function(double{});
    case DataType::int32: return function(std::int32_t{});
    case DataType::float32: break;
  }
  return function(float{});
}

}  // namespace peakline
