#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bench/ceiling.h"
#include "bench/gemm_check.h"
#include "bench/matrix.h"
#include "bench/registry.h"
#include "bench/rotation.h"
#include "bench/suites.h"
#include "core/rates.h"
#include "core/runner.h"
#include "core/units.h"

namespace peakline {
namespace {

constexpr std::string_view tf32_name = "tf32";

/// float32 that tensor cores round first goes by a name of its own.
std::string type_name_of(const GemmShape& shape) {
  return std::string(shape.tf32 ? tf32_name : name_of(shape.type));
}

GemmShape shape_of(const CaseId& id) {
  const std::string type = id.word("dtype");
  const bool tf32 = type == tf32_name;
  return {tf32 ? DataType::float32 : parse_data_type(type), id.integer("m"), id.integer("n"),
          id.integer("k"), tf32};
}

std::size_t bytes_of(const GemmShape& shape) {
  return shape.a_bytes() + shape.b_bytes() + shape.c_bytes();
}

/// Three matrices with normally distributed entries: zeros or small whole numbers would let some
/// machines run faster than any real work.
struct Matrices {
  Matrices(Device& device, const GemmShape& its_shape)
      : shape(its_shape),
        a(device.allocate(shape.a_bytes())),
        b(device.allocate(shape.b_bytes())),
        c(device.allocate(shape.c_bytes())) {}

  void fill(Device& device, std::uint64_t seed) {
    device.fill_random(*a, shape.type, seed);
    device.fill_random(*b, shape.type, mix64(seed));
    device.fill_bytes(*c, 0xA5);
  }

  std::unique_ptr<Operation> product(Device& device, Implementation maker) {
    return device.gemm(shape, maker, *a, *b, *c);
  }

  GemmShape shape;
  std::unique_ptr<Buffer> a;
  std::unique_ptr<Buffer> b;
  std::unique_ptr<Buffer> c;
};

/// One product on fresh data, checked on this rank.
PatternCheck check_fresh_product(Device& device, const GemmShape& shape, Implementation maker,
                                 std::uint64_t seed) {
  Matrices fresh(device, shape);
  fresh.fill(device, seed);
  fresh.product(device, maker)->enqueue();
  device.synchronise();
  const DeviceMatrix a(device, *fresh.a, shape.type, shape.m, shape.k);
  const DeviceMatrix b = shape.b_is_transposed()
                             ? DeviceMatrix(device, *fresh.b, shape.type, shape.n, shape.k)
                             : DeviceMatrix(device, *fresh.b, shape.type, shape.k, shape.n);
  const DeviceMatrix c(device, *fresh.c, shape.output_type(), shape.m, shape.n);
  return check_product(a, b, c, shape, seed);
}

/// Sets of matrices that steps take in turn, so that none is still in a device's cache. A small
/// product, of which that would take many, is not about memory.
std::size_t sets_of(const GemmShape& shape, std::size_t cache_bytes) {
  constexpr std::size_t most_sets = 16;
  return std::min(rotation_of(bytes_of(shape), cache_bytes).slices, most_sets);
}

class Gemm final : public Benchmark {
 public:
  Gemm(Context& context, const CaseId& id)
      : context_(&context),
        id_(id),
        shape_(shape_of(id)),
        maker_(parse_implementation(id.word("implementation"))) {
    const std::size_t sets = sets_of(shape_, context.device.info().cache_bytes);
    while (sets_.size() < sets) {
      sets_.emplace_back(context.device, shape_);
      sets_.back().fill(context.device, context.seed + sets_.size());
      products_.push_back(sets_.back().product(context.device, maker_));
    }
  }

  void step() override {
    products_[next_]->enqueue();
    if (++next_ == products_.size()) next_ = 0;
  }
  TimingMode mode() const override { return TimingMode::throughput; }

