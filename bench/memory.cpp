#include <array>

#include "bench/ceiling.h"
#include "bench/registry.h"
#include "bench/suites.h"
#include "core/rates.h"
#include "core/runner.h"
#include "core/units.h"

namespace peakline {
namespace {

constexpr std::int64_t element_bytes = sizeof(double);

MemoryKernel kernel_of(const CaseId& id) {
  return id.word("kernel") == name_of(MemoryKernel::triad) ? MemoryKernel::triad
                                                           : MemoryKernel::copy;
}

class Memory final : public Benchmark {
 public:
  Memory(Context& context, const CaseId& id)
      : context_(&context), id_(id), kernel_(kernel_of(id)), size_bytes_(id.integer("size_bytes")) {
    Device& device = context.device;
    for (auto* array : {&a_, &b_, &c_}) {
      *array = device.allocate(static_cast<std::size_t>(size_bytes_));
      device.fill_random(**array, DataType::float64, context.seed);
    }
    kernel_run_ = device.memory(kernel_, *a_, *b_, *c_, count());
  }

  void step() override { kernel_run_->enqueue(); }
  TimingMode mode() const override { return TimingMode::throughput; }

  void prepare_check(std::uint64_t) override {
    const auto size_bytes = static_cast<std::size_t>(checked_count() * element_bytes);
    for (auto& array : fresh_) array = context_->device.allocate(size_bytes);
    found_.resize(static_cast<std::size_t>(checked_count()));
  }

  /// Whole numbers, so that triad is exact whether or not its multiply-add is fused.
  Verification verify(std::uint64_t seed) override {
    Device& device = context_->device;
    const std::int64_t checked = checked_count();
    const auto& [a, b, c] = fresh_;
    const PatternSpec b_spec = make_pattern(seed, 1, DataType::float64, ReduceOp::sum);
    const PatternSpec c_spec = make_pattern(mix64(seed), 1, DataType::float64, ReduceOp::sum);
    device.fill_bytes(*a, 0xA5);
    device.fill_pattern(*b, DataType::float64, checked, b_spec, 0);
    device.fill_pattern(*c, DataType::float64, checked, c_spec, 0);
    device.memory(kernel_, *a, *b, *c, checked)->enqueue();
    device.synchronise();
    device.download(found_.data(), *a, a->size_bytes());
    return combine_checks(context_->world, compare(found_, b_spec, c_spec));
  }

  Notes take_notes() override {
    if (kernel_ == MemoryKernel::triad) return {};
    return {{"triad_b_s", {triad_ceiling_b_s(context_->device, *a_, *b_, *c_, size_bytes_)}}};
  }

  std::vector<Result> results(const Observations& observations, Result measured) const override {
    measured.metrics = metrics_of(id_, observations.sample_s, "bandwidth");
    const auto triad = observations.notes.find("triad_b_s");
    if (triad != observations.notes.end()) {
      add_peak(measured.metrics, "bandwidth",
               {"measured", round_significant(triad->second.largest, 5), "triad, in this run"});
    }
    return {std::move(measured)};
  }

 private:
  static constexpr std::int64_t checked_elements = 1 << 20;

  std::int64_t count() const { return size_bytes_ / element_bytes; }
  std::int64_t checked_count() const { return std::min(count(), checked_elements); }

  PatternCheck compare(const std::vector<double>& found, const PatternSpec& b_spec,
                       const PatternSpec& c_spec) const {
    PatternCheck check;
    check.checked = static_cast<std::int64_t>(found.size());
    for (std::int64_t i = 0; i < check.checked; ++i) {
      const auto b = static_cast<double>(pattern_reduced(b_spec, i));
      const auto c = static_cast<double>(pattern_reduced(c_spec, i));
      const double expected = kernel_ == MemoryKernel::triad ? b + 3 * c : b;
      const double value = found[static_cast<std::size_t>(i)];
      if (value == expected) continue;
      ++check.wrong;
      if (!check.first) check.first = Mismatch{i, 0, expected, value};
    }
    return check;
  }

  Context* context_;
  CaseId id_;
  MemoryKernel kernel_;
  std::int64_t size_bytes_;
  std::unique_ptr<Buffer> a_;
  std::unique_ptr<Buffer> b_;
  std::unique_ptr<Buffer> c_;
  std::unique_ptr<Operation> kernel_run_;
  std::array<std::unique_ptr<Buffer>, 3> fresh_;
  std::vector<double> found_;
};

std::int64_t suite_size_bytes(Depth depth) {
  return depth == Depth::quick ? std::int64_t{64} << 20 : std::int64_t{256} << 20;
}

std::vector<PlannedCase> cases(const PlanOptions& options, const MachineShape& shape,
                               const Device& device, const Communicator&) {
  std::vector<PlannedCase> planned;
  for (MemoryKernel kernel : {MemoryKernel::copy, MemoryKernel::triad}) {
    const std::int64_t size_bytes = suite_size_bytes(find_suite(options.suite).depth);
    Params params{
        {"dtype", "float64"}, {"kernel", std::string(name_of(kernel))}, {"size_bytes", size_bytes}};
    if (device.info().memory == MemoryOwner::node) params["threads"] = shape.threads;
    planned.push_back(
        {{"memory", std::move(params), shape.scope}, "", 4 * static_cast<std::size_t>(size_bytes)});
  }
  return planned;
}

}  // namespace

BenchmarkInfo memory_info() {
  return {"memory", "copy and triad over arrays in memory, each rank for itself", cases,
          [](Context& context, const CaseId& id) -> std::unique_ptr<Benchmark> {
            return std::make_unique<Memory>(context, id);
          }};
}

}  // namespace peakline
