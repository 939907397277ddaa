#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/benchmark.h"

namespace peakline {

/// B/s that each rank sends to its right neighbour in messages of this size while all do so at once
/// (the traffic of a ring), of the slowest rank: what a collective's bus bandwidth is held against
/// where no nominal peak is known. Both buffers hold at least one message. Collective.
double ring_ceiling_b_s(Context& context, const Buffer& send, Buffer& receive,
                        std::int64_t message_bytes);

/// B/s of one triad over three arrays of `size_bytes` each on this rank, the best of a few.
double triad_ceiling_b_s(Device& device, Buffer& a, const Buffer& b, const Buffer& c,
                         std::int64_t size_bytes);

/// Holds one metric against one more peak; nothing happens when the metric is not there.
void add_peak(std::vector<Metric>& metrics, std::string_view metric, const Peak& peak);

/// The time's median and 99th percentile as metrics of their own, for latency mode.
void add_latency_quantiles(const std::vector<double>& sample_s, std::vector<Metric>& metrics);

}  // namespace peakline
