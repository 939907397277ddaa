#include "cuda/device_info.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <system_error>

#include "cuda/check.h"
#include "cuda/compatibility.h"
#include "cuda/gpu_choice.h"
#include "cuda/numa.h"

namespace peakline::cuda {
namespace {

std::int64_t attribute(cudaDeviceAttr which, int ordinal) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, ordinal));
  return value;
}

/// As nvidia-smi prints it: "GPU-" and sixteen bytes in five groups.
std::string text_of(const cudaUUID_t& uuid) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
    text += digits[byte / 16];
    text += digits[byte % 16];
  }
  return text;
}

Facts facts_of(int ordinal, const cudaDeviceProp& properties) {
  Facts facts;
  facts["compute_capability"] =
      std::to_string(properties.major) + "." + std::to_string(properties.minor);
  facts["multiprocessors"] = static_cast<std::int64_t>(properties.multiProcessorCount);
  facts["memory_bytes"] = static_cast<std::int64_t>(properties.totalGlobalMem);
  facts["memory_bus_bits"] = static_cast<std::int64_t>(properties.memoryBusWidth);
  facts["l2_bytes"] = static_cast<std::int64_t>(properties.l2CacheSize);
  facts["ecc"] = properties.ECCEnabled != 0 ? "on" : "off";
  facts["sm_clock_khz"] = attribute(cudaDevAttrClockRate, ordinal);
  facts["memory_clock_khz"] = attribute(cudaDevAttrMemoryClockRate, ordinal);
  int driver = 0;
  int runtime = 0;
  check(cudaDriverGetVersion(&driver));
  check(cudaRuntimeGetVersion(&runtime));
  facts["cuda_of_driver"] = cuda_version_text(driver);
  facts["cuda_of_runtime"] = cuda_version_text(runtime);
  return facts;
}

}  // namespace

std::string bus_id_of(int ordinal) {
  std::array<char, 32> text{};
  check(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), ordinal));
  return text.data();
}

std::string gpu_label(int ordinal) { return "gpu " + bus_id_of(ordinal); }

std::int64_t installed_gpus(const std::filesystem::path& folder) {
  std::error_code failure;
  const std::filesystem::directory_iterator entries(folder, failure);
  return failure ? 0 : std::distance(begin(entries), end(entries));
}

bool is_emulated() {
  Dl_info runtime{};
  if (dladdr(reinterpret_cast<const void*>(&cudaGetDeviceCount), &runtime) == 0) return false;
  void* library = dlopen(runtime.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return false;
  const bool marked = dlsym(library, "peakline_emulated_gpu") != nullptr;
  dlclose(library);
  return marked;
}

DeviceInfo describe_gpu(int ordinal) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, ordinal));
  const GpuName name = parse_gpu_name(properties.name);
  int visible = 0;
  check(cudaGetDeviceCount(&visible));
  DeviceInfo info;
  info.model = name.model;
  info.mig_profile = name.mig_profile;
  info.label = gpu_label(ordinal);
  info.uuid = text_of(properties.uuid);
  info.visible_devices = visible;
  info.timer = "cuda_event";
  info.memory = MemoryOwner::device;
  info.cache_bytes = static_cast<std::size_t>(properties.l2CacheSize);
  info.emulated = is_emulated();
  const std::int64_t installed = info.emulated ? 0 : installed_gpus("/proc/driver/nvidia/gpus");
  info.devices_per_node = std::max<std::int64_t>(visible, installed);
  info.facts = facts_of(ordinal, properties);
  const NumaNodes nodes = find_numa_nodes("/sys", bus_id_of(ordinal));
  info.numa_obstacle = numa_obstacle(nodes);
  info.facts["host_numa_nodes"] = static_cast<std::int64_t>(nodes.count);
  if (nodes.count > 1 && !info.numa_obstacle.empty()) {
    info.facts["host_numa_placement"] = "none: " + info.numa_obstacle;
  }
  if (name.is_virtual) info.facts["virtual_gpu"] = "yes";
  return info;
}

}  // namespace peakline::cuda
