// What the emulated NCCL insists on, and how it reduces, as the real one does. Three ranks, each
// with a GPU of its own.
#include <nccl.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <thread>

#include "core/small_float.h"
#include "cuda/check.h"
#include "cuda/handles.h"
#include "cuda/nccl_check.h"
#include "cuda/nccl_start.h"
#include "mpi/session_world.h"
#include "support/catch.h"

using namespace peakline;
using namespace peakline::cuda;

namespace {

constexpr std::chrono::seconds patience{30};
constexpr std::chrono::milliseconds hang_shown{200};
constexpr std::size_t buffer_bytes = 4096;

ncclComm_t start_on(int ordinal) {
  World& world = session_world();
  check(cudaSetDevice(ordinal));
  ncclComm_t communicator = nullptr;
  check(ncclCommInitRank(&communicator, world.size(), share_unique_id(world), world.rank()));
  return communicator;
}

/// This rank in a communicator of all. What still hangs in the stream is given up at the end.
class Party {
 public:
  Party() : communicator_(start_on(session_world().rank())) {}
  ~Party() { ncclCommAbort(communicator_); }
  Party(const Party&) = delete;
  Party& operator=(const Party&) = delete;

  int rank() const { return session_world().rank(); }
  int left() const { return (rank() + session_world().size() - 1) % session_world().size(); }
  int right() const { return (rank() + 1) % session_world().size(); }
  void* input() const { return input_.get(); }
  void* output() const { return output_.get(); }
  cudaStream_t stream() const { return stream_.get(); }

  ncclResult_t allreduce(std::size_t count, ncclDataType_t type, ncclRedOp_t op) const {
    return ncclAllReduce(input(), output(), count, type, op, communicator_, stream());
  }
  ncclResult_t broadcast(std::size_t count, int root) const {
    return ncclBroadcast(input(), output(), count, ncclInt32, root, communicator_, stream());
  }
  ncclResult_t send(std::size_t count, int to) const {
    return ncclSend(input(), count, ncclInt32, to, communicator_, stream());
  }
  ncclResult_t receive(std::size_t count, ncclDataType_t type, int from) const {
    return ncclRecv(output(), count, type, from, communicator_, stream());
  }

