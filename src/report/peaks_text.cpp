#include "report/peaks_text.h"

#include <algorithm>

#include "core/units.h"
#include "report/text_table.h"

namespace peakline {
namespace {

std::string rate_text(const GpuPeaks& gpu, std::string_view rate) {
  const auto found = gpu.dense_flops.find(rate);
  return found == gpu.dense_flops.end() ? "-" : format_significant(found->second * 1e-12, 4);
}

std::string bandwidth_text(const std::optional<double>& bandwidth_b_s) {
  return bandwidth_b_s ? format_significant(*bandwidth_b_s * 1e-9, 4) : "-";
}

/// The parameters that a ceiling depends on.
std::string what_of(const CaseId& id) {
  std::string text;
  for (const char* name : {"dtype", "size_bytes"}) {
    const auto found = id.params.find(name);
    if (found != id.params.end()) text += std::string(" ") + name + "=" + text_of(found->second);
  }
  return text;
}

}  // namespace

std::string peaks_table(const std::vector<GpuPeaks>& gpus) {
  std::vector<TextRow> rows{{"device", "fp64", "fp64_tensor", "fp32", "tf32", "fp16", "bf16",
                             "int8", "fp8", "memory", "NVLink", "PCIe"}};
  for (const GpuPeaks& gpu : gpus) {
    TextRow row{gpu.vendor + " " + (gpu.names.empty() ? gpu.product : gpu.names.front())};
    for (const char* rate :
         {"fp64", "fp64_tensor", "fp32", "tf32", "fp16", "bf16", "int8", "fp8"}) {
      row.push_back(rate_text(gpu, rate));
    }
    for (const auto& bandwidth_b_s : {gpu.memory_bandwidth_b_s, gpu.nvlink_b_s, gpu.pcie_b_s}) {
      row.push_back(bandwidth_text(bandwidth_b_s));
    }
    rows.push_back(std::move(row));
  }
  return "Data sheets: dense TFLOP/s, GB/s (1e9 bytes), links for each direction. - is not known "
         "or "
         "not there.\n" +
         aligned_table(rows);
}

std::string peaks_of_gpu(const GpuPeaks& gpu) {
  std::string text = peaks_table({gpu});
  if (!gpu.uncertain.empty()) text += "Uncertain: " + gpu.uncertain + "\n";
  if (!gpu.measured.empty()) text += "Published measurements of healthy devices:\n";
  for (const GpuMeasurement& measured : gpu.measured) {
    const bool is_gemm = measured.metric.starts_with("gemm");
    text += "  " + measured.metric + ": " + format_si(measured.value, is_gemm ? "FLOP/s" : "B/s") +
            "  " + measured.source + "\n";
  }
  return text;
}

std::string measured_ceilings(const Record& record) {
  std::vector<std::string> lines;
  for (const Result& result : record.results) {
    for (const Metric& metric : result.metrics) {
      for (const Peak& peak : metric.peaks) {
        if (peak.kind != "measured") continue;
        const std::string line = "  " + result.id.benchmark + " " + metric.name +
                                 what_of(result.id) + ": " + format_value(peak.value, metric.unit) +
                                 "  " + peak.source + "\n";
        if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
      }
    }
  }
  std::string text = "Ceilings measured in run " + record.run.id + ":\n";
  if (lines.empty()) text += "  none\n";
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace peakline
