#include <algorithm>
#include <string>

#include "support/catch.h"
#include "support/program.h"
#include "support/record_edit.h"

using namespace peakline;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// One sentence: a single line, that of the program.
bool is_one_sentence(const ProgramResult& result) {
  return result.err.starts_with("peakline: ") && result.err.ends_with("\n") &&
         std::count(result.err.begin(), result.err.end(), '\n') == 1;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin + 1, end - begin);
}

/// Compares `fresh` with `baseline`, both texts of records.
ProgramResult compare(const std::string& fresh, const std::string& baseline) {
  const TestFolder folder;
  folder.write("fresh.json", fresh);
  folder.write("baseline.json", baseline);
  return folder.peakline("compare fresh.json --baseline baseline.json");
}

}  // namespace

TEST_CASE("a record held against itself passes") {
  const std::string record = sample_record();
  const ProgramResult result = compare(record, record);
  CHECK(result.status == 0);
  CHECK(contains(last_line(result.out),
                 "Status 0: nothing was shown to be regressed or below its floor"));
  CHECK_FALSE(contains(result.out, "inconclusive"));
}

TEST_CASE("any key made 4/3 as long is named, with status 6") {
  const std::string original = sample_record();
  const std::size_t count = parse_record(original)["results"].size();
  int tried = 0;
  for (std::size_t i = 0; i < count; ++i) {
    EditableRecord record = parse_record(original);
    EditableRecord& result = record["results"][i];
    if (result["status"] != "ok") continue;
    slow_down(result, 4.0 / 3);
    const ProgramResult verdict = compare(record.dump(), original);
    CAPTURE(result["key"], verdict.out);
    CHECK(verdict.status == 6);
    CHECK(contains(last_line(verdict.out), "Status 6: regressed: " + std::string(result["key"])));
    ++tried;
  }
  CHECK(tried >= 20);
}

TEST_CASE("of many keys to be measured again the first commands are shown and the others counted") {
  EditableRecord record = parse_record(sample_record());
  for (EditableRecord& result : record["results"]) slow_down(result, 4.0 / 3);
  const ProgramResult verdict = compare(record.dump(), sample_record());
  CAPTURE(verdict.out);
  CHECK(verdict.status == 6);
  std::size_t commands = 0;
  const std::string begin = "\nMeasure again: mpirun ";
  for (std::size_t at = verdict.out.find(begin); at != std::string::npos;
       at = verdict.out.find(begin, at + 1)) {
    ++commands;
  }
  CHECK(commands == 5);
  CHECK(contains(verdict.out, " more, as `repro` in --format json\n"));
}

TEST_CASE("every command has help, by either name") {
  const TestFolder folder;
  for (const char* arguments : {"--help", "-h", "compare --help", "compare -h", "show -h"}) {
    const ProgramResult result = folder.peakline(arguments);
    CAPTURE(arguments, result.err);
    CHECK(result.status == 0);
    CHECK(contains(result.out, "peakline"));
  }
  CHECK(folder.run_alone("-h").status == 0);
}

TEST_CASE("another machine's record is not comparable, with the field that differs") {
  const std::string original = sample_record();
  EditableRecord other = parse_record(original);
  other["environment"]["device_model"] = "Another CPU";
  other["environment"]["fingerprint"] = "";
  const TestFolder folder;
  folder.write("other.json", other.dump());
  // The fingerprint must match its fields: the refusal names the right one.
  const ProgramResult refused = folder.peakline("validate other.json");
  CHECK(refused.status == 2);
  const std::size_t quote = refused.err.find('\'');
  REQUIRE(quote != std::string::npos);
  other["environment"]["fingerprint"] =
      refused.err.substr(quote + 1, refused.err.find('\'', quote + 1) - quote - 1);

  const ProgramResult result = compare(original, other.dump());
  CHECK(result.status == 3);
  CHECK(contains(last_line(result.out), "device_model"));
  CHECK(contains(last_line(result.out), "'Another CPU' in the baseline"));
  folder.write("fresh.json", original);
  folder.write("other.json", other.dump());
  CHECK(folder.peakline("compare fresh.json --baseline other.json --allow-mismatch device_model")
            .status == 0);
}

