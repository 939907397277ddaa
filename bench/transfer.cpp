#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "bench/registry.h"
#include "bench/suites.h"
#include "core/error.h"
#include "core/pattern.h"
#include "core/rates.h"
#include "core/runner.h"

namespace peakline {
namespace {

// What goes where: the `path` of a case.
constexpr std::string_view to_device = "to_device";
constexpr std::string_view to_host = "to_host";
constexpr std::string_view both_ways = "both";      // at once
constexpr std::string_view to_peer = "to_peer";     // another GPU of the node
constexpr std::string_view launch_only = "launch";  // nothing: what starting a kernel takes

HostMemory memory_of(const CaseId& id) {
  return id.word_if("memory") == "pageable" ? HostMemory::pageable : HostMemory::pinned;
}

NumaPlace place_of(const CaseId& id) {
  const std::string word = id.word_if("numa");
  if (word == "near") return NumaPlace::near;
  return word == "far" ? NumaPlace::far : NumaPlace::any;
}

/// Two buffers, of which one is copied to the other.
struct Lane {
  std::unique_ptr<Buffer> from;
  std::unique_ptr<Buffer> to;
  bool from_is_on_host = false;
  bool to_is_on_host = false;

  CopyPart part() const { return {to.get(), from.get()}; }
};

/// The lanes of a case: one, or one in each direction.
std::vector<Lane> make_lanes(Context& context, const CaseId& id, std::size_t size_bytes) {
  Device& device = context.device;
  DeviceLink& link = *device.link();
  const std::string path = id.word("path");
  std::vector<Lane> lanes;
  if (path == to_peer) {
    const auto ranks = static_cast<std::int64_t>(context.node_devices.size());
    const auto peer =
        static_cast<std::size_t>((context.local_rank + id.integer("distance")) % ranks);
    lanes.push_back({device.allocate(size_bytes),
                     link.allocate_on_peer(context.node_devices[peer], size_bytes), false, false});
    return lanes;
  }
  const auto on_host = [&] {
    return link.allocate_on_host(size_bytes, memory_of(id), place_of(id));
  };
  if (path != to_host) lanes.push_back({on_host(), device.allocate(size_bytes), true, false});
  if (path != to_device) lanes.push_back({device.allocate(size_bytes), on_host(), false, true});
  return lanes;
}

std::unique_ptr<Operation> make_copy(Device& device, const std::vector<Lane>& lanes) {
  std::vector<CopyPart> parts;
  for (const Lane& lane : lanes) parts.push_back(lane.part());
  return device.link()->copy(parts);
}

std::vector<std::uint64_t> random_words(std::size_t size_bytes, std::uint64_t seed) {
  std::vector<std::uint64_t> words(size_bytes / sizeof(std::uint64_t));
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = mix64(seed + i);
  return words;
}

void fill(Device& device, Buffer& buffer, bool is_on_host, const void* content) {
  if (is_on_host) {
    std::memcpy(buffer.data(), content, buffer.size_bytes());
  } else {
    device.upload(buffer, content, buffer.size_bytes());
  }
}

void read(Device& device, const Buffer& buffer, bool is_on_host, void* content) {
  if (is_on_host) {
    std::memcpy(content, buffer.data(), buffer.size_bytes());
  } else {
    device.download(content, buffer, buffer.size_bytes());
  }
}

/// Word by word; the values of a mismatch are their upper halves, which a double holds exactly.
void compare(const std::vector<std::uint64_t>& expected, const std::vector<std::uint64_t>& found,
             PatternCheck& check) {
  constexpr unsigned half = 32;
  check.checked += static_cast<std::int64_t>(expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == found[i]) continue;
    ++check.wrong;
    if (check.first) continue;
    check.first =
        Mismatch{static_cast<std::int64_t>(i), 0, static_cast<double>(expected[i] >> half),
                 static_cast<double>(found[i] >> half)};
  }
}

class Copy final : public Benchmark {
 public:
  Copy(Context& context, const CaseId& id)
      : context_(&context),
        id_(id),
        size_bytes_(static_cast<std::size_t>(id.integer("size_bytes"))),
        clock_(memory_of(id) == HostMemory::pageable ? StepClock::host : StepClock::device),
        lanes_(make_lanes(context, id, size_bytes_)),
        copy_(make_copy(context.device, lanes_)) {
    const auto content = random_words(size_bytes_, context.seed);
    for (const Lane& lane : lanes_) {
      fill(context.device, *lane.from, lane.from_is_on_host, content.data());
      fill(context.device, *lane.to, lane.to_is_on_host, content.data());
    }
  }

