#include "cuda/nvml.h"

#include <dlfcn.h>

namespace peakline::cuda::nvml {
namespace {

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

Functions find_all(void* library) {
  Functions functions;
  find(library, "nvmlInit_v2", functions.init);
  find(library, "nvmlErrorString", functions.error_string);
  find(library, "nvmlSystemGetNVMLVersion", functions.version);
  find(library, "nvmlDeviceGetHandleByPciBusId_v2", functions.handle_by_bus_id);
  find(library, "nvmlDeviceGetClockInfo", functions.clock_mhz);
  find(library, "nvmlDeviceGetMaxClockInfo", functions.max_clock_mhz);
  find(library, "nvmlDeviceGetPowerUsage", functions.power_mw);
  find(library, "nvmlDeviceGetEnforcedPowerLimit", functions.power_limit_mw);
  find(library, "nvmlDeviceGetTemperature", functions.temperature_c);
  // Renamed in driver 535; the old name is still there.
  find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", functions.slowdown_reasons);
  find(library, "nvmlDeviceGetMemoryInfo", functions.memory);
  find(library, "nvmlDeviceGetUtilizationRates", functions.utilization);
  find(library, "nvmlDeviceGetTotalEccErrors", functions.ecc_errors);
  find(library, "nvmlDeviceGetRemappedRows", functions.remapped_rows);
  find(library, "nvmlDeviceGetCurrPcieLinkGeneration", functions.pcie_generation);
  find(library, "nvmlDeviceGetCurrPcieLinkWidth", functions.pcie_width);
  find(library, "nvmlDeviceGetMaxPcieLinkGeneration", functions.pcie_generation_possible);
  find(library, "nvmlDeviceGetMaxPcieLinkWidth", functions.pcie_width_possible);
  find(library, "nvmlDeviceGetNvLinkState", functions.nvlink_is_up);
  return functions;
}

}  // namespace

std::optional<Functions> load(std::string& obstacle) {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);  // as long as the process
  if (library == nullptr) {
    obstacle = dlerror();
    return std::nullopt;
  }
  const Functions functions = find_all(library);
  if (functions.init == nullptr || functions.handle_by_bus_id == nullptr) {
    obstacle = "libnvidia-ml.so.1 lacks a function of today's";
    return std::nullopt;
  }
  const Status status = functions.init();
  if (status == success) return functions;
  obstacle = functions.error_string != nullptr ? functions.error_string(status)
                                               : "nvmlInit failed with " + std::to_string(status);
  return std::nullopt;
}

}  // namespace peakline::cuda::nvml
