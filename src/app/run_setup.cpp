#include "app/run_setup.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <sstream>

#include "app/agreed.h"
#include "app/launcher.h"
#include "app/repro.h"
#include "app/utc_time.h"
#include "app/version.h"
#include "bench/registry.h"
#include "core/error.h"
#include "host/binding.h"
#include "loader/file_system.h"
#include "probe/environment.h"
#include "probe/settings.h"

namespace peakline {
namespace {

namespace fs = std::filesystem;

/// Minimum over the ranks, by way of the maximum.
double minimum(World& world, double value) { return -world.maximum(-value); }

/// What the ranks of a node may still write there. Data sets that are there already are kept or
/// replaced, and need nothing.
double free_bytes_in(const fs::path& folder) {
  if (fs::exists(folder / "rank-0")) return std::numeric_limits<double>::infinity();
  return static_cast<double>(fs::space(folder).available);
}

/// The first text that is not empty, in rank order; the same on every rank.
std::string first_on_any_rank(World& world, const std::string& mine) {
  const std::vector<std::string> texts = world.gather(mine);
  const auto found = std::find_if(texts.begin(), texts.end(),
                                  [](const std::string& text) { return !text.empty(); });
  return world.agree(found == texts.end() ? "" : *found);
}

MachineShape shape_of(World& world, const Backend& backend, const std::string& scratch_dir) {
  MachineShape shape;
  shape.scope = scope_of(world);
  shape.threads = backend.device->info().threads;
  // A tenth of the memory is left alone. That of a node is shared by its ranks.
  const bool shared = backend.device->info().memory == MemoryOwner::node;
  const double mine = 0.9 * static_cast<double>(backend.device->free_bytes()) /
                      (shared ? static_cast<double>(shape.scope.ranks_per_node) : 1.0);
  shape.free_bytes = static_cast<std::size_t>(std::max(0.0, minimum(world, mine)));
  shape.cache_bytes = static_cast<std::size_t>(
      world.maximum(static_cast<double>(backend.device->info().cache_bytes)));
  const DeviceInfo& info = backend.device->info();
  shape.visible_devices =
      static_cast<std::int64_t>(minimum(world, static_cast<double>(info.visible_devices)));
  shape.numa_obstacle = first_on_any_rank(world, info.numa_obstacle);
  shape.scratch_file_system = world.agree(file_system_of(scratch_dir));
  shape.scratch_free_bytes = minimum(world, free_bytes_in(scratch_dir));
  return shape;
}

/// Where the loader's data go: an existing folder, so that a mistyped name is no new one.
fs::path data_folder(const RunOptions& options) {
  std::error_code failure;
  if (options.data_dir.empty()) {
    fs::path folder = fs::temp_directory_path(failure);
    if (failure)
      throw usage_error("There is no folder for temporary files (TMPDIR): give --data-dir.");
    return folder;
  }
  if (fs::is_directory(options.data_dir, failure)) return options.data_dir;
  throw usage_error("There is no folder '" + options.data_dir +
                    "': make it first, or give another --data-dir.");
}

Error idle_option(const std::string& option) {
  return usage_error(option + " has nothing to act on: none of the chosen benchmarks (" +
                     "--bench) has it.");
}

/// Whether any case has one of these types; a benchmark with a type of its own has only that.
bool plans_a_type(const std::vector<DataType>& types, const std::vector<RunnableCase>& plan) {
  for (const RunnableCase& runnable : plan) {
    const std::string planned = runnable.planned.id.word_if("dtype");
    for (DataType type : types) {
      if (name_of(type) == planned) return true;
    }
  }
  return false;
}

/// An axis that no chosen benchmark has would be ignored without a word.
void refuse_idle_axes(const PlanOptions& asked, const std::vector<RunnableCase>& plan) {
  const auto refuse_unless_in_plan = [&](bool given, const char* option, const char* parameter) {
    const bool used = std::any_of(plan.begin(), plan.end(), [&](const RunnableCase& runnable) {
      return runnable.planned.id.params.contains(parameter);
    });
    if (given && !used) throw idle_option(option);
  };
  refuse_unless_in_plan(!asked.sizes_bytes.empty(), "--sizes", "placement");
  if (!asked.types.empty() && !plans_a_type(asked.types, plan)) {
    throw idle_option("--dtypes");
  }
  refuse_unless_in_plan(!asked.extents.empty(), "--extents", "k");
  refuse_unless_in_plan(!asked.implementations.empty(), "--implementation", "implementation");
  refuse_unless_in_plan(!asked.ops.empty(), "--redops", "redop");
  refuse_unless_in_plan(!asked.placements.empty(), "--placement", "placement");
  refuse_unless_in_plan(!asked.modes.empty(), "--mode", "mode");
  refuse_unless_in_plan(!asked.buffers.empty(), "--buffers", "placement");
  refuse_unless_in_plan(!asked.launches.empty(), "--launch", "placement");
  refuse_unless_in_plan(asked.every_root || !asked.roots.empty(), "--root", "root");
}

/// How long the GPUs may take to find each other: less than the watchdog waits, which does not know
/// what usually keeps them apart; long enough for a healthy start, whatever was asked for.
double connect_limit_s(double time_limit_s) { return std::clamp(time_limit_s - 2, 5.0, 300.0); }

/// A run's id must differ between runs of the same second on different machines.
std::string run_id(const World& world, std::uint64_t seed) {
  return compact_utc_time() + "-" + world.host() + "-" + std::to_string(getpid()) + "-" +
         std::to_string(seed);
}

/// What concerns several ranks alike is said once, for the first of them.
std::vector<Incident> transport_incidents(World& world, const std::vector<std::string>& concerns) {
  std::string mine;
  for (const std::string& concern : concerns) mine += concern + "\n";
  const std::vector<std::string> texts = world.gather(mine);
  const std::vector<std::string> hosts = world.gather(world.host());
  std::vector<Incident> incidents;
  std::set<std::string> said;
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    std::istringstream lines(texts[rank]);
    for (std::string line; std::getline(lines, line);) {
      if (!said.insert(line).second) continue;
      incidents.push_back(
          {"transport", "set-up", "", static_cast<std::int64_t>(rank), hosts[rank], line});
    }
  }
  return incidents;
}

}  // namespace

