#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/benchmark.h"

namespace peakline {

enum class OutputFormat { table, json };
enum class DeviceChoice { automatic, cuda, host };

inline constexpr std::uint64_t default_seed = 1;

/// What peakline-run was asked to do. Below this struct nobody sees the command line.
struct RunOptions {
  enum class Action { run, help, version, list };

  Action action = Action::run;
  std::string help;                     ///< the text for Action::help
  std::vector<std::string> benchmarks;  ///< names or globs; empty: all of the suite
  PlanOptions plan;
  DeviceChoice device = DeviceChoice::automatic;
  std::string label;
  std::string data_dir;                ///< empty: a temporary folder
  std::optional<double> time_limit_s;  ///< empty: the suite's own
  std::uint64_t seed = default_seed;
  std::vector<std::string> baselines;
  std::string out;  ///< never empty
  bool dry_run = false;
  OutputFormat format = OutputFormat::table;
  bool progress = true;
  std::vector<std::string> command;  ///< as it was given
};

/// Throws a usage Error with one sentence.
RunOptions parse_run_options(int argc, const char* const* argv);

}  // namespace peakline
