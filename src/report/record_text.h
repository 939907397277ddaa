#pragma once

#include <string>

#include "core/record.h"

namespace peakline {

/// A record for people: where it comes from, what went wrong, and its table.
std::string record_text(const Record& record);

}  // namespace peakline
