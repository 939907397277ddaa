#include "bench/collective.h"

#include <algorithm>

#include "bench/ceiling.h"
#include "bench/suites.h"
#include "core/rates.h"
#include "core/runner.h"
#include "core/statistics.h"
#include "core/sweep.h"
#include "core/units.h"

namespace peakline {
namespace {

constexpr std::int64_t bandwidth_size_bytes =
    1 << 20;  // from here on a collective is about bandwidth
constexpr std::int64_t latency_size_bytes = 64 << 10;  // up to here it is about latency
constexpr std::int64_t ring_size_bytes = 64 << 20;     // more tells nothing new of a link
constexpr unsigned char poison = 0xA5;

std::vector<std::int64_t> suite_sizes(Depth depth) {
  switch (depth) {
    case Depth::quick: return {8, 1 << 10, 64 << 10, 1 << 20, 16 << 20};
    case Depth::preflight: return parse_sizes("8:64MiB:x8");
    case Depth::nightly: return parse_sizes("8:256MiB:x2");
    case Depth::acceptance: return parse_sizes("8:1GiB:x2");
  }
  return {};
}

bool is_about_bandwidth(const CaseId& id) {
  return id.scope.ranks > 1 && id.integer("size_bytes") >= bandwidth_size_bytes &&
         id.word("mode") == name_of(TimingMode::throughput);
}

std::int64_t ring_bytes_of(const CaseId& id) {
  return std::min(id.integer("size_bytes"), ring_size_bytes);
}

template <typename Value>
std::vector<Value> chosen(const std::vector<Value>& asked, std::vector<Value> otherwise) {
  return asked.empty() ? otherwise : asked;
}

std::vector<Placement> placements_here(CollectiveKind kind, const Communicator& communicator) {
  std::vector<Placement> placements;
  for (Placement placement : {Placement::out_of_place, Placement::in_place}) {
    if (communicator.supports(kind, DataType::float32, placement, ReduceOp::sum))
      placements.push_back(placement);
  }
  return placements;
}

}  // namespace

CollectiveBenchmark::CollectiveBenchmark(Context& context, const CaseId& id)
    : context_(&context),
      id_(id),
      type_(parse_data_type(id.word("dtype"))),
      placement_(parse_placement(id.word("placement"))),
      mode_(parse_timing_mode(id.word("mode"))),
      count_(id.integer("size_bytes") / static_cast<std::int64_t>(size_of(type_))),
      rotation_(rotation_of(static_cast<std::size_t>(id.integer("size_bytes")),
                            context.device.info().cache_bytes)) {
  Device& device = context.device;
  receive_ = device.allocate(rotation_.total_bytes());
  device.fill_random(*receive_, type_, context.seed);
  if (placement_ == Placement::out_of_place) {
    send_ = device.allocate(rotation_.total_bytes());
    device.fill_random(*send_, type_, context.seed);
  } else if (is_about_bandwidth(id)) {
    ring_partner_ = device.allocate(static_cast<std::size_t>(ring_bytes_of(id)));
    device.fill_bytes(*ring_partner_, poison);
  }
}

void CollectiveBenchmark::step() {
  BufferSlice receive(*receive_, rotation_, slice_);
  if (send_) {
    enqueue(BufferSlice(*send_, rotation_, slice_), receive);
  } else {
    enqueue(receive, receive);
  }
  if (++slice_ == rotation_.slices) slice_ = 0;
}

void CollectiveBenchmark::prepare_check(std::uint64_t) {
  const auto size_bytes = static_cast<std::size_t>(id_.integer("size_bytes"));
  fresh_receive_ = context_->device.allocate(size_bytes);
  fresh_send_ = send_ ? context_->device.allocate(size_bytes) : nullptr;
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
  enqueue(send ? *send : *receive, *receive);
  device.synchronise();
  return combine_checks(context_->world, device.check_reduced(*receive, type_, count_, spec));
}

/// Probed beside the measurement, so that both see the same machine. Never within a timed region:
/// the notes are taken after the samples.
Notes CollectiveBenchmark::take_notes() {
  if (!is_about_bandwidth(id_)) return {};
  const Buffer& partner = send_ ? *send_ : *ring_partner_;
  return {
      {"ring_ceiling_b_s", {ring_ceiling_b_s(*context_, partner, *receive_, ring_bytes_of(id_))}}};
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

Params CollectiveAxes::params() const {
  return {{"dtype", std::string(name_of(type))},
          {"mode", std::string(name_of(mode))},
          {"placement", std::string(name_of(placement))},
          {"size_bytes", size_bytes}};
}

std::vector<CollectiveAxes> collective_axes(const PlanOptions& options, CollectiveKind kind,
                                            const Communicator& communicator) {
  const std::vector<Placement> placements =
      chosen(options.placements, placements_here(kind, communicator));
  const auto sizes_bytes =
      chosen(options.sizes_bytes, suite_sizes(find_suite(options.suite).depth));
  const bool suite_decides = options.modes.empty();
  std::vector<CollectiveAxes> all;
  for (TimingMode mode : chosen(options.modes, {TimingMode::throughput, TimingMode::latency})) {
    for (Placement placement : placements) {
      for (DataType type : chosen(options.types, {DataType::float32})) {
        std::int64_t last_bytes = -1;
        for (std::int64_t asked_bytes : sizes_bytes) {
          const auto element_bytes = static_cast<std::int64_t>(size_of(type));
          const std::int64_t size_bytes = asked_bytes / element_bytes * element_bytes;
          const bool about_latency =
              size_bytes <= latency_size_bytes && placement == placements.front();
          if (suite_decides && mode == TimingMode::latency && !about_latency) continue;
          if (size_bytes == last_bytes) continue;
          last_bytes = size_bytes;
          all.push_back({size_bytes, type, placement, mode});
        }
      }
    }
  }
  return all;
}

PlannedCase plan_collective(const std::string& name, CollectiveKind kind,
                            const CollectiveAxes& axes, ReduceOp op, Params params,
                            const MachineShape& shape, const Communicator& communicator) {
  params.merge(axes.params());
  PlannedCase planned{{name, std::move(params), shape.scope}, "", 0};
  // Verification needs a second set of buffers, the ring's probe a partner for a single one.
  const bool pair = axes.placement == Placement::out_of_place;
  const auto size_bytes = static_cast<std::size_t>(axes.size_bytes);
  const std::size_t measured_bytes = rotation_of(size_bytes, shape.cache_bytes).total_bytes();
  planned.memory_bytes =
      (pair ? 2 : 1) * (measured_bytes + size_bytes) +
      (pair ? 0 : static_cast<std::size_t>(std::min(axes.size_bytes, ring_size_bytes)));
  if (axes.size_bytes == 0) {
    planned.unsupported = "the size is smaller than one element";
  } else if (axes.size_bytes / static_cast<std::int64_t>(size_of(axes.type)) >
             communicator.most_elements()) {
    planned.unsupported = communicator.name() + " has no messages of so many elements";
  } else if (!communicator.supports(kind, axes.type, axes.placement, op)) {
    planned.unsupported = communicator.name() + " has no " + name + " of " +
                          std::string(name_of(axes.type)) + " " +
                          std::string(name_of(axes.placement)) +
                          (kind == CollectiveKind::allreduce ? " " + std::string(name_of(op)) : "");
  }
  return planned;
}

}  // namespace peakline
