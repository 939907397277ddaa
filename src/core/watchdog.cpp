#include "core/watchdog.h"

#include <algorithm>

namespace peakline {
namespace {

auto ticks(double time_s) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(time_s));
}

}  // namespace

Watchdog::Watchdog(double limit_s, double grace_s, std::function<void(const Situation&)> on_expiry)
    : on_expiry_(std::move(on_expiry)),
      grace_(ticks(grace_s)),
      earliest_(Clock::now() + ticks(limit_s) + grace_),
      thread_(&Watchdog::watch, this) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  thread_.join();
}

void Watchdog::enter(std::string_view phase, std::string_view case_key, double more_s) {
  const std::lock_guard lock(mutex_);
  situation_.phase = phase;
  situation_.case_key = case_key;
  const Clock::time_point now = Clock::now();
  longest_ = std::max(longest_, now - entered_);
  entered_ = now;
  more_ = ticks(more_s);
}

Situation Watchdog::situation() const {
  const std::lock_guard lock(mutex_);
  Situation now = situation_;
  now.in_phase_s = std::chrono::duration<double>(Clock::now() - entered_).count();
  return now;
}

/// As things stand: it moves on with every sign of life.
Watchdog::Clock::time_point Watchdog::expiry() const {
  constexpr int patience = 3;
  return std::max(earliest_, entered_ + std::max(grace_ + more_, patience * longest_));
}

void Watchdog::watch() {
  {
    std::unique_lock lock(mutex_);
    while (Clock::now() < expiry()) {
      if (stopped_.wait_until(lock, expiry(), [this] { return stop_; })) return;
    }
  }
  on_expiry_(situation());
}

}  // namespace peakline
