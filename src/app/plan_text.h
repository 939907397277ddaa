#pragma once

#include <string>

#include "app/run_setup.h"

namespace peakline {

/// The plan for people: every case, what keeps it from being measured here, and what all of them
/// need in time and memory.
std::string plan_text(const RunSetup& setup);

}  // namespace peakline
