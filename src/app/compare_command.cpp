#include <iostream>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/judging.h"
#include "compare/judge.h"
#include "core/error.h"
#include "report/atomic_file.h"
#include "report/output_guard.h"
#include "report/record_json.h"
#include "report/verdict_json.h"
#include "report/verdict_text.h"

namespace peakline {
namespace {

std::string format_verdict(const Verdict& verdict, const std::string& format) {
  if (format == "text") return verdict_text(verdict);
  if (format == "json") return verdict_json(verdict);
  throw usage_error("There is no format '" + format + "': choose from text, json.");
}

std::vector<Record> read_fresh(const std::vector<std::string>& files) {
  if (files.empty()) {
    throw usage_error("There is no record to judge: peakline compare RECORD... --baseline PATH.");
  }
  std::vector<Record> records;
  for (const std::string& file : files) {
    records.push_back(read_record_or_journal_file(file));
    if (records.back().environment.kind == records.front().environment.kind) continue;
    throw Error(ExitStatus::not_comparable, file + " comes from another kind of machine than " +
                                                files.front() + ": compare them one by one.");
  }
  return records;
}

ExitStatus perform(const cxxopts::ParseResult& parsed, const std::vector<std::string>& files) {
  const std::string fail_on = text_or(parsed, "fail-on", "");
  if (!fail_on.empty() && fail_on != "inconclusive") {
    throw usage_error("--fail-on takes only 'inconclusive', not '" + fail_on + "'.");
  }
  const std::string out = text_or(parsed, "out", "");
  if (!out.empty()) check_verdict_output(out);
  const std::vector<Record> fresh = read_fresh(files);
  const Judging judging = load_judging(texts_of(parsed, "baseline"));
  Verdict verdict = judge_records(fresh, judging, texts_of(parsed, "allow-mismatch"));
  if (!fail_on.empty()) fail_on_inconclusive(verdict);
  const std::string text = format_verdict(verdict, text_or(parsed, "format", "text"));
  if (out.empty()) {
    std::cout << text << std::flush;
  } else {
    write_file_atomically(out, text);
  }
  return verdict.status;
}

}  // namespace

ExitStatus compare_command(int argc, const char* const* argv) {
  CommandLine line("compare", "Judges records against baselines and peaks.", "RECORD...");
  line.options()("baseline", "accepted runs: a record, or a folder of them (may be repeated)",
                 cxxopts::value<std::vector<std::string>>(),
                 "PATH")("format", "text or json", cxxopts::value<std::string>(), "NAME")(
      "out", "write the verdict there instead of printing it", cxxopts::value<std::string>(),
      "FILE")("allow-mismatch",
              "a field of the machine's identity that may differ (may be repeated)",
              cxxopts::value<std::vector<std::string>>(),
              "FIELD")("fail-on", "inconclusive: then an open question has status 4",
                       cxxopts::value<std::string>(), "WORD");
  return line.perform(argc, argv, perform);
}

}  // namespace peakline
