#include "core/case_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <new>
#include <numeric>

#include "core/error.h"
#include "core/host_timeline.h"
#include "core/outliers.h"
#include "core/statistics.h"
#include "core/step_timing.h"
#include "core/units.h"

namespace peakline {
namespace {

constexpr std::size_t samples_kept = 200;
constexpr std::int64_t ranks_listed = 256;
constexpr int sample_digits = 6;
constexpr std::int64_t most_steps_per_sample = 1 << 20;

/// Time since it was made, on this rank: for decisions, never for a measurement.
class Elapsed {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Gives up what the communicator has under way when an exception passes. Made after the buffers,
/// so that it goes before them: freeing a buffer waits for whatever still uses it.
class AbortWithException {
 public:
  explicit AbortWithException(Communicator& communicator) : communicator_(&communicator) {}
  ~AbortWithException() {
    if (std::uncaught_exceptions() > before_) communicator_->abort();
  }
  AbortWithException(const AbortWithException&) = delete;
  AbortWithException& operator=(const AbortWithException&) = delete;

 private:
  Communicator* communicator_;
  int before_ = std::uncaught_exceptions();
};

std::unique_ptr<Timeline> timeline_for(const Benchmark& benchmark, Device& device) {
  return benchmark.clock() == StepClock::host ? make_host_timeline() : device.timeline();
}

/// Null unless enqueuing can be told from the work: samples of many steps on a device's clock.
Gate* gate_for(const Benchmark& benchmark, Device& device) {
  const bool gated =
      benchmark.mode() == TimingMode::throughput && benchmark.clock() == StepClock::device;
  return gated ? device.gate() : nullptr;
}

std::string sync_of(TimingMode mode, bool has_gate, bool gate_gave_up) {
  if (mode == TimingMode::latency) return "barrier before every operation";
  if (has_gate && !gate_gave_up) return "gate before each sample, opened after a barrier";
  const std::string ungated = "barrier before each batch of samples";
  return has_gate ? ungated + "; no gate: one opened before all was enqueued" : ungated;
}

/// Precision counts when all samples together have it, and never before there are enough of them: a
/// pass that ended on its share of them and is the last one that time allowed was capped.
StopReason stop_of_all_passes(const std::vector<double>& samples_s, const SamplingRules& rules,
                              StopReason last_pass) {
  const auto half_width = relative_half_width(samples_s, 0.95);
  const bool precise = half_width && *half_width <= rules.precision;
  if (precise && samples_s.size() >= rules.min_samples) return StopReason::precision;
  return last_pass == StopReason::precision ? StopReason::time_cap : last_pass;
}

std::map<std::string, NoteSummary> summarise_notes(World& world, const Notes& notes) {
  std::map<std::string, NoteSummary> summaries;
  for (const auto& [name, values] : notes) {
    NoteSummary& summary = summaries[name];
    summary.p50 = world.maximum(values.empty() ? 0 : quantile(values, 0.5));
    summary.p99 = world.maximum(values.empty() ? 0 : quantile(values, 0.99));
    summary.largest = world.maximum(values.empty() ? 0 : quantile(values, 1));
    const std::vector<double> totals =
        world.gather(std::accumulate(values.begin(), values.end(), 0.0));
    summary.total = std::accumulate(totals.begin(), totals.end(), 0.0);
  }
  return summaries;
}

RankSummary summarise_ranks(const std::vector<double>& medians_s,
                            const std::vector<std::string>& hosts) {
  RankSummary summary;
  if (medians_s.empty()) return summary;
  const auto slowest = std::max_element(medians_s.begin(), medians_s.end()) - medians_s.begin();
  summary.slowest = slowest;
  summary.host = hosts[static_cast<std::size_t>(slowest)];
  for (const auto& [name, share] :
       {std::pair{"min", 0.0}, {"p25", 0.25}, {"p50", 0.5}, {"p75", 0.75}, {"max", 1.0}}) {
    summary.quantiles[name] = round_significant(quantile(medians_s, share), sample_digits);
  }
  if (static_cast<std::int64_t>(medians_s.size()) <= ranks_listed) {
    for (double time_s : medians_s) {
      summary.median_s.push_back(round_significant(time_s, sample_digits));
    }
  }
  for (std::size_t rank : slow_outliers(medians_s)) {
    summary.outliers.push_back({static_cast<std::int64_t>(rank), hosts[rank],
                                round_significant(medians_s[rank], sample_digits)});
  }
  return summary;
}

}  // namespace

void CaseRun::skip(const std::string& reason, const std::string& note) {
  skip_reason_ = reason;
  skip_note_ = note;
}

/// False on every rank when something did not fit on any of them, with the case marked as skipped.
bool CaseRun::fits_everywhere(World& world, const std::function<void()>& allocate) {
  std::string sentence;
  try {
    allocate();
  } catch (const OutOfMemory& failure) {
    sentence = failure.what();
  } catch (const std::bad_alloc&) {
    sentence = "the host's memory is full";
  }
  const std::vector<std::string> sentences = world.gather(sentence);
  std::string first;
  for (std::size_t rank = 0; rank < sentences.size() && first.empty(); ++rank) {
    if (!sentences[rank].empty()) first = "rank " + std::to_string(rank) + ": " + sentences[rank];
  }
  first = world.agree(first);
  if (!first.empty()) skip("memory", first);
  return first.empty();
}

void CaseRun::visit(const Visit& visit, Context& context, const RunRules& rules,
                    const std::vector<std::string>& hosts, RunListener& listener) {
  const Elapsed elapsed;
  measure(visit, context, rules, hosts, listener);
  last_visit_s_ = elapsed.seconds();
}

void CaseRun::measure(const Visit& visit, Context& context, const RunRules& rules,
                      const std::vector<std::string>& hosts, RunListener& listener) {
  const PlannedCase& planned = runnable_->planned;
  listener.entered("prepare", planned);
  std::unique_ptr<Benchmark> benchmark;
  const auto make = [&] { benchmark = runnable_->benchmark->make(context, planned.id); };
  if (!fits_everywhere(context.world, make)) return;
  const AbortWithException guard(context.communicator);
  listener.entered("warm-up", planned);
  const double step_s = warm_up(*benchmark, context, rules.sampling);
  burn_in(*benchmark, step_s, visit.burn_in_s, context, listener);
  benchmark->forget_notes();
  listener.entered("measure", planned);
  Telemetry* telemetry = context.device.telemetry();
  if (telemetry != nullptr) telemetry->begin();
  sample(*benchmark, visit.pass, step_s, context, rules.sampling);
  const std::vector<Reading> readings =
      telemetry != nullptr ? telemetry->end() : std::vector<Reading>();
  readings_.insert(readings_.end(), readings.begin(), readings.end());
  for (auto& [name, values] : benchmark->take_notes()) {
    notes_[name].insert(notes_[name].end(), values.begin(), values.end());
  }
  if (!verification_) {
    verify(*benchmark, context, rules.verify_repeats, listener);
    if (skipped()) return;
  }
  ++passes_;
  listener.entered("gather", planned);
  report_warnings(readings, benchmark->host_link(), context, listener);
  summarise(*benchmark, context, rules, hosts);
}

void CaseRun::report_warnings(const std::vector<Reading>& readings, HostLink link, Context& context,
                              RunListener& listener) const {
  const std::vector<Incident> incidents =
      gather_warnings(context.world, context.device.info().label, readings, link);
  for (Incident incident : incidents) {
    incident.phase = "measure";
    incident.case_key = runnable_->planned.id.key();
    listener.noticed(incident);
  }
}

/// The first step teaches nothing about time, because it touches its memory for the first time.
/// Then the number of steps is doubled until the slowest rank is warm, since caches and clocks need
/// time but the memory behind large messages needs repetitions (scripts/bench_fidelity.sh shows
/// it). The last round also tells how long a step takes there, which is returned, and how many
/// steps make one sample.
double CaseRun::warm_up(Benchmark& benchmark, Context& context, const SamplingRules& rules) {
  const std::unique_ptr<Timeline> timeline = timeline_for(benchmark, context.device);
  choice_ = benchmark.first_step();
  context.device.synchronise();
  ++warmup_steps_;
  double step_s = 0;
  for (std::int64_t steps = 1; steps <= most_steps_per_sample; steps *= 2) {
    const double mine_s = time_throughput(benchmark, *timeline, context.world, 1, steps).front();
    step_s = context.world.maximum(mine_s);
    warmup_steps_ += steps;
    const bool warm = is_warm(rules, steps, step_s * static_cast<double>(steps));
    if (context.world.agree(warm ? 1 : 0) != 0) break;
  }
  if (steps_per_sample_ > 0) return step_s;
  const std::int64_t most_steps = gate_for(benchmark, context.device) != nullptr
                                      ? most_steps_behind_gate
                                      : most_steps_per_sample;
  const double fitting = benchmark.mode() == TimingMode::latency || step_s <= 0
                             ? 1
                             : std::ceil(rules.sample_time_s / step_s);
  steps_per_sample_ = context.world.agree(
      static_cast<std::int64_t>(std::clamp(fitting, 1.0, static_cast<double>(most_steps))));
  return step_s;
}

/// A device that has rested runs faster than it will for long. By its own clock, so that every rank
/// does as many steps.
void CaseRun::burn_in(Benchmark& benchmark, double step_s, double duration_s, Context& context,
                      RunListener& listener) {
  if (duration_s <= 0 || step_s <= 0) return;
  constexpr double round_s = 0.25;
  const std::unique_ptr<Timeline> timeline = timeline_for(benchmark, context.device);
  const auto steps = static_cast<std::int64_t>(
      std::clamp(std::ceil(round_s / step_s), 1.0, static_cast<double>(most_steps_per_sample)));
  for (double busy_s = 0; busy_s < duration_s;) {
    listener.entered("burn-in", runnable_->planned);
    const double mine_s = time_throughput(benchmark, *timeline, context.world, 1, steps).front();
    const double round_step_s = std::max(context.world.maximum(mine_s), step_s / 2);
    busy_s += round_step_s * static_cast<double>(steps);
    warmup_steps_ += steps;
  }
}

/// Samples of two ways to measure are never mixed: when a gate gives up, the case begins anew
/// without.
std::vector<double> CaseRun::time_batch(Benchmark& benchmark, Timeline& timeline, Context& context,
                                        std::size_t count) {
  World& world = context.world;
  if (benchmark.mode() == TimingMode::latency) {
    return time_latency(benchmark, timeline, world, count);
  }
  Gate* gate = gate_gave_up_ ? nullptr : gate_for(benchmark, context.device);
  if (gate != nullptr) {
    if (auto times_s =
            time_behind_gate(benchmark, timeline, *gate, world, count, steps_per_sample_)) {
      return *std::move(times_s);
    }
    gate_gave_up_ = true;
    own_s_.clear();
    slowest_s_.clear();
  }
  return time_throughput(benchmark, timeline, world, count, steps_per_sample_);
}

void CaseRun::sample(Benchmark& benchmark, int pass, double step_s, Context& context,
                     const SamplingRules& rules) {
  const std::unique_ptr<Timeline> timeline = timeline_for(benchmark, context.device);
  const auto operations = static_cast<double>(benchmark.operations_per_step());
  const Elapsed elapsed;
  double sample_s = step_s * static_cast<double>(steps_per_sample_);
  std::int64_t stop = 0;  // 0 goes on, otherwise 1 + the reason: what rank 0 decided
  while (stop == 0) {
    const auto count = static_cast<std::size_t>(context.world.agree(
        static_cast<std::int64_t>(next_batch(rules, sample_s, elapsed.seconds()))));
    std::vector<double> times_s = time_batch(benchmark, *timeline, context, count);
    for (double& time_s : times_s) time_s /= operations;
    own_s_.insert(own_s_.end(), times_s.begin(), times_s.end());
    context.world.maximum(times_s);
    slowest_s_.insert(slowest_s_.end(), times_s.begin(), times_s.end());
    sample_s = times_s.back() * operations * static_cast<double>(steps_per_sample_);
    const std::optional<StopReason> reason =
        context.world.is_root() ? should_stop(slowest_s_, rules, pass, elapsed.seconds())
                                : std::nullopt;
    stop = context.world.agree(reason ? static_cast<std::int64_t>(*reason) + 1 : 0);
  }
  stop_ = static_cast<StopReason>(stop - 1);
}

void CaseRun::verify(Benchmark& benchmark, Context& context, int repeats, RunListener& listener) {
  Verification total;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    listener.entered("verify", runnable_->planned);
    const std::uint64_t seed = context.seed + static_cast<std::uint64_t>(repeat) + 1;
    if (!fits_everywhere(context.world, [&] { benchmark.prepare_check(seed); })) return;
    const Verification once = benchmark.verify(seed);
    total.checked += once.checked;
    total.wrong += once.wrong;
    if (!total.first) total.first = once.first;
  }
  verification_ = total;
}

Result CaseRun::measured_result(const Benchmark& benchmark, const Context& context,
                                const RunRules& rules) const {
  Result result;
  result.id = runnable_->planned.id;
  result.repro = runnable_->repro;
  const bool host_clock = benchmark.clock() == StepClock::host;
  result.method = {
      host_clock ? std::string(host_timer) : context.device.info().timer,
      sync_of(benchmark.mode(), gate_for(benchmark, context.device) != nullptr, gate_gave_up_),
      "max",
      steps_per_sample_ * benchmark.operations_per_step(),
      warmup_steps_ * benchmark.operations_per_step(),
      passes_,
      choice_.algorithm,
      choice_.protocol};
  for (double sample_s : thinned(slowest_s_, samples_kept)) {
    result.samples_s.push_back(round_significant(sample_s, sample_digits));
  }
  if (stop_) result.stop = stop_of_all_passes(slowest_s_, rules.sampling, *stop_);
  result.verify = verification_;
  if (verification_ && verification_->wrong > 0) {
    result.status = Status::failed;
    result.reason = "wrong_data";
  }
  return result;
}

void CaseRun::summarise(const Benchmark& benchmark, Context& context, const RunRules& rules,
                        const std::vector<std::string>& hosts) {
  const std::vector<double> medians_s = context.world.gather(median(own_s_));
  Observations observations;
  observations.notes = summarise_notes(context.world, notes_);
  const auto telemetry = summarise_telemetry(context.world, readings_);
  if (!context.world.is_root()) return;
  observations.sample_s = slowest_s_;
  observations.iters_per_sample = steps_per_sample_ * benchmark.operations_per_step();
  Result measured = measured_result(benchmark, context, rules);
  measured.ranks = summarise_ranks(medians_s, hosts);
  measured.telemetry = telemetry;
  results_ = benchmark.results(observations, std::move(measured));
}

std::vector<Result> CaseRun::final_results() const {
  if (!results_.empty()) return results_;
  Result result;
  result.id = runnable_->planned.id;
  result.repro = runnable_->repro;
  result.status = Status::skipped;
  result.reason = skipped() ? skip_reason_ : "time_limit";
  result.note = skipped() ? skip_note_ : "the time limit was reached before this case";
  return {result};
}

}  // namespace peakline
