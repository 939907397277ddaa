#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace peakline::host {

/// The CPU's own name, as the kernel reports it.
std::string cpu_model();

/// Processors of this node that are online, whoever may use them.
std::int64_t online_cpus();

/// Memory that can be had without swapping: what the kernel calls available, or what the control
/// group of this process has left when that is less.
std::size_t available_memory_bytes();

}  // namespace peakline::host
