#pragma once

#include <string>
#include <vector>

#include "core/case_id.h"
#include "core/result.h"

namespace peakline {

/// A rate that follows from the time of a step alone: amount / time. One table serves the
/// benchmarks that report rates and the validator that checks them.
struct RateRule {
  std::string metric;
  std::string unit;
  double amount_per_step = 0;
};

/// All rates of a case; empty for a benchmark that has none of this kind.
///   allreduce, broadcast: algbw = size / time, busbw = algbw * bus_factor; no busbw for one rank
///   gemm: flops = 2 m n k / time, of one rank
///   memory: bandwidth = bytes read and written / time, of one rank
///   transfer: bandwidth = bytes copied (those of both directions together) / time, of one rank
///   loader: samples_per_second = batch_size * ranks / time
std::vector<RateRule> rates_of(const CaseId& id);

/// A parameter that the rates of this benchmark follow from and `id`, read from a file, lacks;
/// empty when rates_of() may be asked.
std::string missing_parameter(const CaseId& id);

/// Bus bandwidth over algorithm bandwidth: 2 (n - 1) / n for allreduce, 1 for broadcast
/// (nccl-tests doc/PERFORMANCE.md).
double bus_factor(std::string_view benchmark, std::int64_t ranks);

/// The time metric and every rate of `id`, from samples of the time of one step, with `primary`
/// named as the judged one. The value is the median, or the amount over it.
std::vector<Metric> metrics_of(const CaseId& id, const std::vector<double>& sample_s,
                               std::string_view primary);

}  // namespace peakline
