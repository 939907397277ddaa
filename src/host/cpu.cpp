#include "host/cpu.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

namespace peakline::host {
namespace {

/// The text behind "key :" in one of the kernel's tables.
std::optional<std::string> table_value(const char* path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(key) || colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return std::nullopt;
}

std::optional<std::size_t> number_in(const char* path) {
  std::ifstream file(path);
  std::size_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

/// The number behind "key " in a memory.stat.
std::size_t stat_bytes(const char* path, std::string_view key) {
  std::ifstream file(path);
  std::string name;
  for (std::size_t number = 0; file >> name >> number;) {
    if (name == key) return number;
  }
  return 0;
}

/// Room left in the memory group of a container, which sees its own group as the root. Pages of
/// files that nobody uses any more count as room: the kernel gives them up first.
std::size_t group_memory_left_bytes() {
  struct Group {
    const char* limit;
    const char* usage;
    const char* stat;
    const char* idle_pages;
  };
  constexpr Group groups[] = {
      {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat",
       "inactive_file"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes",
       "/sys/fs/cgroup/memory/memory.stat", "total_inactive_file"},
  };
  for (const Group& group : groups) {
    const auto limit = number_in(group.limit);
    const auto usage = number_in(group.usage);
    if (!limit || !usage) continue;
    const std::size_t held = *usage - std::min(*usage, stat_bytes(group.stat, group.idle_pages));
    return *limit > held ? *limit - held : 0;
  }
  return std::numeric_limits<std::size_t>::max();
}

}  // namespace

std::string cpu_model() {
  for (const char* key : {"model name", "Model", "cpu model"}) {
    if (const auto name = table_value("/proc/cpuinfo", key)) return *name;
  }
  return "unknown CPU";
}

std::int64_t online_cpus() { return sysconf(_SC_NPROCESSORS_ONLN); }

std::size_t available_memory_bytes() {
  const auto available = table_value("/proc/meminfo", "MemAvailable");
  const std::size_t kernel_bytes = available ? std::stoull(*available) * 1024 : 0;
  return std::min(kernel_bytes, group_memory_left_bytes());
}

}  // namespace peakline::host
