#include <iostream>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/utc_time.h"
#include "core/error.h"
#include "report/baseline_store.h"

namespace peakline {
namespace {

ExitStatus perform(const cxxopts::ParseResult& parsed, const std::vector<std::string>& files) {
  const std::string into = text_or(parsed, "into", "");
  const std::string reason = text_or(parsed, "reason", "");
  if (files.empty() || into.empty() || reason.empty()) {
    throw usage_error(
        "A baseline needs records, a place and a reason: "
        "peakline accept RECORD... --into DIR --reason TEXT.");
  }
  const Provenance provenance{reason, utc_time(), "", parsed.count("golden") != 0};
  for (const AcceptedRun& run : accept_records(files, into, provenance)) {
    std::cout << "accepted: " << run.file;
    if (run.measured < run.planned) {
      std::cout << ", with only " << run.measured << " of " << run.planned
                << " cases: the others were skipped";
    }
    std::cout << '\n';
  }
  return ExitStatus::ok;
}

}  // namespace

ExitStatus accept_command(int argc, const char* const* argv) {
  CommandLine line("accept", "Makes records part of a baseline.", "RECORD...");
  line.options()("into", "the baseline's folder", cxxopts::value<std::string>(), "DIR")(
      "reason", "why these runs are good", cxxopts::value<std::string>(), "TEXT")(
      "golden", "pin them: drift is measured against these");
  return line.perform(argc, argv, perform);
}

}  // namespace peakline
