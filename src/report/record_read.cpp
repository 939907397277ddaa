#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/record_parts.h"

namespace peakline {
namespace {

constexpr std::array peak_kind_words{std::pair{"nominal", "nominal"},
                                     std::pair{"attainable", "attainable"},
                                     std::pair{"measured", "measured"}};

/// "2025-01-31T12:00:00Z", with or without a fraction of the second.
bool is_utc_time(std::string_view text) {
  constexpr std::string_view shape = "dddd-dd-ddTdd:dd:dd";
  const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  if (text.size() <= shape.size() || text.back() != 'Z') return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 'd' ? !is_digit(text[i]) : text[i] != shape[i]) return false;
  }
  const std::string_view fraction = text.substr(shape.size(), text.size() - shape.size() - 1);
  return fraction.empty() || (fraction.size() > 1 && fraction.front() == '.' &&
                              std::all_of(fraction.begin() + 1, fraction.end(), is_digit));
}

void read_positive(const JsonDocument& document, const JsonValue& json, std::string_view name,
                   std::int64_t& into) {
  document.get(json, name, into);
  if (into < 1)
    document.refuse(document.member(json, name), "must be at least 1; correct the file.");
}

Scope read_scope(const JsonDocument& document, const JsonValue& json) {
  Scope scope;
  read_positive(document, json, "ranks", scope.ranks);
  read_positive(document, json, "nodes", scope.nodes);
  read_positive(document, json, "ranks_per_node", scope.ranks_per_node);
  return scope;
}

CaseId read_case_id(const JsonDocument& document, const JsonValue& json) {
  CaseId id;
  document.get(json, "benchmark", id.benchmark);
  document.get(json, "params", id.params);
  id.scope = read_scope(document, document.member(json, "scope"));
  if (const JsonValue* key = document.find(json, "key")) {
    std::string text;
    document.convert(*key, text);
    if (text != id.key()) {
      document.refuse(*key, "contradicts benchmark, params and scope beside it, which give '" +
                                id.key() + "'; correct the one that is wrong.");
    }
  }
  return id;
}

CaseId read_planned(const JsonDocument& document, const JsonValue& json) {
  document.member(json, "key");
  return read_case_id(document, json);
}

Incident read_incident(const JsonDocument& document, const JsonValue& json) {
  Incident incident;
  document.get(json, "kind", incident.kind);
  document.get_if(json, "phase", incident.phase);
  document.get_if(json, "case", incident.case_key);
  document.get_if(json, "rank", incident.rank);
  document.get_if(json, "host", incident.host);
  document.get(json, "text", incident.text);
  return incident;
}

RankPlace read_place(const JsonDocument& document, const JsonValue& json) {
  RankPlace place;
  document.get(json, "rank", place.rank);
  document.get(json, "host", place.host);
  document.get_if(json, "device", place.device);
  document.get_if(json, "uuid", place.uuid);
  return place;
}

NodeGroup read_node_group(const JsonDocument& document, const JsonValue& json) {
  NodeGroup group;
  document.get(json, "hosts", group.hosts);
  document.get_if(json, "device", group.device);
  document.get_if(json, "software", group.software);
  document.get_if(json, "network", group.network);
  document.get_if(json, "storage", group.storage);
  return group;
}

ToolInfo read_tool(const JsonDocument& document, const JsonValue& json) {
  ToolInfo tool;
  document.get(json, "version", tool.version);
  document.get_if(json, "git", tool.git);
  read_positive(document, json, "method_version", tool.method);
  return tool;
}

RunInfo read_run(const JsonDocument& document, const JsonValue& json) {
  RunInfo run;
  document.get(json, "id", run.id);
  document.get_if(json, "label", run.label);
  if (const JsonValue* started = document.find(json, "started")) {
    document.convert(*started, run.started);
    if (!is_utc_time(run.started)) {
      document.refuse(*started, "must be a time such as 2025-01-31T12:00:00Z; correct the file.");
    }
  }
  document.get_if(json, "duration_s", run.duration_s);
  document.get_if(json, "suite", run.suite);
  document.get_if(json, "command", run.command);
  document.get(json, "seed", run.seed);
  document.get(json, "complete", run.complete);
  document.get_list_if(json, "incidents", run.incidents, read_incident);
  return run;
}

Environment read_environment(const JsonDocument& document, const JsonValue& json,
                             std::int64_t method) {
  Environment environment;
  MachineKind& kind = environment.kind;
  document.get(json, "backend", kind.backend);
  document.get(json, "device_model", kind.device_model);
  document.get_if(json, "mig_profile", kind.mig_profile);
  document.get(json, "devices_per_node", kind.devices_per_node);
  kind.method = method;
  document.get(json, "emulated", environment.emulated);
  document.get(json, "shared_gpu", environment.shared_gpu);
  const JsonValue& world = document.member(json, "world");
  environment.world = read_scope(document, world);
  document.get_list_if(world, "placement", environment.placement, read_place);
  document.get_list_if(json, "nodes", environment.nodes, read_node_group);
  document.get_if(json, "settings", environment.settings);
  std::string fingerprint;
  document.get(json, "fingerprint", fingerprint);
  if (fingerprint != kind.fingerprint()) {
    document.refuse(document.member(json, "fingerprint"),
                    "contradicts the machine it stands for (" + kind.canonical_line() +
                        "), which gives '" + kind.fingerprint() +
                        "'; correct the one that is wrong.");
  }
  return environment;
}

