#include "bench/suites.h"

#include <array>
#include <string>

#include "core/error.h"

namespace peakline {
namespace {

SamplingRules sampling(int passes, double pass_time_s, std::size_t max_samples, double burn_in_s) {
  SamplingRules rules;
  rules.burn_in_s = burn_in_s;
  rules.passes = passes;
  rules.pass_time_s = pass_time_s;
  rules.max_samples = max_samples;
  return rules;
}

}  // namespace

std::span<const Suite> all_suites() {
  static const std::array suites{
      Suite{"quick", "is anything badly wrong? (at most 20 s)", Depth::quick, 20,
            sampling(3, 0.1, 600, 0), 2},
      Suite{"preflight", "minutes before a job (at most 120 s)", Depth::preflight, 120,
            sampling(3, 0.3, 1000, 0), 2},
      Suite{"nightly", "every night (at most 20 minutes)", Depth::nightly, 1200,
            sampling(5, 0.5, 3000, 5), 3},
      Suite{"acceptance", "before buying or taking over (at most 2 hours)", Depth::acceptance, 7200,
            sampling(5, 2, 5000, 5), 5},
  };
  return suites;
}

const Suite& find_suite(std::string_view name) {
  std::string names;
  for (const Suite& suite : all_suites()) {
    if (suite.name == name) return suite;
    names += (names.empty() ? "" : ", ") + std::string(suite.name);
  }
  throw usage_error("There is no suite '" + std::string(name) + "': choose from " + names + ".");
}

}  // namespace peakline
