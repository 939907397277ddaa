#pragma once

#include <string>

#include "core/result.h"

namespace peakline {

/// What is impossible about an ok result, as a sentence; empty when nothing is. A rate must be the
/// work of its case over its time, a value must lie within its interval and agree with its samples,
/// an ok result must have the number it promises, and no verified element may be wrong.
std::string contradiction_in(const Result& result);

}  // namespace peakline
