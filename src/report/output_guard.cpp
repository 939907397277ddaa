#include "report/output_guard.h"

#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/error.h"
#include "report/atomic_file.h"
#include "report/journal.h"
#include "report/record_json.h"

namespace peakline {
namespace {

/// Where every file of Peakline's says what it is; empty when there is no file.
std::string beginning_of(const std::string& path) {
  std::string text(4096, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

bool names(const std::string& text, std::string_view schema) {
  return text.find('"' + std::string(schema) + '"') != std::string::npos;
}

void refuse_standard_output(const std::string& path, const std::string& instead) {
  if (path == "-") throw usage_error("'-' is no name for a file here: " + instead + ".");
}

}  // namespace

void check_record_output(const std::string& path, const std::vector<std::string>& inputs) {
  refuse_standard_output(path, "--format json prints the record");
  check_writable(path);
  for (const std::string& input : inputs) {
    std::error_code one_is_not_there;
    if (!std::filesystem::equivalent(path, input, one_is_not_there)) continue;
    throw usage_error("'" + path + "' is read and cannot be written as well: give another --out.");
  }
  const std::string there = beginning_of(path);
  if (there.empty() || names(there, record_schema)) return;
  throw usage_error("There is a file '" + path +
                    "' already, and it is no record: remove it, or give another --out.");
}

void check_verdict_output(const std::string& path) {
  refuse_standard_output(path, "without --out the verdict is printed");
  check_writable(path);
  const std::string there = beginning_of(path);
  if (!names(there, record_schema) && !names(there, journal_schema)) return;
  throw usage_error("The file '" + path +
                    "' is a record: a verdict must not replace it; give another --out.");
}

}  // namespace peakline
