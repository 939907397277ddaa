#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace peakline {

class Buffer;
class Operation;

/// How memory of the host is held: where the driver has pinned it, a GPU copies by itself.
enum class HostMemory { pinned, pageable };

/// Which NUMA node of the host: wherever the system puts it, the one that the device is attached
/// to, or the one farthest from that.
enum class NumaPlace { any, near, far };

/// One copy of a whole buffer. Both outlive the operation, and are of the same size.
struct CopyPart {
  Buffer* to = nullptr;
  const Buffer* from = nullptr;
};

/// The ways into and out of a device with memory of its own.
class DeviceLink {
 public:
  virtual ~DeviceLink() = default;

  /// Memory that the host reads and writes through data(). Throws OutOfMemory.
  virtual std::unique_ptr<Buffer> allocate_on_host(std::size_t size_bytes, HostMemory memory,
                                                   NumaPlace place) = 0;

  /// Memory of another device of this node, by its label. Throws OutOfMemory, or a usage Error when
  /// this process does not see that device.
  virtual std::unique_ptr<Buffer> allocate_on_peer(const std::string& label,
                                                   std::size_t size_bytes) = 0;

  /// Enqueues all of them at once, and what comes after it waits for all. Between buffers of any
  /// place; one of pageable memory may be done when enqueue() returns.
  virtual std::unique_ptr<Operation> copy(const std::vector<CopyPart>& parts) = 0;

  /// A kernel of one thread that does nothing.
  virtual std::unique_ptr<Operation> empty_kernel() = 0;
};

}  // namespace peakline
