#include "app/launcher.h"

#include <array>
#include <cstdlib>
#include <string>

#include "core/error.h"

namespace peakline {

void refuse_independent_worlds(std::int64_t world_size) {
  constexpr std::array names{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"};
  if (world_size != 1) return;
  for (const char* name : names) {
    const char* value = std::getenv(name);
    const long tasks = value != nullptr ? std::strtol(value, nullptr, 10) : 0;
    if (value != nullptr && tasks == 1 && name == names.front())
      return;  // mpirun -np 1, as asked for
    if (tasks <= 1) continue;
    throw usage_error(
        std::string(name) + " says " + value +
        " tasks, but this process is alone in its MPI world: the launcher belongs to "
        "another MPI than the one Peakline was built with. Launch with Open MPI's own "
        "mpirun, or with srun --mpi=pmix.");
  }
}

}  // namespace peakline
