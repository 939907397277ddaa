#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/backend.h"
#include "app/run_options.h"
#include "bench/suites.h"
#include "core/benchmark.h"
#include "core/record.h"
#include "core/runner.h"
#include "loader/scratch_dir.h"

namespace peakline {

/// Everything that is decided before the first measurement, the same on every rank.
struct RunSetup {
  const Suite* suite = nullptr;
  double time_limit_s = 0;
  std::map<std::string, std::string> settings;  ///< those of the user, before libraries add theirs
  Backend backend;
  MachineShape shape;
  std::vector<RunnableCase> plan;
};

/// The time limit of the run, in seconds. Throws an AgreedError on every rank when this world
/// cannot do what was asked for. Collective.
double check_request(const RunOptions& options, World& world);

/// Throws an AgreedError on every rank when something is not to be had. Collective.
RunSetup prepare_run(const RunOptions& options, World& world, double time_limit_s);

/// This rank's own folder for files. Not collective; a usage Error when it cannot be made.
std::unique_ptr<ScratchDir> make_scratch(const RunOptions& options, int rank);

/// The record before any result. Collective; the record is whole on rank 0 only.
Record start_record(const RunOptions& options, const RunSetup& setup, World& world);

}  // namespace peakline
