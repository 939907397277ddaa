#include "app/noticed.h"

#include "core/units.h"

namespace peakline {

void Noticed::add(const Incident& incident) {
  const auto [entry, is_new] =
      entries_.try_emplace({incident.kind, incident.rank.value_or(-1)}, Entry{incident, {}});
  entry->second.case_keys.insert(incident.case_key);
}

std::vector<Incident> Noticed::incidents() const {
  std::vector<Incident> incidents;
  for (const auto& [kind_and_rank, entry] : entries_) {
    incidents.push_back(entry.first);
    std::string& text = incidents.back().text;
    text += ", first in " + entry.first.case_key;
    const auto others = static_cast<std::int64_t>(entry.case_keys.size()) - 1;
    if (others > 0) text += " and in " + counted(others, "other case");
  }
  return incidents;
}

}  // namespace peakline
