#pragma once

#include "core/device.h"
#include "cuda/cuda_stream.h"
#include "kernels/kernels.h"

namespace peakline::cuda {

/// A kernel that waits in the stream for a word in pinned memory of the host, and no longer than so
/// many ticks of the GPU's clock: what it holds back may be what the host waits for.
class CudaGate final : public Gate {
 public:
  CudaGate(const CudaStream& stream, long long limit_ticks);

  void hold() override;
  void release() noexcept override;
  bool gave_up() override;

 private:
  kernels::GateState& state() const { return *static_cast<kernels::GateState*>(memory_.get()); }

  const CudaStream* stream_;
  long long limit_ticks_;
  PinnedMemory memory_;
  unsigned long long turn_ = 0;
};

}  // namespace peakline::cuda
