#pragma once

namespace peakline {

/// Whether people see standard error on a terminal. Under mpirun it is a pipe, whose other end mpirun
/// copies to its own standard error: then that of the parent process decides.
bool shows_on_terminal();

}  // namespace peakline
