#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "bench/registry.h"
#include "bench/suites.h"
#include "core/pattern.h"
#include "core/rates.h"
#include "core/runner.h"
#include "core/statistics.h"
#include "core/units.h"
#include "loader/dataset.h"
#include "loader/pipeline.h"
#include "loader/reader.h"

namespace peakline {
namespace {

constexpr std::int64_t record_bytes = 128 << 10;  // about a compressed ImageNet picture
constexpr std::int64_t batch_size = 16;
constexpr std::int64_t queue_batches = 2;
constexpr std::int64_t records_per_shard = 128;
constexpr std::int64_t verified_batches = 4;
constexpr std::int64_t least_threads = 2;  // one waits for the disk while another checks
constexpr std::int64_t most_threads = 4;
constexpr int record_digits = 7;

/// Every rank reads all of its own data set, of other bytes and in another order than the rest: so
/// the work of a rank does not depend on how many there are, and no folder needs to be shared.
LoaderOptions options_of(const Context& context, const CaseId& id) {
  const std::uint64_t seed =
      mix64(context.seed ^ mix64(static_cast<std::uint64_t>(context.world.rank())));
  LoaderOptions options;
  options.dataset = {id.integer("record_bytes"), id.integer("records"), records_per_shard, seed};
  options.batch_size = id.integer("batch_size");
  options.threads = id.integer("threads");
  options.queue_batches = queue_batches;
  options.shuffle_seed = seed;
  return options;
}

/// On each rank.
std::int64_t steps_of(const Observations& observations) {
  return static_cast<std::int64_t>(observations.sample_s.size()) * observations.iters_per_sample;
}

/// What the timed steps of all passes checked and found wrong, told by the notes "wrong" (how many
/// records) and "wrong_at" (rank * records + record, so that rank and record come through the
/// runner's maximum).
void add_timed_checks(Result& measured, const Observations& observations, std::int64_t records) {
  const auto wrong = observations.notes.find("wrong");
  if (wrong == observations.notes.end()) return;
  Verification& verify = measured.verify ? *measured.verify : measured.verify.emplace();
  verify.checked +=
      steps_of(observations) * measured.id.integer("batch_size") * measured.id.scope.ranks;
  verify.wrong += static_cast<std::int64_t>(wrong->second.total);
  if (wrong->second.total == 0) return;
  const auto place = static_cast<std::int64_t>(observations.notes.at("wrong_at").largest);
  const std::int64_t record = place % records;
  if (!verify.first) {
    verify.first = Mismatch{record, place / records, static_cast<double>(record), std::nullopt};
  }
  measured.status = Status::failed;
  measured.reason = "wrong_data";
}

class LoaderBenchmark final : public Benchmark {
 public:
  LoaderBenchmark(Context& context, const CaseId& id)
      : context_(&context),
        id_(id),
        folder_(std::filesystem::path(context.scratch_dir) / "dataset"),
        options_(options_of(context, id)) {
    write_dataset(folder_, options_.dataset);
    loader_ = start(options_);
  }

  void step() override {
    const Batch& batch = loader_->next();
    notes_["wait_s"].push_back(batch.wait_s);
    notes_["bytes"].push_back(static_cast<double>(batch.bytes_read));
    notes_["wrong"].push_back(static_cast<double>(batch.wrong));
    notes_["wrong_at"].push_back(batch.first_wrong ? place_of(*batch.first_wrong) : -1);
  }

  TimingMode mode() const override { return TimingMode::throughput; }
  StepClock clock() const override { return StepClock::host; }

  /// The same data set through a loader of its own, in the order that `seed` gives. What the timed
  /// steps find is added by results(), because they go on after this.
  Verification verify(std::uint64_t seed) override {
    LoaderOptions options = options_;
    options.shuffle_seed = seed;
    const std::unique_ptr<Loader> loader = start(options);
    PatternCheck check;
    for (std::int64_t i = 0; i < verified_batches; ++i) {
      const Batch& batch = loader->next();
      check.checked += options.batch_size;
      check.wrong += batch.wrong;
      if (!batch.first_wrong || check.first) continue;
      check.first =
          Mismatch{*batch.first_wrong, 0, static_cast<double>(*batch.first_wrong), std::nullopt};
    }
    return combine_checks(context_->world, check);
  }

  void forget_notes() override { notes_.clear(); }
  Notes take_notes() override { return std::exchange(notes_, {}); }

