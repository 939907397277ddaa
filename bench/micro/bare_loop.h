#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

/// The plainest way to time something: warm up, then samples of about a millisecond for about a third
/// of a second. Shares no code with Peakline, on purpose.
inline std::vector<double> time_bare_loop(const auto& step, double total_s = 0.3) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
  };
  const Clock::time_point warm_begin = Clock::now();
  int warm_steps = 0;
  while (seconds(Clock::now() - warm_begin) < 0.02 || warm_steps < 2) {
    step();
    ++warm_steps;
  }
  const double step_s = seconds(Clock::now() - warm_begin) / warm_steps;
  const int steps = std::max(1, static_cast<int>(1e-3 / step_s));
  const int samples = std::max(5, static_cast<int>(total_s / (step_s * steps)));
  std::vector<double> times_s;
  for (int sample = 0; sample < samples; ++sample) {
    const Clock::time_point begin = Clock::now();
    for (int i = 0; i < steps; ++i) step();
    times_s.push_back(seconds(Clock::now() - begin) / steps);
  }
  return times_s;
}

inline double middle_of(std::vector<double> values) {
  const auto half = static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), values.begin() + half, values.end());
  return values[static_cast<std::size_t>(half)];
}
