#include "report/peaks_json.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "report/atomic_file.h"
#include "report/strict_json.h"

namespace peakline {
namespace {

constexpr std::array unit_factors{std::pair{"GB/s", 1e9}, std::pair{"TFLOP/s", 1e12},
                                  std::pair{"TOP/s", 1e12}};

double read_positive(const JsonDocument& document, const JsonValue& json) {
  double number = 0;
  document.convert(json, number);
  if (number <= 0) document.refuse(json, "must be greater than 0; leave out what is not known.");
  return number;
}

/// An optional figure, times the `factor` that makes it SI.
void get_figure(const JsonDocument& document, const JsonValue& json, std::string_view name,
                double factor, std::optional<double>& into) {
  if (const JsonValue* value = document.find(json, name)) {
    into = read_positive(document, *value) * factor;
  }
}

void get_count(const JsonDocument& document, const JsonValue& json, std::string_view name,
               std::optional<std::int64_t>& into) {
  document.get_if(json, name, into);
  if (into && *into == 0) {
    document.refuse(document.member(json, name),
                    "must be at least 1; leave out what is not known.");
  }
}

GpuMeasurement read_measurement(const JsonDocument& document, const JsonValue& json) {
  GpuMeasurement measured;
  double factor = 1;
  document.get(json, "metric", measured.metric);
  document.get_word(json, "unit", unit_factors, factor);
  measured.value = read_positive(document, document.member(json, "value")) * factor;
  document.get(json, "source", measured.source);
  if (const JsonValue* condition = document.find(json, "condition")) {
    std::string text;
    document.convert(*condition, text);
    measured.source += ", " + text;
  }
  return measured;
}

void read_dense(const JsonDocument& document, const JsonValue& json, GpuPeaks& gpu) {
  std::map<std::string, double> tflops;
  document.convert(json, tflops);
  for (const auto& [rate, ignored] : tflops) {
    gpu.dense_flops[rate] = read_positive(document, document.member(json, rate)) * 1e12;
  }
}

void read_memory(const JsonDocument& document, const JsonValue& json, GpuPeaks& gpu) {
  get_figure(document, json, "size_gb", 1e9, gpu.healthy.memory_size_bytes);
  get_figure(document, json, "bandwidth_gb_s", 1e9, gpu.memory_bandwidth_b_s);
  get_figure(document, json, "clock_mhz", 1e6, gpu.healthy.memory_clock_hz);
  get_count(document, json, "bus_width_bits", gpu.healthy.memory_bus_bits);
}

void read_nvlink(const JsonDocument& document, const JsonValue& json, GpuPeaks& gpu) {
  get_figure(document, json, "gb_s_per_direction", 1e9, gpu.nvlink_b_s);
  get_figure(document, json, "nccl_gb_s_per_direction", 1e9, gpu.nvlink_nccl_b_s);
  get_count(document, json, "rate_holds_for_gpus", gpu.nvlink_gpus);
}

GpuPeaks read_gpu(const JsonDocument& document, const JsonValue& json) {
  GpuPeaks gpu;
  document.get(json, "id", gpu.id);
  document.get(json, "vendor", gpu.vendor);
  document.get(json, "product", gpu.product);
  document.get(json, "names", gpu.names);
  document.get(json, "compute_capability", gpu.healthy.compute_capability);
  get_count(document, json, "sm_count", gpu.healthy.sm_count);
  get_figure(document, json, "boost_clock_mhz", 1e6, gpu.healthy.max_clock_hz);
  get_figure(document, json, "tensor_quote_clock_mhz", 1e6, gpu.healthy.tensor_clock_hz);
  document.get(json, "half_rate_fp32_accumulate", gpu.healthy.half_rate_fp32_accumulate);
  if (const JsonValue* dense = document.find(json, "dense_tflops")) {
    read_dense(document, *dense, gpu);
  }
  if (const JsonValue* memory = document.find(json, "memory")) read_memory(document, *memory, gpu);
  if (const JsonValue* nvlink = document.find(json, "nvlink")) read_nvlink(document, *nvlink, gpu);
  if (const JsonValue* pcie = document.find(json, "pcie")) {
    get_figure(document, *pcie, "gb_s_per_direction", 1e9, gpu.pcie_b_s);
  }
  document.get(json, "may_derive", gpu.may_derive);
  document.get_if(json, "never_derive", gpu.never_derive);
  document.get_if(json, "uncertain", gpu.uncertain);
  document.get_list_if(json, "measured", gpu.measured, read_measurement);
  return gpu;
}

/// A name that two entries claim would give whichever stands first.
void refuse_repeats(const JsonDocument& document, const std::vector<GpuPeaks>& table) {
  const JsonValue& gpus = document.member(document.root(), "gpus");
  std::set<std::string> ids;
  std::set<std::string> names;
  for (const GpuPeaks& gpu : table) {
    if (!ids.insert(gpu.id).second) {
      document.refuse(gpus, "has the id '" + gpu.id + "' twice; remove one of the entries.");
    }
    for (const std::string& name : gpu.names) {
      if (!names.insert(name).second) {
        document.refuse(gpus, "has the name '" + name + "' twice, the second time in '" + gpu.id +
                                  "'; leave it where it belongs.");
      }
    }
  }
}

}  // namespace

std::vector<GpuPeaks> read_peaks(std::string_view text, const std::string& name_for_errors) {
  const JsonDocument document(text, name_for_errors);
  document.expect_schema(peaks_schema, peaks_schema_version);
  std::vector<GpuPeaks> table;
  document.get_list(document.root(), "gpus", table, read_gpu);
  refuse_repeats(document, table);
  return table;
}

std::vector<GpuPeaks> read_peaks_file(const std::string& path) {
  return read_peaks(read_file(path), path);
}

}  // namespace peakline
