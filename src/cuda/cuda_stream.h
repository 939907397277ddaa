#pragma once

#include <functional>
#include <utility>

#include "cuda/handles.h"

namespace peakline::cuda {

/// The stream of a rank, and how the host waits for it: by polling, so that what can go wrong
/// elsewhere meanwhile (a lost peer, say) is noticed instead of waited for.
class CudaStream {
 public:
  CudaStream() : stream_(make_stream()) {}

  cudaStream_t get() const { return stream_.get(); }

  /// Asked now and then while waiting; throws to give up. Empty: nobody is asked.
  void watch(std::function<void()> trouble) { trouble_ = std::move(trouble); }

  void wait() const;
  void wait_for(cudaEvent_t event) const;

 private:
  void poll(const std::function<cudaError_t()>& query) const;

  Stream stream_;
  std::function<void()> trouble_;
};

}  // namespace peakline::cuda