TEST_CASE("records of different worlds have nothing to compare") {
  const std::string original = sample_record();
  const TestFolder folder;
  folder.write("two.json", original);
  const ProgramResult alone =
      folder.run_alone("--bench allreduce --sizes 1KiB --time-limit 10s --out one.json");
  REQUIRE(alone.status == 0);
  const ProgramResult result = folder.peakline("compare one.json --baseline two.json");
  CHECK(result.status == 3);
}

TEST_CASE("without a baseline there must be a peak, otherwise nothing is judged") {
  const TestFolder folder;
  folder.write("fresh.json", sample_record());
  const ProgramResult result = folder.peakline("compare fresh.json");
  CHECK(result.status == 3);
  CHECK(contains(result.out, "unjudged"));
  CHECK(contains(last_line(result.out), "Status 3: nothing was judged"));
}

TEST_CASE("a rate that contradicts its time is invalid") {
  EditableRecord record = parse_record(sample_record());
  for (EditableRecord& metric : result_of(record, "gemm")["metrics"]) {
    if (metric["name"] == "flops") metric["value"] = metric["value"].get<double>() * 1.5;
  }
  const ProgramResult result = compare(record.dump(), sample_record());
  CHECK(result.status == 3);
  CHECK(contains(last_line(result.out), "Status 3: invalid: gemm/"));
}

TEST_CASE("a result without the parameters of its rates is invalid, and is shown all the same") {
  EditableRecord record = parse_record(sample_record());
  EditableRecord& result = result_of(record, "gemm");
  const std::string key = result["key"];
  const std::size_t m_at = key.find("m=");
  const std::string shorter = key.substr(0, m_at) + key.substr(key.find(",n=") + 1);
  for (EditableRecord* list : {&record["plan"], &record["results"]}) {
    for (EditableRecord& entry : *list) {
      if (entry["key"] != key) continue;
      entry["key"] = shorter;
      entry["params"].erase("m");
    }
  }
  const TestFolder folder;
  folder.write("r.json", record.dump());
  const ProgramResult validated = folder.peakline("validate r.json");
  CAPTURE(validated.out, validated.err);
  CHECK(validated.status == 3);
  CHECK(contains(validated.out, "its parameter 'm'"));
  CHECK(folder.peakline("show r.json").status == 0);
}

TEST_CASE("a comma is part of a file's name") {
  const TestFolder folder;
  folder.write("a,b.json", sample_record());
  CHECK(folder.peakline("compare a,b.json --baseline a,b.json").status == 0);
}

TEST_CASE("an ok result with a null is invalid, not an error of input") {
  EditableRecord record = parse_record(sample_record());
  result_of(record, "allreduce")["metrics"][0]["value"] = nullptr;
  const ProgramResult result = compare(record.dump(), sample_record());
  CHECK(result.status == 3);
  CHECK(contains(last_line(result.out), "Status 3: invalid: allreduce/"));
}

TEST_CASE("a key that the baseline has and this run skipped is missing") {
  EditableRecord record = parse_record(sample_record());
  EditableRecord& result = result_of(record, "gemm");
  result["status"] = "skipped";
  result["reason"] = "time_limit";
  result["metrics"] = EditableRecord::array();
  const ProgramResult verdict = compare(record.dump(), sample_record());
  CHECK(verdict.status == 3);
  CHECK(contains(last_line(verdict.out), "Status 3: missing: gemm/"));
}

TEST_CASE("a key outside this run's plan is counted and never gates") {
  EditableRecord record = parse_record(sample_record());
  const std::string key = record["plan"][0]["key"];
  record["plan"].erase(0);
  for (std::size_t i = 0; i < record["results"].size(); ++i) {
    if (record["results"][i]["key"] == key) record["results"].erase(i);
  }
  const ProgramResult verdict = compare(record.dump(), sample_record());
  CHECK(verdict.status == 0);
  CHECK(contains(verdict.out, "Not planned in this run: 1 keys"));
}

