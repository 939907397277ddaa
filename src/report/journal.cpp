#include "report/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <map>

#include "core/error.h"
#include "report/posix_file.h"
#include "report/record_parts.h"

namespace peakline {
namespace {

std::string header_line(const Record& record) {
  OrderedJson plan = OrderedJson::array();
  for (const CaseId& planned : record.plan) plan.push_back(json_of(planned));
  return line_of({{"schema", journal_schema},
                  {"schema_version", journal_schema_version},
                  {"tool", json_of(record.tool)},
                  {"run", json_of(record.run)},
                  {"environment", json_of(record.environment)},
                  {"plan", plan}},
                 "journal");
}

/// A case may give several results, one for each group or pair; so the place is part of what makes
/// two lines the same.
std::string identity(const Result& result) {
  Result place_only;
  place_only.id = result.id;
  place_only.where = result.where;
  return line_of(json_of(place_only), "");
}

Incident incomplete(const std::string& text) {
  Incident incident;
  incident.kind = "incomplete";
  incident.text = text;
  return incident;
}

}  // namespace

Journal::Journal(const std::string& path, const Record& record)
    : path_(path),
      file_(std::make_unique<PosixFile>(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, path)) {
  append_line(header_line(record));
}

Journal::~Journal() = default;

void Journal::append(const Result& result) {
  append_line(line_of(json_of(result), "result " + result.id.key()));
}

void Journal::append_line(std::string line) {
  line += '\n';
  try {
    file_->write_all(line);
  } catch (const Error&) {
    file_->try_truncate(size_bytes_);  // half a line would spoil the next one
    throw;
  }
  size_bytes_ += line.size();
}

void Journal::remove() {
  if (::unlink(path_.c_str()) != 0) fail_to_write(path_, errno);
}

bool is_journal(std::string_view text) {
  return text.starts_with("{\"schema\":\"" + std::string(journal_schema) + "\"");
}

Record read_journal(std::string_view text, const std::string& name_for_errors) {
  Record record;
  std::map<std::string, std::size_t> index_of;
  std::size_t line_number = 0;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos;) {
    ++line_number;
    const JsonDocument line(text.substr(0, end),
                            name_for_errors + ", line " + std::to_string(line_number), line_number);
    text.remove_prefix(end + 1);
    if (line_number == 1) {
      line.expect_schema(journal_schema, journal_schema_version);
      record = read_head(line);
      continue;
    }
    Result result = read_result(line, line.root());
    const auto [place, is_new] = index_of.emplace(identity(result), record.results.size());
    if (is_new) {
      record.results.push_back(std::move(result));
    } else {
      record.results[place->second] = std::move(result);
    }
  }
  if (line_number == 0) {
    throw usage_error(
        name_for_errors +
        ": the journal has no complete first line, so nothing was measured; run again.");
  }
  record.run.complete = false;
  record.run.incidents.push_back(incomplete(
      "The run did not end: these are the results that its journal holds, not the whole plan."));
  if (!text.empty()) {
    record.run.incidents.push_back(
        incomplete("The last line of the journal, line " + std::to_string(line_number + 1) +
                   ", was cut off while it was written; it is left out."));
  }
  return record;
}

}  // namespace peakline
