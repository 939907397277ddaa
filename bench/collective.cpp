#include "bench/collective.h"

#include <algorithm>

#include "bench/ceiling.h"
#include "bench/collective_plan.h"
#include "core/rates.h"
#include "core/runner.h"
#include "core/statistics.h"
#include "core/units.h"

namespace peakline {
namespace {

constexpr std::int64_t bandwidth_size_bytes =
    1 << 20;  // from here on a collective is about bandwidth
constexpr unsigned char poison = 0xA5;
constexpr std::size_t operations_per_graph = 16;
constexpr std::size_t most_graphs = 16;

bool is_about_bandwidth(const CaseId& id) {
  return id.scope.ranks > 1 && id.integer("size_bytes") >= bandwidth_size_bytes &&
         id.word("mode") == name_of(TimingMode::throughput);
}

BufferKind buffers_of(const CaseId& id) {
  const std::string name = id.word_if("buffers");
  return name.empty() ? BufferKind::plain : parse_buffer_kind(name);
}

LaunchKind launch_of(const CaseId& id) {
  const std::string name = id.word_if("launch");
  return name.empty() ? LaunchKind::stream : parse_launch_kind(name);
}

}  // namespace

CollectiveBenchmark::CollectiveBenchmark(Context& context, const CaseId& id)
    : context_(&context),
      id_(id),
      type_(parse_data_type(id.word("dtype"))),
      placement_(parse_placement(id.word("placement"))),
      mode_(parse_timing_mode(id.word("mode"))),
      buffers_(buffers_of(id)),
      launch_(launch_of(id)),
      count_(id.integer("size_bytes") / static_cast<std::int64_t>(size_of(type_))),
      rotation_(rotation_of(static_cast<std::size_t>(id.integer("size_bytes")),
                            context.device.info().cache_bytes)) {
  Device& device = context.device;
  receive_ = allocate(rotation_.total_bytes());
  device.fill_random(*receive_, type_, context.seed);
  if (placement_ == Placement::out_of_place) {
    send_ = allocate(rotation_.total_bytes());
    device.fill_random(*send_, type_, context.seed);
  } else if (is_about_bandwidth(id)) {
    ring_partner_ =
        device.allocate(static_cast<std::size_t>(ring_probe_bytes(id.integer("size_bytes"))));
    device.fill_bytes(*ring_partner_, poison);
  }
}

std::unique_ptr<Buffer> CollectiveBenchmark::allocate(std::size_t size_bytes) {
  return buffers_ == BufferKind::registered ? context_->communicator.allocate_registered(size_bytes)
                                            : context_->device.allocate(size_bytes);
}

/// A library chooses for a recorded call when it is recorded.
CallChoice CollectiveBenchmark::first_step() {
  return context_->communicator.explain([this] {
    if (launch_ == LaunchKind::graph) record_graphs();
    step();
  });
}

std::int64_t CollectiveBenchmark::operations_per_step() const {
  const bool several = launch_ == LaunchKind::graph && mode_ == TimingMode::throughput;
  return several ? operations_per_graph : 1;
}

/// Together the graphs go round all slices once, or as far as `most_graphs` take them: recording
/// more would cost more than the cache's share of the time of a small message is worth.
void CollectiveBenchmark::record_graphs() {
  const auto operations = static_cast<std::size_t>(operations_per_step());
  const std::size_t graphs =
      std::min((rotation_.slices + operations - 1) / operations, most_graphs);
  while (graphs_.size() < graphs) {
    graphs_.push_back(context_->communicator.record([&] {
      for (std::size_t operation = 0; operation < operations; ++operation) enqueue_next();
    }));
  }
}

void CollectiveBenchmark::step() {
  if (graphs_.empty()) return enqueue_next();
  graphs_[next_graph_]->enqueue();
  if (++next_graph_ == graphs_.size()) next_graph_ = 0;
}

void CollectiveBenchmark::enqueue_next() {
  const auto next_of = [this](Buffer& whole) {
    return BufferPart(whole, rotation_.first_byte(slice_), rotation_.size_bytes);
  };
  BufferPart receive = next_of(*receive_);
  if (send_) {
    enqueue(next_of(*send_), receive);
  } else {
    enqueue(receive, receive);
  }
  if (++slice_ == rotation_.slices) slice_ = 0;
}

void CollectiveBenchmark::prepare_check(std::uint64_t) {
  const auto size_bytes = static_cast<std::size_t>(id_.integer("size_bytes"));
  fresh_receive_ = allocate(size_bytes);
  fresh_send_ = send_ ? allocate(size_bytes) : nullptr;
}

Verification CollectiveBenchmark::verify(std::uint64_t seed) {
  Device& device = context_->device;
  const PatternSpec spec = pattern(seed);
  const std::unique_ptr<Buffer> receive = std::move(fresh_receive_);
  const std::unique_ptr<Buffer> send = std::move(fresh_send_);
  device.fill_bytes(*receive, poison);
  if (gives_input()) {
    device.fill_pattern(send ? *send : *receive, type_, count_, spec, pattern_rank());
  }
  const auto operate = [&] { enqueue(send ? *send : *receive, *receive); };
  std::unique_ptr<Operation> graph;
  if (launch_ == LaunchKind::graph) {
    graph = context_->communicator.record(operate);
    graph->enqueue();
  } else {
    operate();
  }
  device.synchronise();
  return combine_checks(context_->world, device.check_reduced(*receive, type_, count_, spec));
}

/// Probed beside the measurement, so that both see the same machine. Never within a timed region:
/// the notes are taken after the samples.
Notes CollectiveBenchmark::take_notes() {
  if (!is_about_bandwidth(id_)) return {};
  const Buffer& partner = send_ ? *send_ : *ring_partner_;
  return {{"ring_ceiling_b_s",
           {ring_ceiling_b_s(*context_, partner, *receive_,
                             ring_probe_bytes(id_.integer("size_bytes")))}}};
}

std::vector<Result> CollectiveBenchmark::results(const Observations& observations,
                                                 Result measured) const {
  const bool about_bandwidth = is_about_bandwidth(id_);
  measured.metrics = metrics_of(id_, observations.sample_s, about_bandwidth ? "busbw" : "time");
  if (mode_ == TimingMode::latency) add_latency_quantiles(observations.sample_s, measured.metrics);
  const auto ring = observations.notes.find("ring_ceiling_b_s");
  if (ring != observations.notes.end()) {
    add_peak(measured.metrics, "busbw",
             {"measured", round_significant(ring->second.largest, 5),
              "point-to-point stream in a ring over all ranks, in this run"});
  }
  return {std::move(measured)};
}

}  // namespace peakline
