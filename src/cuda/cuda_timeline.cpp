#include "cuda/cuda_timeline.h"

#include <vector>

namespace peakline::cuda {
namespace {

class CudaTimeline final : public Timeline {
 public:
  explicit CudaTimeline(const CudaStream& stream) : stream_(&stream) {}

  void mark() override {
    reserve(used_ + 1);
    check(cudaEventRecord(events_[used_].get(), stream_->get()));
    ++used_;
  }

  void reserve(std::size_t marks) override {
    while (events_.size() < marks) events_.push_back(make_event());
  }

  std::vector<double> intervals_s() override {
    std::vector<double> intervals;
    if (used_ > 0) stream_->wait_for(events_[used_ - 1].get());
    for (std::size_t i = 1; i < used_; ++i) {
      float elapsed_ms = 0;
      check(cudaEventElapsedTime(&elapsed_ms, events_[i - 1].get(), events_[i].get()));
      intervals.push_back(static_cast<double>(elapsed_ms) * 1e-3);
    }
    used_ = 0;
    return intervals;
  }

 private:
  const CudaStream* stream_;
  std::vector<Event> events_;  ///< kept, because making one is slow
  std::size_t used_ = 0;
};

}  // namespace

std::unique_ptr<Timeline> make_cuda_timeline(const CudaStream& stream) {
  return std::make_unique<CudaTimeline>(stream);
}

}  // namespace peakline::cuda
