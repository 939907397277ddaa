#pragma once

#include <memory>
#include <string>

#include "app/run_options.h"
#include "core/accelerator.h"
#include "core/communicator.h"
#include "core/device.h"
#include "core/world.h"

namespace peakline {

/// The data plane of this rank, and why it was taken.
struct Backend {
  std::string name;                          ///< "host" or "cuda"
  std::string why;                           ///< a sentence for the user
  std::unique_ptr<Accelerator> accelerator;  ///< where the other two come from; null for the host
  std::unique_ptr<Device> device;
  std::unique_ptr<Communicator> communicator;
};

/// The same choice on every rank. Throws an AgreedError when what was asked for is not there, and
/// an Error when GPUs have not found each other after `connect_limit_s`. Collective.
Backend make_backend(DeviceChoice choice, World& world, double connect_limit_s);

}  // namespace peakline
