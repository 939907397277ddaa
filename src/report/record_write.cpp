#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <variant>
#include <vector>

#include "report/record_parts.h"

namespace peakline {
namespace {

/// Leaves out what carries no information: absent stays absent, and is never written as 0.
template <typename Value>
void put_if(OrderedJson& object, const char* name, const Value& value) {
  if (!value.empty()) object[name] = value;
}

template <typename Value>
void put_if(OrderedJson& object, const char* name, const std::optional<Value>& value) {
  if (value) object[name] = *value;
}

template <typename Table, typename Value>
const char* word_of(const Table& table, Value value) {
  for (const auto& [word, meaning] : table) {
    if (meaning == value) return word;
  }
  throw std::logic_error("a value without a word in the record's format");
}

OrderedJson json_of(const std::map<std::string, ParamValue>& values) {
  OrderedJson json = OrderedJson::object();
  for (const auto& [name, value] : values) {
    std::visit([&json, &name = name](const auto& plain) { json[name] = plain; }, value);
  }
  return json;
}

OrderedJson json_of(const Scope& scope) {
  return {{"ranks", scope.ranks}, {"nodes", scope.nodes}, {"ranks_per_node", scope.ranks_per_node}};
}

OrderedJson json_of(const Incident& incident) {
  OrderedJson json = {{"kind", incident.kind}};
  put_if(json, "phase", incident.phase);
  put_if(json, "case", incident.case_key);
  put_if(json, "rank", incident.rank);
  put_if(json, "host", incident.host);
  json["text"] = incident.text;
  return json;
}

OrderedJson json_of(const RankPlace& place) {
  OrderedJson json = {{"rank", place.rank}, {"host", place.host}};
  put_if(json, "device", place.device);
  put_if(json, "uuid", place.uuid);
  return json;
}

OrderedJson json_of(const NodeGroup& group) {
  return {{"hosts", group.hosts},
          {"device", json_of(group.device)},
          {"software", json_of(group.software)},
          {"network", json_of(group.network)},
          {"storage", json_of(group.storage)}};
}

OrderedJson json_of(const Where& where) {
  OrderedJson json = OrderedJson::object();
  put_if(json, "group", where.group);
  put_if(json, "ranks", where.ranks);
  put_if(json, "hosts", where.hosts);
  put_if(json, "devices", where.devices);
  put_if(json, "cycle", where.cycle);
  return json;
}

/// Empty for a case that was not measured.
OrderedJson json_of(const Method& method) {
  if (method.timer.empty()) return OrderedJson::object();
  OrderedJson json{{"timer", method.timer},
                   {"sync", method.sync},
                   {"rank_reduction", method.rank_reduction},
                   {"iters_per_sample", method.iters_per_sample},
                   {"warmup", method.warmup},
                   {"passes", method.passes}};
  put_if(json, "algorithm", method.algorithm);
  put_if(json, "protocol", method.protocol);
  return json;
}

OrderedJson json_of(const Peak& peak) {
  return {{"kind", peak.kind}, {"value", peak.value}, {"source", peak.source}};
}

OrderedJson json_of(const Outlier& outlier) {
  return {{"rank", outlier.rank}, {"host", outlier.host}, {"median_s", outlier.median_s}};
}

OrderedJson json_of(const BreakdownPart& part) {
  return {{"part", part.part}, {"time_s", part.time_s}, {"share", part.share}};
}

OrderedJson json_of(const Series& series) {
  return {
      {"name", series.name}, {"unit", series.unit}, {"t_s", series.t_s}, {"value", series.value}};
}

OrderedJson json_of(const Metric& metric);

template <typename Item>
OrderedJson list_of(const std::vector<Item>& items) {
  OrderedJson json = OrderedJson::array();
  for (const Item& item : items) json.push_back(json_of(item));
  return json;
}

OrderedJson json_of(const Metric& metric) {
  OrderedJson json = {{"name", metric.name},
                      {"unit", metric.unit},
                      {"better", word_of(better_words, metric.better)},
                      {"primary", metric.primary},
                      {"value", nullptr}};
  put_if(json, "value", metric.value);
  if (metric.ci95) json["ci95"] = {metric.ci95->low, metric.ci95->high};
  json["n"] = metric.n;
  put_if(json, "peaks", list_of(metric.peaks));
  return json;
}

OrderedJson json_of(const RankSummary& ranks) {
  OrderedJson json = OrderedJson::object();
  put_if(json, "slowest", ranks.slowest);
  put_if(json, "host", ranks.host);
  put_if(json, "quantiles", ranks.quantiles);
  put_if(json, "median_s", ranks.median_s);
  put_if(json, "outliers", list_of(ranks.outliers));
  return json;
}

OrderedJson json_of(const Verification& verification) {
  OrderedJson json = {{"checked", verification.checked}, {"wrong", verification.wrong}};
  if (const auto& first = verification.first) {
    OrderedJson& place = json["first"];
    place = {{"index", first->index}, {"rank", first->rank}, {"expected", first->expected}};
    put_if(place, "found", first->found);
  }
  return json;
}

/// Where a number stands that JSON has no text for; nlohmann would write null.
std::optional<std::string> path_of_not_finite(const OrderedJson& json) {
  if (json.is_number_float() && !std::isfinite(json.get<double>())) return "";
  if (!json.is_structured()) return std::nullopt;
  std::size_t index = 0;
  for (auto child = json.begin(); child != json.end(); ++child, ++index) {
    if (const auto rest = path_of_not_finite(*child)) {
      return (json.is_array() ? "[" + std::to_string(index) + "]" : "." + child.key()) + *rest;
    }
  }
  return std::nullopt;
}

}  // namespace

OrderedJson json_of(const ToolInfo& tool) {
  OrderedJson json = {{"version", tool.version}};
  put_if(json, "git", tool.git);
  json["method_version"] = tool.method;
  return json;
}

OrderedJson json_of(const RunInfo& run) {
  OrderedJson json = {{"id", run.id}};
  put_if(json, "label", run.label);
  put_if(json, "started", run.started);
  if (run.duration_s) json["duration_s"] = *run.duration_s;
  put_if(json, "suite", run.suite);
  put_if(json, "command", run.command);
  json["seed"] = run.seed;
  json["complete"] = run.complete;
  put_if(json, "incidents", list_of(run.incidents));
  return json;
}

OrderedJson json_of(const Environment& environment) {
  const MachineKind& kind = environment.kind;
  OrderedJson json = {{"backend", kind.backend}, {"device_model", kind.device_model}};
  put_if(json, "mig_profile", kind.mig_profile);
  json["devices_per_node"] = kind.devices_per_node;
  json["emulated"] = environment.emulated;
  json["shared_gpu"] = environment.shared_gpu;
  OrderedJson world = json_of(environment.world);
  put_if(world, "placement", list_of(environment.placement));
  json["world"] = world;
  put_if(json, "nodes", list_of(environment.nodes));
  put_if(json, "settings", environment.settings);
  json["fingerprint"] = kind.fingerprint();
  return json;
}

OrderedJson json_of(const CaseId& planned) {
  return {{"key", planned.key()},
          {"benchmark", planned.benchmark},
          {"params", json_of(planned.params)},
          {"scope", json_of(planned.scope)}};
}

OrderedJson json_of(const Result& result) {
  OrderedJson json = json_of(result.id);
  put_if(json, "where", json_of(result.where));
  json["status"] = word_of(status_words, result.status);
  put_if(json, "reason", result.reason);
  put_if(json, "note", result.note);
  put_if(json, "method", json_of(result.method));
  json["metrics"] = list_of(result.metrics);
  put_if(json, "samples_s", result.samples_s);
  if (result.stop) json["stop"] = word_of(stop_words, *result.stop);
  put_if(json, "ranks", json_of(result.ranks));
  put_if(json, "breakdown", list_of(result.breakdown));
  put_if(json, "series", list_of(result.series));
  if (result.verify) json["verify"] = json_of(*result.verify);
  put_if(json, "telemetry", result.telemetry);
  put_if(json, "repro", result.repro);
  return json;
}

std::string line_of(const OrderedJson& json, const std::string& what) {
  if (const auto path = path_of_not_finite(json)) {
    throw std::logic_error(what + *path + " is not a finite number");
  }
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace peakline
