#pragma once

#include <source_location>

namespace peakline::mpi {

/// Throws an Error with MPI's own words and the place of the call unless `status` is MPI_SUCCESS.
void check(int status, std::source_location place = std::source_location::current());

}  // namespace peakline::mpi
