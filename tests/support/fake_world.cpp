#include "support/fake_world.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace peakline {

FakeWorld::FakeWorld(std::vector<std::string> hosts, NumberOf number_of)
    : hosts_(std::move(hosts)), number_of_(std::move(number_of)) {}

std::vector<double> FakeWorld::all_numbers(double of_rank_0) const {
  std::vector<double> all(hosts_.size(), of_rank_0);
  for (int rank = 1; number_of_ && rank < size(); ++rank) {
    all[static_cast<std::size_t>(rank)] = number_of_(rank, of_rank_0);
  }
  return all;
}

std::vector<double> FakeWorld::gather(double value) {
  on_call("gather");
  return all_numbers(value);
}

std::vector<std::string> FakeWorld::gather(const std::string& text) {
  on_call("gather");
  return text == host() ? hosts_ : std::vector<std::string>(hosts_.size(), text);
}

void FakeWorld::maximum(std::span<double> values) {
  on_call("maximum");
  for (double& value : values) {
    const std::vector<double> all = all_numbers(value);
    value = *std::max_element(all.begin(), all.end());
  }
}

std::int64_t FakeWorld::agree(std::int64_t decision_of_rank_0) {
  on_call("agree");
  return decision_of_rank_0;
}

std::string FakeWorld::agree(const std::string& text_of_rank_0) {
  on_call("agree");
  return text_of_rank_0;
}

std::unique_ptr<World> FakeWorld::split(int) {
  on_call("split");
  return std::make_unique<FakeWorld>(hosts_, number_of_);
}

namespace {

/// Leaves a rank that waits for one that is gone.
struct RankLost {};

/// Where all ranks of a run meet, whatever group they are in, so that one that is lost is noticed
/// everywhere.
struct Meeting {
  std::mutex mutex;
  std::condition_variable changed;
  bool lost = false;
};

/// What the ranks of one group share: a barrier and a table with one row for each rank.
struct Group {
  struct Row {
    std::vector<double> numbers;
    std::int64_t decision = 0;
    std::string text;
    std::shared_ptr<Group> part;
  };

  Group(std::shared_ptr<Meeting> place, std::vector<std::string> names)
      : meeting(std::move(place)), hosts(std::move(names)), rows(hosts.size()) {}

  void wait() {
    std::unique_lock lock(meeting->mutex);
    const int mine = round;
    if (++arrived == hosts.size()) {
      arrived = 0;
      ++round;
      meeting->changed.notify_all();
    }
    meeting->changed.wait(lock, [&] { return round != mine || meeting->lost; });
    if (round == mine) throw RankLost{};
  }

  std::shared_ptr<Meeting> meeting;
  std::vector<std::string> hosts;
  std::vector<Row> rows;
  std::size_t arrived = 0;
  int round = 0;
};

class ThreadWorld final : public World {
 public:
  ThreadWorld(std::shared_ptr<Group> group, std::size_t rank)
      : group_(std::move(group)), rank_(rank) {}

  int rank() const override { return static_cast<int>(rank_); }
  int size() const override { return static_cast<int>(group_->hosts.size()); }
  const std::string& host() const override { return group_->hosts[rank_]; }
  void barrier() override { group_->wait(); }

  std::vector<double> gather(double value) override {
    std::vector<double> all;
    exchange([&](Group::Row& row) { row.numbers = {value}; },
             [&](const Group::Row& row) {
               if (is_root()) all.push_back(row.numbers.front());
             });
    return all;
  }

  std::vector<std::string> gather(const std::string& text) override {
    std::vector<std::string> all;
    exchange([&](Group::Row& row) { row.text = text; },
             [&](const Group::Row& row) {
               if (is_root()) all.push_back(row.text);
             });
    return all;
  }

  void maximum(std::span<double> values) override {
    exchange([&](Group::Row& row) { row.numbers.assign(values.begin(), values.end()); },
             [&](const Group::Row& row) {
               if (row.numbers.size() != values.size()) {
                 throw std::logic_error("the ranks gave different numbers of values to maximum()");
               }
               for (std::size_t i = 0; i < values.size(); ++i) {
                 values[i] = std::max(values[i], row.numbers[i]);
               }
             });
  }

  std::int64_t agree(std::int64_t decision_of_rank_0) override {
    std::int64_t agreed = 0;
    exchange([&](Group::Row& row) { row.decision = decision_of_rank_0; },
             [&](const Group::Row&) { agreed = group_->rows.front().decision; });
    return agreed;
  }

  std::string agree(const std::string& text_of_rank_0) override {
    std::string agreed;
    exchange([&](Group::Row& row) { row.text = text_of_rank_0; },
             [&](const Group::Row&) { agreed = group_->rows.front().text; });
    return agreed;
  }

  std::unique_ptr<World> split(int group) override {
    std::vector<std::size_t> members;
    std::size_t other = 0;
    exchange([&](Group::Row& row) { row.decision = group; },
             [&](const Group::Row& row) {
               if (row.decision == group) members.push_back(other);
               ++other;
             });
    std::vector<std::string> hosts;
    for (std::size_t member : members) hosts.push_back(group_->hosts[member]);
    std::shared_ptr<Group> part;
    exchange(
        [&](Group::Row& row) {
          const bool founds = members.front() == rank_;
          row.part = founds ? std::make_shared<Group>(group_->meeting, hosts) : nullptr;
        },
        [&](const Group::Row&) { part = group_->rows[members.front()].part; });
    const auto self = std::find(members.begin(), members.end(), rank_);
    return std::make_unique<ThreadWorld>(part, static_cast<std::size_t>(self - members.begin()));
  }

 private:
  /// `write` fills this rank's row, `read` sees every row once all are filled, in rank order.
  template <typename Write, typename Read>
  void exchange(Write write, Read read) {
    write(group_->rows[rank_]);
    group_->wait();
    for (const Group::Row& row : group_->rows) read(row);
    group_->wait();
  }

  std::shared_ptr<Group> group_;
  std::size_t rank_;
};

void run_rank(const std::shared_ptr<Group>& group, std::size_t rank,
              const std::function<void(World&)>& body, std::exception_ptr& failure) {
  try {
    ThreadWorld world(group, rank);
    body(world);
  } catch (const RankLost&) {
    // Another rank's own exception says why.
  } catch (...) {
    failure = std::current_exception();
    const std::lock_guard lock(group->meeting->mutex);
    group->meeting->lost = true;
    group->meeting->changed.notify_all();
  }
}

}  // namespace

void run_ranks(const std::vector<std::string>& hosts, const std::function<void(World&)>& body) {
  const auto group = std::make_shared<Group>(std::make_shared<Meeting>(), hosts);
  std::vector<std::exception_ptr> failures(hosts.size());
  std::vector<std::thread> ranks;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    ranks.emplace_back([&, rank] { run_rank(group, rank, body, failures[rank]); });
  }
  for (std::thread& rank : ranks) rank.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace peakline
