#pragma once

#include <memory>
#include <string>

#include "core/record.h"
#include "core/telemetry.h"

namespace peakline::cuda {

/// What NVML says of the GPU at this bus.
struct GpuTelemetry {
  std::unique_ptr<Telemetry> telemetry;  ///< null when there is none
  std::string source;                    ///< "NVML 13.580.82", or "none: " and why
  Facts facts = {};                      ///< about the GPU, that only NVML knows
};
GpuTelemetry make_telemetry(const std::string& bus_id);

}  // namespace peakline::cuda
