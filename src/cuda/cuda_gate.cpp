#include "cuda/cuda_gate.h"

#include <atomic>
#include <new>
#include <utility>

#include "cuda/launch.h"

namespace peakline::cuda {

CudaGate::CudaGate(const CudaStream& stream, long long limit_ticks)
    : stream_(&stream),
      limit_ticks_(limit_ticks),
      memory_(allocate_pinned(sizeof(kernels::GateState))) {
  new (memory_.get()) kernels::GateState{0, 0};
}

void CudaGate::hold() {
  launch(stream_->get(), Grid{}, &kernels::wait_at_gate, &state(), turn_ + 1, limit_ticks_);
  ++turn_;
}

void CudaGate::release() noexcept {
  std::atomic_ref(state().opened).store(turn_, std::memory_order_release);
}

bool CudaGate::gave_up() { return std::exchange(state().gave_up, 0) != 0; }

}  // namespace peakline::cuda
