#pragma once

#include "app/run_options.h"
#include "core/exit_status.h"
#include "core/world.h"

namespace peakline {

/// Measures what the options ask for, writes the record, and judges it when there is a baseline.
/// The same status on every rank. Collective.
ExitStatus run_command(const RunOptions& options, World& world);

}  // namespace peakline
