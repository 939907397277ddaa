#pragma once

#include <cstdint>
#include <memory>

#include "core/device.h"

namespace peakline::host {

/// This node's CPU and memory as the device of one rank: the BLAS library for arithmetic, `threads`
/// threads of this rank's processors for everything else. A real backend with real results.
std::unique_ptr<Device> make_host_device(std::int64_t threads);

}  // namespace peakline::host
