#pragma once

#include "core/record.h"

namespace peakline {

/// Operating system and kernel of this node.
Facts software_facts();

/// Network devices that are up, with their rate where the kernel knows it: InfiniBand and RoCE
/// ports from /sys/class/infiniband, other interfaces from /sys/class/net. Loopback is left out.
Facts network_facts();

}  // namespace peakline
