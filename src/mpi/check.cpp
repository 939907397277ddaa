#include "mpi/check.h"

#include <mpi.h>

#include <array>
#include <string>

#include "core/error.h"

namespace peakline::mpi {

void check(int status, std::source_location place) {
  if (status == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  throw Error(ExitStatus::run_failed,
              "MPI refused a call: " + std::string(text.data(), static_cast<std::size_t>(length)),
              place);
}

}  // namespace peakline::mpi
