#include "core/telemetry.h"

#include <algorithm>

#include "support/catch.h"
#include "support/fake_run.h"
#include "support/fake_world.h"

using namespace peakline;

namespace {

std::vector<std::string> texts_of(const std::vector<Reading>& readings) {
  std::vector<std::string> texts;
  for (const TelemetryWarning& warning : telemetry_warnings(readings)) {
    texts.push_back(warning.kind + ": " + warning.text);
  }
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("readings of all ranks become figures, each in its own way") {
  const std::vector<std::vector<Reading>> of_rank{
      {{{quantity::sm_clock_hz, 1000e6},
        {quantity::temperature_c, 50},
        {quantity::ecc_corrected, 7}},
       {{quantity::sm_clock_hz, 1400e6},
        {quantity::temperature_c, 70},
        {quantity::ecc_corrected, 9}}},
      {{{quantity::sm_clock_hz, 1800e6},
        {quantity::temperature_c, 60},
        {quantity::ecc_corrected, 1}},
       {{quantity::sm_clock_hz, 2000e6},
        {quantity::pcie_generation, 1},
        {quantity::ecc_corrected, 1}},
       {{quantity::pcie_generation, 5}, {quantity::ecc_corrected, 2}}},
      {}};
  std::map<std::string, double> summary;
  run_ranks({"a", "a", "b"}, [&](World& world) {
    auto mine = summarise_telemetry(world, of_rank[static_cast<std::size_t>(world.rank())]);
    if (world.is_root()) summary = std::move(mine);
  });
  CHECK(summary == std::map<std::string, double>{{"sm_clock_hz_mean", 1550e6},
                                                 {"sm_clock_hz_min", 1000e6},
                                                 {"temperature_c_max", 70},
                                                 {"pcie_generation_min", 5},
                                                 {"ecc_corrected_new", 3}});
}

TEST_CASE("without readings there are no figures, and nothing is asked of other ranks for each") {
  FakeWorld world({"a", "b"});
  int calls = 0;
  world.on_call = [&](const char*) { ++calls; };
  CHECK(summarise_telemetry(world, {}).empty());
  CHECK(gather_warnings(world, "gpu 0", {}, HostLink::busy).empty());
  CHECK(calls == 2);
}

TEST_CASE("a device that is well is not warned of") {
  CHECK(texts_of({}).empty());
  CHECK(texts_of({{{quantity::sm_clock_hz, 1980e6},
                   {quantity::sm_clock_max_hz, 1980e6},
                   {quantity::temperature_c, 85},
                   {quantity::memory_used, 0.9},
                   {quantity::power_capped, 1},
                   {quantity::thermal_slowdown, 0},
                   {quantity::hardware_slowdown, 0},
                   {quantity::ecc_corrected, 12}},
                  {{quantity::ecc_corrected, 12}}})
            .empty());
}

TEST_CASE("what slows a device down or needs attention is said with its figures") {
  CHECK(texts_of({{{quantity::thermal_slowdown, 1}, {quantity::sm_clock_hz, 1200e6}},
                  {{quantity::thermal_slowdown, 0}, {quantity::sm_clock_hz, 1400e6}}}) ==
        Texts{"throttled: was slowed down by heat in 50.0 % of the readings, at 1300 MHz"});
  CHECK(texts_of({{{quantity::hardware_slowdown, 1}}}) ==
        Texts{"throttled: was slowed down by its hardware (heat, power supply) in 100.0 % of the "
              "readings"});
  const Reading capped{{quantity::power_capped, 1},
                       {quantity::sm_clock_hz, 1200e6},
                       {quantity::sm_clock_max_hz, 1980e6},
                       {quantity::power_limit_w, 350}};
  CHECK(texts_of({capped}) ==
        Texts{"throttled: was held at 1200 MHz of 1980 MHz by its power limit of 350 W"});
  CHECK(texts_of({capped, {{quantity::power_capped, 0}}, {{quantity::power_capped, 0}}}).empty());
  CHECK(texts_of({{{quantity::temperature_c, 70}}, {{quantity::temperature_c, 91}}}) ==
        Texts{"hot: reached 91 °C"});
  CHECK(texts_of({{{quantity::memory_used, 0.954}}}) ==
        Texts{"memory_full: had 95.4 % of its memory in use"});
  CHECK(texts_of({{{quantity::ecc_uncorrected, 1}, {quantity::ecc_corrected, 5}},
                  {{quantity::ecc_uncorrected, 2}, {quantity::ecc_corrected, 9}}}) ==
        Texts{"ecc: counted 1 new uncorrected memory errors (ECC)",
              "ecc: counted 4 new corrected memory errors (ECC)"});
}

TEST_CASE("the runner reads during the samples alone, and names the rank that it warns of") {
  FakeRun fake;
  fake.hosts = {"a", "b"};
  fake.rules.sampling.passes = 2;
  fake.script_of = [](int rank) {
    FakeScript script;
    script.readings = {{{{quantity::temperature_c, rank == 1 ? 91 : 50}}}};
    return script;
  };
  const FakeOutcome outcome = run(fake);
  const CallLog& log = outcome.logs[1];
  CHECK(count(log, "begin reading") == 2);
  const auto begin = std::find(log.begin(), log.end(), "begin reading");
  const auto end = std::find(log.begin(), log.end(), "end reading");
  REQUIRE(begin < end);
  CHECK(*(begin - 1) == "enter measure");
  CHECK(std::count(begin, end, std::string("enter verify")) == 0);
  CHECK(std::count(begin, end, std::string("step")) == 10);
  CHECK(outcome.results.at(0).telemetry.at("temperature_c_max") == 91);
  REQUIRE(outcome.noticed.size() == 2);  // one for each pass
  const Incident& incident = outcome.noticed[0];
  CHECK(incident.kind == "hot");
  CHECK(incident.rank == 1);
  CHECK(incident.host == "b");
  CHECK(incident.phase == "measure");
  CHECK(incident.case_key == outcome.results[0].id.key());
  CHECK(incident.text == "rank 1 on b: fake0 reached 91 °C");
}

TEST_CASE("a narrow or slow PCIe link is noted by its best reading, and only while it is busy") {
  const auto reading = [](double generation, double width) {
    return Reading{{quantity::pcie_generation, generation},
                   {quantity::pcie_width, width},
                   {quantity::pcie_generation_possible, 5},
                   {quantity::pcie_width_possible, 16}};
  };
  CHECK(telemetry_warnings({reading(1, 16), reading(5, 16)}, HostLink::busy).empty());
  CHECK(telemetry_warnings({reading(1, 8)}, HostLink::idle).empty());
  const auto warnings = telemetry_warnings({reading(1, 16), reading(4, 16)}, HostLink::busy);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].kind == "pcie");
  CHECK(warnings[0].text ==
        "was linked by PCIe 4.0 x16 although it and its slot can do PCIe 5.0 x16");
}
