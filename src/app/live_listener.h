#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "app/noticed.h"
#include "core/record.h"
#include "core/runner.h"
#include "core/watchdog.h"
#include "report/journal.h"
#include "report/table.h"

namespace peakline {

/// What happens on rank 0 while a run goes on: the journal is written, rows are printed, a bar
/// moves. On the other ranks only the watchdog is told.
class LiveListener final : public RunListener {
 public:
  struct Output {
    bool table = false;     ///< rows on standard output
    bool progress = false;  ///< a bar on standard error, which must be a terminal
  };

  LiveListener(Output output, Watchdog& watchdog, std::unique_ptr<Journal> journal);

  void entered(std::string_view phase, const PlannedCase& planned) override;
  void visited(const RunProgress& progress, const std::vector<Result>& so_far) override;
  void noticed(const Incident& incident) override;
  void finished(const Result& result) override;

  /// Takes away the bar.
  void close();

  /// The journal, unless it could not be kept; what went wrong with it is in incidents(), and what
  /// was noticed: of the same kind and rank once, with the number of cases.
  Journal* journal() const { return journal_.get(); }
  std::vector<Incident> incidents() const;

 private:
  void write_journal(const std::vector<Result>& results);
  void draw_bar(const RunProgress& progress);
  void clear_bar();

  Output output_;
  Watchdog* watchdog_;
  std::unique_ptr<Journal> journal_;
  std::vector<Incident> incidents_;
  Noticed noticed_;
  Table table_;
  std::size_t bar_length_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace peakline
