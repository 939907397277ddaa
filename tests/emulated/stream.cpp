#include "stream.h"

#include <atomic>
#include <utility>

namespace emulated {

Stream::Stream() : thread_(&Stream::work_off, this) {}

Stream::~Stream() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Stream::enqueue(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    if (graph_ != nullptr) return graph_->works.push_back(std::move(work));
    queue_.push_back(std::move(work));
  }
  changed_.notify_all();
}

bool Stream::begin_capture() {
  const std::lock_guard lock(mutex_);
  if (graph_ != nullptr) return false;
  graph_ = std::make_shared<Graph>();
  return true;
}

SharedGraph Stream::end_capture() {
  const std::lock_guard lock(mutex_);
  return std::exchange(graph_, nullptr);
}

SharedGraph Stream::captured() {
  const std::lock_guard lock(mutex_);
  return graph_;
}

bool Stream::is_idle() {
  const std::lock_guard lock(mutex_);
  return queue_.empty() && !busy_;
}

void Stream::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queue_.empty() && !busy_; });
}

/// What is left when the stream is destroyed is still done, as CUDA does.
void Stream::work_off() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stop_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    busy_ = true;
    lock.unlock();
    work();
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

void Event::record_in(Stream& stream) {
  moment_ = std::make_shared<EventMoment>();
  moment_->reached = false;
  stream.enqueue([moment = moment_] {
    const std::lock_guard lock(moment->mutex);
    moment->time = std::chrono::steady_clock::now();
    moment->reached = true;
  });
}

void Event::hold_up(Stream& stream) const {
  stream.enqueue([moment = moment_] {
    constexpr std::chrono::microseconds pause{20};
    std::unique_lock lock(moment->mutex);
    while (!moment->reached) {
      lock.unlock();
      std::this_thread::sleep_for(pause);
      lock.lock();
    }
  });
}

bool Event::is_reached() const {
  const std::lock_guard lock(moment_->mutex);
  return moment_->reached;
}

std::chrono::steady_clock::time_point Event::time() const {
  const std::lock_guard lock(moment_->mutex);
  return moment_->time;
}

Stream& stream_of(cudaStream_t handle) {
  static Stream default_stream;
  return handle == nullptr ? default_stream : *reinterpret_cast<Stream*>(handle);
}

namespace {

std::atomic<cudaError_t>& first_error() {
  static std::atomic<cudaError_t> error = cudaSuccess;
  return error;
}

}  // namespace

void set_sticky_error(cudaError_t error) {
  cudaError_t none = cudaSuccess;
  first_error().compare_exchange_strong(none, error);
}

cudaError_t sticky_error() { return first_error(); }

}  // namespace emulated
