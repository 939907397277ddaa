#pragma once

#include <string>

#include "core/record.h"

namespace peakline {

/// What the copies between GPUs came to, for each node a map of all its pairs in GB/s; empty for a
/// record without them, and for one of so many ranks that it does not list each rank's time.
std::string peer_map_text(const Record& record);

}  // namespace peakline
