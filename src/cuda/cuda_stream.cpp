#include "cuda/cuda_stream.h"

#include <cstdint>
#include <thread>

#include "cuda/check.h"

namespace peakline::cuda {
namespace {

/// Calls `use` with each watch that is still kept.
template <typename Use>
void each_kept(const std::vector<std::weak_ptr<const Watch>>& watches, Use use) {
  for (const std::weak_ptr<const Watch>& watch : watches) {
    if (const auto kept = watch.lock()) use(*kept);
  }
}

}  // namespace

void CudaStream::watch(const std::shared_ptr<const Watch>& watch) {
  std::erase_if(watches_, [](const auto& other) { return other.expired(); });
  watches_.push_back(watch);
}

void CudaStream::wait() const {
  poll([this] { return cudaStreamQuery(stream_.get()); });
}

void CudaStream::wait_for(cudaEvent_t event) const {
  poll([event] { return cudaEventQuery(event); });
}

void CudaStream::poll(const std::function<cudaError_t()>& query) const {
  constexpr std::uint64_t rounds_between_questions = 64;
  for (std::uint64_t round = 0;; ++round) {
    const cudaError_t status = query();
    if (status == cudaSuccess) return;
    if (status != cudaErrorNotReady) check(status);
    if (round % rounds_between_questions == 0) ask_all();
    std::this_thread::yield();
  }
}

void CudaStream::ask_all() const {
  try {
    each_kept(watches_, [](const Watch& watch) { watch.ask(); });
  } catch (...) {
    each_kept(watches_, [](const Watch& watch) { watch.give_up(); });
    throw;
  }
}

}  // namespace peakline::cuda
