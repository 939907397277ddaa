#pragma once

#include <memory>
#include <string>

#include "core/communicator.h"
#include "core/device.h"
#include "core/world.h"

namespace peakline {

/// What tells two GPUs of a host apart, known before any of them is used.
struct AcceleratorIdentity {
  std::string model;
  std::string bus_id;  ///< PCI, as the driver writes it; slices of one GPU share it
};

/// A backend that lives in a module of its own, loaded at run time, so that the same program starts
/// on a node without its driver and libraries. The ranks call these in the order given.
class Accelerator {
 public:
  virtual ~Accelerator() = default;

  /// Takes the device of the rank that is the `local_rank`-th of its node. A usage Error says in a
  /// sentence what is missing or does not fit together. Not collective.
  virtual AcceleratorIdentity choose(int local_rank) = 0;

  /// What was chosen, once all ranks have agreed to use it. Not collective.
  virtual std::unique_ptr<Device> open_device() = 0;

  /// All ranks of `world`, each with its opened device, which must outlive what is returned. An
  /// Error when they have not found each other after `limit_s`. Collective.
  virtual std::unique_ptr<Communicator> connect(World& world, Device& device, double limit_s) = 0;
};

/// The one function that a module exports, under this name. The caller owns what it returns, which
/// is never null.
using MakeAccelerator = Accelerator* (*)();
inline constexpr const char* make_accelerator_symbol = "peakline_make_accelerator";

}  // namespace peakline
