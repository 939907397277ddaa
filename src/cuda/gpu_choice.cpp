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
  throw usage_error("there are " + std::to_string(visible) +
                    " GPUs on this node and more ranks: start at most " + std::to_string(visible) +
                    " on each (mpirun --map-by ppr:" + std::to_string(visible) + ":node)");
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