TEST_CASE("a key that no baseline has is new and does not gate") {
  EditableRecord baseline = parse_record(sample_record());
  const std::string key = baseline["results"][0]["key"];
  baseline["results"].erase(0);
  const ProgramResult verdict = compare(sample_record(), baseline.dump());
  CHECK(verdict.status == 0);
  CHECK(contains(last_line(verdict.out), "1 new"));
}

TEST_CASE("a changed unit is not comparable") {
  EditableRecord baseline = parse_record(sample_record());
  for (EditableRecord& metric : result_of(baseline, "memory")["metrics"]) {
    if (metric["name"] == "bandwidth") metric["unit"] = "GB/s";
  }
  const ProgramResult verdict = compare(sample_record(), baseline.dump());
  CHECK(verdict.status == 3);
  CHECK(contains(last_line(verdict.out), "Status 3: not comparable: memory/"));
}

TEST_CASE("wrong data end with status 5 whatever the speed") {
  EditableRecord record = parse_record(sample_record());
  EditableRecord& result = result_of(record, "allreduce");
  result["status"] = "failed";
  result["reason"] = "wrong_data";
  result["verify"] = {{"checked", 100},
                      {"wrong", 3},
                      {"first", {{"index", 7}, {"rank", 1}, {"expected", 4}, {"found", 5}}}};
  const ProgramResult verdict = compare(record.dump(), sample_record());
  CHECK(verdict.status == 5);
  CHECK(contains(verdict.out, "3 of 100 elements are wrong, first at index 7 on rank 1"));
}

TEST_CASE("an incomplete record is never judged to be fine") {
  EditableRecord record = parse_record(sample_record());
  record["run"]["complete"] = false;
  const ProgramResult verdict = compare(record.dump(), sample_record());
  CHECK(verdict.status == 5);
  CHECK(contains(last_line(verdict.out), "is not complete"));
}

TEST_CASE("files that are no records are refused in one sentence") {
  const std::string record = sample_record();
  const std::string with_nan = [&] {
    std::string text = record;
    const std::size_t at = text.find("\"duration_s\":") + 13;
    return text.replace(at, text.find_first_of(",}", at) - at, "NaN");
  }();
  const std::string with_duplicate = "{\"schema\":\"peakline.record\"," + record.substr(1);
  const struct {
    const char* name;
    std::string text;
  } files[] = {
      {"half.json", record.substr(0, record.size() / 2)},
      {"empty.json", ""},
      {"foreign.json", R"({"results": [], "version": 3})"},
      {"array.json", "[1, 2, 3]"},
      {"nan.json", with_nan},
      {"duplicate.json", with_duplicate},
      {"trailing.json", record + "{}"},
  };
  const TestFolder folder;
  folder.write("good.json", record);
  for (const auto& file : files) {
    folder.write(file.name, file.text);
    for (const std::string& arguments :
         {std::string("compare ") + file.name, std::string("show ") + file.name,
          std::string("validate ") + file.name,
          std::string("compare good.json --baseline ") + file.name}) {
      const ProgramResult result = folder.peakline(arguments);
      CAPTURE(arguments, result.err);
      CHECK(result.status == 2);
      CHECK(is_one_sentence(result));
      CHECK(contains(result.err, file.name));
      CHECK(result.out.empty());
    }
  }
  const ProgramResult absent = folder.peakline("compare absent.json");
  CHECK(absent.status == 2);
  CHECK(contains(absent.err, "absent.json"));
}

TEST_CASE("bad usage is refused in one sentence") {
  const TestFolder folder;
  folder.write("good.json", sample_record());
  for (const char* arguments :
       {"nonsense", "compare", "compare good.json --unknown", "compare good.json --format xml",
        "compare good.json --fail-on everything", "accept good.json", "show", "validate",
        "accept good.json --into there --reason", "peaks --device"}) {
    const ProgramResult result = folder.peakline(arguments);
    CAPTURE(arguments, result.err);
    CHECK(result.status == 2);
    CHECK(is_one_sentence(result));
  }
  CHECK(folder.names() == std::vector<std::string>{"good.json"});
}

