#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "loader/pipeline.h"
#include "loader/record_content.h"
#include "loader/scratch_dir.h"
#include "support/catch.h"

using namespace peakline;
namespace fs = std::filesystem;

namespace {

constexpr DatasetSpec spec{64, 48, 10, 42};

LoaderOptions options_with(std::int64_t threads, std::int64_t batch_size = 8) {
  LoaderOptions options;
  options.dataset = spec;
  options.batch_size = batch_size;
  options.threads = threads;
  options.queue_batches = 2;
  options.shuffle_seed = 1;
  return options;
}

/// Makes the records itself, and does to a record or a whole read what a test asks for.
class FakeReader final : public RecordReader {
 public:
  using Hook = std::function<void(std::int64_t record, std::span<std::byte> bytes)>;

  explicit FakeReader(Hook hook) : hook_(std::move(hook)) {}

  std::int64_t read(std::span<const std::int64_t> records, std::span<std::byte> into) override {
    const auto size = into.size() / records.size();
    for (std::size_t i = 0; i < records.size(); ++i) {
      const auto bytes = into.subspan(i * size, size);
      fill_record(spec.seed, records[i], bytes);
      hook_(records[i], bytes);
    }
    return static_cast<std::int64_t>(records.size()) * read_bytes_each;
  }

  static constexpr std::int64_t read_bytes_each = 4096;  ///< as an engine that reads whole pages

 private:
  Hook hook_;
};

Loader::MakeReader fake(FakeReader::Hook hook) {
  return [hook] { return std::make_unique<FakeReader>(hook); };
}

void leave_alone(std::int64_t, std::span<std::byte>) {}

using BatchKey = std::pair<std::int64_t, std::int64_t>;  ///< epoch and index

std::map<BatchKey, std::vector<std::int64_t>> take(Loader& loader, std::int64_t batches) {
  std::map<BatchKey, std::vector<std::int64_t>> taken;
  for (std::int64_t i = 0; i < batches; ++i) {
    const Batch& batch = loader.next();
    taken[{batch.epoch, batch.index}] = batch.records;
  }
  return taken;
}

}  // namespace

TEST_CASE("a batch holds the records that its order says, whichever threads read them") {
  const ScratchDir base = ScratchDir::temporary(fs::temp_directory_path());
  const fs::path folder = base.path() / "dataset";
  write_dataset(folder, spec);
  for (std::int64_t batch_size : {1, 5, 8}) {
    for (std::int64_t threads : {1, 2, 4}) {
      CAPTURE(batch_size, threads);
      Loader loader(options_with(threads, batch_size),
                    [&] { return open_pread_reader(folder, spec); });
      const BatchOrder order{spec.records, batch_size, 0, 1, 1};
      std::vector<std::int64_t> expected(static_cast<std::size_t>(batch_size));
      for (std::int64_t i = 0; i < 3 * order.batches_per_epoch(); ++i) {
        const Batch& batch = loader.next();
        order.records_of(batch.epoch * order.batches_per_epoch() + batch.index, expected);
        REQUIRE(batch.records == expected);
        REQUIRE(batch.data.size() == static_cast<std::size_t>(batch_size * spec.record_bytes));
        for (std::size_t r = 0; r < expected.size(); ++r) {
          const auto bytes = std::span(batch.data).subspan(r * 64, 64);
          REQUIRE(is_record(spec.seed, expected[r], bytes));
        }
        REQUIRE(batch.wrong == 0);
        REQUIRE(batch.bytes_read == batch_size * spec.record_bytes);
      }
    }
  }
}

TEST_CASE("no batch is lost or comes twice, with any number of threads") {
  constexpr std::int64_t epochs = 9;
  for (std::int64_t threads : {1, 3, 16}) {
    CAPTURE(threads);
    Loader loader(options_with(threads), fake(leave_alone));
    std::set<BatchKey> seen;
    std::int64_t seen_of_these = 0;
    // A batch may be overtaken, so the last of these may need a few more to be taken.
    for (int i = 0; i < 1000 && seen_of_these < 6 * epochs; ++i) {
      const Batch& batch = loader.next();
      REQUIRE(batch.index < 6);
      REQUIRE(seen.insert({batch.epoch, batch.index}).second);
      if (batch.epoch < epochs) ++seen_of_these;
    }
    CHECK(seen_of_these == 6 * epochs);
  }
}

TEST_CASE("ranks share an epoch") {
  std::multiset<std::int64_t> seen;
  for (std::int64_t rank : {0, 1}) {
    LoaderOptions options = options_with(1);
    options.ranks = 2;
    options.rank = rank;
    Loader loader(options, fake(leave_alone));
    for (const auto& [key, records] : take(loader, 3)) {
      CHECK(key.first == 0);
      seen.insert(records.begin(), records.end());
    }
  }
  CHECK(seen.size() == 48);
  CHECK(std::set(seen.begin(), seen.end()).size() == 48);
}

TEST_CASE("wrong records are counted in their batch and the first is named") {
  const std::set<std::int64_t> damaged{11, 30, 31};
  Loader loader(options_with(3), fake([&](std::int64_t record, std::span<std::byte> bytes) {
                  if (damaged.contains(record)) bytes[17] ^= std::byte{1};
                }));
  for (int i = 0; i < 30; ++i) {
    const Batch& batch = loader.next();
    std::set<std::int64_t> expected;
    for (std::int64_t record : batch.records) {
      if (damaged.contains(record)) expected.insert(record);
    }
    REQUIRE(batch.wrong == static_cast<std::int64_t>(expected.size()));
    REQUIRE(batch.first_wrong.has_value() == !expected.empty());
    if (!expected.empty()) REQUIRE(*batch.first_wrong == *expected.begin());
  }
}

