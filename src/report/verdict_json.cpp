#include "report/verdict_json.h"

#include <nlohmann/json.hpp>

namespace peakline {
namespace {

using Json = nlohmann::ordered_json;

template <typename Value>
void put(Json& object, const char* name, const std::optional<Value>& value) {
  if (value) object[name] = *value;
}

void put(Json& object, const char* name, const std::string& text) {
  if (!text.empty()) object[name] = text;
}

Json key_json(const KeyVerdict& key) {
  Json object;
  object["key"] = key.key;
  object["verdict"] = std::string(name_of(key.word));
  put(object, "reason", key.reason);
  if (!key.metric.empty()) {
    object["metric"] = key.metric;
    object["unit"] = key.unit;
    object["better"] = key.better == Better::higher ? "higher" : "lower";
  }
  put(object, "measured", key.measured);
  put(object, "baseline", key.baseline);
  object["baseline_runs"] = key.baseline_runs;
  put(object, "change", key.change);
  put(object, "detectable", key.detectable);
  for (const PeakShare& peak : key.peaks) {
    object["peaks"].push_back({{"kind", peak.peak.kind},
                               {"value", peak.peak.value},
                               {"source", peak.peak.source},
                               {"share", peak.share}});
  }
  if (key.floor) object["floor"] = {{"value", key.floor->value}, {"of", key.floor->of}};
  put(object, "repro", key.repro);
  return object;
}

Json counts_json(const Verdict& verdict) {
  Json counts = Json::object();
  for (const KeyVerdict& key : verdict.keys) {
    const std::string word(name_of(key.word));
    counts[word] = counts.value(word, 0) + 1;
  }
  return counts;
}

}  // namespace

std::string verdict_json(const Verdict& verdict) {
  Json root;
  root["schema"] = "peakline.verdict";
  root["schema_version"] = 1;
  root["status"] = to_int(verdict.status);
  root["reason"] = verdict.reason;
  root["fingerprint"] = verdict.fingerprint;
  put(root, "label", verdict.label);
  root["baseline_runs"] = verdict.baseline_runs;
  root["counts"] = counts_json(verdict);
  root["notes"] = verdict.notes;
  root["keys"] = Json::array();
  for (const KeyVerdict& key : verdict.keys) root["keys"].push_back(key_json(key));
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace peakline
