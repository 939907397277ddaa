#pragma once

#include <string>

namespace peakline {

/// The folder with Peakline's own tables (peaks, reference, schema): beside the program as
/// installed
/// (../share/peakline) or above it as built (../../baselines). Throws a usage Error that names what
/// was looked for.
std::string find_data_dir();

/// The folder of the running program.
std::string program_dir();

}  // namespace peakline
