#include <iostream>

#include "app/command_line.h"
#include "app/commands.h"
#include "compare/physics.h"
#include "core/error.h"
#include "report/record_json.h"

namespace peakline {
namespace {

/// The record's own contradictions, a line each.
ExitStatus validate(const std::string& file) {
  const Record record = read_record_or_journal_file(file);
  ExitStatus status = ExitStatus::ok;
  for (const Result& result : record.results) {
    const std::string contradiction = contradiction_in(result);
    if (contradiction.empty()) continue;
    std::cout << file << ": invalid: " << result.id.key() << ": " << contradiction << '\n';
    status = ExitStatus::not_comparable;
  }
  if (!record.run.complete) {
    std::cout << file << ": the run is not complete\n";
    status = worse(status, ExitStatus::run_failed);
  }
  if (status == ExitStatus::ok) std::cout << file << ": valid\n";
  return status;
}

ExitStatus perform(const cxxopts::ParseResult&, const std::vector<std::string>& files) {
  if (files.empty()) throw usage_error("peakline validate takes one or more records.");
  ExitStatus status = ExitStatus::ok;
  for (const std::string& file : files) {
    try {
      status = worse(status, validate(file));
    } catch (const Error& error) {
      std::cerr << "peakline: " << error.what() << '\n';
      status = worse(status, error.status());
    }
  }
  return status;
}

}  // namespace

ExitStatus validate_command(int argc, const char* const* argv) {
  CommandLine line("validate", "Checks records against their format, themselves and physics.",
                   "FILE...");
  return line.perform(argc, argv, perform);
}

}  // namespace peakline
