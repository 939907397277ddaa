#include "compare/physics.h"
#include "core/rates.h"
#include "support/catch.h"

using namespace peakline;

namespace {

Result sound_result() {
  Result result;
  result.id = {"memory", {{"kernel", "triad"}, {"size_bytes", std::int64_t{1} << 20}}, {2, 1, 2}};
  result.samples_s = {1.0e-4, 1.1e-4, 1.2e-4, 1.3e-4, 1.0e-4, 1.1e-4, 1.2e-4, 1.3e-4};
  result.metrics = metrics_of(result.id, result.samples_s, "bandwidth");
  return result;
}

}  // namespace

TEST_CASE("a sound result has no contradiction") {
  CHECK(contradiction_in(sound_result()).empty());
}

TEST_CASE("each contradiction is found and named") {
  const struct {
    const char* words;
    void (*spoil)(Result&);
  } cases[] = {
      {"'bandwidth' is", [](Result& result) { *result.metrics[1].value *= 1.01; }},
      {"no value", [](Result& result) { result.metrics[1].value.reset(); }},
      {"not above zero", [](Result& result) { result.metrics[1].value = 0; }},
      {"confidence interval", [](Result& result) { result.metrics[0].ci95->high = 1e-4; }},
      {"its samples have the median",
       [](Result& result) {
         for (double& sample_s : result.samples_s) sample_s *= 2;
       }},
      {"no metric", [](Result& result) { result.metrics.clear(); }},
      {"primary", [](Result& result) { result.metrics[1].primary = false; }},
      {"data were wrong",
       [](Result& result) {
         result.verify = Verification{10, 1, {}};
       }},
  };
  for (const auto& one : cases) {
    Result result = sound_result();
    one.spoil(result);
    CAPTURE(one.words, contradiction_in(result));
    CHECK(contradiction_in(result).find(one.words) != std::string::npos);
  }
}

TEST_CASE("what is not ok promises nothing") {
  Result result = sound_result();
  result.metrics.clear();
  result.status = Status::skipped;
  CHECK(contradiction_in(result).empty());
}

TEST_CASE("samples that were thinned are not held against the median of all") {
  Result result = sound_result();
  for (double& sample_s : result.samples_s) sample_s *= 2;
  result.metrics[0].n = 1000;
  CHECK(contradiction_in(result).empty());
}
