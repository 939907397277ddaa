#include "bench/ceiling.h"

#include <algorithm>

#include "core/statistics.h"
#include "core/units.h"

namespace peakline {
namespace {

constexpr int probe_repeats = 4;
constexpr int record_digits = 7;

}  // namespace

double ring_ceiling_b_s(Context& context, const Buffer& send, Buffer& receive,
                        std::int64_t message_bytes) {
  const auto timeline = context.device.timeline();
  double fastest_s = 0;
  for (int repeat = 0; repeat <= probe_repeats; ++repeat) {
    context.world.barrier();
    timeline->mark();
    context.communicator.shift_ring(send, receive, message_bytes);
    timeline->mark();
    const double slowest_s = context.world.maximum(timeline->intervals_s().front());
    const bool warm = repeat > 0;
    if (warm && (fastest_s == 0 || slowest_s < fastest_s)) fastest_s = slowest_s;
  }
  return fastest_s > 0 ? static_cast<double>(message_bytes) / fastest_s : 0;
}

double triad_ceiling_b_s(Device& device, Buffer& a, const Buffer& b, const Buffer& c,
                         std::int64_t size_bytes) {
  const auto count = size_bytes / static_cast<std::int64_t>(sizeof(double));
  const auto triad = device.memory(MemoryKernel::triad, a, b, c, count);
  const auto timeline = device.timeline();
  timeline->mark();
  for (int repeat = 0; repeat < probe_repeats; ++repeat) {
    triad->enqueue();
    timeline->mark();
  }
  const std::vector<double> times_s = timeline->intervals_s();
  return 3 * static_cast<double>(size_bytes) / *std::min_element(times_s.begin(), times_s.end());
}

void add_peak(std::vector<Metric>& metrics, std::string_view metric, const Peak& peak) {
  for (Metric& candidate : metrics) {
    if (candidate.name == metric) candidate.peaks.push_back(peak);
  }
}

void add_latency_quantiles(const std::vector<double>& sample_s, std::vector<Metric>& metrics) {
  for (const auto& [name, share] : {std::pair{"latency_p50", 0.5}, {"latency_p99", 0.99}}) {
    Metric metric{name, "s", Better::lower, false, {}, {}, 0, {}};
    metric.n = static_cast<std::int64_t>(sample_s.size());
    if (!sample_s.empty())
      metric.value = round_significant(quantile(sample_s, share), record_digits);
    metrics.push_back(std::move(metric));
  }
}

}  // namespace peakline
