#include <cuda_runtime_api.h>
#include <nccl.h>

#include "core/accelerator.h"
#include "core/error.h"
#include "cuda/check.h"
#include "cuda/compatibility.h"
#include "cuda/cuda_device.h"
#include "cuda/device_info.h"
#include "cuda/gpu_choice.h"
#include "cuda/nccl_communicator.h"

namespace peakline::cuda {
namespace {

/// Nothing of CUDA but the versions is asked before they are known to fit.
void refuse_misfit() {
  Versions versions;
  check(cudaDriverGetVersion(&versions.driver));
  check(cudaRuntimeGetVersion(&versions.runtime));
  versions.nccl = nccl_version();
  versions.nccl_compiled = NCCL_VERSION_CODE;
  if (const std::string sentence = misfit(versions); !sentence.empty()) {
    throw usage_error(sentence);
  }
}

int visible_gpus() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorNoDevice) {
    cudaGetLastError();
    return 0;
  }
  check(status);
  return count;
}

class CudaAccelerator final : public Accelerator {
 public:
  AcceleratorIdentity choose(int local_rank) override {
    refuse_misfit();
    ordinal_ = choose_gpu(local_rank, visible_gpus());
    return {describe_gpu(ordinal_).model, bus_id_of(ordinal_)};
  }

  std::unique_ptr<Device> open_device() override { return make_cuda_device(ordinal_); }

  std::unique_ptr<Communicator> connect(World& world, Device& device, double limit_s) override {
    return make_nccl_communicator(world, dynamic_cast<CudaDevice&>(device), limit_s);
  }

 private:
  int ordinal_ = 0;
};

}  // namespace
}  // namespace peakline::cuda

extern "C" peakline::Accelerator* peakline_make_accelerator() {
  return new peakline::cuda::CudaAccelerator;
}
