#include "report/journal.h"

#include <string>

#include "core/error.h"
#include "report/atomic_file.h"
#include "report/record_json.h"
#include "support/catch.h"
#include "support/program.h"

using namespace peakline;

namespace {

Record full_record() {
  return read_record_file(PEAKLINE_SOURCE_DIR "/tests/data/records/full.json");
}

std::string journal_text() {
  return read_file(PEAKLINE_SOURCE_DIR "/tests/data/records/journal.jsonl");
}

}  // namespace

TEST_CASE("a journal makes an incomplete record of what was measured") {
  const TestFolder folder;
  const Record record = full_record();
  const std::string path = Journal::path_for(folder.file("a.json"));
  CHECK(path == folder.file("a.json.part"));
  Journal journal(path, record);
  CHECK(read_record_or_journal_file(path).results.empty());
  for (const Result& result : record.results) journal.append(result);

  Record expected = record;
  expected.run.complete = false;
  Record read = read_record_or_journal_file(path);
  REQUIRE(read.run.incidents.size() == record.run.incidents.size() + 1);
  CHECK(read.run.incidents.back().kind == "incomplete");
  read.run.incidents.pop_back();
  CHECK(write_record(read) == write_record(expected));

  journal.remove();
  CHECK(folder.names().empty());
}

TEST_CASE("a later result stands for an earlier one of the same case and place") {
  const TestFolder folder;
  const Record record = full_record();
  const std::string path = folder.file("a.part");
  Journal journal(path, record);
  Result second_pass = record.results.at(1);
  second_pass.samples_s = {1, 2};
  Result elsewhere = record.results.at(1);
  elsewhere.where.group = "node 1";
  for (const Result& result : {record.results[1], record.results[0], elsewhere, second_pass}) {
    journal.append(result);
  }
  const Record read = read_record_or_journal_file(path);
  REQUIRE(read.results.size() == 3);
  CHECK(read.results[0].samples_s == std::vector<double>{1, 2});
  CHECK(read.results[1].id.benchmark == "allreduce");
  CHECK(read.results[2].where.group == "node 1");
}

TEST_CASE("a torn last line is left out and said, wherever it was cut") {
  const std::string text = journal_text();
  const std::size_t last_line = text.rfind('\n', text.size() - 2) + 1;
  for (const std::size_t size : {last_line + 1, last_line + 40, text.size() - 1}) {
    CAPTURE(size);
    const Record record = read_journal(std::string_view(text).substr(0, size), "a.part");
    CHECK(record.results.size() == 2);
    CHECK(record.run.incidents.size() == 3);
    CHECK_THAT(record.run.incidents.back().text, Catch::Matchers::Contains("line 4, was cut off"));
  }
  CHECK(read_journal(text, "a.part").results.size() == 3);
}

TEST_CASE("any other broken line is refused with its number") {
  std::string text = journal_text();
  const std::size_t second_line = text.find('\n') + 1;
  CHECK_THROWS_WITH(read_journal(std::string(text).insert(second_line, "{\"a\":\n"), "a.part"),
                    Catch::Matchers::StartsWith("a.part, line 2: line 2, column "));
  CHECK_THROWS_WITH(read_journal(std::string(text).insert(second_line, "{}\n"), "a.part"),
                    Catch::Matchers::StartsWith("a.part, line 2: the outermost value lacks"));
  CHECK_THROWS_WITH(read_journal(text.substr(0, second_line / 2), "a.part"),
                    Catch::Matchers::Contains("no complete first line"));
  CHECK_THROWS_WITH(read_journal(text.substr(second_line), "a.part"),
                    Catch::Matchers::Contains("this is no"));
}

TEST_CASE("a record is not taken for a journal") {
  CHECK(is_journal(journal_text()));
  const std::string path = PEAKLINE_SOURCE_DIR "/tests/data/records/full.json";
  CHECK_FALSE(is_journal(read_file(path)));
  CHECK(read_record_or_journal_file(path).run.complete);
}

TEST_CASE("a journal that cannot be written is one sentence") {
  const TestFolder folder;
  CHECK_THROWS_WITH(Journal(folder.file("absent/a.part"), full_record()),
                    Catch::Matchers::Contains("absent/a.part': No such file or directory; choose"));
  CHECK_THROWS_WITH(Journal("/dev/full", full_record()),
                    Catch::Matchers::Contains("/dev/full': No space left on device"));
}
