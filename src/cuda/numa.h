#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "core/device_link.h"

namespace peakline::cuda {

/// The NUMA nodes of a host as a device sees them.
struct NumaNodes {
  int count = 1;            ///< with memory; 1 where the kernel does not say
  std::optional<int> near;  ///< that the device is attached to, where the kernel knows
  std::optional<int> far;   ///< with the longest way to the device; none where there is one node

  std::optional<int> at(NumaPlace place) const;
};

/// `system` is /sys; `bus_id` is the device's on PCI, "0000:1B:00.0", in upper or lower case.
NumaNodes find_numa_nodes(const std::filesystem::path& system, std::string bus_id);

/// Why near and far memory cannot both be had: nothing is known, or the kernel refuses, as it does
/// in a container without CAP_SYS_NICE. Empty where both can.
std::string numa_obstacle(const NumaNodes& nodes);

/// Pages of the host, on one node where that is given. Untouched: the first write places them.
class HostPages {
 public:
  /// Throws OutOfMemory when there are none, and an Error when the kernel refuses the node.
  HostPages(std::size_t size_bytes, std::optional<int> numa_node);
  ~HostPages();
  HostPages(const HostPages&) = delete;
  HostPages& operator=(const HostPages&) = delete;

  void* data() const { return data_; }
  std::size_t size_bytes() const { return size_bytes_; }

 private:
  std::size_t size_bytes_;
  void* data_;
};

}  // namespace peakline::cuda
