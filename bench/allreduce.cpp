#include "bench/collective.h"
#include "bench/collective_plan.h"
#include "bench/registry.h"

namespace peakline {
namespace {

class Allreduce final : public CollectiveBenchmark {
 public:
  Allreduce(Context& context, const CaseId& id)
      : CollectiveBenchmark(context, id), op_(parse_reduce_op(id.word("redop"))) {}

 private:
  void enqueue(const Buffer& send, Buffer& receive) override {
    context().communicator.allreduce(send, receive, count(), type(), op_);
  }
  PatternSpec pattern(std::uint64_t seed) const override {
    return make_pattern(seed, context().communicator.size(), type(), op_);
  }
  bool gives_input() const override { return true; }
  std::int64_t pattern_rank() const override { return context().communicator.rank(); }

  ReduceOp op_;
};

std::vector<PlannedCase> cases(const PlanOptions& options, const MachineShape& shape, const Device&,
                               const Communicator& communicator) {
  std::vector<PlannedCase> planned;
  for (ReduceOp op : options.ops.empty() ? std::vector{ReduceOp::sum} : options.ops) {
    for (const CollectiveAxes& axes :
         collective_axes(options, CollectiveKind::allreduce, communicator)) {
      planned.push_back(plan_collective("allreduce", CollectiveKind::allreduce, axes, op,
                                        {{"redop", std::string(name_of(op))}}, shape,
                                        communicator));
      const bool verifiable = is_verifiable(axes.type, op, shape.scope.ranks);
      if (planned.back().unsupported.empty() && !verifiable) {
        planned.back().unsupported = "an average of so many ranks has no digits left to verify";
      }
    }
  }
  return planned;
}

}  // namespace

BenchmarkInfo allreduce_info() {
  return {"allreduce", "every rank gets the reduction of all ranks' data", cases,
          [](Context& context, const CaseId& id) -> std::unique_ptr<Benchmark> {
            return std::make_unique<Allreduce>(context, id);
          }};
}

}  // namespace peakline
