#include "cuda/cuda_stream.h"

#include <thread>

namespace peakline::cuda {

void CudaStream::wait() const {
  poll([this] { return cudaStreamQuery(stream_.get()); });
}

void CudaStream::wait_for(cudaEvent_t event) const {
  poll([event] { return cudaEventQuery(event); });
}

void CudaStream::poll(const std::function<cudaError_t()>& query) const {
  constexpr int rounds_between_questions = 64;
  for (int round = 0;; ++round) {
    const cudaError_t status = query();
    if (status == cudaSuccess) return;
    if (status != cudaErrorNotReady) check(status);
    if (trouble_ && round % rounds_between_questions == 0) trouble_();
    std::this_thread::yield();
  }
}

}  // namespace peakline::cuda
