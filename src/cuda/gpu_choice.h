#pragma once

#include <string>

namespace peakline::cuda {

/// Which of the GPUs that this process sees the rank takes that is the `local_rank`-th of its node.
/// A launcher that shows one GPU to each rank (Slurm with --gpus-per-task, a CUDA_VISIBLE_DEVICES
/// of its own) has chosen already. A usage Error when there is none for this rank.
int choose_gpu(int local_rank, int visible);

/// A GPU's name without the slice it may be ("NVIDIA A100-SXM4-40GB MIG 1g.5gb"), and the slice.
struct GpuName {
  std::string model;
  std::string mig_profile;  ///< empty for a whole GPU
  bool is_virtual = false;  ///< shared by a hypervisor (NVIDIA vGPU: "GRID A100-10C", "A40-8Q")
};
GpuName parse_gpu_name(const std::string& name);

}  // namespace peakline::cuda
