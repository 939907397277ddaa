#include "cuda/memory_operation.h"

#include "cuda/check.h"
#include "cuda/launch.h"

namespace peakline::cuda {
namespace {

class MemoryOperation final : public Operation {
 public:
  MemoryOperation(MemoryKernel kernel, const MemoryArrays& arrays, cudaStream_t stream,
                  const Grid& grid)
      : kernel_(kernel), arrays_(arrays), stream_(stream), grid_(grid) {}

  void enqueue() override {
    const auto& [a, b, c, count] = arrays_;
    switch (kernel_) {
      case MemoryKernel::copy: return launch(stream_, grid_, &kernels::copy, a, b, count);
      case MemoryKernel::scale: return launch(stream_, grid_, &kernels::scale, a, b, count);
      case MemoryKernel::triad: return launch(stream_, grid_, &kernels::triad, a, b, c, count);
      case MemoryKernel::read: return launch(stream_, grid_, &kernels::read, a, b, count);
      case MemoryKernel::memcpy:
        return check(cudaMemcpyAsync(a, b, static_cast<std::size_t>(count) * sizeof(double),
                                     cudaMemcpyDeviceToDevice, stream_));
    }
  }

 private:
  MemoryKernel kernel_;
  MemoryArrays arrays_;
  cudaStream_t stream_;
  Grid grid_;
};

}  // namespace

std::unique_ptr<Operation> make_memory_operation(MemoryKernel kernel, const MemoryArrays& arrays,
                                                 cudaStream_t stream, int multiprocessors) {
  return std::make_unique<MemoryOperation>(kernel, arrays, stream,
                                           grid_for(arrays.count, multiprocessors));
}

}  // namespace peakline::cuda
