#pragma once

#include <map>
#include <string>

#include "core/device.h"
#include "core/record.h"
#include "core/world.h"

namespace peakline {

/// What one rank knows of its node beyond what the probe finds by itself.
struct NodeKnowledge {
  std::string backend;
  std::string communicator;         ///< the library of the collectives, with its version
  Facts transport;                  ///< what it chose to connect the ranks with
  std::string scratch_file_system;  ///< under the loader's data
  std::map<std::string, std::string> settings;  ///< of speed_settings(), before any library ran
};

/// Where this run takes place, on rank 0: nodes grouped by equal facts, one entry when all are
/// alike. Collective.
Environment probe_environment(World& world, const Scope& scope, const Device& device,
                              const NodeKnowledge& knowledge);

}  // namespace peakline
