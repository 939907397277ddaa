#include "support/record_edit.h"

#include <stdexcept>

namespace peakline {
namespace {

void scale(EditableRecord& number, double factor) { number = number.get<double>() * factor; }

}  // namespace

EditableRecord parse_record(const std::string& text) { return EditableRecord::parse(text); }

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
