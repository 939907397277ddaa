#pragma once

#include <string>

#include "compare/verdict.h"

namespace peakline {

/// A verdict for people: one line for each key with measured, baseline, difference, per cent of
/// peak with the peak's kind, and the word; then what concerns the whole run, and one sentence with
/// the reason for the exit status.
std::string verdict_text(const Verdict& verdict);

}  // namespace peakline