Where read_where(const JsonDocument& document, const JsonValue& json) {
  Where where;
  document.get_if(json, "group", where.group);
  document.get_if(json, "ranks", where.ranks);
  document.get_if(json, "hosts", where.hosts);
  document.get_if(json, "devices", where.devices);
  document.get_if(json, "cycle", where.cycle);
  return where;
}

Method read_method(const JsonDocument& document, const JsonValue& json) {
  Method method;
  document.get(json, "timer", method.timer);
  document.get(json, "sync", method.sync);
  document.get(json, "rank_reduction", method.rank_reduction);
  document.get(json, "iters_per_sample", method.iters_per_sample);
  document.get(json, "warmup", method.warmup);
  document.get_if(json, "passes", method.passes);
  document.get_if(json, "algorithm", method.algorithm);
  document.get_if(json, "protocol", method.protocol);
  return method;
}

Peak read_peak(const JsonDocument& document, const JsonValue& json) {
  Peak peak;
  document.get_word(json, "kind", peak_kind_words, peak.kind);
  document.get(json, "value", peak.value);
  document.get(json, "source", peak.source);
  return peak;
}

Interval read_interval(const JsonDocument& document, const JsonValue& json) {
  std::vector<double> bounds;
  document.convert(json, bounds);
  if (bounds.size() != 2)
    document.refuse(json, "must be two numbers, [low, high]; correct the file.");
  return {bounds[0], bounds[1]};
}

Metric read_metric(const JsonDocument& document, const JsonValue& json) {
  Metric metric;
  document.get(json, "name", metric.name);
  document.get(json, "unit", metric.unit);
  document.get_word(json, "better", better_words, metric.better);
  document.get(json, "primary", metric.primary);
  document.get_if(json, "value", metric.value);
  if (const JsonValue* ci95 = document.find(json, "ci95"))
    metric.ci95 = read_interval(document, *ci95);
  document.get(json, "n", metric.n);
  document.get_list_if(json, "peaks", metric.peaks, read_peak);
  return metric;
}

Outlier read_outlier(const JsonDocument& document, const JsonValue& json) {
  Outlier outlier;
  document.get(json, "rank", outlier.rank);
  document.get(json, "host", outlier.host);
  document.get(json, "median_s", outlier.median_s);
  return outlier;
}

RankSummary read_ranks(const JsonDocument& document, const JsonValue& json) {
  RankSummary ranks;
  document.get_if(json, "slowest", ranks.slowest);
  document.get_if(json, "host", ranks.host);
  document.get_if(json, "quantiles", ranks.quantiles);
  document.get_if(json, "median_s", ranks.median_s);
  document.get_list_if(json, "outliers", ranks.outliers, read_outlier);
  return ranks;
}

BreakdownPart read_breakdown_part(const JsonDocument& document, const JsonValue& json) {
  BreakdownPart part;
  document.get(json, "part", part.part);
  document.get(json, "time_s", part.time_s);
  document.get(json, "share", part.share);
  return part;
}

Series read_series(const JsonDocument& document, const JsonValue& json) {
  Series series;
  document.get(json, "name", series.name);
  document.get(json, "unit", series.unit);
  document.get(json, "t_s", series.t_s);
  document.get(json, "value", series.value);
  return series;
}

Verification read_verification(const JsonDocument& document, const JsonValue& json) {
  Verification verification;
  document.get(json, "checked", verification.checked);
  document.get(json, "wrong", verification.wrong);
  if (const JsonValue* first = document.find(json, "first")) {
    Mismatch& mismatch = verification.first.emplace();
    document.get(*first, "index", mismatch.index);
    document.get(*first, "rank", mismatch.rank);
    document.get(*first, "expected", mismatch.expected);
    document.get_if(*first, "found", mismatch.found);
  }
  return verification;
}

}  // namespace

Record read_head(const JsonDocument& document) {
  const JsonValue& root = document.root();
  Record record;
  record.tool = read_tool(document, document.member(root, "tool"));
  record.run = read_run(document, document.member(root, "run"));
  record.environment =
      read_environment(document, document.member(root, "environment"), record.tool.method);
  document.get_list(root, "plan", record.plan, read_planned);
  return record;
}

Result read_result(const JsonDocument& document, const JsonValue& json) {
  Result result;
  result.id = read_case_id(document, json);
  if (const JsonValue* where = document.find(json, "where"))
    result.where = read_where(document, *where);
  document.get_word(json, "status", status_words, result.status);
  document.get_if(json, "reason", result.reason);
  document.get_if(json, "note", result.note);
  if (const JsonValue* method = document.find(json, "method")) {
    result.method = read_method(document, *method);
  }
  document.get_list(json, "metrics", result.metrics, read_metric);
  document.get_if(json, "samples_s", result.samples_s);
  if (document.find(json, "stop") != nullptr) {
    document.get_word(json, "stop", stop_words, result.stop);
  }
  if (const JsonValue* ranks = document.find(json, "ranks"))
    result.ranks = read_ranks(document, *ranks);
  document.get_list_if(json, "breakdown", result.breakdown, read_breakdown_part);
  document.get_list_if(json, "series", result.series, read_series);
  if (const JsonValue* verify = document.find(json, "verify")) {
    result.verify = read_verification(document, *verify);
  }
  document.get_if(json, "telemetry", result.telemetry);
  document.get_if(json, "repro", result.repro);
  return result;
}

}  // namespace peakline
