#include "cuda/gemm_library.h"

#include <utility>

#include "cuda/gemm_plan.h"

namespace peakline::cuda {
namespace {

class Product final : public Operation {
 public:
  Product(std::shared_ptr<const GemmPlan> plan, const GemmOperands& operands, cudaStream_t stream)
      : plan_(std::move(plan)), operands_(operands), stream_(stream) {}
  void enqueue() override { plan_->enqueue(operands_, stream_); }

 private:
  std::shared_ptr<const GemmPlan> plan_;
  GemmOperands operands_;
  cudaStream_t stream_;
};

}  // namespace

GemmLibrary::GemmLibrary(const CudaStream& stream, int compute_major)
    : stream_(&stream), compute_major_(compute_major), library_(load_cublaslt(obstacle_)) {}

GemmLibrary::~GemmLibrary() {
  plans_.clear();
  if (handle_ != nullptr) library_->destroy(handle_);
}

std::string GemmLibrary::name() const { return library_ ? library_->name() : ""; }

std::string GemmLibrary::why_not(const GemmShape& shape) {
  if (!library_) return "cuBLASLt cannot be loaded (" + obstacle_ + ")";
  constexpr int first_with_tf32 = 8;
  if (shape.tf32 && compute_major_ < first_with_tf32) {
    return "the GPU has no tf32, which came with compute capability 8.0";
  }
  if (!cublaslt_types(shape)) {
    return library_->name() + " has no GEMM of " + std::string(name_of(shape.type));
  }
  if (plan_of(shape)->is_possible()) return "";
  return library_->name() + " has no way to multiply " + std::string(name_of(shape.type)) +
         " of these sizes on this GPU";
}

std::unique_ptr<Operation> GemmLibrary::product(const GemmShape& shape, const Buffer& a,
                                                const Buffer& b, Buffer& c) {
  if (workspace_ == nullptr) workspace_ = allocate_device(gemm_workspace_bytes);
  const GemmOperands operands{a.data(), b.data(), c.data(), workspace_.get()};
  std::shared_ptr<GemmPlan> plan = plan_of(shape);
  plan->choose(operands, *stream_);
  return std::make_unique<Product>(std::move(plan), operands, stream_->get());
}

std::shared_ptr<GemmPlan> GemmLibrary::plan_of(const GemmShape& shape) {
  if (handle_ == nullptr) library_->check(library_->create(&handle_));
  for (const auto& plan : plans_) {
    if (plan->shape() == shape) return plan;
  }
  plans_.push_back(std::make_shared<GemmPlan>(*library_, handle_, shape, *cublaslt_types(shape)));
  return plans_.back();
}

}  // namespace peakline::cuda
