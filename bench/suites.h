#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/stopping.h"

namespace peakline {

/// How much a suite measures. Each benchmark chooses its sizes by it.
enum class Depth { quick, preflight, nightly, acceptance };

struct Suite {
  std::string_view name;
  std::string_view summary;
  Depth depth;
  double time_limit_s;
  SamplingRules sampling;
  int verify_repeats;
};

std::span<const Suite> all_suites();

/// A usage Error lists the names.
const Suite& find_suite(std::string_view name);

}  // namespace peakline
