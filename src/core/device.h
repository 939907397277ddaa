#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/data_type.h"
#include "core/device_link.h"
#include "core/gemm.h"
#include "core/pattern.h"
#include "core/record.h"
#include "core/result.h"
#include "core/telemetry.h"

namespace peakline {

/// Memory of a device, freed with it. data() may be used by the host only on the host device, and
/// for what DeviceLink::allocate_on_host() gives.
class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual void* data() = 0;
  virtual const void* data() const = 0;
  virtual std::size_t size_bytes() const = 0;
};

/// Points in time on a device's own clock. On a GPU the marks are events in the stream, so the host
/// does not wait at them.
class Timeline {
 public:
  virtual ~Timeline() = default;
  virtual void mark() = 0;

  /// So many marks since the last call of intervals_s() make nothing new.
  virtual void reserve(std::size_t /*marks*/) {}

  /// Seconds between neighbouring marks since the last call, after waiting for all of them.
  virtual std::vector<double> intervals_s() = 0;
};

/// Holds up what is enqueued on a device, so that enqueuing it is over when it begins and is not
/// timed with it. While it is closed, the host must not wait for the device. Who waits too long at
/// it goes on, for such a sample is lost but a run that stands still is worse.
class Gate {
 public:
  virtual ~Gate() = default;
  virtual void hold() = 0;
  virtual void release() noexcept = 0;

  /// Whether anything went on unreleased since the last call. Asked when all of it is done.
  virtual bool gave_up() = 0;
};

/// Work that was prepared once and is enqueued many times.
class Operation {
 public:
  virtual ~Operation() = default;
  virtual void enqueue() = 0;
};

/// STREAM's kernels: copy a = b; scale a = 3 b; triad a = b + 3 c. read: sums of parts of b in some
/// elements of a, the others stay. memcpy: a = b by the device's own library.
enum class MemoryKernel { copy, scale, triad, read, memcpy };
inline constexpr std::array all_memory_kernels{MemoryKernel::copy, MemoryKernel::scale,
                                               MemoryKernel::triad, MemoryKernel::read,
                                               MemoryKernel::memcpy};

/// What a device can hold at most, probed on it.
struct Ceiling {
  double value = 0;  ///< FLOP/s or B/s
  std::string source;
};

/// Elements of a collective's output that differ from what the pattern says.
struct PatternCheck {
  std::int64_t checked = 0;
  std::int64_t wrong = 0;
  std::optional<Mismatch> first;  ///< its rank is filled in by the caller
};

/// Whose memory a device's buffers take: of the node, which its ranks share, or of the device
/// alone.
enum class MemoryOwner { node, device };

/// What one rank's device is.
struct DeviceInfo {
  std::string model;        ///< the name its maker gave it
  std::string mig_profile;  ///< empty unless it is a slice
  std::string label;        ///< which one on its host, such as "gpu2" or "cpu0-15"
  std::string uuid;         ///< by which a device is known again in another slot; empty: none
  std::int64_t devices_per_node = 0;
  std::int64_t visible_devices = 1;  ///< of its kind, to this process
  std::string numa_obstacle;  ///< why host memory is not to be had near to it and far from it
  std::int64_t threads = 1;   ///< host threads that this rank may use
  std::string timer;          ///< name of the clock behind Timeline
  std::string math_library;   ///< with its version; empty: none
  MemoryOwner memory = MemoryOwner::node;
  /// Cache in which a message may stay from one step to the next, and should not. 0 on a host,
  /// where the bare loop that users know leaves it there as well.
  std::size_t cache_bytes = 0;
  bool emulated = false;    ///< gives correctness, never a speed
  bool shared_gpu = false;  ///< with another rank
  Facts facts;              ///< what else is known
};

/// The data plane of one rank: memory, clock, kernels.
class Device {
 public:
  virtual ~Device() = default;

  virtual const DeviceInfo& info() const = 0;

  /// Throws OutOfMemory with a sentence that names the size.
  virtual std::unique_ptr<Buffer> allocate(std::size_t size_bytes) = 0;
  virtual std::size_t free_bytes() const = 0;

  virtual std::unique_ptr<Timeline> timeline() = 0;
  virtual void synchronise() = 0;

  /// Null where work is done when it is called and nothing is enqueued.
  virtual Gate* gate() { return nullptr; }

  virtual void upload(Buffer& to, const void* from, std::size_t size_bytes) = 0;
  virtual void download(void* to, const Buffer& from, std::size_t size_bytes) = 0;

  /// Numbers from a normal distribution (whole numbers for whole types): never zeros, which some
  /// machines process faster.
  virtual void fill_random(Buffer& buffer, DataType type, std::uint64_t seed) = 0;

  /// Every byte the same: what an output holds before a check, so that nothing stale can pass.
  virtual void fill_bytes(Buffer& buffer, unsigned char byte) = 0;

  /// The pattern's input of `rank`, or its reduced result, in elements [0, count).
  virtual void fill_pattern(Buffer& buffer, DataType type, std::int64_t count,
                            const PatternSpec& spec, std::int64_t rank) = 0;
  virtual PatternCheck check_reduced(const Buffer& buffer, DataType type, std::int64_t count,
                                     const PatternSpec& spec) = 0;

  /// Empty when there is such a product here, otherwise why not.
  virtual std::string why_no_gemm(const GemmShape& shape, Implementation maker) const = 0;
  virtual std::unique_ptr<Operation> gemm(const GemmShape& shape, Implementation maker,
                                          const Buffer& a, const Buffer& b, Buffer& c) = 0;

  /// Arrays of float64 that begin where allocate() lets them begin; `c` is read by triad only.
  virtual std::unique_ptr<Operation> memory(MemoryKernel kernel, Buffer& a, const Buffer& b,
                                            const Buffer& c, std::int64_t count) = 0;

  /// Null where the device's memory is the host's.
  virtual DeviceLink* link() { return nullptr; }

  /// Null where nothing can be read.
  virtual Telemetry* telemetry() { return nullptr; }

  /// Register-only multiply-adds: the arithmetic rate that this device holds right now.
  virtual std::optional<Ceiling> arithmetic_ceiling(DataType type) = 0;
};

std::string_view name_of(MemoryKernel kernel);
MemoryKernel parse_memory_kernel(std::string_view name);

}  // namespace peakline
