#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace peakline {

using EditableRecord = nlohmann::ordered_json;

EditableRecord parse_record(const std::string& text);

/// The text of a real record of two ranks on a host, from this repository.
std::string sample_record();

/// How many incidents of this kind a record has.
std::int64_t count_incidents(const EditableRecord& record, const std::string& kind);

/// The first ok result of this benchmark.
EditableRecord& result_of(EditableRecord& record, const std::string& benchmark);

/// Makes a result's time, samples and intervals `factor` times as long, and its rates to match.
void slow_down(EditableRecord& result, double factor);

}  // namespace peakline
