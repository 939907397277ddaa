#include "cuda/cuda_stream.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "core/error.h"
#include "cuda/cuda_device.h"
#include "cuda/nccl_communicator.h"
#include "interposed.h"
#include "support/catch.h"
#include "support/fake_world.h"

using namespace peakline;
using namespace peakline::cuda;

namespace {

constexpr double limit_s = 30;

/// Holds the stream up until it is let go: what a collective does whose peer is gone.
class Blocker {
 public:
  explicit Blocker(cudaStream_t stream) { check(cudaLaunchHostFunc(stream, wait, this)); }
  void let_go() { held_ = false; }

 private:
  static void wait(void* self) {
    while (static_cast<Blocker*>(self)->held_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  std::atomic<bool> held_ = true;
};

}  // namespace

TEST_CASE("all that is in a stream is given up before the trouble of one goes on") {
  CudaStream stream;
  Blocker blocker(stream.get());
  int asked = 0;
  int given_up = 0;
  const auto healthy = std::make_shared<const Watch>(Watch{[&] { ++asked; }, [&] { ++given_up; }});
  const auto troubled = std::make_shared<const Watch>(
      Watch{[] { throw std::runtime_error("a peer is gone"); }, [&] { blocker.let_go(); }});
  stream.watch(healthy);
  stream.watch(troubled);
  CHECK_THROWS_WITH(stream.wait(), "a peer is gone");
  CHECK(asked == 1);
  CHECK(given_up == 1);
  check(cudaStreamSynchronize(stream.get()));
}

TEST_CASE("who has left is not asked any more") {
  CudaStream stream;
  Blocker blocker(stream.get());
  auto left = std::make_shared<const Watch>(Watch{[] { throw std::runtime_error("left"); }, [] {}});
  stream.watch(left);
  left.reset();
  const auto present = std::make_shared<const Watch>(Watch{[&] { blocker.let_go(); }, [] {}});
  stream.watch(present);
  stream.wait();
}

TEST_CASE("a copy waits before it enters the stream, where trouble is noticed") {
  const auto device = make_cuda_device(0);
  const auto buffer = device->allocate(sizeof(float));
  float value = 0;
  interposed::copies_in_busy_stream = 0;
  const auto behind_a_blocker = [&](auto copy) {
    Blocker blocker(device->stream().get());
    const auto watch = std::make_shared<const Watch>(Watch{[&] { blocker.let_go(); }, [] {}});
    device->stream().watch(watch);
    copy();
    blocker.let_go();
    check(cudaStreamSynchronize(device->stream().get()));
  };
  behind_a_blocker([&] { device->upload(*buffer, &value, sizeof value); });
  behind_a_blocker([&] { device->download(&value, *buffer, sizeof value); });
  behind_a_blocker([&] {
    const PatternSpec spec = make_pattern(7, 1, DataType::float32, ReduceOp::sum);
    device->check_reduced(*buffer, DataType::float32, 1, spec);
  });
  CHECK(interposed::copies_in_busy_stream == 0);
}

TEST_CASE("a GPU that nothing was compiled for is refused, with what to do") {
  const struct {
    cudaError_t status;
    const char* advice;
  } cases[] = {
      {cudaErrorNoKernelImageForDevice, "9.0): build it with that architecture in CMAKE_CUDA"},
      {cudaErrorInvalidDeviceFunction, "9.0): build it with that architecture in CMAKE_CUDA"},
      {cudaErrorUnsupportedPtxVersion, "in CMAKE_CUDA_ARCHITECTURES, or update the driver"},
  };
  for (const auto& one : cases) {
    interposed::attributes_status = one.status;
    CHECK_THROWS_WITH(make_cuda_device(0), Catch::Contains(one.advice));
  }
  interposed::attributes_status = cudaErrorUnknown;
  CHECK_THROWS_WITH(make_cuda_device(0), Catch::Contains("A CUDA call failed"));
  interposed::attributes_status = cudaSuccess;
}

TEST_CASE("a group of calls is ended although one of them fails") {
  const auto device = make_cuda_device(0);
  FakeWorld world({"here"});
  const auto communicator = make_nccl_communicator(world, *device, limit_s);
  const auto from = device->allocate(4);
  const auto to = device->allocate(4);
  interposed::send_result = ncclInvalidArgument;
  CHECK_THROWS_WITH(communicator->shift_ring(*from, *to, 4),
                    Catch::Contains("An NCCL call failed: invalid argument"));
  interposed::send_result = ncclSuccess;
  CHECK(interposed::open_groups == 0);
}