double check_request(const RunOptions& options, World& world) {
  on_every_rank(world, [&] {
    refuse_independent_worlds(world.size());
    for (std::int64_t root : options.plan.roots) {
      if (root < world.size()) continue;
      throw usage_error("--root " + std::to_string(root) + " is no rank of a world of " +
                        std::to_string(world.size()) + ": choose one below, or start more ranks.");
    }
  });
  return options.time_limit_s.value_or(find_suite(options.plan.suite).time_limit_s);
}

RunSetup prepare_run(const RunOptions& options, World& world, double time_limit_s) {
  RunSetup setup;
  setup.suite = &find_suite(options.plan.suite);
  setup.time_limit_s = time_limit_s;
  setup.settings = speed_settings();
  setup.backend = make_backend(options.device, world, connect_limit_s(time_limit_s));
  fs::path folder;
  on_every_rank(world, [&] { folder = data_folder(options); });
  setup.shape = shape_of(world, setup.backend, folder);
  on_every_rank(world, [&] {
    setup.plan = make_plan(options.benchmarks, options.plan, setup.shape, *setup.backend.device,
                           *setup.backend.communicator);
    refuse_idle_axes(options.plan, setup.plan);
  });
  for (RunnableCase& runnable : setup.plan) {
    runnable.repro =
        repro_command(runnable.planned.id, options.plan.suite, setup.backend.name, options.seed);
  }
  return setup;
}

std::unique_ptr<ScratchDir> make_scratch(const RunOptions& options, int rank) {
  const fs::path folder = data_folder(options);
  if (options.data_dir.empty()) {
    return std::unique_ptr<ScratchDir>(new ScratchDir(ScratchDir::temporary(folder)));
  }
  return std::unique_ptr<ScratchDir>(
      new ScratchDir(ScratchDir::adopted(folder / ("rank-" + std::to_string(rank)))));
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
  const TransportReport transport = setup.backend.communicator->transport();
  record.environment =
      probe_environment(world, setup.shape.scope, *setup.backend.device,
                        {setup.backend.name, setup.backend.communicator->name(), transport.choices,
                         setup.shape.scratch_file_system, setup.settings});
  record.run.incidents = transport_incidents(world, transport.concerns);
  for (const std::string& sentence : host::crowded_hosts(world)) {
    record.run.incidents.push_back({"crowded", "set-up", "", std::nullopt, "", sentence});
  }
  for (const RunnableCase& runnable : setup.plan) record.plan.push_back(runnable.planned.id);
  return record;
}

}  // namespace peakline
