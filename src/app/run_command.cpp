#include "app/run_command.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "app/agreed.h"
#include "app/judging.h"
#include "app/live_listener.h"
#include "app/plan_text.h"
#include "app/run_setup.h"
#include "app/terminal.h"
#include "core/units.h"
#include "report/atomic_file.h"
#include "report/output_guard.h"
#include "report/record_json.h"
#include "report/verdict_text.h"

namespace peakline {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

constexpr double watchdog_grace_s = 5;
constexpr const char* setup_phase = "set-up";
constexpr const char* finish_phase = "finish";

/// Called from the watchdog's thread, with the measured thread stuck: says where, keeps what the
/// journal has as an incomplete record, and ends the process, upon which the launcher ends the
/// others. `scratch` is not read in the phase that makes it.
[[noreturn]] void give_up(const RunOptions& options, const World& world, double time_limit_s,
                          const std::unique_ptr<ScratchDir>& scratch, const Situation& situation) {
  const std::string text = "rank " + std::to_string(world.rank()) + " on " + world.host() +
                           " has been in phase '" + situation.phase + "' of " +
                           (situation.case_key.empty() ? "the run" : situation.case_key) + " for " +
                           format_time(situation.in_phase_s) + ", and the time limit of " +
                           format_time(time_limit_s) +
                           " is over: it hangs, or takes very long, which a longer --time-limit "
                           "would show";
  std::cerr << "peakline-run: " << text << std::endl;
  const bool measuring = situation.phase != setup_phase;
  if (measuring) scratch->remove_now();
  if (!world.is_root()) {
    sleep(2);  // rank 0 is writing; the first process to go takes the others along
    _exit(to_int(ExitStatus::run_failed));
  }
  if (!measuring || situation.phase == finish_phase) {
    _exit(to_int(ExitStatus::run_failed));  // there is no record yet, or it is being written
  }
  try {
    Record record = read_record_or_journal_file(Journal::path_for(options.out));
    record.run.incidents.push_back(
        {"stuck", situation.phase, situation.case_key, world.rank(), world.host(), text});
    write_file_atomically(options.out, write_record(record));
    std::filesystem::remove(Journal::path_for(options.out));  // all of it is in the record now
    std::cerr << "peakline-run: what was measured so far is in " << options.out
              << ", marked incomplete" << std::endl;
  } catch (const std::exception& failure) {
    std::cerr << "peakline-run: no partial record: " << failure.what() << std::endl;
  }
  _exit(to_int(ExitStatus::run_failed));
}

/// A finished measurement is never lost: when its file cannot be written, it goes to standard
/// error.
void save_record(const RunOptions& options, const Record& record, Journal* journal) {
  const std::string text = write_record(record);
  try {
    write_file_atomically(options.out, text);
  } catch (const std::exception& failure) {
    std::cerr << text << std::endl;
    throw usage_error(std::string(failure.what()) + " The record stands above, on standard error.");
  }
  if (journal != nullptr) journal->remove();
  if (options.format == OutputFormat::json) std::cout << text << std::flush;
  std::cerr << "record: " << options.out << std::endl;
}

/// Wrong data are a failed run; a run that measured nothing is no success either.
ExitStatus status_of(const Record& record) {
  bool measured = false;
  for (const Result& result : record.results) {
    if (result.status == Status::failed) return ExitStatus::run_failed;
    measured = measured || result.status == Status::ok;
  }
  if (measured) return ExitStatus::ok;
  std::cerr << "peakline-run: nothing was measured: every case was skipped" << std::endl;
  return ExitStatus::not_comparable;
}

/// What was lost on standard output is in the record, but a script that reads it must know.
ExitStatus standard_output_status() {
  const bool written =
      static_cast<bool>(std::cout.flush()) && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written) return ExitStatus::ok;
  std::cerr << "peakline-run: standard output could not be written: is its disk full?" << std::endl;
  return ExitStatus::usage;
}

