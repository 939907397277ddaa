#pragma once

#include <string>
#include <vector>

#include "core/record.h"

namespace peakline {

/// Which ranks of a run were slower than the others, told without any baseline: each rank that is
/// an outlier (core/outliers.h) is named once with host and device and its worst case, or its whole
/// host when all of its ranks are. Where more than a quarter of the ranks are, no one of them is to
/// blame, and that is said instead.
std::vector<std::string> outlier_notes(const Record& record);

}  // namespace peakline