TEST_CASE("for whom an open question is no success, it has a status and a reason") {
  const TestFolder folder;
  const std::string pair =
      "compare " PEAKLINE_SOURCE_DIR "/tests/data/noise/run-01.json --baseline " PEAKLINE_SOURCE_DIR
      "/tests/data/noise/accepted-1.json";
  CHECK(folder.peakline(pair).status == 0);
  const ProgramResult text = folder.peakline(pair + " --fail-on inconclusive");
  CAPTURE(text.out);
  CHECK(text.status == 4);
  CHECK(contains(last_line(text.out), "Status 4: inconclusive: "));
  const ProgramResult json = folder.peakline(pair + " --fail-on inconclusive --format json");
  CHECK(json.status == 4);
  CHECK(contains(parse_record(json.out)["reason"].get<std::string>(), "inconclusive: "));
}

TEST_CASE("records of two kinds of machine are not judged together") {
  const TestFolder folder;
  folder.write("here.json", sample_record());
  const ProgramResult result =
      folder.peakline("compare here.json " PEAKLINE_SOURCE_DIR "/tests/data/records/full.json");
  CAPTURE(result.err);
  CHECK(result.status == 3);
  CHECK(contains(result.err, "comes from another kind of machine"));
}

TEST_CASE("a baseline that can be none is refused by its reason") {
  EditableRecord record = parse_record(sample_record());
  record["run"]["complete"] = false;
  const ProgramResult result = compare(sample_record(), record.dump());
  CAPTURE(result.out);
  CHECK(result.status == 3);
  CHECK(contains(last_line(result.out), "not comparable with any baseline: the run '"));
  CHECK(contains(last_line(result.out), "' is not complete"));
}

TEST_CASE("the ceilings that a run measured are listed") {
  const TestFolder folder;
  folder.write("r.json", sample_record());
  const ProgramResult result = folder.peakline("peaks r.json");
  CHECK(result.status == 0);
  CHECK(contains(result.out, "Ceilings measured in run "));
  CHECK(contains(result.out, "  gemm flops dtype=float32: "));
  CHECK(contains(result.out, "  allreduce busbw dtype=float32 size_bytes=1048576: "));
}

TEST_CASE("a verdict never replaces a record") {
  const TestFolder folder;
  folder.write("r.json", sample_record());
  const ProgramResult result = folder.peakline("compare r.json --baseline r.json --out r.json");
  CHECK(result.status == 2);
  CHECK(is_one_sentence(result));
  CHECK(folder.read("r.json") == sample_record());
  CHECK(folder.peakline("show r.json --out ./r.json").status == 2);
  CHECK(folder.peakline("compare r.json --baseline r.json --out v.txt").status == 0);
  CHECK(folder.peakline("compare r.json --baseline r.json --out v.txt").status == 0);
}

TEST_CASE("files that are no record, and folders without any, are told by name") {
  const TestFolder folder;
  folder.write("r.json", sample_record());
  folder.write("foreign.json", "{\"a\": 1}");
  std::filesystem::create_directory(folder.file("empty"));
  for (const auto& [arguments, sentence] :
       {std::pair{"show foreign.json", "foreign.json: this is no 'peakline.record'"},
        {"compare r.json --baseline empty", "There is no record in the folder 'empty'"}}) {
    const ProgramResult result = folder.peakline(arguments);
    CAPTURE(arguments, result.err);
    CHECK(result.status == 2);
    CHECK(is_one_sentence(result));
    CHECK(contains(result.err, sentence));
  }
}

TEST_CASE("a fact or a parameter may be a number where a word is usual") {
  EditableRecord record = parse_record(sample_record());
  record["environment"]["nodes"][0]["software"]["blas"] = 3;
  EditableRecord& gemm = result_of(record, "gemm");
  slow_down(gemm, 100);
  const ProgramResult result = compare(record.dump(), record.dump());
  CAPTURE(result.out, result.err);
  CHECK(result.status == 0);
  CHECK(contains(result.out, "It is '3'"));
}

