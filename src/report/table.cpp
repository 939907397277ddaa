#include "report/table.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <vector>

#include "core/units.h"

namespace peakline {
namespace {

constexpr const char* unknown = "-";

struct Column {
  std::string title;
  std::string unit;
  int width;
  std::function<std::string(const Result&)> text;
};

std::string pad(const std::string& text, int width) {
  std::array<char, 128> padded{};
  std::snprintf(padded.data(), padded.size(), "%*s", width, text.c_str());
  return padded.data();
}

std::string value_of(const Result& result, std::string_view metric, double scale) {
  const Metric* found = find_metric(result, metric);
  return found != nullptr && found->value ? format_significant(*found->value * scale, 4) : unknown;
}

std::string parameter(const Result& result, const std::string& name) {
  const auto found = result.id.params.find(name);
  return found == result.id.params.end() ? unknown : text_of(found->second);
}

Column from_parameter(const std::string& title, const std::string& unit, int width,
                      const std::string& name) {
  return {title, unit, width, [name](const Result& result) { return parameter(result, name); }};
}

Column from_metric(const std::string& title, const std::string& unit, int width,
                   const std::string& name, double scale) {
  return {title, unit, width,
          [name, scale](const Result& result) { return value_of(result, name, scale); }};
}

std::string half_width(const Result& result) {
  const Metric* time = find_metric(result, "time");
  if (time == nullptr || !time->value || !time->ci95 || *time->value == 0) return unknown;
  return format_significant((time->ci95->high - time->ci95->low) / 2 / *time->value * 100, 2);
}

std::string element_count(const Result& result) {
  const auto size_bytes = result.id.integer_if("size_bytes");
  const std::string dtype = result.id.word_if("dtype");
  const auto type = std::find_if(all_data_types.begin(), all_data_types.end(),
                                 [&](DataType known) { return name_of(known) == dtype; });
  if (!size_bytes || type == all_data_types.end()) return unknown;
  return std::to_string(*size_bytes / static_cast<std::int64_t>(size_of(*type)));
}

std::string wrong_count(const Result& result) {
  return result.verify ? std::to_string(result.verify->wrong) : unknown;
}

std::string slowest_rank(const Result& result) {
  if (!result.ranks.slowest) return unknown;
  return std::to_string(*result.ranks.slowest) + "@" + result.ranks.host;
}

std::string share_of_peak(const Result& result) {
  const Metric* metric = primary_metric(result);
  if (metric == nullptr || metric->peaks.empty()) return unknown;
  const Peak& peak = metric->peaks.front();
  return format_percent(*metric->value / peak.value) + " " + peak.kind;
}

std::string library_choice(const Result& result) {
  return result.method.algorithm + "/" + result.method.protocol;
}

/// What all benchmarks end with.
std::vector<Column> with_tail(std::vector<Column> columns) {
  columns.push_back({"#wrong", "", 7, wrong_count});
  columns.push_back({"of peak", "", 18, share_of_peak});
  columns.push_back({"slowest", "(rank@host)", 16, slowest_rank});
  return columns;
}

std::vector<Column> time_columns() {
  return {from_metric("time", "(us)", 10, "time", 1e6), {"+-%", "", 6, half_width}};
}

std::vector<Column> collective_columns(const CaseId& id) {
  std::vector<Column> columns{from_parameter("size", "(B)", 11, "size_bytes"),
                              {"count", "(elements)", 11, element_count},
                              from_parameter("type", "", 12, "dtype")};
  columns.push_back(id.params.contains("redop") ? from_parameter("redop", "", 6, "redop")
                                                : from_parameter("root", "", 6, "root"));
  columns.push_back(from_parameter("placement", "", 13, "placement"));
  columns.push_back(from_parameter("mode", "", 11, "mode"));
  for (Column& column : time_columns()) columns.push_back(std::move(column));
  columns.push_back(from_metric("algbw", "(GB/s)", 10, "algbw", 1e-9));
  columns.push_back(from_metric("busbw", "(GB/s)", 10, "busbw", 1e-9));
  return columns;
}

std::vector<Column> gemm_columns() {
  std::vector<Column> columns{from_parameter("m", "", 7, "m"),
                              from_parameter("n", "", 7, "n"),
                              from_parameter("k", "", 7, "k"),
                              from_parameter("type", "", 12, "dtype"),
                              from_parameter("by", "", 8, "implementation"),
                              from_parameter("threads", "", 8, "threads")};
  for (Column& column : time_columns()) columns.push_back(std::move(column));
  columns.push_back(from_metric("flops", "(GFLOP/s)", 10, "flops", 1e-9));
  return columns;
}

std::vector<Column> memory_columns() {
  std::vector<Column> columns{from_parameter("kernel", "", 8, "kernel"),
                              from_parameter("array", "(B)", 11, "size_bytes"),
                              from_parameter("threads", "", 8, "threads")};
  for (Column& column : time_columns()) columns.push_back(std::move(column));
  columns.push_back(from_metric("bandwidth", "(GB/s)", 10, "bandwidth", 1e-9));
  return columns;
}

std::vector<Column> transfer_columns() {
  std::vector<Column> columns{
      from_parameter("path", "", 10, "path"), from_parameter("distance", "(ranks)", 10, "distance"),
      from_parameter("host memory", "", 13, "memory"), from_parameter("numa", "", 6, "numa"),
      from_parameter("size", "(B)", 11, "size_bytes")};
  for (Column& column : time_columns()) columns.push_back(std::move(column));
  columns.push_back(from_metric("bandwidth", "(GB/s)", 10, "bandwidth", 1e-9));
  return columns;
}

std::vector<Column> loader_columns() {
  std::vector<Column> columns{from_parameter("record", "(B)", 9, "record_bytes"),
                              from_parameter("batch", "(records)", 10, "batch_size"),
                              from_parameter("threads", "", 8, "threads")};
  for (Column& column : time_columns()) columns.push_back(std::move(column));
  columns.push_back(from_metric("samples/s", "", 10, "samples_per_second", 1));
  columns.push_back(from_metric("bandwidth", "(GB/s)", 10, "bandwidth", 1e-9));
  columns.push_back(from_metric("wait p99", "(us)", 10, "wait_p99", 1e6));
  return columns;
}

std::vector<Column> columns_for(const Result& result) {
  const CaseId& id = result.id;
  if (id.params.contains("placement")) {
    std::vector<Column> columns = with_tail(collective_columns(id));
    if (!result.method.algorithm.empty()) columns.push_back({"chosen", "", 16, library_choice});
    return columns;
  }
  if (id.benchmark == "gemm") return with_tail(gemm_columns());
  if (id.benchmark == "memory") return with_tail(memory_columns());
  if (id.benchmark == "transfer") return with_tail(transfer_columns());
  if (id.benchmark == "loader") return with_tail(loader_columns());
  return with_tail(time_columns());
}

std::string count_of(std::int64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

/// What the rows have in common besides their columns.
std::string common_axes(const CaseId& id) {
  std::string text;
  if (id.params.contains("buffers")) text += ", " + id.word("buffers") + " buffers";
  if (id.params.contains("launch")) text += ", launched as a " + id.word("launch");
  return text;
}

std::string heading_of(const Result& result) {
  const CaseId& id = result.id;
  std::string titles = "#";
  std::string units = "#";
  for (const Column& column : columns_for(result)) {
    titles += pad(column.title, column.width);
    units += pad(column.unit, column.width);
  }
  units.erase(units.find_last_not_of(' ') + 1);
  return "#\n# " + id.benchmark + ", " + count_of(id.scope.ranks, "rank") + " on " +
         count_of(id.scope.nodes, "node") + common_axes(id) + "\n" + titles + "\n" + units + "\n";
}

std::string row_of(const Result& result) {
  std::string row = " ";
  for (const Column& column : columns_for(result)) row += pad(column.text(result), column.width);
  if (result.status == Status::failed) {
    const bool wrong = result.verify && result.verify->wrong > 0;
    row += "  FAILED: " + (wrong ? describe(*result.verify) : result.reason);
  }
  return row + "\n";
}

}  // namespace

/// A line that says why there is no row names all that a heading would.
std::string Table::add(const Result& result) {
  if (result.status == Status::skipped) {
    return "# skipped (" + result.reason + "): " + result.id.key() +
           (result.note.empty() ? "" : ": " + result.note) + "\n";
  }
  const std::string heading = heading_of(result);
  const bool is_new = heading != last_heading_;
  last_heading_ = heading;
  return (is_new ? heading : "") + row_of(result);
}

}  // namespace peakline
