#include "core/telemetry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <sstream>

#include "core/units.h"

namespace peakline {
namespace {

constexpr int telemetry_digits = 6;

/// How several values become one.
enum class Combine { mean, lowest, highest, total, growth };

struct Figure {
  std::string_view name;  ///< in the record
  std::string_view quantity;
  Combine over_time;
  Combine over_ranks;
};

constexpr std::array figures{
    Figure{"sm_clock_hz_mean", quantity::sm_clock_hz, Combine::mean, Combine::mean},
    Figure{"sm_clock_hz_min", quantity::sm_clock_hz, Combine::lowest, Combine::lowest},
    Figure{"memory_clock_hz_mean", quantity::memory_clock_hz, Combine::mean, Combine::mean},
    Figure{"power_w_mean", quantity::power_w, Combine::mean, Combine::mean},
    Figure{"power_w_max", quantity::power_w, Combine::highest, Combine::highest},
    Figure{"power_limit_w_min", quantity::power_limit_w, Combine::lowest, Combine::lowest},
    Figure{"temperature_c_max", quantity::temperature_c, Combine::highest, Combine::highest},
    Figure{"memory_used_share_max", quantity::memory_used, Combine::highest, Combine::highest},
    Figure{"utilization_share_mean", quantity::utilization, Combine::mean, Combine::mean},
    Figure{"power_capped_share_max", quantity::power_capped, Combine::mean, Combine::highest},
    Figure{"thermal_slowdown_share_max", quantity::thermal_slowdown, Combine::mean,
           Combine::highest},
    Figure{"hardware_slowdown_share_max", quantity::hardware_slowdown, Combine::mean,
           Combine::highest},
    Figure{"pcie_generation_min", quantity::pcie_generation, Combine::highest, Combine::lowest},
    Figure{"pcie_width_min", quantity::pcie_width, Combine::highest, Combine::lowest},
    Figure{"pcie_generation_possible_min", quantity::pcie_generation_possible, Combine::highest,
           Combine::lowest},
    Figure{"pcie_width_possible_min", quantity::pcie_width_possible, Combine::highest,
           Combine::lowest},
    Figure{"nvlinks_up_min", quantity::nvlinks_up, Combine::lowest, Combine::lowest},
    Figure{"ecc_corrected_new", quantity::ecc_corrected, Combine::growth, Combine::total},
    Figure{"ecc_uncorrected_new", quantity::ecc_uncorrected, Combine::growth, Combine::total},
    Figure{"rows_remapped_max", quantity::rows_remapped, Combine::highest, Combine::highest},
};

double combined(const std::vector<double>& values, Combine how) {
  switch (how) {
    case Combine::lowest: return *std::min_element(values.begin(), values.end());
    case Combine::highest: return *std::max_element(values.begin(), values.end());
    case Combine::total: return std::accumulate(values.begin(), values.end(), 0.0);
    case Combine::growth: return values.back() - values.front();
    case Combine::mean: break;
  }
  return combined(values, Combine::total) / static_cast<double>(values.size());
}

std::optional<double> over_time(const std::vector<Reading>& readings, std::string_view quantity,
                                Combine how) {
  std::vector<double> values;
  for (const Reading& reading : readings) {
    const auto value = reading.find(quantity);
    if (value != reading.end()) values.push_back(value->second);
  }
  if (values.empty()) return std::nullopt;
  return combined(values, how);
}

std::string whole(double value) { return std::to_string(std::llround(value)); }

std::string in_mhz(double clock_hz) { return format_significant(clock_hz / 1e6, 4) + " MHz"; }

/// A card that works hard is often at its power limit; it matters when that costs much of its
/// clock.
void warn_of_power(const std::vector<Reading>& readings, std::vector<TelemetryWarning>& warnings) {
  constexpr double most_of_the_time = 0.5;
  constexpr double low_clock = 0.9;
  const auto capped = over_time(readings, quantity::power_capped, Combine::mean);
  const auto clock_hz = over_time(readings, quantity::sm_clock_hz, Combine::mean);
  const auto most_hz = over_time(readings, quantity::sm_clock_max_hz, Combine::highest);
  if (!capped || *capped < most_of_the_time) return;
  if (!clock_hz || !most_hz || *clock_hz >= low_clock * *most_hz) return;
  const auto limit_w = over_time(readings, quantity::power_limit_w, Combine::lowest);
  warnings.push_back({"throttled", "was held at " + in_mhz(*clock_hz) + " of " + in_mhz(*most_hz) +
                                       " by its power limit" +
                                       (limit_w ? " of " + whole(*limit_w) + " W" : "")});
}

void warn_of_slowdown(const std::vector<Reading>& readings,
                      std::vector<TelemetryWarning>& warnings) {
  for (const auto& [quantity, cause] : {std::pair{quantity::thermal_slowdown, "heat"},
                                        {quantity::hardware_slowdown,
                                         "its hardware (heat, power "
                                         "supply)"}}) {
    const auto share = over_time(readings, quantity, Combine::mean);
    if (!share || *share <= 0) continue;
    const auto clock_hz = over_time(readings, quantity::sm_clock_hz, Combine::mean);
    warnings.push_back({"throttled", std::string("was slowed down by ") + cause + " in " +
                                         format_percent(*share) + " of the readings" +
                                         (clock_hz ? ", at " + in_mhz(*clock_hz) : "")});
  }
}

void warn_of_errors(const std::vector<Reading>& readings, std::vector<TelemetryWarning>& warnings) {
  for (const auto& [quantity, what] : {std::pair{quantity::ecc_uncorrected, "uncorrected"},
                                       {quantity::ecc_corrected, "corrected"}}) {
    const auto more = over_time(readings, quantity, Combine::growth);
    if (!more || *more <= 0) continue;
    warnings.push_back(
        {"ecc", "counted " + whole(*more) + " new " + what + " memory errors (ECC)"});
  }
}

/// Between two copies even a busy link may rest for a moment: the best reading counts.
void warn_of_pcie(const std::vector<Reading>& readings, std::vector<TelemetryWarning>& warnings) {
  const auto best = [&](std::string_view quantity) {
    return over_time(readings, quantity, Combine::highest);
  };
  const auto generation = best(quantity::pcie_generation);
  const auto width = best(quantity::pcie_width);
  const auto possible_generation = best(quantity::pcie_generation_possible);
  const auto possible_width = best(quantity::pcie_width_possible);
  if (!generation || !width || !possible_generation || !possible_width) return;
  if (*generation >= *possible_generation && *width >= *possible_width) return;
  const auto link = [](double of_generation, double lanes) {
    return "PCIe " + whole(of_generation) + ".0 x" + whole(lanes);
  };
  warnings.push_back({"pcie", "was linked by " + link(*generation, *width) +
                                  " although it and its slot can do " +
                                  link(*possible_generation, *possible_width)});
}

}  // namespace

std::map<std::string, double> summarise_telemetry(World& world, const std::vector<Reading>& mine) {
  constexpr double absent = -std::numeric_limits<double>::max();
  std::map<std::string, double> summary;
  if (world.maximum(mine.empty() ? 0.0 : 1.0) == 0) return summary;
  for (const Figure& figure : figures) {
    const auto own = over_time(mine, figure.quantity, figure.over_time);
    std::vector<double> values = world.gather(own.value_or(absent));
    std::erase(values, absent);
    if (values.empty()) continue;
    summary[std::string(figure.name)] =
        round_significant(combined(values, figure.over_ranks), telemetry_digits);
  }
  return summary;
}

std::vector<TelemetryWarning> telemetry_warnings(const std::vector<Reading>& readings,
                                                 HostLink link) {
  constexpr double hot_c = 85;
  constexpr double full = 0.9;
  std::vector<TelemetryWarning> warnings;
  warn_of_slowdown(readings, warnings);
  warn_of_power(readings, warnings);
  const auto hottest_c = over_time(readings, quantity::temperature_c, Combine::highest);
  if (hottest_c && *hottest_c > hot_c) {
    warnings.push_back({"hot", "reached " + whole(*hottest_c) + " °C"});
  }
  const auto used = over_time(readings, quantity::memory_used, Combine::highest);
  if (used && *used > full) {
    warnings.push_back({"memory_full", "had " + format_percent(*used) + " of its memory in use"});
  }
  warn_of_errors(readings, warnings);
  if (link == HostLink::busy) warn_of_pcie(readings, warnings);
  return warnings;
}

std::vector<Incident> gather_warnings(World& world, const std::string& device_label,
                                      const std::vector<Reading>& mine, HostLink link) {
  std::string lines;  // kind, space, text
  for (const TelemetryWarning& warning : telemetry_warnings(mine, link)) {
    lines += warning.kind + " " + device_label + " " + warning.text + "\n";
  }
  std::vector<Incident> incidents;
  if (world.maximum(lines.empty() ? 0.0 : 1.0) == 0) return incidents;
  const std::vector<std::string> hosts = world.gather(world.host());
  const std::vector<std::string> all_lines = world.gather(lines);
  for (std::size_t rank = 0; rank < all_lines.size(); ++rank) {
    std::istringstream stream(all_lines[rank]);
    for (std::string kind, text; stream >> kind >> std::ws && std::getline(stream, text);) {
      incidents.push_back({kind, "", "", static_cast<std::int64_t>(rank), hosts[rank],
                           "rank " + std::to_string(rank) + " on " + hosts[rank] + ": " + text});
    }
  }
  return incidents;
}

}  // namespace peakline
