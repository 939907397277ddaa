#include "support/record_edit.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace peakline {
namespace {

void scale(EditableRecord& number, double factor) { number = number.get<double>() * factor; }

}  // namespace

EditableRecord parse_record(const std::string& text) { return EditableRecord::parse(text); }

std::string sample_record() {
  std::ifstream file(PEAKLINE_SOURCE_DIR "/tests/data/noise/run-01.json", std::ios::binary);
  if (!file) throw std::runtime_error("tests/data/noise/run-01.json is not there");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::int64_t count_incidents(const EditableRecord& record, const std::string& kind) {
  const EditableRecord incidents = record.at("run").value("incidents", EditableRecord::array());
  return std::count_if(incidents.begin(), incidents.end(),
                       [&](const EditableRecord& incident) { return incident["kind"] == kind; });
}

EditableRecord& result_of(EditableRecord& record, const std::string& benchmark) {
  for (EditableRecord& result : record["results"]) {
    if (result["benchmark"] == benchmark && result["status"] == "ok") return result;
  }
  throw std::runtime_error("the record has no ok result of " + benchmark);
}

void slow_down(EditableRecord& result, double factor) {
  for (EditableRecord& metric : result["metrics"]) {
    const double own = metric["better"] == "lower" ? factor : 1 / factor;
    scale(metric["value"], own);
    if (!metric.contains("ci95")) continue;
    for (EditableRecord& bound : metric["ci95"]) scale(bound, own);
  }
  for (EditableRecord& sample : result["samples_s"]) scale(sample, factor);
}

}  // namespace peakline
