#include <iostream>

#include "app/command_line.h"
#include "app/commands.h"
#include "core/error.h"
#include "report/atomic_file.h"
#include "report/output_guard.h"
#include "report/record_json.h"
#include "report/record_text.h"

namespace peakline {
namespace {

ExitStatus perform(const cxxopts::ParseResult& parsed, const std::vector<std::string>& files) {
  if (files.size() != 1) throw usage_error("peakline show takes one record or journal.");
  const Record record = read_record_or_journal_file(files.front());
  const std::string format = text_or(parsed, "format", "text");
  if (format != "text" && format != "json") {
    throw usage_error("There is no format '" + format + "': choose from text, json.");
  }
  if (const std::string out = text_or(parsed, "out", ""); !out.empty()) {
    check_record_output(out, files);
    write_file_atomically(out, write_record(record));
    std::cerr << "record: " << out << '\n';
  } else {
    std::cout << (format == "json" ? write_record(record) : record_text(record)) << std::flush;
  }
  return ExitStatus::ok;
}

}  // namespace

ExitStatus show_command(int argc, const char* const* argv) {
  CommandLine line(
      "show", "Shows a record, or makes one of the journal (FILE.part) that a run left behind.",
      "RECORD");
  line.options()("format", "text or json", cxxopts::value<std::string>(), "NAME")(
      "out", "write the record there instead of showing it", cxxopts::value<std::string>(), "FILE");
  return line.perform(argc, argv, perform);
}

}  // namespace peakline
