#pragma once

#include <vector>

#include "compare/gpu_peaks.h"
#include "compare/machine.h"
#include "core/result.h"

namespace peakline {

/// What PCIe lets through of a copy between pinned host memory and one GPU in one direction, in
/// B/s, by the link that the slowest GPU and its slot are capable of (telemetry
/// `pcie_generation_possible_min`, `pcie_width_possible_min`, so that a link that came up narrower
/// is seen): `attainable`, the best that was published for the generation, scaled from 16 lanes,
/// and `nominal`, the rate of the lanes after their line code. Empty for every other copy, from the
/// far NUMA node, where the link is not known, before PCIe 3.0, and where NVLink-C2C leads to the
/// host.
std::vector<Peak> host_copy_peaks(const Result& result, const Machine& machine,
                                  const std::vector<GpuPeaks>& table);

/// What NVLink lets through of an all-reduce over all GPUs of one node, as bus bandwidth in B/s:
/// `attainable`, what NCCL reckons that its rings get of the links, or that the switches give where
/// they add up (NVLS), and `nominal`, the data sheet's rate in one direction. A link that is down
/// is a fault and lowers neither. Empty where data go through the host or PCIe, where only some of
/// a node's GPUs take part, and for a number of GPUs that does not use all links.
std::vector<Peak> allreduce_peaks(const Result& result, const Machine& machine,
                                  const std::vector<GpuPeaks>& table);

}  // namespace peakline
