#include "report/record_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "core/error.h"
#include "report/atomic_file.h"
#include "support/catch.h"

using namespace peakline;
using Json = nlohmann::ordered_json;

namespace {

const std::string data_folder = PEAKLINE_SOURCE_DIR "/tests/data/";

std::string full_text() { return read_file(data_folder + "records/full.json"); }

/// The smallest record there can be: one planned case, not measured.
Record small_record() {
  Record record;
  record.tool.version = "0.1.0";
  record.run.id = "a run";
  record.environment.kind = {"host", "a CPU", "", 1, 1};
  Result result;
  result.id = {"gemm", {{"n", std::int64_t{64}}}, {}};
  record.plan = {result.id};
  record.results = {result};
  return record;
}

/// What the reader says of a record after one change to it; empty when it takes it.
std::string refusal_after(Json document, const Json& entry) {
  const Json::json_pointer place(entry.at("path").get<std::string>());
  if (entry.at("op") == "remove") {
    document = document.patch({{{"op", "remove"}, {"path", entry.at("path")}}});
  } else {
    document[place] = entry.at("value");
  }
  try {
    read_record(document.dump(), "a.json");
    return "";
  } catch (const Error& error) {
    CHECK(error.status() == ExitStatus::usage);
    return error.what();
  }
}

}  // namespace

TEST_CASE("a record reads and writes back the same bytes") {
  const std::string text = full_text();
  CHECK(write_record(read_record(text, "full.json")) == text);
  const std::string small = write_record(small_record());
  CHECK(write_record(read_record(small, "small")) == small);
}

TEST_CASE("every part of a record is read") {
  const Record record = read_record(full_text(), "full.json");
  CHECK(record.tool.git == "3e933a2");
  CHECK(record.run.seed == std::numeric_limits<std::uint64_t>::max());
  CHECK(record.run.complete);
  CHECK(record.run.command.size() == 3);
  CHECK(record.run.incidents.at(0).rank == 3);
  CHECK(record.environment.kind.mig_profile == "1g.10gb");
  CHECK(record.environment.world == Scope{16, 2, 8});
  CHECK(record.environment.placement.at(1).host == "n02");
  CHECK(record.environment.nodes.at(0).network.at("links") == ParamValue(std::int64_t{8}));
  CHECK(record.environment.settings.at("NCCL_ALGO") == "Ring");
  CHECK(record.plan.size() == 3);

  const Result& failed = record.results.at(0);
  CHECK(failed.status == Status::failed);
  CHECK(failed.id == record.plan.at(0));
  CHECK(failed.method.passes == 3);
  CHECK(failed.metrics.at(0).better == Better::lower);
  CHECK(failed.metrics.at(0).ci95->high == 0.00013);
  CHECK(failed.metrics.at(1).peaks.at(1).kind == "measured");
  CHECK(failed.samples_s.size() == 6);
  CHECK(failed.stop == StopReason::precision);
  CHECK(failed.ranks.outliers.at(0).rank == 11);
  CHECK(failed.verify->first->index == 77);
  CHECK_FALSE(failed.verify->first->found.has_value());
  CHECK(failed.telemetry.at("power_w") == 612.5);

  const Result& measured = record.results.at(1);
  CHECK(measured.where.cycle == 2);
  CHECK(measured.breakdown.at(1).share == 0.075);
  CHECK(measured.series.at(0).value.at(1) == 1.41e9);

  const Result& skipped = record.results.at(2);
  CHECK(skipped.status == Status::skipped);
  CHECK(skipped.reason == "time_limit");
  CHECK_FALSE(skipped.metrics.at(0).value.has_value());
  CHECK_FALSE(skipped.stop.has_value());
}

TEST_CASE("the reader accepts and rejects what the schema does") {
  const Json record = Json::parse(full_text());
  const Json table = Json::parse(read_file(data_folder + "record_mutations.json"));
  CHECK(table.size() > 40);
  for (const Json& entry : table) {
    CAPTURE(entry.at("name").get<std::string>());
    const std::string sentence = refusal_after(record, entry);
    CAPTURE(sentence);
    CHECK(sentence.empty() == (entry.at("expect") == "accept"));
    if (!sentence.empty()) CHECK_THAT(sentence, Catch::Matchers::StartsWith("a.json: "));
  }
}

TEST_CASE("numbers read back exactly") {
  for (const double value : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, 1e22, 123456789.0,
                             0.1 + 0.2, 2.2250738585072014e-308}) {
    CAPTURE(value);
    Record record = small_record();
    record.results[0].samples_s = {value};
    const double back = read_record(write_record(record), "a").results[0].samples_s.at(0);
    CHECK(back == value);
    CHECK(std::signbit(back) == std::signbit(value));
  }
}

TEST_CASE("a number that JSON cannot hold is a bug of the writer, named") {
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  Record record = small_record();
  record.results[0].samples_s = {1, std::numeric_limits<double>::infinity()};
  CHECK_THROWS_AS(write_record(record), std::logic_error);
  CHECK_THROWS_WITH(write_record(record), "results[0].samples_s[1] is not a finite number");
  record = small_record();
  record.results[0].metrics.resize(1);
  record.results[0].metrics[0].value = not_a_number;
  CHECK_THROWS_WITH(write_record(record), "results[0].metrics[0].value is not a finite number");
  record = small_record();
  record.run.duration_s = not_a_number;
  CHECK_THROWS_WITH(write_record(record), "run.duration_s is not a finite number");
}

TEST_CASE("what is not known is absent") {
  const Json record = Json::parse(write_record(small_record()));
  CHECK_FALSE(record["tool"].contains("git"));
  CHECK_FALSE(record["run"].contains("started"));
  CHECK_FALSE(record["environment"].contains("mig_profile"));
  const Json& result = record["results"][0];
  for (const char* name : {"where", "reason", "method", "samples_s", "stop", "ranks", "verify"}) {
    CAPTURE(name);
    CHECK_FALSE(result.contains(name));
  }
  CHECK(result["metrics"] == Json::array());
}

TEST_CASE("bytes that are not UTF-8 do not cost the record") {
  Record record = small_record();
  record.run.command = {"peakline-run", "--label", "a\xff"};
  CHECK(read_record(write_record(record), "a").run.command.at(2) == "a\xef\xbf\xbd");
}

TEST_CASE("half a record is refused, wherever it was cut") {
  const std::string text = full_text();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, text.size() / 2, text.size() - 3}) {
    CAPTURE(size);
    CHECK_THROWS_WITH(
        read_record(text.substr(0, size), "half.json"),
        Catch::Matchers::Contains("half.json: line ") && Catch::Matchers::Contains("truncated"));
  }
}

TEST_CASE("contradictions name both sides") {
  CHECK_THAT(refusal_after(Json::parse(full_text()),
                           {{"path", "/plan/1/params/n"}, {"op", "set"}, {"value", 2048}}),
             Catch::Matchers::StartsWith("a.json: plan[1].key contradicts") &&
                 Catch::Matchers::Contains("gemm/dtype=float64,n=2048/ranks=16"));
  CHECK_THAT(refusal_after(Json::parse(full_text()),
                           {{"path", "/tool/method_version"}, {"op", "set"}, {"value", 2}}),
             Catch::Matchers::StartsWith("a.json: environment.fingerprint contradicts") &&
                 Catch::Matchers::Contains("method_version=2"));
}

TEST_CASE("a missing record file is one sentence") {
  CHECK_THROWS_WITH(read_record_file("absent.json"),
                    Catch::Matchers::StartsWith("Cannot read 'absent.json': No such file"));
}
