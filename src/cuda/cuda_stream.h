#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cuda/handles.h"

namespace peakline::cuda {

/// Something whose work is in the stream, and that may know why it will never be done.
struct Watch {
  std::function<void()> ask;      ///< throws when there is nothing left to wait for
  std::function<void()> give_up;  ///< ends what is under way in the stream; must not throw
};

/// The stream of a rank, and how the host waits for it: by polling, so that what can go wrong
/// elsewhere meanwhile (a lost peer, say) is noticed instead of waited for.
class CudaStream {
 public:
  CudaStream() : stream_(make_stream()) {}

  cudaStream_t get() const { return stream_.get(); }

  /// Asked now and then while waiting, for as long as the caller keeps it. When one throws, all
  /// give up before the exception goes on: the buffers on its way are freed, and that waits for
  /// whatever still uses the GPU.
  void watch(const std::shared_ptr<const Watch>& watch);

  void wait() const;
  void wait_for(cudaEvent_t event) const;

 private:
  void poll(const std::function<cudaError_t()>& query) const;
  void ask_all() const;

  Stream stream_;
  std::vector<std::weak_ptr<const Watch>> watches_;
};

}  // namespace peakline::cuda
