#pragma once

#include <string>

namespace peakline {

/// Now: "2026-12-01T08:15:30Z", as records carry it.
std::string utc_time();

/// Now: "20261201T081530Z", for file names.
std::string compact_utc_time();

}  // namespace peakline
