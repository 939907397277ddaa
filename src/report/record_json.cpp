#include "report/record_json.h"

#include "report/atomic_file.h"
#include "report/journal.h"
#include "report/record_parts.h"

namespace peakline {
namespace {

template <typename Item>
std::string lines_of(const std::vector<Item>& items, const std::string& name) {
  std::string text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += i == 0 ? "\n" : ",\n";
    text += line_of(json_of(items[i]), name + "[" + std::to_string(i) + "]");
  }
  return text + "\n]";
}

}  // namespace

std::string write_record(const Record& record) {
  return "{\n\"schema\":\"" + std::string(record_schema) +
         "\",\n\"schema_version\":" + std::to_string(record_schema_version) +
         ",\n\"tool\":" + line_of(json_of(record.tool), "tool") +
         ",\n\"run\":" + line_of(json_of(record.run), "run") +
         ",\n\"environment\":" + line_of(json_of(record.environment), "environment") +
         ",\n\"plan\":" + lines_of(record.plan, "plan") +
         ",\n\"results\":" + lines_of(record.results, "results") + "\n}\n";
}

Record read_record(std::string_view text, const std::string& name_for_errors) {
  const JsonDocument document(text, name_for_errors);
  document.expect_schema(record_schema, record_schema_version);
  Record record = read_head(document);
  document.get_list(document.root(), "results", record.results, read_result);
  return record;
}

Record read_record_file(const std::string& path) { return read_record(read_file(path), path); }

Record read_record_or_journal_file(const std::string& path) {
  const std::string text = read_file(path);
  return is_journal(text) ? read_journal(text, path) : read_record(text, path);
}

}  // namespace peakline