RunRules rules_of(const RunSetup& setup, Clock::time_point begin) {
  RunRules rules;
  rules.sampling = setup.suite->sampling;
  rules.verify_repeats = setup.suite->verify_repeats;
  rules.memory_limit_bytes = setup.shape.free_bytes;
  // Half a second is kept back for writing.
  const double limit_s = std::max(0.1, setup.time_limit_s - 0.5);
  rules.time_left_s = [begin, limit_s] { return limit_s - seconds_since(begin); };
  return rules;
}

/// Everything between the plan and the record. What throws in here ends the job; what has no place
/// of its own is told by where the run was.
std::vector<Result> measure(RunSetup& setup, Context& context, Clock::time_point begin,
                            LiveListener& listener, const Watchdog& watchdog) {
  try {
    return run_plan(setup.plan, context, rules_of(setup, begin), listener);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& failure) {
    const Situation at = watchdog.situation();
    throw Error(ExitStatus::run_failed,
                std::string(failure.what()) + ", in phase '" + at.phase + "' of " + at.case_key);
  }
}

}  // namespace

ExitStatus run_command(const RunOptions& options, World& world) {
  const Clock::time_point begin = Clock::now();
  const double time_limit_s = check_request(options, world);
  std::unique_ptr<ScratchDir> scratch;  // outlives the watchdog, which may have to remove it
  Watchdog watchdog(time_limit_s, watchdog_grace_s, [&](const Situation& situation) {
    give_up(options, world, time_limit_s, scratch, situation);
  });
  watchdog.enter(setup_phase, "");
  // Taking a GPU's communicator down can hang as well, so that it ends before the watchdog does.
  RunSetup setup = prepare_run(options, world, time_limit_s);
  if (options.dry_run) {
    if (world.is_root()) std::cout << plan_text(setup) << std::flush;
    return ExitStatus::ok;
  }
  on_every_rank(world, [&] { scratch = make_scratch(options, world.rank()); });
  Judging judging;
  on_root(world, [&] {
    check_record_output(options.out, options.baselines);
    if (!options.baselines.empty()) judging = load_judging(options.baselines);
    std::cerr << "device: " << setup.backend.why << std::endl;
  });
  Record record = start_record(options, setup, world);
  for (const Incident& incident : record.run.incidents) {
    std::cerr << incident.kind << ": " << incident.text << std::endl;
  }
  std::unique_ptr<Journal> journal;
  on_root(world,
          [&] { journal = std::make_unique<Journal>(Journal::path_for(options.out), record); });

  LiveListener listener(
      {options.format == OutputFormat::table, options.progress && shows_on_terminal()}, watchdog,
      std::move(journal));
  Context context{world,
                  *setup.backend.device,
                  *setup.backend.communicator,
                  setup.shape.scope,
                  options.seed,
                  scratch->path(),
                  gather_on_node(world, setup.backend.device->info().label),
                  local_rank_of(world)};
  record.results = measure(setup, context, begin, listener, watchdog);
  watchdog.enter(finish_phase, "");

  ExitStatus status = ExitStatus::ok;
  on_root(world, [&] {
    listener.close();
    for (const Incident& incident : listener.incidents()) {
      std::cerr << incident.kind << ": " << incident.text << std::endl;
      record.run.incidents.push_back(incident);
    }
    record.run.complete = true;
    record.run.duration_s = round_significant(seconds_since(begin), 4);
    save_record(options, record, listener.journal());
    status = status_of(record);
    if (!options.baselines.empty()) {
      const Verdict verdict = judge_records({record}, judging, {});
      (options.format == OutputFormat::table ? std::cout : std::cerr) << verdict_text(verdict);
      status = worse(status, verdict.status);
    }
    status = worse(status, standard_output_status());
  });
  return static_cast<ExitStatus>(world.agree(to_int(status)));
}

}  // namespace peakline
