#include "compare/run_notes.h"

#include <algorithm>
#include <string>
#include <variant>

#include "compare/matching.h"
#include "compare/outlier_notes.h"
#include "core/units.h"

namespace peakline {
namespace {

void note_incidents(Verdict& verdict, std::span<const Record> fresh) {
  for (const Record& record : fresh) {
    for (const Incident& incident : record.run.incidents) {
      verdict.notes.push_back(incident.kind + ": " + incident.text);
    }
  }
}

/// What else differs from the newest accepted run. "Also changed", not "because".
void note_changes(Verdict& verdict, std::span<const Record> fresh,
                  const std::vector<const Record*>& baselines) {
  if (baselines.empty()) return;
  for (const std::string& change :
       changed_facts(fresh.back().environment, baselines.back()->environment)) {
    verdict.notes.push_back("also changed: " + change);
  }
}

bool was_crowded(const Record& record) {
  const auto& incidents = record.run.incidents;
  return std::any_of(incidents.begin(), incidents.end(),
                     [](const Incident& incident) { return incident.kind == "crowded"; });
}

/// A GEMM far below what the same processor's registers hold is the math library's doing, or the
/// choice of kernels that it made for this CPU.
void note_slow_library(Verdict& verdict, std::span<const Record> fresh) {
  constexpr double suspicious = 0.5;
  if (was_crowded(fresh.back())) return;  // then that is the cause
  const auto& nodes = fresh.back().environment.nodes;
  if (nodes.empty() || !nodes.front().software.contains("blas")) return;
  for (const KeyVerdict& key : verdict.keys) {
    const bool slow = key.metric == "flops" && !key.peaks.empty() &&
                      key.peaks.back().peak.kind == "measured" &&
                      key.peaks.back().share < suspicious;
    if (!slow) continue;
    verdict.notes.push_back(
        "GEMM reaches " + format_percent(key.peaks.back().share) +
        " of the ceiling measured in this run: is the math library right for this "
        "CPU? It is '" +
        text_of(nodes.front().software.at("blas")) + "'");
    return;
  }
}

/// One accepted run tells little of a machine's noise.
void note_few_runs(Verdict& verdict) {
  constexpr std::int64_t enough = 3;
  if (verdict.baseline_runs == 0 || verdict.baseline_runs >= enough) return;
  if (count_of(verdict, Word::inconclusive) == 0) return;
  verdict.notes.push_back(
      "with three accepted runs the noise of this machine is known better, and fewer "
      "keys are inconclusive");
}

}  // namespace

void add_run_notes(Verdict& verdict, std::span<const Record> fresh,
                   const std::vector<const Record*>& baselines) {
  note_incidents(verdict, fresh);
  for (const Record& record : fresh) {
    for (std::string& note : outlier_notes(record)) verdict.notes.push_back(std::move(note));
  }
  note_changes(verdict, fresh, baselines);
  note_slow_library(verdict, fresh);
  note_few_runs(verdict);
}

}  // namespace peakline
