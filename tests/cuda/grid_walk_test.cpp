#include <cstdint>
#include <stdexcept>
#include <vector>

#include "cpu_kernel.h"  // what the next one needs of CUDA
#include "kernels/grid_walk.h"
#include "support/catch.h"

using namespace peakline::kernels;

namespace {

struct Place {
  unsigned thread;
  unsigned threads;
  unsigned block;
  unsigned blocks;
};

/// The indices below `count` that fall to this thread of the grid. An index of too few bits may
/// never come to an end, so the walk has one.
std::vector<std::int64_t> indices_at(const Place& place, std::int64_t count) {
  constexpr std::size_t most = 16;
  emulated::position() = {{place.thread, 0, 0}, {place.block, 0, 0}, place.threads, place.blocks};
  std::vector<std::int64_t> indices;
  for_each_index(count, [&](std::int64_t i) {
    if (indices.size() == most) throw std::runtime_error("the walk does not end");
    indices.push_back(i);
  });
  return indices;
}

/// As indices_at, by batches of three; none may be used before all of its batch are loaded.
std::vector<std::int64_t> batched_at(const Place& place, std::int64_t count) {
  emulated::position() = {{place.thread, 0, 0}, {place.block, 0, 0}, place.threads, place.blocks};
  std::vector<std::int64_t> used;
  std::size_t loaded = 0;
  for_each_batch<3>(
      count,
      [&](std::int64_t i) {
        ++loaded;
        return i;
      },
      [&](std::int64_t i, std::int64_t value) {
        if (value != i) throw std::runtime_error("a value went astray");
        const bool whole_batch = i - place.thread + 3 * std::int64_t{place.threads} <= count;
        if (whole_batch && loaded % 3 != 0) throw std::runtime_error("used too early");
        used.push_back(i);
      });
  return used;
}

constexpr std::int64_t two_to(int power) { return std::int64_t{1} << power; }

}  // namespace

TEST_CASE("a thread walks from its own index on by the size of the grid") {
  CHECK(indices_at({3, 64, 1, 2}, 1000) ==
        std::vector<std::int64_t>{67, 195, 323, 451, 579, 707, 835, 963});
  CHECK(indices_at({3, 64, 1, 2}, 68) == std::vector<std::int64_t>{67});
  CHECK(indices_at({3, 64, 1, 2}, 67).empty());
}

TEST_CASE("a walk by batches loads a batch before it uses it, and reaches every index once") {
  CHECK(batched_at({3, 64, 1, 2}, 1000) ==
        std::vector<std::int64_t>{195, 259, 323, 579, 643, 707, 963});
  CHECK(batched_at({3, 64, 0, 2}, 68) == std::vector<std::int64_t>{3, 67});
  CHECK(batched_at({3, 64, 1, 2}, 195).empty());
  for (const std::int64_t count : {0, 1, 191, 192, 193, 1000, 1153}) {
    std::vector<int> visits(static_cast<std::size_t>(count), 0);
    for (unsigned block = 0; block < 2; ++block) {
      for (unsigned thread = 0; thread < 64; ++thread) {
        for (std::int64_t i : batched_at({thread, 64, block, 2}, count))
          ++visits.at(static_cast<std::size_t>(i));
      }
    }
    CHECK(visits == std::vector<int>(static_cast<std::size_t>(count), 1));
  }
  const std::int64_t tile = 3 * std::int64_t{256} << 26U;  // beyond 2^32
  CHECK(batched_at({5, 256, 0, 1U << 26U}, tile + 6) ==
        std::vector<std::int64_t>{5, 261, 517, tile + 5});
}

TEST_CASE("indices beyond 2^31 and 2^32 are walked in full") {
  const unsigned blocks = 1U << 26U;
  for (unsigned threads : {64U, 256U}) {
    CAPTURE(threads);
    const std::int64_t stride = std::int64_t{threads} * blocks;  // 2^32 and 2^34
    const std::int64_t first = stride / 2 + 5;
    CHECK(indices_at({5, threads, blocks / 2, blocks}, 2 * stride) ==
          std::vector<std::int64_t>{first, first + stride});
    CHECK(indices_at({threads - 1, threads, blocks - 1, blocks}, 3 * stride) ==
          std::vector<std::int64_t>{stride - 1, 2 * stride - 1, 3 * stride - 1});
  }
  // A small grid gets there by its strides.
  const std::vector<std::int64_t> far = indices_at({0, 256, 0, 1U << 21U}, two_to(32) + 1);
  CHECK(far.size() == 9);
  CHECK(far.back() == two_to(32));
}
