#pragma once

#include <memory>

#include "core/communicator.h"
#include "core/world.h"

namespace peakline::mpi {

/// Collectives on host memory over the MPI library, on a communicator of their own so that they
/// never mix with the control plane. `world` must come from a Session. Calls are complete on
/// return.
std::unique_ptr<Communicator> make_host_communicator(World& world);

}  // namespace peakline::mpi
