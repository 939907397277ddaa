#pragma once

#include <cstdint>

namespace peakline {

/// Refuses a world of one that was launched as one task of several: mpirun of another MPI, or a
/// Slurm step without PMIx, starts N independent jobs that each call themselves rank 0. Throws a
/// usage Error that names the launcher's variable.
void refuse_independent_worlds(std::int64_t world_size);

}  // namespace peakline
