#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "core/error.h"
#include "cuda/cuda_device.h"
#include "cuda/device_info.h"
#include "support/catch.h"

using namespace peakline;

namespace {

/// One for all cases: making it is what a process does once.
Device& device() {
  static const std::unique_ptr<Device> the_device = cuda::make_cuda_device(0);
  return *the_device;
}

/// None, one, less and more than a vector, a prime, a block and its neighbours.
const std::vector<std::int64_t> awkward_counts{0, 1, 2, 3, 5, 255, 256, 257, 4099, 100003};

template <typename Number>
std::vector<Number> downloaded(const Buffer& buffer, std::int64_t count) {
  std::vector<Number> values(static_cast<std::size_t>(count));
  device().download(values.data(), buffer, values.size() * sizeof(Number));
  return values;
}

std::unique_ptr<Buffer> buffer_of(std::int64_t count, DataType type) {
  return device().allocate(static_cast<std::size_t>(count) * size_of(type));
}

}  // namespace

TEST_CASE("the emulation is known as such") { CHECK(cuda::is_emulated()); }

TEST_CASE("a GPU says what it is") {
  const DeviceInfo& info = device().info();
  CHECK(info.model == "NVIDIA H100 80GB HBM3");
  CHECK(info.label == "gpu 0000:1b:00.0");
  CHECK(info.emulated);
  CHECK(info.memory == MemoryOwner::device);
  CHECK(info.facts.at("compute_capability") == ParamValue("9.0"));
  CHECK(info.facts.at("multiprocessors") == ParamValue(std::int64_t{132}));
}

TEST_CASE("random data are those of the host, at any count") {
  for (DataType type : all_data_types) {
    for (std::int64_t count : awkward_counts) {
      const auto buffer = buffer_of(count, type);
      device().fill_random(*buffer, type, 42);
      with_type(type, [&](auto zero) {
        const auto values = downloaded<decltype(zero)>(*buffer, count);
        std::int64_t wrong = 0;
        for (std::int64_t i = 0; i < count; ++i) {
          const auto expected =
              random_element<decltype(zero)>(mix64(42 + static_cast<std::uint64_t>(i)));
          wrong += values[static_cast<std::size_t>(i)] != expected ? 1 : 0;
        }
        CHECK(wrong == 0);
      });
    }
  }
}

TEST_CASE("patterns are those of the host, at any count, type and operation") {
  for (DataType type : all_data_types) {
    for (ReduceOp op : all_reduce_ops) {
      const PatternSpec spec = make_pattern(7, 5, type, op);
      for (std::int64_t count : awkward_counts) {
        const auto buffer = buffer_of(count, type);
        device().fill_pattern(*buffer, type, count, spec, 3);
        with_type(type, [&](auto zero) {
          const auto values = downloaded<decltype(zero)>(*buffer, count);
          std::int64_t wrong = 0;
          for (std::int64_t i = 0; i < count; ++i) {
            const auto expected = static_cast<decltype(zero)>(pattern_input(spec, i, 3));
            wrong += values[static_cast<std::size_t>(i)] != expected ? 1 : 0;
          }
          CHECK(wrong == 0);
        });
      }
    }
  }
}

TEST_CASE("the check finds every wrong element and the first of them") {
  const std::int64_t count = 4099;
  for (DataType type : all_data_types) {
    const PatternSpec alone =
        make_pattern(7, 1, type, ReduceOp::sum);  // input and result are alike
    const auto buffer = buffer_of(count, type);
    device().fill_pattern(*buffer, type, count, alone, 0);
    CHECK(device().check_reduced(*buffer, type, count, alone).wrong == 0);
    with_type(type, [&](auto zero) {
      auto values = downloaded<decltype(zero)>(*buffer, count);
      values[4098] = static_cast<decltype(zero)>(std::int64_t{0});  // never part of a pattern
      values[77] = values[4098];
      device().upload(*buffer, values.data(), values.size() * sizeof(zero));
    });
    const PatternCheck check = device().check_reduced(*buffer, type, count, alone);
    CHECK(check.checked == count);
    CHECK(check.wrong == 2);
    REQUIRE(check.first);
    CHECK(check.first->index == 77);
    CHECK(check.first->expected == static_cast<double>(pattern_reduced(alone, 77)));
    REQUIRE(check.first->found);
    CHECK(*check.first->found == 0);
  }
}

