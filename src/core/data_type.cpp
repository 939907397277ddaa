#include "core/data_type.h"

#include <string>

#include "core/error.h"

namespace peakline {
namespace {

template <typename Value, std::size_t count>
Value parse_name(std::string_view name, std::string_view what,
                 const std::array<Value, count>& values) {
  std::string allowed;
  for (Value value : values) {
    if (name_of(value) == name) return value;
    allowed += (allowed.empty() ? "" : ", ") + std::string(name_of(value));
  }
  throw usage_error("'" + std::string(name) + "' is not a known " + std::string(what) +
                    ": choose from " + allowed + " or all.");
}

}  // namespace

std::string_view name_of(DataType type) {
  switch (type) {
    case DataType::float32: return "float32";
    case DataType::float64: return "float64";
    case DataType::float16: return "float16";
    case DataType::bfloat16: return "bfloat16";
    case DataType::float8_e4m3: return "float8_e4m3";
    case DataType::float8_e5m2: return "float8_e5m2";
    case DataType::int8: return "int8";
    case DataType::uint8: return "uint8";
    case DataType::int32: return "int32";
    case DataType::uint32: return "uint32";
    case DataType::int64: return "int64";
    case DataType::uint64: return "uint64";
  }
  return "unknown";
}

std::string_view name_of(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum: return "sum";
    case ReduceOp::prod: return "prod";
    case ReduceOp::min: return "min";
    case ReduceOp::max: return "max";
    case ReduceOp::avg: return "avg";
  }
  return "unknown";
}

std::string_view name_of(Placement placement) {
  return placement == Placement::in_place ? "in_place" : "out_of_place";
}

std::string_view name_of(TimingMode mode) {
  return mode == TimingMode::throughput ? "throughput" : "latency";
}

std::string_view name_of(BufferKind buffers) {
  return buffers == BufferKind::plain ? "plain" : "registered";
}

std::string_view name_of(LaunchKind launch) {
  return launch == LaunchKind::stream ? "stream" : "graph";
}

std::string_view name_of(Implementation implementation) {
  return implementation == Implementation::library ? "library" : "kernel";
}

DataType parse_data_type(std::string_view name) {
  return parse_name(name, "data type", all_data_types);
}
ReduceOp parse_reduce_op(std::string_view name) {
  return parse_name(name, "reduction", all_reduce_ops);
}
Placement parse_placement(std::string_view name) {
  return parse_name(name, "placement", all_placements);
}
TimingMode parse_timing_mode(std::string_view name) {
  return parse_name(name, "timing mode", all_timing_modes);
}
BufferKind parse_buffer_kind(std::string_view name) {
  return parse_name(name, "kind of buffers", all_buffer_kinds);
}
LaunchKind parse_launch_kind(std::string_view name) {
  return parse_name(name, "kind of launch", all_launch_kinds);
}
Implementation parse_implementation(std::string_view name) {
  return parse_name(name, "implementation", all_implementations);
}

}  // namespace peakline
