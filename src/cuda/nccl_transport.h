#pragma once

#include "core/communicator.h"
#include "cuda/nccl_log_file.h"
#include "cuda/transport_check.h"

namespace peakline::cuda {

/// What could be used here, as far as the GPU and the system tell. `scope` is that of all ranks.
Available available_transports(int ordinal, const Scope& scope);

/// What NCCL's log tells, as facts for the record and sentences for the user. Without a log the
/// user is told that nothing was checked.
TransportReport report_transport(const NcclLogText& log, const Available& available);

}  // namespace peakline::cuda
