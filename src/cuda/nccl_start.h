#pragma once

#include <nccl.h>

#include "core/world.h"

namespace peakline::cuda {

/// Rank 0's unique id, on every rank. Throws the same Error everywhere when there is none.
/// Collective.
ncclUniqueId share_unique_id(World& world);

/// A communicator of `ranks` ranks on GPU `ordinal`, or an Error after `limit_s`.
///
/// NCCL's own non-blocking mode would offer a limit too, but it lasts for the communicator's life:
/// every operation then starts a thread (NCCL 2.28, group.cc, groupLaunchNonBlocking), which would
/// be measured. So a blocking start is waited for from outside.
ncclComm_t start_communicator(const ncclUniqueId& id, int rank, int ranks, int ordinal,
                              double limit_s);

}  // namespace peakline::cuda
