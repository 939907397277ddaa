#include "core/watchdog.h"

namespace peakline {

Watchdog::Watchdog(double limit_s, std::function<void(const Situation&)> on_expiry)
    : on_expiry_(std::move(on_expiry)),
      deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(limit_s))),
      thread_(&Watchdog::watch, this) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  thread_.join();
}

void Watchdog::enter(std::string_view phase, std::string_view case_key) {
  const std::lock_guard lock(mutex_);
  situation_.phase = phase;
  situation_.case_key = case_key;
  entered_ = Clock::now();
}

Situation Watchdog::situation() const {
  const std::lock_guard lock(mutex_);
  Situation now = situation_;
  now.in_phase_s = std::chrono::duration<double>(Clock::now() - entered_).count();
  return now;
}

void Watchdog::watch() {
  {
    std::unique_lock lock(mutex_);
    if (stopped_.wait_until(lock, deadline_, [this] { return stop_; })) return;
  }
  on_expiry_(situation());
}

}  // namespace peakline
