#include "report/record_text.h"

#include <variant>

#include "core/units.h"
#include "report/peer_map.h"
#include "report/table.h"

namespace peakline {
namespace {

std::string facts_text(const std::string& title, const Facts& facts) {
  if (facts.empty()) return "";
  std::string text;
  for (const auto& [name, value] : facts) {
    text += (text.empty() ? "" : ", ") + name + " " + text_of(value);
  }
  return "  " + title + ": " + text + "\n";
}

std::string node_text(const NodeGroup& node) {
  std::string hosts;
  for (const std::string& host : node.hosts) hosts += (hosts.empty() ? "" : ", ") + host;
  return "Hosts: " + hosts + "\n" + facts_text("device", node.device) +
         facts_text("software", node.software) + facts_text("network", node.network) +
         facts_text("storage", node.storage);
}

}  // namespace

std::string record_text(const Record& record) {
  const Environment& environment = record.environment;
  std::string text = "Run " + record.run.id + ", started " + record.run.started;
  if (record.run.duration_s) text += ", took " + format_time(*record.run.duration_s);
  text += record.run.complete ? "\n" : ", INCOMPLETE\n";
  text +=
      "Machine " + environment.kind.fingerprint() + ": " + environment.kind.canonical_line() + "\n";
  for (const NodeGroup& node : environment.nodes) text += node_text(node);
  for (const auto& [name, value] : environment.settings) {
    text += "Setting: " + name + "=" + value + "\n";
  }
  for (const Incident& incident : record.run.incidents) {
    text += "Incident: " + incident.kind + ": " + incident.text + "\n";
  }
  text += counted(static_cast<std::int64_t>(record.results.size()), "result") + " of " +
          counted(static_cast<std::int64_t>(record.plan.size()), "planned case") + "\n";
  Table table;
  for (const Result& result : record.results) text += table.add(result);
  return text + peer_map_text(record);
}

}  // namespace peakline