  /// A copy of pageable memory waits by itself for all that is enqueued before it, a closed gate
  /// for one, and the host takes part in it: the host's clock times it.
  void step() override {
    copy_->enqueue();
    if (clock_ == StepClock::host) context_->device.synchronise();
  }
  StepClock clock() const override { return clock_; }
  HostLink host_link() const override {
    return id_.word("path") == to_peer ? HostLink::idle : HostLink::busy;
  }
  TimingMode mode() const override { return TimingMode::throughput; }

  /// A part of the size is enough to see that data arrive, and come from where they should.
  void prepare_check(std::uint64_t) override {
    fresh_ = make_lanes(*context_, id_, std::min<std::size_t>(size_bytes_, 1 << 20));
  }

  Verification verify(std::uint64_t seed) override {
    Device& device = context_->device;
    const std::size_t size_bytes = fresh_.front().from->size_bytes();
    const auto stale = random_words(size_bytes, ~seed);
    std::vector<std::vector<std::uint64_t>> contents;
    for (const Lane& lane : fresh_) {
      const auto rank = static_cast<std::uint64_t>(context_->world.rank());
      contents.push_back(random_words(size_bytes, mix64(seed + 2 * rank + contents.size())));
      fill(device, *lane.from, lane.from_is_on_host, contents.back().data());
      fill(device, *lane.to, lane.to_is_on_host, stale.data());
    }
    make_copy(device, fresh_)->enqueue();
    device.synchronise();
    PatternCheck check;
    for (std::size_t i = 0; i < fresh_.size(); ++i) {
      std::vector<std::uint64_t> found(contents[i].size());
      read(device, *fresh_[i].to, fresh_[i].to_is_on_host, found.data());
      compare(contents[i], found, check);
    }
    return combine_checks(context_->world, check);
  }

  std::vector<Result> results(const Observations& observations, Result measured) const override {
    measured.metrics = metrics_of(id_, observations.sample_s, "bandwidth");
    return {std::move(measured)};
  }

 private:
  Context* context_;
  CaseId id_;
  std::size_t size_bytes_;
  StepClock clock_;
  std::vector<Lane> lanes_;
  std::unique_ptr<Operation> copy_;
  std::vector<Lane> fresh_;
};

/// From the call to the end of a kernel that does nothing, by the host's clock: what every wait for
/// a GPU costs at least.
class Launch final : public Benchmark {
 public:
  Launch(Context& context, const CaseId& id)
      : device_(&context.device), id_(id), kernel_(context.device.link()->empty_kernel()) {}

  void step() override {
    kernel_->enqueue();
    device_->synchronise();
  }
  TimingMode mode() const override { return TimingMode::latency; }
  StepClock clock() const override { return StepClock::host; }

  /// There are no data that could be wrong: that the kernel ran without an error is all.
  Verification verify(std::uint64_t) override {
    step();
    return {};
  }

  std::vector<Result> results(const Observations& observations, Result measured) const override {
    measured.metrics = metrics_of(id_, observations.sample_s, "time");
    measured.verify.reset();
    return {std::move(measured)};
  }

