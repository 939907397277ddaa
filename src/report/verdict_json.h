#pragma once

#include <string>

#include "compare/verdict.h"

namespace peakline {

/// A verdict for programs (baselines/schema/verdict.schema.json). The same verdict gives the same
/// bytes.
std::string verdict_json(const Verdict& verdict);

}  // namespace peakline
