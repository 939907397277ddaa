#include "core/step_timing.h"

namespace peakline {
namespace {

/// A closed gate, open again at the latest when an exception passes.
class HeldGate {
 public:
  explicit HeldGate(Gate& gate) : gate_(&gate) { gate.hold(); }
  ~HeldGate() { gate_->release(); }
  HeldGate(const HeldGate&) = delete;
  HeldGate& operator=(const HeldGate&) = delete;

 private:
  Gate* gate_;
};

}  // namespace

std::vector<double> time_throughput(Benchmark& benchmark, Timeline& timeline, World& world,
                                    std::size_t samples, std::int64_t steps) {
  world.barrier();
  timeline.mark();
  for (std::size_t sample = 0; sample < samples; ++sample) {
    for (std::int64_t step = 0; step < steps; ++step) benchmark.step();
    timeline.mark();
  }
  std::vector<double> times_s = timeline.intervals_s();
  for (double& time_s : times_s) time_s /= static_cast<double>(steps);
  return times_s;
}

std::optional<std::vector<double>> time_behind_gate(Benchmark& benchmark, Timeline& timeline,
                                                    Gate& gate, World& world, std::size_t samples,
                                                    std::int64_t steps) {
  timeline.reserve(2 * samples);
  for (std::size_t sample = 0; sample < samples; ++sample) {
    const HeldGate held(gate);
    timeline.mark();
    for (std::int64_t step = 0; step < steps; ++step) benchmark.step();
    timeline.mark();
    // Of the hosts alone, so no GPU is waited for: else who enqueues faster would open earlier, and
    // its first step would wait for the others within the sample.
    world.barrier();
  }
  const std::vector<double> intervals_s = timeline.intervals_s();
  if (world.maximum(gate.gave_up() ? 1.0 : 0.0) > 0) return std::nullopt;
  std::vector<double> times_s;  // between the samples lies the gate
  for (std::size_t i = 0; i < intervals_s.size(); i += 2) {
    times_s.push_back(intervals_s[i] / static_cast<double>(steps));
  }
  return times_s;
}

std::vector<double> time_latency(Benchmark& benchmark, Timeline& timeline, World& world,
                                 std::size_t samples) {
  std::vector<double> times_s;
  for (std::size_t sample = 0; sample < samples; ++sample) {
    world.barrier();
    timeline.mark();
    benchmark.step();
    timeline.mark();
    times_s.push_back(timeline.intervals_s().front());
  }
  return times_s;
}

}  // namespace peakline
