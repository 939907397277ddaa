#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "bench/ceiling.h"
#include "bench/registry.h"
#include "bench/suites.h"
#include "core/rates.h"
#include "core/runner.h"
#include "core/units.h"

namespace peakline {
namespace {

constexpr std::int64_t element_bytes = sizeof(double);

/// What an element of a is when those of b and c are these.
double expected_of(MemoryKernel kernel, double b, double c) {
  switch (kernel) {
    case MemoryKernel::scale: return 3 * b;
    case MemoryKernel::triad: return b + 3 * c;
    default: return b;
  }
}

PatternCheck check_sum(const std::vector<double>& sums, double expected) {
  PatternCheck check;
  check.checked = static_cast<std::int64_t>(sums.size());
  const double found = std::accumulate(sums.begin(), sums.end(), 0.0);
  if (found == expected) return check;
  check.wrong = 1;
  check.first = Mismatch{0, 0, expected, {}};
  if (std::isfinite(found)) check.first->found = found;
  return check;
}

class Memory final : public Benchmark {
 public:
  Memory(Context& context, const CaseId& id)
      : context_(&context),
        id_(id),
        kernel_(parse_memory_kernel(id.word("kernel"))),
        size_bytes_(id.integer("size_bytes")) {
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

  /// Whole numbers, so that triad is exact whether or not its multiply-add is fused, and sums are
  /// in any order.
  Verification verify(std::uint64_t seed) override {
    Device& device = context_->device;
    const std::int64_t checked = checked_count();
    const auto& [a, b, c] = fresh_;
    const PatternSpec b_spec = make_pattern(seed, 1, DataType::float64, ReduceOp::sum);
    const PatternSpec c_spec = make_pattern(mix64(seed), 1, DataType::float64, ReduceOp::sum);
    device.fill_bytes(*a, kernel_ == MemoryKernel::read ? 0 : 0xA5);
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
    double sum = 0;
    for (std::int64_t i = 0; i < check.checked; ++i) {
      const auto b = static_cast<double>(pattern_reduced(b_spec, i));
      const auto c = static_cast<double>(pattern_reduced(c_spec, i));
      const double expected = expected_of(kernel_, b, c);
      sum += expected;
      if (kernel_ == MemoryKernel::read) continue;
      const double value = found[static_cast<std::size_t>(i)];
      if (value == expected) continue;
      ++check.wrong;
      if (!check.first) check.first = Mismatch{i, 0, expected, value};
    }
    return kernel_ == MemoryKernel::read ? check_sum(found, sum) : check;
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

/// The arrays of a GPU must be large beside its cache (126 MB in a B200), and are copied by the CPU
/// where it is emulated.
std::int64_t suite_size_bytes(Depth depth, const DeviceInfo& info) {
  constexpr std::int64_t mib = 1 << 20;
  if (info.emulated) return 4 * mib;
  if (info.memory == MemoryOwner::device) return 1024 * mib;
  return depth == Depth::quick ? 64 * mib : 256 * mib;
}

std::vector<MemoryKernel> suite_kernels(Depth depth, const DeviceInfo& info) {
  if (info.memory == MemoryOwner::device || depth >= Depth::nightly) {
    return {all_memory_kernels.begin(), all_memory_kernels.end()};
  }
  return {MemoryKernel::copy, MemoryKernel::triad};
}

std::vector<PlannedCase> cases(const PlanOptions& options, const MachineShape& shape,
                               const Device& device, const Communicator&) {
  std::vector<PlannedCase> planned;
  const Depth depth = find_suite(options.suite).depth;
  for (MemoryKernel kernel : suite_kernels(depth, device.info())) {
    const std::int64_t size_bytes = suite_size_bytes(depth, device.info());
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
  return {"memory", "STREAM's loops over arrays in memory, each rank for itself", cases,
          [](Context& context, const CaseId& id) -> std::unique_ptr<Benchmark> {
            return std::make_unique<Memory>(context, id);
          }};
}

}  // namespace peakline
