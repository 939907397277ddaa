#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "core/record.h"
#include "report/strict_json.h"

namespace peakline {

/// The parts that a record and a journal are both made of. Members are written in the order of the
/// format's description.
using OrderedJson = nlohmann::ordered_json;

/// The words of the format for values that have no name in core.
inline constexpr std::array better_words{std::pair{"higher", Better::higher},
                                         std::pair{"lower", Better::lower}};
inline constexpr std::array status_words{
    std::pair{"ok", Status::ok}, std::pair{"skipped", Status::skipped},
    std::pair{"invalid", Status::invalid}, std::pair{"failed", Status::failed}};
inline constexpr std::array stop_words{std::pair{"precision", StopReason::precision},
                                       std::pair{"max_iters", StopReason::max_iters},
                                       std::pair{"time_cap", StopReason::time_cap}};

OrderedJson json_of(const ToolInfo& tool);
OrderedJson json_of(const RunInfo& run);
OrderedJson json_of(const Environment& environment);
OrderedJson json_of(const CaseId& planned);
OrderedJson json_of(const Result& result);

/// On one line, without a line break. `what` names the value in the std::logic_error for a number
/// that is not finite.
std::string line_of(const OrderedJson& json, const std::string& what);

/// Everything of a record but its results.
Record read_head(const JsonDocument& document);
Result read_result(const JsonDocument& document, const JsonValue& json);

}  // namespace peakline
