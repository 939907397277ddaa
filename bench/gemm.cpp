#include <limits>

#include "bench/ceiling.h"
#include "bench/gemm_check.h"
#include "bench/registry.h"
#include "bench/suites.h"
#include "core/rates.h"
#include "core/runner.h"
#include "core/units.h"

namespace peakline {
namespace {

std::size_t bytes_of(DataType type, std::int64_t rows, std::int64_t columns) {
  return static_cast<std::size_t>(rows * columns) * size_of(type);
}

/// Three matrices with normally distributed entries: zeros or small whole numbers would let some
/// machines run faster than any real work.
struct Matrices {
  Matrices(Device& device, const GemmShape& shape)
      : a(device.allocate(bytes_of(shape.type, shape.m, shape.k))),
        b(device.allocate(bytes_of(shape.type, shape.k, shape.n))),
        c(device.allocate(bytes_of(shape.type, shape.m, shape.n))) {}

  void fill(Device& device, DataType type, std::uint64_t seed) {
    device.fill_random(*a, type, seed);
    device.fill_random(*b, type, mix64(seed));
    device.fill_bytes(*c, 0xA5);
  }

  std::unique_ptr<Buffer> a;
  std::unique_ptr<Buffer> b;
  std::unique_ptr<Buffer> c;
};

std::vector<double> as_float64(Device& device, const Buffer& buffer, DataType type) {
  return with_type(type, [&](auto zero) {
    std::vector<decltype(zero)> values(buffer.size_bytes() / size_of(type));
    device.download(values.data(), buffer, buffer.size_bytes());
    return std::vector<double>(values.begin(), values.end());
  });
}

double epsilon_of(DataType type) {
  return type == DataType::float64 ? std::numeric_limits<double>::epsilon()
                                   : static_cast<double>(std::numeric_limits<float>::epsilon());
}

/// One product on fresh data, checked on this rank.
PatternCheck check_fresh_product(Device& device, const GemmShape& shape, std::uint64_t seed) {
  Matrices fresh(device, shape);
  fresh.fill(device, shape.type, seed);
  device.gemm(shape, *fresh.a, *fresh.b, *fresh.c)->enqueue();
  device.synchronise();
  return check_product(
      as_float64(device, *fresh.a, shape.type), as_float64(device, *fresh.b, shape.type),
      as_float64(device, *fresh.c, shape.type), shape, epsilon_of(shape.type), seed);
}

class Gemm final : public Benchmark {
 public:
  Gemm(Context& context, const CaseId& id)
      : context_(&context),
        id_(id),
        shape_{parse_data_type(id.word("dtype")), id.integer("m"), id.integer("n"),
               id.integer("k")},
        matrices_(context.device, shape_),
        gemm_(context.device.gemm(shape_, *matrices_.a, *matrices_.b, *matrices_.c)) {
    matrices_.fill(context.device, shape_.type, context.seed);
  }

  void step() override { gemm_->enqueue(); }
  TimingMode mode() const override { return TimingMode::throughput; }

  /// All of the check is this rank's own, so none of it is left for verify().
  void prepare_check(std::uint64_t seed) override {
    check_ = check_fresh_product(context_->device, shape_, seed);
  }
  Verification verify(std::uint64_t) override { return combine_checks(context_->world, check_); }

  Notes take_notes() override {
    const std::optional<Ceiling> ceiling = context_->device.arithmetic_ceiling(shape_.type);
    if (!ceiling) return {};
    ceiling_source_ = ceiling->source;
    return {{"ceiling_flops", {ceiling->value}}};
  }

  std::vector<Result> results(const Observations& observations, Result measured) const override {
    measured.metrics = metrics_of(id_, observations.sample_s, "flops");
    const auto ceiling = observations.notes.find("ceiling_flops");
    if (ceiling != observations.notes.end()) {
      add_peak(measured.metrics, "flops",
               {"measured", round_significant(ceiling->second.largest, 5),
                ceiling_source_ + ", in this run"});
    }
    return {std::move(measured)};
  }

 private:
  Context* context_;
  CaseId id_;
  GemmShape shape_;
  Matrices matrices_;
  std::unique_ptr<Operation> gemm_;
  PatternCheck check_;
  std::string ceiling_source_;
};

/// Two sets of three matrices, and for the check one of them in its own type and all three as
/// float64.
std::size_t planned_bytes(DataType type, std::int64_t edge) {
  return 7 * bytes_of(type, edge, edge) + 3 * bytes_of(DataType::float64, edge, edge);
}

std::vector<std::int64_t> suite_edges(Depth depth) {
  switch (depth) {
    case Depth::quick: return {256, 512};
    case Depth::preflight: return {512, 1024};
    case Depth::nightly: return {512, 1024, 2048};
    case Depth::acceptance: return {512, 1024, 2048, 4096};
  }
  return {};
}

std::string why_no_gemm(const DeviceInfo& info, DataType type) {
  const std::string& library = info.math_library;
  return (library.empty() ? "this backend" : library) + " has no GEMM of " +
         std::string(name_of(type));
}

std::vector<PlannedCase> cases(const PlanOptions& options, const MachineShape& shape,
                               const Device& device, const Communicator&) {
  std::vector<PlannedCase> planned;
  for (DataType type :
       options.types.empty() ? std::vector{DataType::float32, DataType::float64} : options.types) {
    for (std::int64_t edge : suite_edges(find_suite(options.suite).depth)) {
      Params params{{"dtype", std::string(name_of(type))},
                    {"implementation", "library"},
                    {"k", edge},
                    {"m", edge},
                    {"n", edge},
                    {"threads", shape.threads}};
      planned.push_back({{"gemm", std::move(params), shape.scope},
                         device.supports_gemm(type) ? "" : why_no_gemm(device.info(), type),
                         planned_bytes(type, edge)});
    }
  }
  return planned;
}

}  // namespace

BenchmarkInfo gemm_info() {
  return {"gemm", "dense matrix multiplication by the math library, each rank for itself", cases,
          [](Context& context, const CaseId& id) -> std::unique_ptr<Benchmark> {
            return std::make_unique<Gemm>(context, id);
          }};
}

}  // namespace peakline
