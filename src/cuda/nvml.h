#pragma once

#include <optional>
#include <string>

namespace peakline::cuda {

/// The part of NVML's interface that Peakline uses. It is declared here because nvml.h comes with
/// neither the driver nor the runtime, and is loaded at run time: a machine without the library
/// only lacks telemetry. Names without the prefix nvml, values as in NVIDIA's NVML API reference.
namespace nvml {

using Device = struct DeviceOpaque*;
using Status = int;

inline constexpr Status success = 0;
inline constexpr unsigned clock_of_sm = 1;
inline constexpr unsigned clock_of_memory = 2;
inline constexpr unsigned temperature_of_gpu = 0;
inline constexpr unsigned corrected = 0;
inline constexpr unsigned uncorrected = 1;
inline constexpr unsigned since_driver_load = 0;
inline constexpr unsigned most_nvlinks = 36;

// Why a clock is lower than it could be: bits of one number.
inline constexpr unsigned long long power_cap = 0x4;
inline constexpr unsigned long long hardware_slowdown = 0x8;
inline constexpr unsigned long long thermal_slowdown_by_software = 0x20;
inline constexpr unsigned long long thermal_slowdown_by_hardware = 0x40;
inline constexpr unsigned long long power_brake = 0x80;

struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

struct Utilization {
  unsigned gpu;
  unsigned memory;
};

/// Null where this library lacks a function.
struct Functions {
  Status (*init)() = nullptr;
  const char* (*error_string)(Status) = nullptr;
  Status (*version)(char* text, unsigned size) = nullptr;
  Status (*handle_by_bus_id)(const char* bus_id, Device* device) = nullptr;
  Status (*clock_mhz)(Device, unsigned which, unsigned* value) = nullptr;
  Status (*max_clock_mhz)(Device, unsigned which, unsigned* value) = nullptr;
  Status (*power_mw)(Device, unsigned* value) = nullptr;
  Status (*power_limit_mw)(Device, unsigned* value) = nullptr;
  Status (*temperature_c)(Device, unsigned sensor, unsigned* value) = nullptr;
  Status (*slowdown_reasons)(Device, unsigned long long* bits) = nullptr;
  Status (*memory)(Device, Memory* memory) = nullptr;
  Status (*utilization)(Device, Utilization* utilization) = nullptr;
  Status (*ecc_errors)(Device, unsigned kind, unsigned since, unsigned long long* count) = nullptr;
  Status (*remapped_rows)(Device, unsigned* corrected, unsigned* uncorrected, unsigned* pending,
                          unsigned* failed) = nullptr;
  Status (*pcie_generation)(Device, unsigned* value) = nullptr;
  Status (*pcie_width)(Device, unsigned* value) = nullptr;
  Status (*pcie_generation_possible)(Device, unsigned* value) = nullptr;
  Status (*pcie_width_possible)(Device, unsigned* value) = nullptr;
  Status (*nvlink_is_up)(Device, unsigned link, unsigned* up) = nullptr;
};

/// A library that is loaded and initialised; nothing, and why in `obstacle`, when there is none.
std::optional<Functions> load(std::string& obstacle);

}  // namespace nvml
}  // namespace peakline::cuda
