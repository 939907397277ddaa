#include "cuda/numa.h"

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "core/units.h"

namespace peakline::cuda {
namespace {

namespace fs = std::filesystem;

std::string read_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// "0,2-3" -> 0, 2, 3.
std::vector<int> parse_list(const std::string& text) {
  std::vector<int> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    int first = 0;
    char dash = 0;
    std::istringstream range(part);
    if (!(range >> first)) continue;
    int last = first;
    range >> dash >> last;
    for (int number = first; number <= last; ++number) numbers.push_back(number);
  }
  return numbers;
}

std::optional<int> node_of_device(const fs::path& system, const std::string& bus_id) {
  std::istringstream text(read_line(system / "bus/pci/devices" / bus_id / "numa_node"));
  int node = -1;
  if (!(text >> node) || node < 0) return std::nullopt;
  return node;
}

/// The distances from one node to all, in the order in which the kernel lists its nodes.
std::map<int, int> distances_from(const fs::path& system, int node) {
  const fs::path folder = system / "devices/system/node";
  const std::vector<int> nodes = parse_list(read_line(folder / "online"));
  std::istringstream text(read_line(folder / ("node" + std::to_string(node)) / "distance"));
  std::map<int, int> distances;
  for (const int other : nodes) text >> distances[other];
  return distances;
}

/// False, and errno tells why, where the kernel refuses.
bool bind_to_node(const HostPages& pages, int node) {
  constexpr std::size_t bits = 8 * sizeof(unsigned long);
  std::vector<unsigned long> mask(static_cast<std::size_t>(node) / bits + 1, 0);
  mask.back() = 1UL << (static_cast<std::size_t>(node) % bits);
  // The kernel ignores the last bit of those that it is told of.
  return syscall(SYS_mbind, pages.data(), pages.size_bytes(), MPOL_BIND, mask.data(),
                 mask.size() * bits + 1, 0) == 0;
}

}  // namespace

std::optional<int> NumaNodes::at(NumaPlace place) const {
  if (place == NumaPlace::near) return near;
  return place == NumaPlace::far ? far : std::nullopt;
}

NumaNodes find_numa_nodes(const fs::path& system, std::string bus_id) {
  std::ranges::transform(bus_id, bus_id.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  const std::vector<int> with_memory =
      parse_list(read_line(system / "devices/system/node/has_memory"));
  NumaNodes nodes;
  nodes.count = std::max<int>(1, static_cast<int>(with_memory.size()));
  nodes.near = node_of_device(system, bus_id);
  if (!nodes.near) return nodes;
  std::map<int, int> distances = distances_from(system, *nodes.near);
  const auto farthest =
      std::ranges::max_element(with_memory, {}, [&](int node) { return distances[node]; });
  if (farthest != with_memory.end() && *farthest != *nodes.near) nodes.far = *farthest;
  return nodes;
}

std::string numa_obstacle(const NumaNodes& nodes) {
  if (nodes.count == 1) return "the host has one NUMA node";
  if (!nodes.near) return "the kernel does not know which NUMA node the GPU is attached to";
  if (!nodes.far) return "the kernel does not tell how far the NUMA nodes are";
  for (const int node : {*nodes.near, *nodes.far}) {
    const HostPages page(1, std::nullopt);
    if (bind_to_node(page, node)) continue;
    return "memory cannot be put on NUMA node " + std::to_string(node) + " (" +
           std::system_category().message(errno) + ")";
  }
  return "";
}

HostPages::HostPages(std::size_t size_bytes, std::optional<int> numa_node)
    : size_bytes_(std::max<std::size_t>(size_bytes, 1)),
      data_(
          mmap(nullptr, size_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
  if (data_ == MAP_FAILED) {
    throw OutOfMemory("the host has no " + format_si(static_cast<double>(size_bytes), "B") +
                      " of memory left");
  }
  if (!numa_node || bind_to_node(*this, *numa_node)) return;
  const std::string reason = std::system_category().message(errno);
  munmap(data_, size_bytes_);
  throw Error(ExitStatus::run_failed,
              "memory cannot be put on NUMA node " + std::to_string(*numa_node) + ": " + reason);
}

HostPages::~HostPages() { munmap(data_, size_bytes_); }

}  // namespace peakline::cuda
