#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/benchmark.h"

namespace peakline {

/// One point of the axes that all collectives share.
struct CollectiveAxes {
  std::int64_t size_bytes = 0;
  DataType type = DataType::float32;
  Placement placement = Placement::out_of_place;
  TimingMode mode = TimingMode::throughput;
  BufferKind buffers = BufferKind::plain;
  LaunchKind launch = LaunchKind::stream;

  /// Plain buffers and launches one by one go without saying, as they always did in keys.
  Params params() const;
};

/// The cross product of what the user asked for. What was not asked for is the suite's choice: the
/// placements that `kind` has here, small messages also in latency mode, in the first of these
/// placements, and plain buffers, launched one by one. Sizes are rounded down to whole elements.
std::vector<CollectiveAxes> collective_axes(const PlanOptions& options, CollectiveKind kind,
                                            const Communicator& communicator);

/// A planned case, with the reason if this communicator cannot do it; `op` is sum where there is no
/// reduction.
PlannedCase plan_collective(const std::string& name, CollectiveKind kind,
                            const CollectiveAxes& axes, ReduceOp op, Params params,
                            const MachineShape& shape, const Communicator& communicator);

/// Of the messages with which the ring is probed beside a collective of this size: more tells
/// nothing new of a link.
std::int64_t ring_probe_bytes(std::int64_t size_bytes);

}  // namespace peakline