TEST_CASE("what is no number is wrong and has no value") {
  const PatternSpec spec = make_pattern(7, 1, DataType::float32, ReduceOp::sum);
  const auto buffer = buffer_of(3, DataType::float32);
  std::vector<float> values(3, std::numeric_limits<float>::quiet_NaN());
  device().upload(*buffer, values.data(), 12);
  const PatternCheck check = device().check_reduced(*buffer, DataType::float32, 3, spec);
  CHECK(check.wrong == 3);
  REQUIRE(check.first);
  CHECK_FALSE(check.first->found);
}

TEST_CASE("the loops over memory do what they say, at any size") {
  const std::int64_t count = GENERATE(0, 1, 2, 3, 511, 2048, 4099, 300007);
  CAPTURE(count);
  const auto a = buffer_of(count, DataType::float64);
  const auto b = buffer_of(count, DataType::float64);
  const auto c = buffer_of(count, DataType::float64);
  device().fill_random(*b, DataType::float64, 1);
  device().fill_random(*c, DataType::float64, 2);
  const auto from_b = downloaded<double>(*b, count);
  const auto from_c = downloaded<double>(*c, count);
  const auto run = [&](MemoryKernel kernel) {
    device().fill_bytes(*a, kernel == MemoryKernel::read ? 0 : 0xA5);
    device().memory(kernel, *a, *b, *c, count)->enqueue();
    return downloaded<double>(*a, count);
  };
  CHECK(run(MemoryKernel::copy) == from_b);
  CHECK(run(MemoryKernel::memcpy) == from_b);
  const auto scaled = run(MemoryKernel::scale);
  const auto triad = run(MemoryKernel::triad);
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < triad.size(); ++i) {
    wrong += scaled[i] == 3 * from_b[i] ? 0 : 1;
    wrong += triad[i] == Approx(from_b[i] + 3 * from_c[i]) ? 0 : 1;
  }
  CHECK(wrong == 0);
  const auto sums = run(MemoryKernel::read);
  CHECK(std::accumulate(sums.begin(), sums.end(), 0.0) ==
        Approx(std::accumulate(from_b.begin(), from_b.end(), 0.0)).margin(1e-9));
}

TEST_CASE("a timeline measures what lies between its marks, without waiting at them") {
  const auto timeline = device().timeline();
  const auto buffer = buffer_of(1 << 20, DataType::float64);
  timeline->mark();
  device().fill_random(*buffer, DataType::float64, 1);
  timeline->mark();
  timeline->mark();
  const std::vector<double> intervals_s = timeline->intervals_s();
  REQUIRE(intervals_s.size() == 2);
  CHECK(intervals_s[0] > intervals_s[1]);
  CHECK(intervals_s[1] >= 0);
  CHECK(timeline->intervals_s().empty());
}

TEST_CASE("memory is counted, and what does not fit is said with its size") {
  const std::size_t before = device().free_bytes();
  {
    const auto buffer = device().allocate(1 << 20);
    CHECK(device().free_bytes() == before - (1 << 20));
  }
  CHECK(device().free_bytes() == before);
  CHECK_THROWS_AS(device().allocate(std::size_t{1} << 40), OutOfMemory);
  CHECK_THROWS_WITH(device().allocate(std::size_t{1} << 40),
                    Catch::Contains("a buffer of 1.10 TB does not fit"));
}

TEST_CASE("a buffer ends where it was asked to end, so that writing on shows at any size") {
  for (std::size_t size_bytes : {0U, 1U, 4U, 255U, 256U, 1000U}) {
    CAPTURE(size_bytes);
    const auto buffer = device().allocate(size_bytes);
    CHECK(buffer->data() != nullptr);
    CHECK(buffer->size_bytes() == size_bytes);
    const std::vector<char> more(size_bytes + 2);
    CHECK_THROWS_AS(device().upload(*buffer, more.data(), more.size()), Error);
  }
}

TEST_CASE("a GPU that this process does not see gives no memory, and is named") {
  CHECK_THROWS_WITH(device().link()->allocate_on_peer("gpu 0000:ff:00.0", 16),
                    Catch::Contains("does not see gpu 0000:ff:00.0"));
}