TEST_CASE("a slow GEMM on crowded processors is not laid on the math library") {
  EditableRecord record = parse_record(sample_record());
  slow_down(result_of(record, "gemm"), 100);
  const ProgramResult alone = compare(record.dump(), record.dump());
  CAPTURE(alone.out);
  CHECK(contains(alone.out, "is the math library right for this CPU?"));

  record["run"]["incidents"] = {{{"kind", "crowded"}, {"text", "2 ranks on 1 processor"}}};
  const ProgramResult crowded = compare(record.dump(), record.dump());
  CAPTURE(crowded.out);
  CHECK(contains(crowded.out, "crowded: 2 ranks on 1 processor"));
  CHECK_FALSE(contains(crowded.out, "math library"));
}

TEST_CASE("the verdict as JSON says the same") {
  const TestFolder folder;
  folder.write("fresh.json", sample_record());
  const ProgramResult result =
      folder.peakline("compare fresh.json --baseline fresh.json --format json --out verdict.json");
  CHECK(result.status == 0);
  CHECK(result.out.empty());
  const EditableRecord verdict = parse_record(folder.read("verdict.json"));
  CHECK(verdict["schema"] == "peakline.verdict");
  CHECK(verdict["status"] == 0);
  CHECK(verdict["baseline_runs"] == 1);
  CHECK(verdict["keys"].size() == parse_record(sample_record())["plan"].size());
  const ProgramResult again =
      folder.peakline("compare fresh.json --baseline fresh.json --format json");
  CHECK(again.out == folder.read("verdict.json"));
  const ProgramResult by_schema = folder.check_schema("verdict.json");
  CAPTURE(by_schema.out, by_schema.err);
  CHECK(by_schema.status == 0);
}

TEST_CASE("accepted records become a baseline, and what must not be one is refused") {
  const TestFolder folder;
  folder.write("good.json", sample_record());
  const ProgramResult accepted =
      folder.peakline("accept good.json --into base --reason 'the first'");
  CHECK(accepted.status == 0);
  CHECK(contains(accepted.out, "accepted: base/stored/"));
  CHECK(folder.peakline("compare good.json --baseline base").status == 0);
  CHECK(folder.peakline("validate $(find base -name '*.json')").status == 0);
  CHECK(folder.check_schema("$(find base -name '*.json')").status == 0);
  EditableRecord other = parse_record(sample_record());
  other["run"]["id"] = "another";
  folder.write("other.json", other.dump());
  // The second of two is there already: the first is not left behind.
  CHECK(folder.peakline("accept other.json good.json --into base --reason x").status == 2);
  CHECK(run_shell("find base -name 'another*' | grep .", folder.path()).status == 1);

  const ProgramResult again = folder.peakline("accept good.json --into base --reason 'once more'");
  CHECK(again.status == 2);
  CHECK(contains(again.err, "is accepted already"));

  EditableRecord partial = parse_record(sample_record());
  partial["run"]["id"] = "partial";
  const auto skip = [](EditableRecord& result) {
    result["status"] = "skipped";
    result["reason"] = "time_limit";
    for (EditableRecord& metric : result["metrics"]) metric["value"] = nullptr;
  };
  skip(partial["results"][0]);
  folder.write("partial.json", partial.dump());
  const ProgramResult some = folder.peakline("accept partial.json --into base --reason x");
  CHECK(some.status == 0);
  const std::size_t planned = partial["plan"].size();
  CHECK(contains(some.out, ", with only " + std::to_string(planned - 1) + " of " +
                               std::to_string(planned) + " cases: the others were skipped"));
  for (EditableRecord& result : partial["results"]) skip(result);
  folder.write("nothing.json", partial.dump());
  const ProgramResult none = folder.peakline("accept nothing.json --into other --reason x");
  CHECK(none.status == 2);
  CHECK(contains(none.err, "nothing in it was measured"));

  for (const auto& [field, value] :
       {std::pair{"/run/complete", false}, std::pair{"/environment/emulated", true}}) {
    EditableRecord record = parse_record(sample_record());
    record[EditableRecord::json_pointer(field)] = value;
    folder.write("bad.json", record.dump());
    // One bad record among good ones: nothing is stored.
    const ProgramResult refused =
        folder.peakline("accept good.json bad.json --into other --reason x");
    CHECK(refused.status == 2);
    CHECK(is_one_sentence(refused));
    CHECK(run_shell("test -e other", folder.path()).status == 1);
  }
}