  /// Whether all that is in the stream comes to its end in time. Collective.
  bool completes_within(std::chrono::milliseconds limit) const {
    session_world().barrier();
    const auto end = std::chrono::steady_clock::now() + limit;
    while (cudaStreamQuery(stream()) == cudaErrorNotReady) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

 private:
  ncclComm_t communicator_;
  DeviceMemory input_ = allocate_device(buffer_bytes);
  DeviceMemory output_ = allocate_device(buffer_bytes);
  Stream stream_ = make_stream();
};

auto open_files() {
  using Entries = std::filesystem::directory_iterator;
  return std::distance(Entries("/proc/self/fd"), Entries());
}

struct Step {
  const char* what;
  std::function<void(const Party&)> take;
};

/// A send and a receive in one group.
void exchange(const Party& party, std::size_t sent, int to, std::size_t received,
              ncclDataType_t type, int from) {
  check(ncclGroupStart());
  check(party.send(sent, to));
  check(party.receive(received, type, from));
  check(ncclGroupEnd());
}

/// What the ranks' values are reduced to.
template <typename Number>
Number reduced(const Party& party, Number value, ncclDataType_t type, ncclRedOp_t op) {
  check(
      cudaMemcpyAsync(party.input(), &value, sizeof value, cudaMemcpyHostToDevice, party.stream()));
  check(party.allreduce(1, type, op));
  Number result{};
  check(cudaMemcpyAsync(&result, party.output(), sizeof result, cudaMemcpyDeviceToHost,
                        party.stream()));
  REQUIRE(party.completes_within(patience));
  return result;
}

}  // namespace

TEST_CASE("calls that fit together complete", "[rules]") {
  const Step steps[] = {
      {"allreduce", [](const Party& p) { check(p.allreduce(9, ncclInt32, ncclSum)); }},
      {"broadcast", [](const Party& p) { check(p.broadcast(9, 1)); }},
      {"ring to the right",
       [](const Party& p) { exchange(p, 9, p.right(), 9, ncclInt32, p.left()); }},
      {"ring to the left",
       [](const Party& p) { exchange(p, 9, p.left(), 9, ncclInt32, p.right()); }},
  };
  const Party party;
  for (const Step& step : steps) {
    CAPTURE(step.what);
    step.take(party);
    CHECK(party.completes_within(patience));
  }
}

TEST_CASE("calls that do not fit together hang", "[rules]") {
  const Step steps[] = {
      {"counts",
       [](const Party& p) { check(p.allreduce(p.rank() == 1 ? 8 : 9, ncclInt32, ncclSum)); }},
      {"types",
       [](const Party& p) {
         check(p.allreduce(9, p.rank() == 1 ? ncclFloat32 : ncclInt32, ncclSum));
       }},
      {"operations",
       [](const Party& p) { check(p.allreduce(9, ncclInt32, p.rank() == 1 ? ncclMax : ncclSum)); }},
      {"collectives",
       [](const Party& p) {
         check(p.rank() == 1 ? p.broadcast(9, 0) : p.allreduce(9, ncclInt32, ncclSum));
       }},
      {"roots", [](const Party& p) { check(p.broadcast(9, p.rank() == 1 ? 1 : 0)); }},
      {"the rank that is sent to",
       [](const Party& p) { exchange(p, 9, p.left(), 9, ncclInt32, p.left()); }},
      {"the count that is waited for",
       [](const Party& p) { exchange(p, 9, p.right(), 8, ncclInt32, p.left()); }},
      {"the type that is waited for",
       [](const Party& p) { exchange(p, 9, p.right(), 9, ncclFloat32, p.left()); }},
  };
  for (const Step& step : steps) {
    CAPTURE(step.what);
    const Party party;
    step.take(party);
    CHECK_FALSE(party.completes_within(hang_shown));
  }
}

TEST_CASE("calls that make no sense are refused at once", "[rules]") {
  const Party party;
  CHECK(party.broadcast(9, session_world().size()) == ncclInvalidArgument);
  CHECK(party.allreduce(9, ncclNumTypes, ncclSum) == ncclInvalidArgument);
  CHECK(party.send(9, party.right()) == ncclInvalidUsage);  // outside of a group
  CHECK(ncclGroupEnd() == ncclInvalidUsage);
  check(ncclGroupStart());
  CHECK(party.send(9, -1) == ncclInvalidArgument);
  CHECK(party.send(9, party.right()) == ncclSuccess);
  CHECK(party.send(9, party.right()) == ncclInvalidUsage);
  CHECK(ncclGroupEnd() == ncclInvalidUsage);
}

TEST_CASE("two ranks on one GPU are refused", "[rules]") {
  CHECK_THROWS_WITH(start_on(0), Catch::Contains("Duplicate GPU detected: rank 0 and rank 1 both "
                                                 "on 0000:1b:00.0"));
}

TEST_CASE("a communicator leaves no file open", "[rules]") {
  { const Party first; }  // what MPI and the GPU open for good
  const auto before = open_files();
  {
    const Party party;
    CHECK(open_files() == before);
  }
  CHECK(open_files() == before);
}

TEST_CASE("an average of floats is a sum of shares, and one of whole numbers is divided",
          "[rules]") {
  const Party party;
  const int ranks = session_world().size();
  // Their sum is beyond float16.
  const Float16 large = reduced(party, Float16(40000.0), ncclFloat16, ncclAvg);
  CHECK(static_cast<double>(large) == 40000);
  const float third = reduced(party, party.rank() == 0 ? 7.0F : 0.0F, ncclFloat32, ncclAvg);
  CHECK(third == 7.0F * static_cast<float>(1.0 / ranks));
  CHECK(reduced(party, party.rank() == 0 ? 7 : 0, ncclInt32, ncclAvg) == 7 / ranks);
  CHECK(reduced(party, party.rank() == 0 ? -7 : 0, ncclInt32, ncclAvg) == -7 / ranks);
}

TEST_CASE("an older NCCL can be asked for, and lacks what came later", "[rules]") {
  constexpr auto float8_e4m3 = static_cast<ncclDataType_t>(10);
  const Party party;
  const char* variable = "PEAKLINE_EMULATED_NCCL_VERSION";
  setenv(variable, "22100", 1);
  int version = 0;
  check(ncclGetVersion(&version));
  CHECK(version == 22100);
  CHECK(party.allreduce(9, float8_e4m3, ncclSum) == ncclInvalidArgument);
  setenv(variable, "22400", 1);
  CHECK(party.allreduce(9, float8_e4m3, ncclSum) == ncclSuccess);
  CHECK(party.completes_within(patience));
  unsetenv(variable);
  check(ncclGetVersion(&version));
  CHECK(version == NCCL_VERSION_CODE);
}
