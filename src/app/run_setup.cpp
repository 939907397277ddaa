#include "app/run_setup.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/agreed.h"
#include "app/launcher.h"
#include "app/repro.h"
#include "app/utc_time.h"
#include "app/version.h"
#include "bench/registry.h"
#include "core/error.h"
#include "core/units.h"
#include "loader/file_system.h"
#include "probe/environment.h"

namespace peakline {
namespace {

/// Minimum over the ranks, by way of the maximum.
double minimum(World& world, double value) { return -world.maximum(-value); }

MachineShape shape_of(World& world, const Backend& backend, const std::string& scratch_dir) {
  MachineShape shape;
  shape.scope = scope_of(world);
  shape.threads = backend.device->info().threads;
  // Ranks of one node share its memory on the host, and a tenth of it is left alone.
  const double mine = 0.9 * static_cast<double>(backend.device->free_bytes()) /
                      static_cast<double>(shape.scope.ranks_per_node);
  shape.free_bytes = static_cast<std::size_t>(std::max(0.0, minimum(world, mine)));
  shape.scratch_file_system = world.agree(file_system_of(scratch_dir));
  return shape;
}

std::unique_ptr<ScratchDir> make_scratch(const RunOptions& options, int rank) {
  namespace fs = std::filesystem;
  if (options.data_dir.empty()) {
    return std::unique_ptr<ScratchDir>(
        new ScratchDir(ScratchDir::temporary(fs::temp_directory_path())));
  }
  const fs::path folder = fs::path(options.data_dir) / ("rank-" + std::to_string(rank));
  return std::unique_ptr<ScratchDir>(new ScratchDir(ScratchDir::adopted(folder)));
}

/// A run's id must differ between runs of the same second on different machines.
std::string run_id(const World& world, std::uint64_t seed) {
  return compact_utc_time() + "-" + world.host() + "-" + std::to_string(getpid()) + "-" +
         std::to_string(seed);
}

}  // namespace

RunSetup prepare_run(const RunOptions& options, World& world) {
  RunSetup setup;
  on_every_rank(world, [&] {
    refuse_independent_worlds(world.size());
    setup.suite = &find_suite(options.plan.suite);
    if (options.plan.root >= world.size()) {
      throw usage_error("--root " + std::to_string(options.plan.root) +
                        " is no rank of a world of " + std::to_string(world.size()) +
                        ": choose one below, or start more ranks.");
    }
    setup.time_limit_s = options.time_limit_s.value_or(setup.suite->time_limit_s);
  });
  on_every_rank(world, [&] { setup.backend = make_backend(options.device, world); });
  on_every_rank(world, [&] { setup.scratch = make_scratch(options, world.rank()); });
  setup.shape = shape_of(world, setup.backend, setup.scratch->path());
  on_every_rank(world, [&] {
    setup.plan = make_plan(options.benchmarks, options.plan, setup.shape, *setup.backend.device,
                           *setup.backend.communicator);
  });
  for (RunnableCase& runnable : setup.plan) {
    runnable.repro = repro_command(runnable.planned.id, options.plan.suite, setup.backend.name);
  }
  return setup;
}

Record start_record(const RunOptions& options, const RunSetup& setup, World& world) {
  Record record;
  record.tool = {program_version(), program_commit(), method_version};
  record.run.id = run_id(world, options.seed);
  record.run.label = options.label;
  record.run.started = utc_time();
  record.run.suite = options.benchmarks.empty() ? options.plan.suite : "";
  record.run.command = options.command;
  record.run.seed = options.seed;
  record.environment = probe_environment(
      world, setup.shape.scope, *setup.backend.device,
      {setup.backend.name, setup.backend.communicator->name(), setup.shape.scratch_file_system});
  for (const RunnableCase& runnable : setup.plan) record.plan.push_back(runnable.planned.id);
  return record;
}

std::string describe_plan(const RunSetup& setup) {
  std::size_t most_bytes = 0;
  std::string text;
  for (const RunnableCase& runnable : setup.plan) {
    const PlannedCase& planned = runnable.planned;
    text += planned.id.key();
    if (!planned.unsupported.empty())
      text += "  (skipped, unsupported: " + planned.unsupported + ")";
    text += "\n";
    most_bytes = std::max(most_bytes, planned.memory_bytes);
  }
  const SamplingRules& rules = setup.suite->sampling;
  const double visit_s = rules.pass_time_s + 2 * rules.warmup_time_s;
  const double time_s = visit_s * rules.passes * static_cast<double>(setup.plan.size());
  text += std::to_string(setup.plan.size()) + " cases in " + std::to_string(rules.passes) +
          " passes, about " + format_time(std::min(time_s, setup.time_limit_s)) + " (limit " +
          format_time(setup.time_limit_s) + "), up to " +
          format_si(static_cast<double>(most_bytes), "B") + " of memory for each rank (" +
          format_si(static_cast<double>(setup.shape.free_bytes), "B") + " free)\n";
  return text;
}

}  // namespace peakline
