#pragma once

#include <cstdint>
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
