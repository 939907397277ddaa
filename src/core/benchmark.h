#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/communicator.h"
#include "core/device.h"
#include "core/result.h"
#include "core/world.h"

namespace peakline {

/// What a benchmark may use while it is measured. `scratch_dir` is this rank's own folder for
/// files.
struct Context {
  World& world;
  Device& device;
  Communicator& communicator;
  Scope scope;
  std::uint64_t seed = 0;
  std::string scratch_dir;
  std::vector<std::string> node_devices = {};  ///< labels of the devices of this node's ranks
  int local_rank = 0;                          ///< this rank's place among them
};

/// What a benchmark noted of its own at every step (the loader: its waits and bytes), by name.
using Notes = std::map<std::string, std::vector<double>>;

/// One name of the notes over all passes and ranks.
struct NoteSummary {
  double p50 = 0;      ///< of the rank where it is largest
  double p99 = 0;      ///< of the rank where it is largest
  double total = 0;    ///< over all ranks
  double largest = 0;  ///< single value
};

/// What the runner saw over all passes. Every time is that of the slowest rank.
struct Observations {
  std::vector<double> sample_s;  ///< per step, in order of time
  std::map<std::string, NoteSummary> notes;
  std::int64_t iters_per_sample = 1;
};

/// Whose clock times a step: the device's, for what is enqueued on it, or the host's, for what is
/// over when the call returns.
enum class StepClock { device, host };

/// One prepared case. It neither times nor prints: step() is timed by the runner, verify() is not.
class Benchmark {
 public:
  virtual ~Benchmark() = default;

  /// The work that is timed: one collective, one GEMM, one batch of a loader.
  virtual void step() = 0;

  /// Operations in one step, where several are launched as one. Every time is that of one of them.
  virtual std::int64_t operations_per_step() const { return 1; }

  /// Does what only the first step needs, then that step, untimed. Returns what a library chose for
  /// it, on rank 0. Collective.
  virtual CallChoice first_step() {
    step();
    return {};
  }

  /// How ranks start a step. throughput: batches of steps. latency: each step alone, after a
  /// barrier.
  virtual TimingMode mode() const = 0;

  virtual StepClock clock() const { return StepClock::device; }

  virtual HostLink host_link() const { return HostLink::idle; }

  /// Does what verify() with this seed needs memory for; may throw OutOfMemory or std::bad_alloc.
  /// Not collective, so that a rank without room leaves no other waiting.
  virtual void prepare_check(std::uint64_t /*seed*/) {}

  /// Checks the operation on fresh data, the same number of elements on every rank. Collective.
  virtual Verification verify(std::uint64_t seed) = 0;

  /// The warm-up is over: what was noted so far does not count.
  virtual void forget_notes() {}

  /// What was noted, the same names on every rank. Called once after the timed part; allocates
  /// nothing that could be missing on one rank alone. Collective.
  virtual Notes take_notes() { return {}; }

  /// Arithmetic over what was observed, on rank 0. `measured` carries all that the runner knows;
  /// the benchmark adds its metrics, and may give several results (groups, pairs, stages).
  virtual std::vector<Result> results(const Observations& observations, Result measured) const = 0;
};

/// The sizes of a matrix product: m x k times k x n.
struct GemmExtent {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

/// What the user asked for, already parsed. Empty lists mean the benchmark's own default.
struct PlanOptions {
  std::string suite = "quick";
  std::vector<std::int64_t> sizes_bytes;
  std::vector<DataType> types;
  std::vector<GemmExtent> extents;
  std::vector<Implementation> implementations;
  std::vector<ReduceOp> ops;
  std::vector<Placement> placements;
  std::vector<TimingMode> modes;
  std::vector<BufferKind> buffers;
  std::vector<LaunchKind> launches;
  std::vector<std::int64_t> roots;
  bool every_root = false;
};

/// What a plan may depend on. The same on every rank, so the plan is.
struct MachineShape {
  Scope scope;
  std::int64_t threads = 1;          ///< host threads per rank, the fewest over the ranks
  std::size_t free_bytes = 0;        ///< per rank, the least over the ranks
  std::size_t cache_bytes = 0;       ///< DeviceInfo's, the most over the ranks
  std::int64_t visible_devices = 1;  ///< DeviceInfo's, the fewest over the ranks
  std::string numa_obstacle;         ///< DeviceInfo's, of the first rank that has one
  std::string scratch_file_system;   ///< type of file system under the loader's data
  /// Free there for the ranks of a node together, the least over the nodes.
  double scratch_free_bytes = std::numeric_limits<double>::infinity();
};

/// A planned case, or one that cannot be run here and why.
struct PlannedCase {
  CaseId id;
  std::string unsupported;  ///< empty: it can be run
  std::size_t memory_bytes = 0;
  bool heats_device = false;  ///< so that it may slow down while it is measured
};

/// One row of the table in bench/registry.cpp.
struct BenchmarkInfo {
  std::string_view name;
  std::string_view summary;
  std::vector<PlannedCase> (*cases)(const PlanOptions&, const MachineShape&, const Device&,
                                    const Communicator&);
  std::unique_ptr<Benchmark> (*make)(Context&, const CaseId&);
};

}  // namespace peakline
