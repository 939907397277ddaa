#include "core/host_timeline.h"

#include <chrono>

namespace peakline {
namespace {

class HostTimeline final : public Timeline {
 public:
  HostTimeline() { marks_.reserve(64); }
  void mark() override { marks_.push_back(Clock::now()); }

  std::vector<double> intervals_s() override {
    std::vector<double> intervals;
    for (std::size_t i = 1; i < marks_.size(); ++i) {
      intervals.push_back(std::chrono::duration<double>(marks_[i] - marks_[i - 1]).count());
    }
    marks_.clear();
    return intervals;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::vector<Clock::time_point> marks_;
};

}  // namespace

std::unique_ptr<Timeline> make_host_timeline() { return std::make_unique<HostTimeline>(); }

}  // namespace peakline