  /// All of the check is this rank's own, so none of it is left for verify().
  void prepare_check(std::uint64_t seed) override {
    check_ = check_fresh_product(context_->device, shape_, maker_, seed);
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
  Implementation maker_;
  std::vector<Matrices> sets_;
  std::vector<std::unique_ptr<Operation>> products_;  ///< of the sets, in their order
  std::size_t next_ = 0;
  PatternCheck check_;
  std::string ceiling_source_;
};

/// A GPU has memory of its own, and is not busy before matrices are large. An emulated one
/// multiplies entry by entry.
std::vector<std::int64_t> suite_edges(Depth depth, const DeviceInfo& info) {
  if (info.emulated) return {48, 96};
  if (info.memory == MemoryOwner::device) {
    const bool quick = depth == Depth::quick;
    return quick ? std::vector<std::int64_t>{4096, 8192}
                 : std::vector<std::int64_t>{2048, 4096, 8192, 16384};
  }
  switch (depth) {
    case Depth::quick: return {256, 512};
    case Depth::preflight: return {512, 1024};
    case Depth::nightly: return {512, 1024, 2048};
    case Depth::acceptance: return {512, 1024, 2048, 4096};
  }
  return {};
}

std::vector<GemmExtent> suite_extents(Depth depth, const DeviceInfo& info) {
  std::vector<GemmExtent> extents;
  for (std::int64_t edge : suite_edges(depth, info)) extents.push_back({edge, edge, edge});
  const bool long_suite = depth == Depth::nightly || depth == Depth::acceptance;
  if (long_suite && info.memory == MemoryOwner::device && !info.emulated) {
    // The layers of a transformer of width 8192 over 8192 tokens: attention's inputs, and the two
    // halves of the feed-forward network (Llama 3 70B: hidden 28672, 8 of 64 heads for keys).
    extents.insert(extents.end(), {{8192, 10240, 8192}, {8192, 28672, 8192}, {8192, 8192, 28672}});
  }
  return extents;
}

/// What is worth measuring of this device when nothing was asked for.
std::vector<DataType> usual_types(const DeviceInfo& info) {
  if (info.memory == MemoryOwner::node) return {DataType::float32, DataType::float64};
  return {DataType::float64, DataType::float32, DataType::bfloat16,
          DataType::float16, DataType::int8,    DataType::float8_e4m3};
}

/// Every product by the library; those that tensor cores are for by the project's own kernel too,
/// unless a suite is short, which then has only its largest.
std::vector<Implementation> usual_makers(const GemmShape& product, const PlanOptions& options,
                                         const DeviceInfo& info) {
  const bool has_kernel =
      info.memory == MemoryOwner::device &&
      (product.tf32 || product.type == DataType::bfloat16 || product.type == DataType::float16);
  const Depth depth = find_suite(options.suite).depth;
  const bool is_largest = product.m == suite_edges(depth, info).back();
  const bool is_wanted = !options.extents.empty() || depth != Depth::quick || is_largest;
  if (!has_kernel || !is_wanted) return {Implementation::library};
  return {Implementation::library, Implementation::kernel};
}

PlannedCase plan_product(const GemmShape& product, Implementation maker, const MachineShape& shape,
                         const Device& device) {
  const bool on_host = device.info().memory == MemoryOwner::node;
  Params params{{"dtype", type_name_of(product)},
                {"implementation", std::string(name_of(maker))},
                {"k", product.k},
                {"m", product.m},
                {"n", product.n}};
  if (on_host) params["threads"] = shape.threads;
  PlannedCase planned{
      {"gemm", std::move(params), shape.scope}, device.why_no_gemm(product, maker), 0};
  const std::size_t sets = sets_of(product, shape.cache_bytes) + 1;  // one to be checked
  planned.memory_bytes = sets * bytes_of(product);
  planned.heats_device = !on_host;
  if (on_host) planned.memory_bytes += DeviceMatrix::fetched_bytes(product.type, product.k);
  return planned;
}

std::vector<PlannedCase> cases(const PlanOptions& options, const MachineShape& shape,
                               const Device& device, const Communicator&) {
  std::vector<PlannedCase> planned;
  const Depth depth = find_suite(options.suite).depth;
  const auto extents =
      options.extents.empty() ? suite_extents(depth, device.info()) : options.extents;
  for (DataType type : options.types.empty() ? usual_types(device.info()) : options.types) {
    const bool has_tf32 = type == DataType::float32 && device.info().memory == MemoryOwner::device;
    for (bool tf32 : has_tf32 ? std::vector{false, true} : std::vector{false}) {
      for (const GemmExtent& extent : extents) {
        const GemmShape product{type, extent.m, extent.n, extent.k, tf32};
        const auto makers = options.implementations.empty()
                                ? usual_makers(product, options, device.info())
                                : options.implementations;
        for (Implementation maker : makers) {
          planned.push_back(plan_product(product, maker, shape, device));
        }
      }
    }
  }
  return planned;
}

}  // namespace

BenchmarkInfo gemm_info() {
  return {"gemm",
          "dense matrix multiplication, by the math library and by a kernel of Peakline's own",
          cases, [](Context& context, const CaseId& id) -> std::unique_ptr<Benchmark> {
            return std::make_unique<Gemm>(context, id);
          }};
}

}  // namespace peakline
