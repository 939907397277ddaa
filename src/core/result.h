#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/case_id.h"

namespace peakline {

/// The values of a record (contract: schema peakline.record, version 1). Times are in seconds,
/// sizes in bytes, rates per second, shares between 0 and 1. What is not known is absent, never 0.

enum class Better { higher, lower };

/// skipped: not measured, for a reason. invalid: measured, but not to be believed. failed: it
/// broke.
enum class Status { ok, skipped, invalid, failed };

enum class StopReason { precision, max_iters, time_cap };

/// Something a rate is held against: `nominal` (data sheet), `attainable` (best of healthy
/// machines) or `measured` (probed on this very machine).
struct Peak {
  std::string kind;
  double value = 0;
  std::string source;
};

struct Interval {
  double low = 0;
  double high = 0;
};

struct Metric {
  std::string name;
  std::string unit;
  Better better = Better::higher;
  bool primary = false;  ///< the one metric of its result that is judged
  std::optional<double> value;
  std::optional<Interval> ci95;
  std::int64_t n = 0;  ///< samples behind the value
  std::vector<Peak> peaks;
};

/// Which part of the machine a result speaks of; empty for the whole world. Never part of the key.
struct Where {
  std::string group;
  std::vector<std::int64_t> ranks;
  std::vector<std::string> hosts;
  std::vector<std::string> devices;
  std::optional<std::int64_t> cycle;
};

struct Method {
  std::string timer;           ///< which clock: "steady_clock", "cuda_event"
  std::string sync;            ///< how ranks were aligned
  std::string rank_reduction;  ///< how ranks became one number: "max"
  std::int64_t iters_per_sample = 0;
  std::int64_t warmup = 0;  ///< operations before the first sample
  std::int64_t passes = 1;  ///< visits to this case, spread over the run
  std::string algorithm;    ///< that the communication library chose; empty: not known
  std::string protocol;     ///< likewise
};

struct Outlier {
  std::int64_t rank = 0;
  std::string host;
  double median_s = 0;
};

struct RankSummary {
  std::optional<std::int64_t> slowest;
  std::string host;                         ///< of the slowest rank
  std::map<std::string, double> quantiles;  ///< over the ranks' medians: min, p25, p50, p75, max
  std::vector<double> median_s;             ///< by rank, up to 256 ranks
  std::vector<Outlier> outliers;
};

struct BreakdownPart {
  std::string part;
  double time_s = 0;
  double share = 0;
};

struct Series {
  std::string name;
  std::string unit;
  std::vector<double> t_s;
  std::vector<double> value;
};

/// The first wrong element: which one, on which rank, and what stood there.
struct Mismatch {
  std::int64_t index = 0;
  std::int64_t rank = 0;
  double expected = 0;
  std::optional<double> found;  ///< absent when it was not a finite number
};

struct Verification {
  std::int64_t checked = 0;  ///< elements (records, sampled rows) compared over all ranks
  std::int64_t wrong = 0;
  std::optional<Mismatch> first;
};

struct Result {
  CaseId id;
  Where where;
  Status status = Status::ok;
  std::string reason;  ///< with skipped: "unsupported", "memory", "time_limit"; with failed: why
  std::string note;
  Method method;
  std::vector<Metric> metrics;
  std::vector<double> samples_s;  ///< slowest rank, in order of time, at most 200
  std::optional<StopReason> stop;
  RankSummary ranks;
  std::vector<BreakdownPart> breakdown;
  std::vector<Series> series;
  std::optional<Verification> verify;
  std::map<std::string, double> telemetry;
  std::string repro;  ///< a command that measures this again, as narrowly as options can
};

/// The metric that is judged; null when there is none with a value.
const Metric* primary_metric(const Result& result);
const Metric* find_metric(const Result& result, std::string_view name);

/// "3 of 100 elements are wrong, first at index 7 on rank 1: expected 4, found 5".
std::string describe(const Verification& verification);

}  // namespace peakline
