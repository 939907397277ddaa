#pragma once

#include <string>
#include <vector>

#include "compare/gpu_peaks.h"
#include "core/record.h"

namespace peakline {

/// A line for each GPU: dense rates in TFLOP/s, memory, NVLink and PCIe in GB/s per direction.
std::string peaks_table(const std::vector<GpuPeaks>& gpus);

/// All that is known of one, with the published measurements and their sources.
std::string peaks_of_gpu(const GpuPeaks& gpu);

/// The ceilings that a run measured on its own machine, each once.
std::string measured_ceilings(const Record& record);

}  // namespace peakline
