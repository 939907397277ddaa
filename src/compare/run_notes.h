#pragma once

#include <span>
#include <vector>

#include "compare/verdict.h"
#include "core/record.h"

namespace peakline {

/// Adds to a verdict whose keys are judged what concerns the run as a whole: incidents, what else
/// changed since the newest accepted run, and what a user should look at next.
void add_run_notes(Verdict& verdict, std::span<const Record> fresh,
                   const std::vector<const Record*>& baselines);

}  // namespace peakline
