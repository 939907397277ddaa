#include "app/run_options.h"

#include <algorithm>
#include <cxxopts.hpp>
#include <functional>
#include <limits>

#include "app/utc_time.h"
#include "bench/suites.h"
#include "core/error.h"
#include "core/sweep.h"
#include "core/units.h"

namespace peakline {
namespace {

cxxopts::Options declare_options() {
  cxxopts::Options options(
      "peakline-run",
      "Measures this machine and writes one record. Under mpirun every rank takes part;\n"
      "alone it is a world of one. `peakline compare RECORD` judges the record.");
  const auto text = [] { return cxxopts::value<std::string>(); };
  options.add_options("What to measure")("suite", "quick, preflight, nightly or acceptance",
                                         text()->default_value("quick"), "NAME")(
      "bench", "instead of the whole suite: names or globs, such as allreduce,gemm", text(),
      "LIST")("list", "print all benchmarks and suites, one line each")(
      "device", "auto, cuda or host", text()->default_value("auto"), "NAME")(
      "sizes", "message sizes: 8:1GiB:x2, 1MiB:4MiB:+1MiB or 8,1KiB", text(), "SIZES")(
      "dtypes",
      "float32, float64, float16, bfloat16, float8_e4m3, float8_e5m2, int8, uint8, int32, uint32, "
      "int64, uint64 or all",
      text(), "LIST")("redops", "sum, prod, min, max, avg or all", text(), "LIST")(
      "root", "roots of the broadcast, or all (default: 0)", text(), "LIST")(
      "placement", "in_place, out_of_place or all", text(), "LIST")(
      "mode", "throughput, latency or all", text(), "LIST")(
      "buffers", "plain (default), registered or all: buffers that NCCL is told of before", text(),
      "LIST")("launch", "stream (default), graph or all: graph replays collectives as a CUDA graph",
              text(), "LIST");
  options.add_options("What to measure")(
      "extents", "matrix products: 4096,8192x1024x512 (m x n x k)", text(), "LIST")(
      "implementation", "who multiplies: library, kernel (Peakline's own, on GPUs) or all", text(),
      "LIST");
  options.add_options("How")(
      "time-limit", "then what is left is skipped; a stuck run is ended 5 s later", text(), "TIME")(
      "data-dir", "where the loader keeps its data (default: a temporary folder)", text(), "DIR")(
      "seed", "everything random follows from it",
      text()->default_value(std::to_string(default_seed)),
      "N")("dry-run", "print the plan with its memory and time, and measure nothing");
  options.add_options("What comes out")("out", "the record (default: peakline-<UTC time>.json)",
                                        text(), "FILE")(
      "label", "what this machine is to be called in reports", text(), "NAME")(
      "baseline", "judge the record at the end, as `peakline compare` does",
      cxxopts::value<std::vector<std::string>>(),
      "PATH")("format", "table, or json for the record on standard output",
              text()->default_value("table"), "NAME")("no-progress", "no progress bar")(
      "h,help", "print this")("version", "print the version");
  return options;
}

template <typename Value, std::size_t count>
std::vector<Value> parse_names(const std::string& text, std::string_view what,
                               const std::array<Value, count>& all,
                               Value (*parse)(std::string_view)) {
  if (text == "all") return {all.begin(), all.end()};
  std::vector<Value> values;
  for (std::string_view name : split_list(text, what)) values.push_back(parse(name));
  return values;
}

/// "4096" or "8192x1024x512".
GemmExtent parse_extent(std::string_view text) {
  constexpr std::int64_t largest = 1 << 20;
  std::vector<std::int64_t> edges;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    edges.push_back(parse_integer(text.substr(begin, end - begin), "size of a matrix", 1, largest));
    begin = end + 1;
  }
  if (edges.size() == 1) return {edges[0], edges[0], edges[0]};
  if (edges.size() == 3) return {edges[0], edges[1], edges[2]};
  throw usage_error("'" + std::string(text) +
                    "' is no extent of a matrix product: write one edge, " +
                    "such as 4096, or m x n x k, such as 8192x1024x512.");
}

DeviceChoice parse_device(const std::string& name) {
  if (name == "auto") return DeviceChoice::automatic;
  if (name == "cuda") return DeviceChoice::cuda;
  if (name == "host") return DeviceChoice::host;
  throw usage_error("There is no device '" + name + "': choose from auto, cuda, host.");
}

OutputFormat parse_format(const std::string& name) {
  if (name == "table") return OutputFormat::table;
  if (name == "json") return OutputFormat::json;
  throw usage_error("There is no format '" + name + "': choose from table, json.");
}

void take_axes(const cxxopts::ParseResult& parsed, PlanOptions& plan) {
  const auto given = [&](const char* name, const auto& take) {
    if (parsed.count(name) != 0) take(parsed[name].as<std::string>());
  };
  plan.suite = find_suite(parsed["suite"].as<std::string>()).name;
  given("sizes", [&](const std::string& text) { plan.sizes_bytes = parse_sizes(text); });
  given("dtypes", [&](const std::string& text) {
    plan.types = parse_names(text, "data types", all_data_types, parse_data_type);
  });
  given("redops", [&](const std::string& text) {
    plan.ops = parse_names(text, "reductions", all_reduce_ops, parse_reduce_op);
  });
  given("placement", [&](const std::string& text) {
    plan.placements = parse_names(text, "placements", all_placements, parse_placement);
  });
  given("mode", [&](const std::string& text) {
    plan.modes = parse_names(text, "timing modes", all_timing_modes, parse_timing_mode);
  });
  given("buffers", [&](const std::string& text) {
    plan.buffers = parse_names(text, "kinds of buffers", all_buffer_kinds, parse_buffer_kind);
  });
  given("launch", [&](const std::string& text) {
    plan.launches = parse_names(text, "kinds of launch", all_launch_kinds, parse_launch_kind);
  });
  given("implementation", [&](const std::string& text) {
    plan.implementations =
        parse_names(text, "implementations", all_implementations, parse_implementation);
  });
  given("extents", [&](const std::string& text) {
    for (std::string_view extent : split_list(text, "extents")) {
      plan.extents.push_back(parse_extent(extent));
    }
  });
  given("root", [&](const std::string& text) {
    plan.every_root = text == "all";
    if (plan.every_root) return;
    for (std::string_view root : split_list(text, "roots")) {
      plan.roots.push_back(parse_integer(root, "root rank", 0, 1 << 24));
    }
  });
}

RunOptions take_options(const cxxopts::ParseResult& parsed) {
  RunOptions options;
  take_axes(parsed, options.plan);
  if (parsed.count("bench") != 0) {
    const std::string list = parsed["bench"].as<std::string>();
    for (std::string_view name : split_list(list, "benchmarks"))
      options.benchmarks.emplace_back(name);
  }
  options.device = parse_device(parsed["device"].as<std::string>());
  options.format = parse_format(parsed["format"].as<std::string>());
  options.seed = static_cast<std::uint64_t>(parse_integer(
      parsed["seed"].as<std::string>(), "seed", 0, std::numeric_limits<std::int64_t>::max()));
  if (parsed.count("time-limit") != 0) {
    options.time_limit_s = parse_duration_s(parsed["time-limit"].as<std::string>());
  }
  if (parsed.count("label") != 0) options.label = parsed["label"].as<std::string>();
  if (parsed.count("data-dir") != 0) options.data_dir = parsed["data-dir"].as<std::string>();
  if (parsed.count("baseline") != 0) {
    options.baselines = parsed["baseline"].as<std::vector<std::string>>();
  }
  options.out = parsed.count("out") != 0 ? parsed["out"].as<std::string>()
                                         : "peakline-" + compact_utc_time() + ".json";
  options.dry_run = parsed.count("dry-run") != 0;
  options.progress = parsed.count("no-progress") == 0;
  return options;
}

}  // namespace

RunOptions parse_run_options(int argc, const char* const* argv) {
  cxxopts::Options declared = declare_options();
  try {
    const cxxopts::ParseResult parsed = declared.parse(argc, argv);
    if (!parsed.unmatched().empty()) {
      throw usage_error("There is no place for the argument '" + parsed.unmatched().front() +
                        "': --help lists the options.");
    }
    RunOptions options;
    if (parsed.count("help") != 0) {
      options.action = RunOptions::Action::help;
      options.help = declared.help();
    } else if (parsed.count("version") != 0) {
      options.action = RunOptions::Action::version;
    } else if (parsed.count("list") != 0) {
      options.action = RunOptions::Action::list;
    } else {
      options = take_options(parsed);
    }
    options.command.assign(argv, argv + argc);
    return options;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& failure) {  // of cxxopts, whose types differ between versions
    throw usage_error(std::string(failure.what()) + "; --help lists the options.");
  }
}

}  // namespace peakline
