#include "report/peer_map.h"

#include <map>
#include <optional>
#include <vector>

#include "core/statistics.h"
#include "core/units.h"
#include "report/text_table.h"

namespace peakline {
namespace {

/// The copies of all ranks, by how many places the other GPU is after the own one on its node.
using CopiesByDistance = std::map<std::int64_t, const Result*>;

/// Row and column as the ranks of the node are in order; nothing on the diagonal, and where a copy
/// was not measured.
using Map = std::vector<std::vector<std::optional<double>>>;

CopiesByDistance copies_of(const Record& record) {
  CopiesByDistance copies;
  for (const Result& result : record.results) {
    if (result.id.benchmark != "transfer" || result.id.word_if("path") != "to_peer") continue;
    const auto distance = result.id.integer_if("distance");
    if (distance && result.status == Status::ok) copies[*distance] = &result;
  }
  return copies;
}

std::optional<double> bandwidth_of(const Result& copy, std::int64_t rank) {
  const auto index = static_cast<std::size_t>(rank);
  const auto size_bytes = copy.id.integer_if("size_bytes");
  if (!size_bytes || index >= copy.ranks.median_s.size()) return std::nullopt;
  return static_cast<double>(*size_bytes) / copy.ranks.median_s[index];
}

Map map_of(const CopiesByDistance& copies, const std::vector<const RankPlace*>& places) {
  const std::size_t count = places.size();
  Map map(count, std::vector<std::optional<double>>(count));
  for (std::size_t from = 0; from < count; ++from) {
    for (const auto& [distance, copy] : copies) {
      const std::size_t to = (from + static_cast<std::size_t>(distance)) % count;
      if (to != from) map[from][to] = bandwidth_of(*copy, places[from]->rank);
    }
  }
  return map;
}

std::optional<double> median_of(const Map& map) {
  std::vector<double> all;
  for (const auto& row : map) {
    for (const auto& bandwidth_b_s : row) {
      if (bandwidth_b_s) all.push_back(*bandwidth_b_s);
    }
  }
  return all.empty() ? std::nullopt : std::optional(median(all));
}

TextRow row_of(const RankPlace& place, const std::vector<std::optional<double>>& bandwidths_b_s,
               double usual_b_s) {
  constexpr double slow_share = 0.8;
  TextRow row{" rank " + std::to_string(place.rank) + " (" + place.device + ")"};
  for (const auto& bandwidth_b_s : bandwidths_b_s) {
    if (!bandwidth_b_s) {
      row.emplace_back("-");
      continue;
    }
    const bool slow = *bandwidth_b_s < slow_share * usual_b_s;
    row.push_back(format_significant(*bandwidth_b_s * 1e-9, 4) + (slow ? "!" : ""));
  }
  return row;
}

std::string text_of(const Map& map, const std::vector<const RankPlace*>& places, double usual_b_s) {
  std::vector<TextRow> rows{{"#"}};
  for (const RankPlace* place : places) {
    rows.front().push_back("rank " + std::to_string(place->rank));
  }
  for (std::size_t from = 0; from < map.size(); ++from) {
    rows.push_back(row_of(*places[from], map[from], usual_b_s));
  }
  return aligned_table(rows);
}

}  // namespace

std::string peer_map_text(const Record& record) {
  const CopiesByDistance copies = copies_of(record);
  std::map<std::string, std::vector<const RankPlace*>> ranks_on;
  for (const RankPlace& place : record.environment.placement) {
    ranks_on[place.host].push_back(&place);
  }
  std::string text;
  for (const auto& [host, places] : ranks_on) {
    const Map map = map_of(copies, places);
    const auto usual_b_s = median_of(map);
    if (!usual_b_s) continue;
    text += "#\n# Copies from GPU (row) to GPU (column) of " + host +
            ", GB/s, while all copy at once; ! is below 80 % of the median\n" +
            text_of(map, places, *usual_b_s);
  }
  return text;
}

}  // namespace peakline
