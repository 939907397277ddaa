#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "graph.h"

namespace emulated {

/// Where an event was last recorded: shared with the stream that will reach it.
struct EventMoment {
  std::mutex mutex;
  bool reached = true;  ///< an event that was never recorded counts as complete
  std::chrono::steady_clock::time_point time;
};

/// A queue of work and the thread that does it, in order and in its own time.
class Stream {
 public:
  Stream();
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// While a graph is captured, the work goes into it and is not done.
  void enqueue(std::function<void()> work);

  bool begin_capture();       ///< false when one is under way
  SharedGraph end_capture();  ///< null when none was
  SharedGraph captured();     ///< so far; null when nothing is captured

  bool is_idle();
  void wait();

 private:
  void work_off();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  SharedGraph graph_;
  bool busy_ = false;
  bool stop_ = false;
  std::thread thread_;
};

class Event {
 public:
  void record_in(Stream& stream);

  /// What comes later in the stream waits for where this event was last recorded.
  void hold_up(Stream& stream) const;
  bool is_reached() const;
  std::chrono::steady_clock::time_point time() const;

 private:
  std::shared_ptr<EventMoment> moment_ = std::make_shared<EventMoment>();
};

/// The stream behind a handle; the default stream for null.
Stream& stream_of(cudaStream_t handle);

/// The first error that work on a stream ran into. It stays, as CUDA's do.
void set_sticky_error(cudaError_t error);
cudaError_t sticky_error();

}  // namespace emulated
