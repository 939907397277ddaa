#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.h"
#include "core/world.h"

namespace peakline {

/// What a device says of itself at one moment, by quantity (telemetry.cpp lists them). A quantity
/// that it does not tell is absent.
using Reading = std::map<std::string_view, double>;

namespace quantity {
inline constexpr std::string_view sm_clock_hz = "sm_clock_hz";
inline constexpr std::string_view sm_clock_max_hz = "sm_clock_max_hz";
inline constexpr std::string_view memory_clock_hz = "memory_clock_hz";
inline constexpr std::string_view power_w = "power_w";
inline constexpr std::string_view power_limit_w = "power_limit_w";
inline constexpr std::string_view temperature_c = "temperature_c";
inline constexpr std::string_view memory_used = "memory_used";  ///< share of all of it
inline constexpr std::string_view utilization = "utilization";  ///< share of time with work
// Slowed down at this moment, 0 or 1, and why.
inline constexpr std::string_view power_capped = "power_capped";
inline constexpr std::string_view thermal_slowdown = "thermal_slowdown";
inline constexpr std::string_view hardware_slowdown = "hardware_slowdown";
inline constexpr std::string_view pcie_generation = "pcie_generation";
inline constexpr std::string_view pcie_width = "pcie_width";
// What the device and its slot could do together.
inline constexpr std::string_view pcie_generation_possible = "pcie_generation_possible";
inline constexpr std::string_view pcie_width_possible = "pcie_width_possible";
inline constexpr std::string_view nvlinks_up = "nvlinks_up";
// Counted since the driver was loaded.
inline constexpr std::string_view ecc_corrected = "ecc_corrected";
inline constexpr std::string_view ecc_uncorrected = "ecc_uncorrected";
inline constexpr std::string_view rows_remapped = "rows_remapped";
}  // namespace quantity

/// Reads a device again and again while a case is measured.
class Telemetry {
 public:
  virtual ~Telemetry() = default;

  /// Forgets the readings before, takes one and goes on taking more.
  virtual void begin() = 0;

  /// Takes a last one and gives all, in order of time.
  virtual std::vector<Reading> end() = 0;
};

/// The figures of a result's `telemetry`, from the readings of all ranks, on rank 0. Collective.
std::map<std::string, double> summarise_telemetry(World& world, const std::vector<Reading>& mine);

/// Whether the link between device and host is full of data all the time; an idle one saves power,
/// and then its readings say nothing.
enum class HostLink { idle, busy };

/// What readings of one device say that may explain a figure or needs somebody's attention.
struct TelemetryWarning {
  std::string kind;  ///< "throttled", "hot", "memory_full", "ecc", "pcie"
  std::string text;  ///< "reached 91 C", to follow the name of a device
};
std::vector<TelemetryWarning> telemetry_warnings(const std::vector<Reading>& readings,
                                                 HostLink link = HostLink::idle);

/// The warnings of all ranks, each with its rank, host and the label of its device, on rank 0.
/// Collective.
std::vector<Incident> gather_warnings(World& world, const std::string& device_label,
                                      const std::vector<Reading>& mine, HostLink link);

}  // namespace peakline
