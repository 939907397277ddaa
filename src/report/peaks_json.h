#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compare/gpu_peaks.h"

namespace peakline {

/// The table of GPUs as a file (baselines/peaks/README.md, baselines/schema/peaks.schema.json),
/// whose figures stand in the units of the data sheets.
inline constexpr std::string_view peaks_schema = "peakline.peaks";
inline constexpr std::int64_t peaks_schema_version = 1;

/// Figures in SI units. Whatever is not as the format promises, a figure that is not positive, and
/// an id or a name that stands twice is a usage Error with file and place.
std::vector<GpuPeaks> read_peaks(std::string_view text, const std::string& name_for_errors);
std::vector<GpuPeaks> read_peaks_file(const std::string& path);

}  // namespace peakline