 private:
  Device* device_;
  CaseId id_;
  std::unique_ptr<Operation> kernel_;
};

std::int64_t suite_size_bytes(Depth depth, const DeviceInfo& info) {
  constexpr std::int64_t mib = 1 << 20;
  if (info.emulated) return mib;
  return depth == Depth::quick ? 64 * mib : 256 * mib;
}

PlannedCase plan_copy(std::string_view path, std::int64_t size_bytes, const MachineShape& shape) {
  PlannedCase planned{
      {"transfer", {{"path", std::string(path)}, {"size_bytes", size_bytes}}, shape.scope}, "", 0};
  const std::size_t lanes = path == both_ways ? 2 : 1;
  constexpr std::size_t checked_bytes = 1 << 20;
  planned.memory_bytes = 2 * lanes * (static_cast<std::size_t>(size_bytes) + checked_bytes);
  return planned;
}

/// Between the host and the device: pinned in every suite, pageable in the long ones; from the near
/// NUMA node and, in the long suites, from the far one, where there are two to choose from.
void plan_host_copies(Depth depth, std::int64_t size_bytes, const MachineShape& shape,
                      std::vector<PlannedCase>& planned) {
  const bool is_long = depth >= Depth::nightly;
  std::vector<std::string> places{""};
  if (shape.numa_obstacle.empty()) {
    places = is_long ? std::vector<std::string>{"near", "far"} : std::vector<std::string>{"near"};
  }
  for (const char* memory : {"pinned", "pageable"}) {
    if (!is_long && memory != std::string_view("pinned")) continue;
    for (const std::string& place : places) {
      for (std::string_view path : {to_device, to_host, both_ways}) {
        PlannedCase copy = plan_copy(path, size_bytes, shape);
        copy.id.params["memory"] = std::string(memory);
        if (!place.empty()) copy.id.params["numa"] = place;
        planned.push_back(std::move(copy));
      }
    }
  }
}

/// Every rank to the one so many places after it on its node, all at once: the medians of the ranks
/// over all distances are the map of all pairs.
void plan_peer_copies(std::int64_t size_bytes, const MachineShape& shape,
                      std::vector<PlannedCase>& planned) {
  const Scope& scope = shape.scope;
  const bool uneven = scope.ranks != scope.nodes * scope.ranks_per_node;
  for (std::int64_t distance = 1; distance < scope.ranks_per_node; ++distance) {
    PlannedCase copy = plan_copy(to_peer, size_bytes, shape);
    copy.id.params["distance"] = distance;
    if (uneven) {
      copy.unsupported = "the nodes have different numbers of ranks, and so no distance in common";
    } else if (shape.visible_devices < scope.ranks_per_node) {
      copy.unsupported = "a process sees only " + std::to_string(shape.visible_devices) +
                         " of the GPUs that the ranks of a node use (CUDA_VISIBLE_DEVICES)";
    }
    planned.push_back(std::move(copy));
  }
}

std::vector<PlannedCase> cases(const PlanOptions& options, const MachineShape& shape,
                               const Device& device, const Communicator&) {
  std::vector<PlannedCase> planned;
  if (device.info().memory == MemoryOwner::node) return planned;  // nothing to be transferred
  const Depth depth = find_suite(options.suite).depth;
  const std::int64_t size_bytes = suite_size_bytes(depth, device.info());
  plan_host_copies(depth, size_bytes, shape, planned);
  plan_peer_copies(size_bytes, shape, planned);
  planned.push_back({{"transfer", {{"path", std::string(launch_only)}}, shape.scope}, "", 0});
  return planned;
}

}  // namespace

BenchmarkInfo transfer_info() {
  return {"transfer", "copies between the host, a GPU and its peers, and the launch of a kernel",
          cases, [](Context& context, const CaseId& id) -> std::unique_ptr<Benchmark> {
            if (id.word("path") == launch_only) return std::make_unique<Launch>(context, id);
            return std::make_unique<Copy>(context, id);
          }};
}

}  // namespace peakline
