#include "cuda/gpu_telemetry.h"

#include <array>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "cuda/nvml.h"

namespace peakline::cuda {
namespace {

/// One GPU through NVML. What it does not support is left out of the reading.
class Gpu {
 public:
  Gpu(const nvml::Functions& functions, nvml::Device device)
      : nvml_(functions), device_(device), nvlinks_(count_nvlinks()) {}

  Reading read() const {
    Reading reading;
    add_clocks(reading);
    add_state(reading);
    add_slowdown(reading);
    add_links(reading);
    add_errors(reading);
    return reading;
  }

 private:
  /// What a function answers after these arguments; nothing when it cannot.
  template <typename Value, typename Function, typename... Arguments>
  std::optional<Value> ask(Function function, Arguments... arguments) const {
    Value value{};
    if (function == nullptr || function(device_, arguments..., &value) != nvml::success) {
      return std::nullopt;
    }
    return value;
  }

  template <typename Value>
  static void put(Reading& reading, std::string_view name, const std::optional<Value>& value,
                  double unit = 1) {
    if (value) reading[name] = static_cast<double>(*value) * unit;
  }

  void add_clocks(Reading& reading) const {
    constexpr double mhz = 1e6;
    const auto clock = [&](auto function, unsigned which) {
      return ask<unsigned>(function, which);
    };
    put(reading, quantity::sm_clock_hz, clock(nvml_.clock_mhz, nvml::clock_of_sm), mhz);
    put(reading, quantity::sm_clock_max_hz, clock(nvml_.max_clock_mhz, nvml::clock_of_sm), mhz);
    put(reading, quantity::memory_clock_hz, clock(nvml_.clock_mhz, nvml::clock_of_memory), mhz);
  }

  void add_state(Reading& reading) const {
    constexpr double milli = 1e-3;
    constexpr double percent = 1e-2;
    put(reading, quantity::power_w, ask<unsigned>(nvml_.power_mw), milli);
    put(reading, quantity::power_limit_w, ask<unsigned>(nvml_.power_limit_mw), milli);
    put(reading, quantity::temperature_c,
        ask<unsigned>(nvml_.temperature_c, nvml::temperature_of_gpu));
    if (const auto memory = ask<nvml::Memory>(nvml_.memory); memory && memory->total > 0) {
      reading[quantity::memory_used] =
          static_cast<double>(memory->used) / static_cast<double>(memory->total);
    }
    if (const auto rates = ask<nvml::Utilization>(nvml_.utilization)) {
      reading[quantity::utilization] = rates->gpu * percent;
    }
  }

  void add_slowdown(Reading& reading) const {
    const auto reasons = ask<unsigned long long>(nvml_.slowdown_reasons);
    if (!reasons) return;
    const auto holds = [&](unsigned long long bits) { return (*reasons & bits) != 0 ? 1.0 : 0.0; };
    constexpr unsigned long long by_heat =
        nvml::thermal_slowdown_by_software | nvml::thermal_slowdown_by_hardware;
    reading[quantity::power_capped] = holds(nvml::power_cap);
    reading[quantity::thermal_slowdown] = holds(by_heat);
    reading[quantity::hardware_slowdown] = holds(nvml::hardware_slowdown | nvml::power_brake);
  }

  void add_links(Reading& reading) const {
    put(reading, quantity::pcie_generation, ask<unsigned>(nvml_.pcie_generation));
    put(reading, quantity::pcie_width, ask<unsigned>(nvml_.pcie_width));
    put(reading, quantity::pcie_generation_possible, ask<unsigned>(nvml_.pcie_generation_possible));
    put(reading, quantity::pcie_width_possible, ask<unsigned>(nvml_.pcie_width_possible));
    if (nvlinks_ == 0) return;
    double up = 0;
    for (unsigned link = 0; link < nvlinks_; ++link) {
      up += ask<unsigned>(nvml_.nvlink_is_up, link).value_or(0) != 0 ? 1 : 0;
    }
    reading[quantity::nvlinks_up] = up;
  }

  void add_errors(Reading& reading) const {
    const auto errors = [&](unsigned kind) {
      return ask<unsigned long long>(nvml_.ecc_errors, kind, nvml::since_driver_load);
    };
    put(reading, quantity::ecc_corrected, errors(nvml::corrected));
    put(reading, quantity::ecc_uncorrected, errors(nvml::uncorrected));
    std::array<unsigned, 4> rows{};  // corrected, uncorrected, pending, failed
    if (nvml_.remapped_rows != nullptr &&
        nvml_.remapped_rows(device_, &rows[0], &rows[1], &rows[2], &rows[3]) == nvml::success) {
      reading[quantity::rows_remapped] = rows[0] + rows[1];
    }
  }

  /// The links that this GPU has, in use or not: NVML knows no other way to ask for their number.
  unsigned count_nvlinks() const {
    unsigned link = 0;
    while (link < nvml::most_nvlinks && ask<unsigned>(nvml_.nvlink_is_up, link)) ++link;
    return link;
  }

  nvml::Functions nvml_;
  nvml::Device device_;
  unsigned nvlinks_;
};

/// Reads on a thread of its own. Asking takes the driver's locks, so it is not done often.
class Sampler final : public Telemetry {
 public:
  explicit Sampler(const Gpu& gpu) : gpu_(gpu) {}
  ~Sampler() override { stop(); }

  void begin() override {
    stop();
    readings_ = {gpu_.read()};
    stopping_ = false;
    thread_ = std::thread([this] { keep_reading(); });
  }

  std::vector<Reading> end() override {
    stop();
    readings_.push_back(gpu_.read());
    return std::move(readings_);
  }

 private:
  static constexpr std::chrono::milliseconds period{100};

  void keep_reading() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, period, [this] { return stopping_; })) {
      readings_.push_back(gpu_.read());
    }
  }

  void stop() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  Gpu gpu_;
  std::vector<Reading> readings_;  ///< the thread's while it runs
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

std::string source_of(const nvml::Functions& functions) {
  std::array<char, 80> version{};
  const bool known = functions.version != nullptr &&
                     functions.version(version.data(), version.size()) == nvml::success;
  return std::string("NVML ") + (known ? version.data() : "of unknown version");
}

/// The limit may be set lower than the GPU's own, to save power, and then nothing is wrong with it.
Facts facts_of(const Reading& reading) {
  Facts facts;
  const auto limit_w = reading.find(quantity::power_limit_w);
  if (limit_w != reading.end()) facts["power_limit_w"] = std::llround(limit_w->second);
  return facts;
}

}  // namespace

GpuTelemetry make_telemetry(const std::string& bus_id) {
  std::string obstacle;
  const auto functions = nvml::load(obstacle);
  if (!functions) return {nullptr, "none: " + obstacle};
  nvml::Device device = nullptr;
  if (functions->handle_by_bus_id(bus_id.c_str(), &device) != nvml::success) {
    return {nullptr, "none: NVML knows no GPU " + bus_id};
  }
  const Gpu gpu(*functions, device);
  return {std::make_unique<Sampler>(gpu), source_of(*functions), facts_of(gpu.read())};
}

}  // namespace peakline::cuda
