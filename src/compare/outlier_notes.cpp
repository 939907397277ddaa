#include "compare/outlier_notes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/units.h"

namespace peakline {
namespace {

/// Cases in which somebody was slower, and the one in which it was slowest beside the others.
struct Slowness {
  std::int64_t cases = 0;
  double worst = 0;  ///< time over that of the first quartile of the ranks, less 1
  std::string worst_key;

  void add(double slower_by, const std::string& key) {
    ++cases;
    if (slower_by <= worst) return;
    worst = slower_by;
    worst_key = key;
  }

  std::string text() const {
    const std::string where = cases == 1 ? "in " : "in " + counted(cases, "case") + ", most in ";
    return "by " + format_percent(worst) + " " + where + worst_key;
  }
};

/// Ranks by host, as a run had them.
using Places = std::map<std::string, std::set<std::int64_t>>;

Places places_of(const Record& record) {
  Places places;
  for (const RankPlace& place : record.environment.placement) {
    places[place.host].insert(place.rank);
  }
  return places;
}

std::string name_of(const Record& record, const Outlier& outlier) {
  std::string name = "rank " + std::to_string(outlier.rank) + " on " + outlier.host;
  for (const RankPlace& place : record.environment.placement) {
    if (place.rank == outlier.rank && !place.device.empty()) name += " (" + place.device + ")";
  }
  return name;
}

bool is_split(const Result& result) {
  constexpr std::size_t quarter = 4;
  const auto ranks = static_cast<std::size_t>(result.id.scope.ranks);
  return result.ranks.outliers.size() * quarter > ranks;
}

/// Adds one case: whole hosts first, then the ranks that are left.
void add_case(const Record& record, const Result& result, const Places& places,
              std::map<std::string, Slowness>& slow) {
  const double usual_s = result.ranks.quantiles.at("p25");
  const std::string key = result.id.key();
  std::map<std::string, std::int64_t> slow_on_host;
  for (const Outlier& outlier : result.ranks.outliers) ++slow_on_host[outlier.host];
  std::set<std::string> whole_hosts;
  for (const auto& [host, count] : slow_on_host) {
    const auto ranks = places.find(host);
    const bool all = ranks != places.end() && count > 1 &&
                     count == static_cast<std::int64_t>(ranks->second.size());
    if (all) whole_hosts.insert(host);
  }
  std::map<std::string, double> worst_of;
  for (const Outlier& outlier : result.ranks.outliers) {
    const bool whole = whole_hosts.contains(outlier.host);
    double& worst = worst_of[whole ? "every rank on " + outlier.host : name_of(record, outlier)];
    worst = std::max(worst, outlier.median_s / usual_s - 1);
  }
  for (const auto& [who, slower_by] : worst_of) slow[who].add(slower_by, key);
}

/// The slowest first, and no more than a reader takes in.
std::vector<std::string> notes_on(const std::map<std::string, Slowness>& slow) {
  constexpr std::size_t most = 8;
  std::vector<std::pair<std::string, Slowness>> by_worst(slow.begin(), slow.end());
  std::ranges::stable_sort(by_worst, std::greater<>(),
                           [](const auto& entry) { return entry.second.worst; });
  std::vector<std::string> notes;
  for (const auto& [who, slowness] : by_worst) {
    if (notes.size() == most) {
      notes.push_back("outlier: " + std::to_string(by_worst.size() - most) +
                      " more are slower than the other ranks; the record lists them");
      break;
    }
    notes.push_back("outlier: " + who + " is slower than the other ranks, " + slowness.text());
  }
  return notes;
}

}  // namespace

std::vector<std::string> outlier_notes(const Record& record) {
  const Places places = places_of(record);
  std::map<std::string, Slowness> slow;
  Slowness split;
  for (const Result& result : record.results) {
    const auto usual_s = result.ranks.quantiles.find("p25");
    if (usual_s == result.ranks.quantiles.end() || usual_s->second <= 0) continue;
    if (result.ranks.outliers.empty()) continue;
    if (is_split(result)) {
      const auto slowest = std::ranges::max_element(result.ranks.outliers, {}, &Outlier::median_s);
      split.add(slowest->median_s / usual_s->second - 1, result.id.key());
    } else {
      add_case(record, result, places, slow);
    }
  }
  std::vector<std::string> notes = notes_on(slow);
  if (split.cases > 0) {
    notes.push_back("outlier: more than a quarter of the ranks are slower than the others, " +
                    split.text());
  }
  return notes;
}

}  // namespace peakline
