#include "app/live_listener.h"

#include <cstdio>

#include "core/error.h"
#include "core/units.h"
#include "report/table.h"

namespace peakline {

LiveListener::LiveListener(Output output, Watchdog& watchdog, std::unique_ptr<Journal> journal)
    : output_(output), watchdog_(&watchdog), journal_(std::move(journal)) {}

void LiveListener::entered(std::string_view phase, const PlannedCase& planned) {
  // The first touch of fresh memory may be this slow on a busy host.
  constexpr double slowest_memory_b_s = 1e8;
  watchdog_->enter(phase, planned.id.key(),
                   static_cast<double>(planned.memory_bytes) / slowest_memory_b_s);
}

void LiveListener::visited(const RunProgress& progress, const std::vector<Result>& so_far) {
  write_journal(so_far);
  if (output_.progress) draw_bar(progress);
}

void LiveListener::finished(const Result& result) {
  if (result.status == Status::skipped) write_journal({result});
  if (!output_.table) return;
  clear_bar();
  std::fputs(table_.add(result).c_str(), stdout);
  std::fflush(stdout);
}

void LiveListener::noticed(const Incident& incident) { noticed_.add(incident); }

std::vector<Incident> LiveListener::incidents() const {
  std::vector<Incident> all = incidents_;
  for (Incident& incident : noticed_.incidents()) all.push_back(std::move(incident));
  return all;
}

void LiveListener::close() { clear_bar(); }

/// A disk that fills up while measuring is no reason to lose the measurement: the run goes on
/// without a journal and says so.
void LiveListener::write_journal(const std::vector<Result>& results) {
  if (!journal_) return;
  try {
    for (const Result& result : results) journal_->append(result);
  } catch (const Error& failure) {
    incidents_.push_back({"journal", "measure", "", std::nullopt, "", failure.what()});
    journal_.reset();
  }
}

void LiveListener::draw_bar(const RunProgress& progress) {
  constexpr std::size_t width = 30;
  const auto passes = static_cast<std::size_t>(progress.passes);
  const std::size_t done =
      static_cast<std::size_t>(progress.pass) * progress.cases + progress.index + 1;
  const std::size_t all = passes * progress.cases;
  const double elapsed_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const double left_s = elapsed_s * static_cast<double>(all - done) / static_cast<double>(done);
  const std::size_t filled = width * done / all;
  const std::string bar = "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] " +
                          std::to_string(100 * done / all) + " %, pass " +
                          std::to_string(progress.pass + 1) + " of " + std::to_string(passes) +
                          ", about " + format_significant(left_s, 2) + " s left";
  clear_bar();
  std::fputs(bar.c_str(), stderr);
  std::fflush(stderr);
  bar_length_ = bar.size();
}

void LiveListener::clear_bar() {
  if (bar_length_ == 0) return;
  std::fprintf(stderr, "\r%*s\r", static_cast<int>(bar_length_), "");
  bar_length_ = 0;
}

}  // namespace peakline