  std::vector<Result> results(const Observations& observations, Result measured) const override {
    measured.metrics = metrics_of(id_, observations.sample_s, "samples_per_second");
    add_bandwidth(measured.metrics, observations);
    add_waits(measured.metrics, observations);
    add_timed_checks(measured, observations, options_.dataset.records);
    return {std::move(measured)};
  }

 private:
  std::unique_ptr<Loader> start(const LoaderOptions& options) const {
    return std::make_unique<Loader>(options,
                                    [&] { return open_pread_reader(folder_, options.dataset); });
  }

  double place_of(std::int64_t record) const {
    return static_cast<double>(context_->world.rank() * options_.dataset.records + record);
  }

  /// Bytes that all ranks truly read, per step, over the median time of one.
  static void add_bandwidth(std::vector<Metric>& metrics, const Observations& observations) {
    const std::int64_t steps = steps_of(observations);
    if (steps == 0) return;
    const double step_bytes = observations.notes.at("bytes").total / static_cast<double>(steps);
    const auto samples = static_cast<std::int64_t>(observations.sample_s.size());
    metrics.push_back({"bandwidth",
                       "B/s",
                       Better::higher,
                       false,
                       round_significant(step_bytes / median(observations.sample_s), record_digits),
                       {},
                       samples,
                       {}});
  }

  static void add_waits(std::vector<Metric>& metrics, const Observations& observations) {
    const auto wait = observations.notes.find("wait_s");
    if (wait == observations.notes.end()) return;
    for (const auto& [name, value_s] :
         {std::pair{"wait_p50", wait->second.p50}, {"wait_p99", wait->second.p99}}) {
      metrics.push_back({name,
                         "s",
                         Better::lower,
                         false,
                         round_significant(value_s, record_digits),
                         {},
                         steps_of(observations),
                         {}});
    }
  }

  Context* context_;
  CaseId id_;
  std::filesystem::path folder_;
  LoaderOptions options_;
  std::unique_ptr<Loader> loader_;
  Notes notes_;
};

/// Of all data sets on one node together: they share its disk and its page cache.
std::int64_t node_bytes(Depth depth) {
  switch (depth) {
    case Depth::quick: return std::int64_t{64} << 20;
    case Depth::preflight: return std::int64_t{256} << 20;
    case Depth::nightly:
    case Depth::acceptance: break;
  }
  return std::int64_t{1} << 30;
}

/// Why the data set cannot be written, or nothing: a disk that fills up in the middle of a run ends
/// it.
std::string lack_of_space(std::int64_t needed_bytes, double free_bytes) {
  const auto needed = static_cast<double>(needed_bytes);
  if (needed < free_bytes) return "";
  return "the data sets of a node need " + format_si(needed, "B") + " and " +
         format_si(free_bytes, "B") + " are free there: choose another --data-dir";
}

std::vector<PlannedCase> cases(const PlanOptions& options, const MachineShape& shape, const Device&,
                               const Communicator&) {
  const Depth depth = find_suite(options.suite).depth;
  const std::int64_t records = std::max(
      node_bytes(depth) / record_bytes / shape.scope.ranks_per_node, verified_batches * batch_size);
  Params params{{"batch_size", batch_size},
                {"engine", std::string(pread_engine)},
                {"file_system", shape.scratch_file_system},
                {"order", "shuffled"},
                {"record_bytes", record_bytes},
                {"records", records},
                {"threads", std::clamp(shape.threads, least_threads, most_threads)}};
  LoaderOptions loader;
  loader.dataset.record_bytes = record_bytes;
  loader.batch_size = batch_size;
  loader.queue_batches = queue_batches;
  const bool data_in_memory = shape.scratch_file_system == "tmpfs";
  const std::int64_t memory_bytes =
      2 * loader.buffer_bytes() + (data_in_memory ? records * record_bytes : 0);
  return {
      {{"loader", std::move(params), shape.scope},
       lack_of_space(records * record_bytes * shape.scope.ranks_per_node, shape.scratch_free_bytes),
       static_cast<std::size_t>(memory_bytes)}};
}

}  // namespace

BenchmarkInfo loader_info() {
  return {"loader", "records of a synthetic data set, read shuffled, checked and batched", cases,
          [](Context& context, const CaseId& id) -> std::unique_ptr<Benchmark> {
            return std::make_unique<LoaderBenchmark>(context, id);
          }};
}

}  // namespace peakline
