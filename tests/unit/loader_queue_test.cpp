#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "loader/bounded_queue.h"
#include "support/catch.h"

using namespace peakline;

namespace {

constexpr std::chrono::milliseconds long_enough_to_wait{50};

template <typename Result>
bool waits(const std::future<Result>& call) {
  return call.wait_for(long_enough_to_wait) == std::future_status::timeout;
}

std::exception_ptr failure(const char* text) {
  return std::make_exception_ptr(std::runtime_error(text));
}

}  // namespace

TEST_CASE("items come out in the order in which they went in") {
  BoundedQueue<int> queue(3);
  for (int item : {1, 2, 3}) REQUIRE(queue.push(item));
  for (int item : {1, 2, 3}) CHECK(queue.pop() == item);
}

TEST_CASE("a full queue makes its producer wait") {
  BoundedQueue<int> queue(2);
  REQUIRE(queue.push(1));
  REQUIRE(queue.push(2));
  auto third = std::async(std::launch::async, [&] { return queue.push(3); });
  CHECK(waits(third));
  CHECK(queue.pop() == 1);
  CHECK(third.get());
}

TEST_CASE("an empty queue makes its consumer wait") {
  BoundedQueue<int> queue(2);
  auto item = std::async(std::launch::async, [&] { return queue.pop(); });
  CHECK(waits(item));
  REQUIRE(queue.push(7));
  CHECK(item.get() == 7);
}

TEST_CASE("closing a queue ends those who wait and drops what is queued") {
  BoundedQueue<int> full(1);
  REQUIRE(full.push(1));
  auto producer = std::async(std::launch::async, [&] { return full.push(2); });
  BoundedQueue<int> empty(1);
  auto consumer = std::async(std::launch::async, [&] { return empty.pop(); });
  CHECK(waits(producer));
  CHECK(waits(consumer));
  full.close();
  empty.close();
  CHECK_FALSE(producer.get());
  CHECK(consumer.get() == std::nullopt);
  CHECK(full.pop() == std::nullopt);
}

TEST_CASE("a failure reaches every consumer, before and after, and ends the producers") {
  BoundedQueue<int> queue(1);
  auto consumer = std::async(std::launch::async, [&] { return queue.pop(); });
  CHECK(waits(consumer));
  queue.fail(failure("first"));
  queue.fail(failure("second"));
  queue.close();
  CHECK_THROWS_WITH(consumer.get(), "first");
  CHECK_THROWS_WITH(queue.pop(), "first");
  CHECK_FALSE(queue.push(1));
}

TEST_CASE("many producers and consumers lose nothing and take nothing twice") {
  constexpr int producers = 4;
  constexpr int consumers = 3;
  constexpr int items_each = 2000;
  BoundedQueue<int> queue(5);
  std::vector<std::atomic<int>> taken(producers * items_each);
  std::atomic<int> left = producers * items_each;
  std::vector<std::jthread> threads;
  for (int producer = 0; producer < producers; ++producer) {
    threads.emplace_back([&, producer] {
      for (int i = 0; i < items_each; ++i) queue.push(producer * items_each + i);
    });
  }
  for (int consumer = 0; consumer < consumers; ++consumer) {
    threads.emplace_back([&] {
      while (const auto item = queue.pop()) {
        ++taken[static_cast<std::size_t>(*item)];
        if (--left == 0) queue.close();
      }
    });
  }
  threads.clear();
  CHECK(left == 0);
  for (const auto& times : taken) REQUIRE(times == 1);
}
