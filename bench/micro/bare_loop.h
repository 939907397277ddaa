#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

/// The plainest way to time something: warm up, then samples of about a millisecond for about a
/// third of a second. Shares no code with Peakline, on purpose.
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

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};
template <typename Number>
using BareArray = std::unique_ptr<Number[], FreeMemory>;

/// Begins at a page, as the buffers of Peakline's host device do: where arrays lie within a page
/// changes the speed of copies and small messages by several per cent, and is not what is compared
/// here.
template <typename Number>
BareArray<Number> make_array(std::size_t count, Number value) {
  constexpr std::size_t page_bytes = 4096;
  const std::size_t pages = (count * sizeof(Number) + page_bytes - 1) / page_bytes;
  BareArray<Number> array(static_cast<Number*>(std::aligned_alloc(page_bytes, pages * page_bytes)));
  std::fill_n(array.get(), count, value);
  return array;
}

inline double middle_of(std::vector<double> values) {
  const auto half = static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), values.begin() + half, values.end());
  return values[static_cast<std::size_t>(half)];
}