TEST_CASE("the bytes of a batch are those its engine read, and the wait is what next() took") {
  constexpr std::chrono::milliseconds slow{20};
  Loader loader(options_with(1, 1), fake([&](std::int64_t, std::span<std::byte>) {
                  std::this_thread::sleep_for(slow);
                }));
  double waited_s = 0;
  std::chrono::duration<double> elapsed{};
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const Batch& batch = loader.next();
    elapsed += std::chrono::steady_clock::now() - begin;
    waited_s += batch.wait_s;
    CHECK(batch.bytes_read == FakeReader::read_bytes_each);
  }
  CHECK(waited_s <= elapsed.count());
  CHECK(waited_s >= elapsed.count() / 2);
}

TEST_CASE("threads read ahead as far as there are buffers, and no further") {
  std::atomic<std::int64_t> records_read = 0;
  const LoaderOptions options = options_with(2);
  Loader loader(options, fake([&](std::int64_t, std::span<std::byte>) { ++records_read; }));
  loader.next();
  const std::int64_t most = options.batch_buffers() * options.batch_size;
  for (int i = 0; i < 1000 && records_read < most; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  std::this_thread::sleep_for(std::chrono::milliseconds{50});
  CHECK(records_read == most);
  CHECK(options.buffer_bytes() == most * spec.record_bytes);
}

TEST_CASE("a loader ends promptly wherever its consumer stops") {
  for (std::int64_t threads : {1, 4}) {
    for (std::int64_t queue_batches : {1, 4}) {
      for (std::int64_t batches : {0, 1, 2, 7}) {
        LoaderOptions options = options_with(threads);
        options.queue_batches = queue_batches;
        std::atomic<bool> ended = false;
        std::atomic<int> read_after_the_end = 0;
        {
          Loader loader(options, fake([&](std::int64_t, std::span<std::byte>) {
                          if (ended) ++read_after_the_end;
                        }));
          CHECK(take(loader, batches).size() == static_cast<std::size_t>(batches));
        }
        ended = true;
        CHECK(read_after_the_end == 0);
      }
    }
  }
}

TEST_CASE("what a reader throws comes out of next, from then on") {
  for (std::int64_t threads : {1, 4}) {
    CAPTURE(threads);
    Loader loader(options_with(threads), fake([](std::int64_t record, std::span<std::byte>) {
                    if (record == 20) throw usage_error("cannot read record 20");
                  }));
    CHECK_THROWS_WITH(take(loader, 100), "cannot read record 20");
    CHECK_THROWS_WITH(loader.next(), "cannot read record 20");
  }
}

TEST_CASE("a loader whose reader failed ends although nobody asks") {
  int ended = 0;  // a destructor that hangs is ended by the test's time limit
  for (std::int64_t threads : {1, 4}) {
    std::promise<void> failed;
    std::atomic<bool> first = true;
    Loader loader(options_with(threads), fake([&](std::int64_t, std::span<std::byte>) {
                    if (first.exchange(false)) failed.set_value();
                    throw usage_error("cannot read");
                  }));
    failed.get_future().wait();
    ++ended;
  }
  CHECK(ended == 2);
}

TEST_CASE("a truncated shard surfaces in the consumer with its file and record") {
  const ScratchDir base = ScratchDir::temporary(fs::temp_directory_path());
  const fs::path folder = base.path() / "dataset";
  write_dataset(folder, spec);
  fs::resize_file(shard_path(folder, 2), 9 * 64 + 1);
  Loader loader(options_with(3), [&] { return open_pread_reader(folder, spec); });
  CHECK_THROWS_WITH(take(loader, 100), Catch::Contains(shard_path(folder, 2).string()) &&
                                           Catch::Contains("within record 29"));
}

TEST_CASE("a reader that cannot be made ends the threads that have started") {
  int made = 0;
  const Loader::MakeReader second_fails = [&]() -> std::unique_ptr<RecordReader> {
    if (++made == 2) throw usage_error("cannot open");
    return std::make_unique<FakeReader>(leave_alone);
  };
  CHECK_THROWS_WITH(Loader(options_with(3), second_fails), "cannot open");
  CHECK(made == 2);
}

TEST_CASE("options that make no loader are refused") {
  LoaderOptions too_large_batch = options_with(1, 49);
  CHECK_THROWS_WITH(Loader(too_large_batch, fake(leave_alone)), Catch::Contains("too small"));
  CHECK_THROWS_WITH(Loader(options_with(0), fake(leave_alone)), Catch::Contains("0 threads"));
  LoaderOptions no_queue = options_with(1);
  no_queue.queue_batches = 0;
  CHECK_THROWS_WITH(Loader(no_queue, fake(leave_alone)), Catch::Contains("queue of 0"));
  LoaderOptions no_memory = options_with(1);
  no_memory.dataset.record_bytes = std::int64_t{1} << 60;
  CHECK_THROWS_AS(Loader(no_memory, fake(leave_alone)), OutOfMemory);
}
