#pragma once

#include <string>

namespace peakline {

std::string program_version();

/// The commit that was built; empty outside a git checkout.
std::string program_commit();

}  // namespace peakline
