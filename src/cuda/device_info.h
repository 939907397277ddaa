#pragma once

#include <filesystem>

#include "core/device.h"

namespace peakline::cuda {

/// What a GPU says of itself. Throws an Error when it does not answer.
DeviceInfo describe_gpu(int ordinal);

/// PCI bus id as "0000:1b:00.0".
std::string bus_id_of(int ordinal);

/// "gpu 0000:1b:00.0": what a GPU is called in records and sentences.
std::string gpu_label(int ordinal);

/// How many GPUs the driver lists in `folder` (/proc/driver/nvidia/gpus), whichever of them this
/// process may see; 0 when there is no such folder.
std::int64_t installed_gpus(const std::filesystem::path& folder);

/// Whether the CUDA runtime in use is the emulation of Peakline's tests, which says so by a symbol
/// of its own: nothing from it is ever a speed.
bool is_emulated();

}  // namespace peakline::cuda
