#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/world.h"

namespace peakline::host {

/// The processors this rank is bound to, ascending.
std::vector<int> bound_cpus();

/// "0-3,8": the usual short form of a list of processors.
std::string format_cpus(const std::vector<int>& cpus);

/// CPU time per second that the control groups of this process allow (cgroup v1 and v2, the least
/// of all levels); absent when there is no limit.
std::optional<double> cpu_quota();

/// How many threads each rank may start so that no processor gets two: a processor that several
/// ranks of a host are bound to is shared among them, and a cgroup quota is kept. The fewest over
/// all ranks, the same on every rank, at least 1. Collective.
std::int64_t threads_per_rank(World& world);

/// One sentence for each host that gives some of its ranks less than a processor of their own,
/// because they share one or because of a cgroup quota: then it is the scheduler that is measured.
/// On rank 0; none on the others. Collective.
std::vector<std::string> crowded_hosts(World& world);

}  // namespace peakline::host
