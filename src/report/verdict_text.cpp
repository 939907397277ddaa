#include "report/verdict_text.h"

#include <algorithm>
#include <vector>

#include "core/units.h"
#include "report/text_table.h"

namespace peakline {
namespace {

std::string value_or_dash(const std::optional<double>& value, const std::string& unit) {
  return value ? format_value(*value, unit) : "-";
}

std::string change_text(const std::optional<double>& change) {
  if (!change) return "-";
  return (*change < 0 ? "" : "+") + format_percent(*change);
}

std::string words_of(const Peak& peak) {
  return peak.kind == "at_clock" ? "nominal at its clock" : peak.kind;
}

std::string peaks_text(const KeyVerdict& key) {
  std::string text;
  for (const PeakShare& peak : key.peaks) {
    text += (text.empty() ? "" : ", ") + format_percent(peak.share) + " of " + words_of(peak.peak);
  }
  return text.empty() ? "-" : text;
}

std::string verdict_cell(const KeyVerdict& key) {
  std::string text(name_of(key.word));
  if (key.word == Word::inconclusive && key.detectable) {
    text += " (would see " + format_percent(*key.detectable) + ")";
  }
  return key.reason.empty() ? text : text + ": " + key.reason;
}

/// The part of the keys that says which world took part, when all rows share it.
std::string common_scope(const Verdict& verdict) {
  std::string scope;
  for (const KeyVerdict& key : verdict.keys) {
    if (key.word == Word::not_planned) continue;
    const std::string own = key.key.substr(std::min(key.key.rfind('/'), key.key.size()));
    if (scope.empty()) scope = own;
    if (own != scope) return "";
  }
  return scope;
}

TextRow row_of(const KeyVerdict& key, const std::string& scope) {
  return {key.key.substr(0, key.key.size() - scope.size()),
          key.metric.empty() ? "-" : key.metric,
          value_or_dash(key.measured, key.unit),
          value_or_dash(key.baseline, key.unit),
          change_text(key.change),
          peaks_text(key),
          verdict_cell(key)};
}

/// Each different source once, for all the percentages above.
std::string sources_text(const Verdict& verdict) {
  std::vector<std::string> lines;
  for (const KeyVerdict& key : verdict.keys) {
    for (const PeakShare& peak : key.peaks) {
      const std::string line = "  " + words_of(peak.peak) + ": " + peak.peak.source;
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
  }
  if (lines.empty()) return "";
  std::string text = "Peaks:\n";
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// Commands that measure what failed again, each once.
std::vector<std::string> repeats(const Verdict& verdict) {
  std::vector<std::string> commands;
  for (const KeyVerdict& key : verdict.keys) {
    const bool failed = key.word == Word::regressed || key.word == Word::below_floor;
    const bool is_new = std::find(commands.begin(), commands.end(), key.repro) == commands.end();
    if (failed && !key.repro.empty() && is_new) commands.push_back(key.repro);
  }
  return commands;
}

std::string repeats_text(const std::vector<std::string>& commands) {
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, commands.size()); ++i) {
    text += "Measure again: " + commands[i] + "\n";
  }
  if (commands.size() <= shown) return text;
  return text + "Measure again: " + std::to_string(commands.size() - shown) +
         " more, as `repro` in --format json\n";
}

std::string heading(const Verdict& verdict, const std::string& scope) {
  std::string text = "Machine " + verdict.fingerprint;
  if (!verdict.label.empty()) text += " (" + verdict.label + ")";
  if (!scope.empty()) text += ", keys end in " + scope;
  if (verdict.baseline_runs == 0)
    return text + ", judged against peaks alone: no comparable baseline\n";
  return text + ", judged against " + counted(verdict.baseline_runs, "accepted run") + "\n";
}

}  // namespace

std::string verdict_text(const Verdict& verdict) {
  const std::string scope = common_scope(verdict);
  std::vector<TextRow> rows{
      {"key", "metric", "measured", "baseline", "change", "of peak", "verdict"}};
  for (const KeyVerdict& key : verdict.keys) {
    if (key.word != Word::not_planned) rows.push_back(row_of(key, scope));
  }
  std::string text = heading(verdict, scope) + aligned_table(rows) + sources_text(verdict);
  for (const std::string& note : verdict.notes) text += "Note: " + note + "\n";
  if (const auto count = count_of(verdict, Word::not_planned); count > 0) {
    text += "Not planned in this run: " + std::to_string(count) + " keys of the baseline\n";
  }
  text += repeats_text(repeats(verdict));
  return text + "Status " + std::to_string(to_int(verdict.status)) + ": " + verdict.reason + "\n";
}

}  // namespace peakline
