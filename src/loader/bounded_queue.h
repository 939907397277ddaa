#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

namespace peakline {

/// A queue between threads that holds at most `capacity` items: push() waits while it is full,
/// pop() while it is empty. Closing or failing it ends both at once, on all threads, and drops what
/// is queued.
template <typename Item>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

  /// False, with the item dropped, once the queue is closed or has failed.
  bool push(Item item) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [&] { return ended_ || items_.size() < capacity_; });
    if (ended_) return false;
    items_.push_back(std::move(item));
    lock.unlock();
    not_empty_.notify_one();
    return true;
  }

  /// Empty once the queue is closed. Throws what fail() was given.
  std::optional<Item> pop() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [&] { return ended_ || !items_.empty(); });
    if (failure_) std::rethrow_exception(failure_);
    if (ended_) return std::nullopt;
    std::optional<Item> item(std::move(items_.front()));
    items_.pop_front();
    lock.unlock();
    not_full_.notify_one();
    return item;
  }

  void close() { end(nullptr); }

  /// Whoever pops learns why nothing comes any more; the first failure stands.
  void fail(std::exception_ptr failure) { end(std::move(failure)); }

 private:
  void end(std::exception_ptr failure) {
    {
      const std::scoped_lock lock(mutex_);
      if (!failure_) failure_ = std::move(failure);
      ended_ = true;
    }
    not_full_.notify_all();
    not_empty_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable not_full_;
  std::condition_variable not_empty_;
  std::deque<Item> items_;
  std::size_t capacity_;
  std::exception_ptr failure_;
  bool ended_ = false;
};

}  // namespace peakline
