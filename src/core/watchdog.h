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

/// A thread of its own that calls `on_expiry` once when the run is stuck: the measured thread may
/// be in a call that never returns. Stuck is a run that goes on `grace_s` after `limit_s` and has
/// entered nothing new for `grace_s` and what it asked for on top, nor for three times as long as
/// anything took before: a large message takes longer than all smaller ones and is healthy. Leaving
/// the scope disarms it.
class Watchdog {
 public:
  Watchdog(double limit_s, double grace_s, std::function<void(const Situation&)> on_expiry);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// `more_s` on top of the grace for something that is known to take long.
  void enter(std::string_view phase, std::string_view case_key, double more_s = 0);

  /// What was entered last, and how long ago.
  Situation situation() const;

 private:
  using Clock = std::chrono::steady_clock;

  void watch();
  Clock::time_point expiry() const;

  std::function<void(const Situation&)> on_expiry_;
  Clock::duration grace_;
  Clock::time_point earliest_;
  mutable std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;
  Situation situation_{"start", "", 0};
  Clock::time_point entered_ = Clock::now();
  Clock::duration longest_{0};  ///< between two calls of enter()
  Clock::duration more_{0};
  std::thread thread_;
};

}  // namespace peakline
