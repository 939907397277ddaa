// NVML's interface, as far as Peakline uses it: what the emulated GPU says of its state. Always the
// same but for the faults, since nothing here ever heats up.
#include "cuda/nvml.h"

#include <cstdio>
#include <cstring>

#include "fault.h"
#include "gpu_model.h"

namespace {

namespace nvml = peakline::cuda::nvml;

constexpr nvml::Status invalid_argument = 2;
constexpr nvml::Status not_supported = 3;
constexpr nvml::Status library_mismatch = 18;

const emulated::GpuModel& model() { return emulated::node().model; }

nvml::Status answer(unsigned* place, unsigned value) {
  *place = value;
  return nvml::success;
}

/// What an old or a consumer card does not tell.
nvml::Status answer_if_told(unsigned* place, unsigned value) {
  return emulated::strikes("nvml_partly") ? not_supported : answer(place, value);
}

unsigned clock_mhz(unsigned which) {
  const int khz = which == nvml::clock_of_sm ? model().clock_khz : model().memory_clock_khz;
  return static_cast<unsigned>(khz / 1000);
}

bool is_slow() { return emulated::strikes("throttled") || emulated::strikes("power_capped"); }

}  // namespace

extern "C" {

nvml::Status nvmlInit_v2() {
  return emulated::strikes("nvml_fails") ? library_mismatch : nvml::success;
}

const char* nvmlErrorString(nvml::Status status) {
  return status == library_mismatch ? "Driver/library version mismatch" : "an emulated error";
}

nvml::Status nvmlSystemGetNVMLVersion(char* text, unsigned size) {
  std::snprintf(text, size, "emulated");
  return nvml::success;
}

nvml::Status nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, nvml::Device* device) {
  for (const int number : emulated::node().visible) {
    if (emulated::bus_id(number) != bus_id) continue;
    *device = reinterpret_cast<nvml::Device>(static_cast<std::intptr_t>(number + 1));
    return nvml::success;
  }
  return invalid_argument;
}

nvml::Status nvmlDeviceGetClockInfo(nvml::Device, unsigned which, unsigned* value) {
  return answer(value, clock_mhz(which) * (is_slow() ? 6U : 10U) / 10U);
}

nvml::Status nvmlDeviceGetMaxClockInfo(nvml::Device, unsigned which, unsigned* value) {
  return answer(value, clock_mhz(which));
}

nvml::Status nvmlDeviceGetPowerUsage(nvml::Device, unsigned* value) {
  const unsigned watt = static_cast<unsigned>(model().power_limit_w);
  return answer_if_told(value, watt * (emulated::strikes("power_capped") ? 1000U : 800U));
}

nvml::Status nvmlDeviceGetEnforcedPowerLimit(nvml::Device, unsigned* value) {
  return answer_if_told(value, static_cast<unsigned>(model().power_limit_w) * 1000U);
}

nvml::Status nvmlDeviceGetTemperature(nvml::Device, unsigned, unsigned* value) {
  return answer(value, emulated::strikes("hot") ? 91 : 60);
}

nvml::Status nvmlDeviceGetCurrentClocksThrottleReasons(nvml::Device, unsigned long long* bits) {
  *bits = (emulated::strikes("throttled") ? nvml::thermal_slowdown_by_hardware : 0) |
          (emulated::strikes("power_capped") ? nvml::power_cap : 0);
  return nvml::success;
}

nvml::Status nvmlDeviceGetMemoryInfo(nvml::Device, nvml::Memory* memory) {
  const unsigned long long used = emulated::strikes("memory_full") ? 95 : 10;
  *memory = {100, 100 - used, used};
  return nvml::success;
}

nvml::Status nvmlDeviceGetUtilizationRates(nvml::Device, nvml::Utilization* utilization) {
  *utilization = {100, 50};
  return nvml::success;
}

nvml::Status nvmlDeviceGetTotalEccErrors(nvml::Device, unsigned, unsigned,
                                         unsigned long long* count) {
  static unsigned long long errors = 0;  // of both kinds, by one thread at a time
  if (emulated::strikes("nvml_partly")) return not_supported;
  *count = emulated::strikes("ecc_errors") ? ++errors : errors;
  return nvml::success;
}

nvml::Status nvmlDeviceGetRemappedRows(nvml::Device, unsigned* corrected, unsigned* uncorrected,
                                       unsigned* pending, unsigned* failed) {
  *corrected = *uncorrected = *pending = *failed = 0;
  return model().major >= 8 ? nvml::success : not_supported;
}

nvml::Status nvmlDeviceGetCurrPcieLinkGeneration(nvml::Device, unsigned* value) {
  return answer_if_told(value, static_cast<unsigned>(model().pcie_generation));
}

nvml::Status nvmlDeviceGetCurrPcieLinkWidth(nvml::Device, unsigned* value) {
  return answer_if_told(value, emulated::strikes("narrow_pcie") ? 8 : 16);
}

nvml::Status nvmlDeviceGetMaxPcieLinkGeneration(nvml::Device, unsigned* value) {
  return answer_if_told(value, static_cast<unsigned>(model().pcie_generation));
}

nvml::Status nvmlDeviceGetMaxPcieLinkWidth(nvml::Device, unsigned* value) {
  return answer_if_told(value, 16);
}

nvml::Status nvmlDeviceGetNvLinkState(nvml::Device, unsigned link, unsigned* up) {
  if (link >= static_cast<unsigned>(model().nvlinks)) return invalid_argument;
  return answer(up, 1);
}

}  // extern "C"
