#include "bench/collective_plan.h"

#include <algorithm>
#include <utility>

#include "bench/rotation.h"
#include "bench/suites.h"
#include "core/sweep.h"

namespace peakline {
namespace {

constexpr std::int64_t latency_size_bytes = 64 << 10;          // up to here it is about latency
constexpr std::size_t registered_granularity_bytes = 2 << 20;  // cuMemCreate's on GPUs today

std::vector<std::int64_t> suite_sizes(Depth depth) {
  switch (depth) {
    case Depth::quick: return {8, 1 << 10, 64 << 10, 1 << 20, 16 << 20};
    case Depth::preflight: return parse_sizes("8:64MiB:x8");
    case Depth::nightly: return parse_sizes("8:256MiB:x2");
    case Depth::acceptance: return parse_sizes("8:1GiB:x2");
  }
  return {};
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

/// The product with one more axis, whose first value comes first as a whole.
template <typename Value>
std::vector<CollectiveAxes> each_with(const std::vector<CollectiveAxes>& all,
                                      Value CollectiveAxes::*axis,
                                      const std::vector<Value>& values) {
  std::vector<CollectiveAxes> product;
  for (CollectiveAxes axes : all) {
    for (Value value : values) {
      axes.*axis = value;
      product.push_back(axes);
    }
  }
  return product;
}

/// Rounded down to whole elements, the same size only once.
std::vector<CollectiveAxes> each_with_size(const std::vector<CollectiveAxes>& all,
                                           const std::vector<std::int64_t>& sizes_bytes) {
  std::vector<CollectiveAxes> product;
  for (CollectiveAxes axes : all) {
    const auto element_bytes = static_cast<std::int64_t>(size_of(axes.type));
    std::int64_t last_bytes = -1;
    for (std::int64_t asked_bytes : sizes_bytes) {
      axes.size_bytes = asked_bytes / element_bytes * element_bytes;
      if (axes.size_bytes == last_bytes) continue;
      last_bytes = axes.size_bytes;
      product.push_back(axes);
    }
  }
  return product;
}

std::size_t allocated_bytes(std::size_t size_bytes, BufferKind buffers) {
  if (buffers == BufferKind::plain) return size_bytes;
  const std::size_t pieces =
      (size_bytes + registered_granularity_bytes - 1) / registered_granularity_bytes;
  return pieces * registered_granularity_bytes;
}

/// What the communicator does not have of these axes; empty: nothing.
std::string what_is_missing(const CollectiveAxes& axes, const Communicator& communicator) {
  if (!communicator.has(axes.buffers)) return communicator.name() + " has no registered buffers";
  if (!communicator.has(axes.launch)) return communicator.name() + " has no graphs of collectives";
  return "";
}

}  // namespace

std::int64_t ring_probe_bytes(std::int64_t size_bytes) {
  constexpr std::int64_t most_bytes = 64 << 20;
  return std::min(size_bytes, most_bytes);
}

Params CollectiveAxes::params() const {
  Params params{{"dtype", std::string(name_of(type))},
                {"mode", std::string(name_of(mode))},
                {"placement", std::string(name_of(placement))},
                {"size_bytes", size_bytes}};
  if (buffers != BufferKind::plain) params["buffers"] = std::string(name_of(buffers));
  if (launch != LaunchKind::stream) params["launch"] = std::string(name_of(launch));
  return params;
}

std::vector<CollectiveAxes> collective_axes(const PlanOptions& options, CollectiveKind kind,
                                            const Communicator& communicator) {
  const auto placements = chosen(options.placements, placements_here(kind, communicator));
  std::vector<CollectiveAxes> all{{}};
  all = each_with(all, &CollectiveAxes::launch, chosen(options.launches, {LaunchKind::stream}));
  all = each_with(all, &CollectiveAxes::buffers, chosen(options.buffers, {BufferKind::plain}));
  all = each_with(all, &CollectiveAxes::mode,
                  chosen(options.modes, {TimingMode::throughput, TimingMode::latency}));
  all = each_with(all, &CollectiveAxes::placement, placements);
  all = each_with(all, &CollectiveAxes::type, chosen(options.types, {DataType::float32}));
  all = each_with_size(all,
                       chosen(options.sizes_bytes, suite_sizes(find_suite(options.suite).depth)));
  if (options.modes.empty()) {
    std::erase_if(all, [&](const CollectiveAxes& axes) {
      const bool about_latency =
          axes.size_bytes <= latency_size_bytes && axes.placement == placements.front();
      return axes.mode == TimingMode::latency && !about_latency;
    });
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
  const std::size_t measured_bytes =
      allocated_bytes(rotation_of(size_bytes, shape.cache_bytes).total_bytes(), axes.buffers);
  planned.memory_bytes =
      (pair ? 2 : 1) * (measured_bytes + allocated_bytes(size_bytes, axes.buffers)) +
      (pair ? 0 : static_cast<std::size_t>(ring_probe_bytes(axes.size_bytes)));
  if (axes.size_bytes == 0) {
    planned.unsupported = "the size is smaller than one element";
  } else if (axes.size_bytes / static_cast<std::int64_t>(size_of(axes.type)) >
             communicator.most_elements()) {
    planned.unsupported = communicator.name() + " has no messages of so many elements";
  } else if (std::string missing = what_is_missing(axes, communicator); !missing.empty()) {
    planned.unsupported = std::move(missing);
  } else if (!communicator.supports(kind, axes.type, axes.placement, op)) {
    planned.unsupported = communicator.name() + " has no " + name + " of " +
                          std::string(name_of(axes.type)) + " " +
                          std::string(name_of(axes.placement)) +
                          (kind == CollectiveKind::allreduce ? " " + std::string(name_of(op)) : "");
  }
  return planned;
}

}  // namespace peakline
