#include "cuda/cuda_gate.h"

#include <chrono>
#include <thread>

#include "cuda/cuda_device.h"
#include "support/catch.h"

using namespace peakline;
using namespace peakline::cuda;

namespace {

/// Ticks of the emulated GPU's clock are nanoseconds.
constexpr long long ticks_per_s = 1'000'000'000;

bool is_done(const Event& event) { return cudaEventQuery(event.get()) == cudaSuccess; }

void let_time_pass() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

}  // namespace

TEST_CASE("what is behind a gate waits until it is released, time after time") {
  const CudaStream stream;
  CudaGate gate(stream, 60 * ticks_per_s);
  for (int turn = 0; turn < 3; ++turn) {
    const Event behind = make_event();
    gate.hold();
    check(cudaEventRecord(behind.get(), stream.get()));
    let_time_pass();
    CHECK_FALSE(is_done(behind));
    gate.release();
    stream.wait();
    CHECK(is_done(behind));
    CHECK_FALSE(gate.gave_up());
  }
}

TEST_CASE("a gate that was released before it is reached holds nothing up") {
  const CudaStream stream;
  CudaGate gate(stream, 60 * ticks_per_s);
  gate.hold();
  gate.hold();
  gate.release();
  stream.wait();
  CHECK_FALSE(gate.gave_up());
}

TEST_CASE("a gate that is never released gives up by itself, says so once, and works again") {
  const CudaStream stream;
  CudaGate gate(stream, ticks_per_s / 20);
  const Event behind = make_event();
  gate.hold();
  check(cudaEventRecord(behind.get(), stream.get()));
  stream.wait();
  CHECK(is_done(behind));
  CHECK(gate.gave_up());
  CHECK_FALSE(gate.gave_up());
  gate.hold();
  gate.release();
  stream.wait();
  CHECK_FALSE(gate.gave_up());
}

TEST_CASE("a device's gate keeps the time to enqueue out of its timeline") {
  const auto device = make_cuda_device(0);
  const auto timeline = device->timeline();
  const auto buffer = device->allocate(8);
  REQUIRE(device->gate() != nullptr);
  timeline->reserve(2);
  device->gate()->hold();
  timeline->mark();
  let_time_pass();  // a slow host
  device->fill_bytes(*buffer, 1);
  timeline->mark();
  device->gate()->release();
  const std::vector<double> intervals_s = timeline->intervals_s();
  REQUIRE(intervals_s.size() == 1);
  CHECK(intervals_s[0] < 0.04);
  CHECK_FALSE(device->gate()->gave_up());
}
