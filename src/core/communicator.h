#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/data_type.h"
#include "core/device.h"

namespace peakline {

enum class CollectiveKind { allreduce, broadcast };

/// What a library chose to connect the ranks with, as far as it says.
struct TransportReport {
  Facts choices;  ///< for the record's network facts
  std::vector<std::string>
      concerns;  ///< a sentence for each faster way that is there and not taken
};

/// What a library chose for one call: as it spells it, and empty where it does not say.
struct CallChoice {
  std::string algorithm;  ///< "Ring", "Tree", "NVLS"
  std::string protocol;   ///< "LL", "LL128", "Simple"
};

/// The data plane between ranks. Calls enqueue on the device's stream and do not wait, except where
/// a transport knows no streams (host memory over MPI), where they are complete on return.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual std::string name() const = 0;  ///< library with its version

  /// Of this rank.
  virtual TransportReport transport() const { return {}; }

  /// Whether this combination exists here; a case without it is skipped as unsupported.
  /// A collective without a reduction is asked about with sum.
  virtual bool supports(CollectiveKind kind, DataType type, Placement placement,
                        ReduceOp op) const = 0;

  /// The most elements of one message.
  virtual std::int64_t most_elements() const { return std::numeric_limits<std::int64_t>::max(); }

  /// Whether buffers of this kind, and launches of this kind, exist here.
  virtual bool has(BufferKind buffers) const { return buffers == BufferKind::plain; }
  virtual bool has(LaunchKind launch) const { return launch == LaunchKind::stream; }

  /// Of BufferKind::registered. It must not outlive the communicator. Throws OutOfMemory.
  virtual std::unique_ptr<Buffer> allocate_registered(std::size_t size_bytes);

  /// What `calls` enqueues here, performed not now but at every enqueue() of what is returned: a
  /// launch of LaunchKind::graph. It must not outlive the communicator.
  virtual std::unique_ptr<Operation> record(const std::function<void()>& calls);

  /// Makes `calls`, untimed, and returns on rank 0 what the library chose for the last of them.
  /// Collective.
  virtual CallChoice explain(const std::function<void()>& calls) {
    calls();
    return {};
  }

  /// In place when `send` and `receive` are the same buffer.
  virtual void allreduce(const Buffer& send, Buffer& receive, std::int64_t count, DataType type,
                         ReduceOp op) = 0;
  virtual void broadcast(const Buffer& send, Buffer& receive, std::int64_t count, DataType type,
                         int root) = 0;

  /// Each rank sends to its right neighbour while it receives from the left: the traffic of a ring.
  virtual void shift_ring(const Buffer& send, Buffer& receive, std::int64_t size_bytes) = 0;

  virtual std::unique_ptr<Communicator> split(int group) = 0;

  /// Gives up whatever is under way on buffers of this rank, so that they can be freed although a
  /// peer is gone. Nothing can be enqueued any more.
  virtual void abort() noexcept = 0;
};

}  // namespace peakline
