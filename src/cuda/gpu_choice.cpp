#include "cuda/gpu_choice.h"

#include <regex>

#include "core/error.h"

namespace peakline::cuda {

int choose_gpu(int local_rank, int visible) {
  if (visible <= 0) {
    throw usage_error("this process sees no GPU: check nvidia-smi and CUDA_VISIBLE_DEVICES");
  }
  if (visible == 1) return 0;
  if (local_rank < visible) return local_rank;
  const std::string gpus = std::to_string(visible);
  throw usage_error("this process sees " + gpus + " GPUs and is rank " +
                    std::to_string(local_rank) + " of its node, counted from 0: start at most " +
                    gpus + " ranks on each node (mpirun --map-by ppr:" + gpus +
                    ":node), or show the ranks more GPUs (CUDA_VISIBLE_DEVICES)");
}

GpuName parse_gpu_name(const std::string& name) {
  static const std::regex slice(R"((.*) MIG (\S+))");
  static const std::regex shared(R"(.*-\d+[ABCQ])");  // frame buffer in GB and the kind of licence
  GpuName parsed{name, "", std::regex_match(name, shared)};
  if (std::smatch parts; std::regex_match(name, parts, slice)) {
    parsed.model = parts[1];
    parsed.mig_profile = parts[2];
  }
  return parsed;
}

}  // namespace peakline::cuda
