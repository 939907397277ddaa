#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace peakline {

/// Where a rank was when its time ran out.
struct Situation {
  std::string phase;
  std::string case_key;
  double in_phase_s = 0;
};

/// A thread of its own that calls `on_expiry` once when the run is still going on after `limit_s`:
/// the measured thread may be stuck in a call that never returns. Leaving the scope disarms it.
class Watchdog {
 public:
  Watchdog(double limit_s, std::function<void(const Situation&)> on_expiry);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void enter(std::string_view phase, std::string_view case_key);

  /// What was entered last, and how long ago.
  Situation situation() const;

 private:
  void watch();

  using Clock = std::chrono::steady_clock;
  std::function<void(const Situation&)> on_expiry_;
  Clock::time_point deadline_;
  mutable std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;
  Situation situation_{"start", "", 0};
  Clock::time_point entered_ = Clock::now();
  std::thread thread_;
};

}  // namespace peakline
