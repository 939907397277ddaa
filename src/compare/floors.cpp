#include "compare/floors.h"

#include "compare/link_peaks.h"
#include "core/units.h"

namespace peakline {
namespace {

/// Data sheets and published best figures speak of sizes that fill a device. Smaller ones say
/// nothing about it.
bool is_on_plateau(const CaseId& id) {
  constexpr std::int64_t gemm_edge = 4096;
  constexpr std::int64_t mib = std::int64_t{1} << 20;
  constexpr std::int64_t gib = mib << 10;
  if (id.benchmark == "gemm") {
    return id.integer_if("m") >= gemm_edge && id.integer_if("n") >= gemm_edge &&
           id.integer_if("k") >= gemm_edge;
  }
  // Of the loops over memory only triad gets near the data sheet on every healthy card.
  if (id.benchmark == "memory" && id.word_if("kernel") != "triad") return false;
  if (id.benchmark == "transfer") {
    // GPUs behind one switch share its link to the host: several at once need not reach it each.
    return id.scope.ranks_per_node == 1 && id.integer_if("size_bytes") >= 64 * mib;
  }
  return id.integer_if("size_bytes") >= gib;
}

std::vector<Peak> peaks_from_table(const Result& result, const Metric& metric,
                                   const Machine& machine, const std::vector<GpuPeaks>& table) {
  std::vector<Peak> peaks;
  if (machine.backend != "cuda") return peaks;
  const GpuProperties& device = machine.gpu;
  const auto add = [&](const std::optional<Peak>& peak) {
    if (peak) peaks.push_back(*peak);
  };
  if (metric.name == "flops") {
    add(attainable_gemm_peak(table, device, result.id.word_if("dtype")));
    add(nominal_gemm_peak(table, device, result.id.word_if("dtype")));
    const auto clock_hz = result.telemetry.find("sm_clock_hz_mean");
    if (clock_hz != result.telemetry.end()) {
      add(gemm_peak_at_clock(table, device, result.id.word_if("dtype"), clock_hz->second));
    }
  } else if (metric.name == "bandwidth" && result.id.benchmark == "memory") {
    add(nominal_memory_peak(table, device));
  } else if (metric.name == "bandwidth") {
    return host_copy_peaks(result, machine, table);
  } else if (metric.name == "busbw") {
    return allreduce_peaks(result, machine, table);
  }
  return peaks;
}

}  // namespace

std::vector<PeakShare> peaks_of(const Result& result, const Metric& metric, const Machine& machine,
                                const std::vector<GpuPeaks>& table) {
  std::vector<PeakShare> shares;
  if (!metric.value) return shares;
  for (const Peak& peak : peaks_from_table(result, metric, machine, table)) {
    shares.push_back({peak, *metric.value / peak.value});
  }
  for (const Peak& peak : metric.peaks) {
    // Only what was measured comes from the record: tables get better, records do not.
    if (peak.kind == "measured" && peak.value > 0) {
      shares.push_back({peak, *metric.value / peak.value});
    }
  }
  return shares;
}

std::optional<Floor> floor_of(const Result& result, const Metric& metric,
                              const std::vector<PeakShare>& peaks,
                              std::optional<double> baseline_median, const Policy& policy) {
  if (metric.better != Better::higher) return std::nullopt;
  const std::string share = format_percent(policy.floor_share) + " of ";
  for (const char* kind : {"attainable", "nominal"}) {
    for (const PeakShare& peak : peaks) {
      if (peak.peak.kind != kind || !is_on_plateau(result.id)) continue;
      return Floor{policy.floor_share * peak.peak.value,
                   share + kind + " (" + peak.peak.source + ")", false};
    }
  }
  if (!baseline_median) return std::nullopt;
  return Floor{policy.floor_share * *baseline_median, share + "the accepted median", true};
}

}  // namespace peakline
