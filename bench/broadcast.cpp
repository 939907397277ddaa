#include <numeric>

#include "bench/collective.h"
#include "bench/collective_plan.h"
#include "bench/registry.h"

namespace peakline {
namespace {

class Broadcast final : public CollectiveBenchmark {
 public:
  Broadcast(Context& context, const CaseId& id)
      : CollectiveBenchmark(context, id), root_(static_cast<int>(id.integer("root"))) {}

 private:
  void enqueue(const Buffer& send, Buffer& receive) override {
    context().communicator.broadcast(send, receive, count(), type(), root_);
  }
  /// Copied data are the reduction over a single rank, other data for every root.
  PatternSpec pattern(std::uint64_t seed) const override {
    return make_pattern(mix64(seed) + static_cast<std::uint64_t>(root_), 1, type(), ReduceOp::sum);
  }
  bool gives_input() const override { return context().communicator.rank() == root_; }
  std::int64_t pattern_rank() const override { return 0; }

  int root_;
};

std::vector<std::int64_t> roots_of(const PlanOptions& options, std::int64_t ranks) {
  if (!options.every_root)
    return options.roots.empty() ? std::vector<std::int64_t>{0} : options.roots;
  std::vector<std::int64_t> roots(static_cast<std::size_t>(ranks));
  std::iota(roots.begin(), roots.end(), 0);
  return roots;
}

std::vector<PlannedCase> cases(const PlanOptions& options, const MachineShape& shape, const Device&,
                               const Communicator& communicator) {
  std::vector<PlannedCase> planned;
  for (const CollectiveAxes& axes :
       collective_axes(options, CollectiveKind::broadcast, communicator)) {
    for (std::int64_t root : roots_of(options, shape.scope.ranks)) {
      planned.push_back(plan_collective("broadcast", CollectiveKind::broadcast, axes, ReduceOp::sum,
                                        {{"root", root}}, shape, communicator));
    }
  }
  return planned;
}

}  // namespace

BenchmarkInfo broadcast_info() {
  return {"broadcast", "every rank gets the root's data", cases,
          [](Context& context, const CaseId& id) -> std::unique_ptr<Benchmark> {
            return std::make_unique<Broadcast>(context, id);
          }};
}

}  // namespace peakline
