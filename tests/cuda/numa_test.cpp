#include "cuda/numa.h"

#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "support/catch.h"
#include "support/program.h"

using namespace peakline;
using namespace peakline::cuda;

namespace {

namespace fs = std::filesystem;

constexpr const char* bus_id = "0000:1B:00.0";

void write(const fs::path& path, const std::string& line) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << line << "\n";
}

/// A host of four nodes, of which node 2 has no memory, with the GPU at node 1.
void build_host(const fs::path& system) {
  write(system / "devices/system/node/has_memory", "0-1,3");
  write(system / "devices/system/node/online", "0-3");
  write(system / "devices/system/node/node1/distance", "21 10 40 32");
  write(system / "bus/pci/devices/0000:1b:00.0/numa_node", "1");
}

}  // namespace

TEST_CASE("near is the node that a GPU is attached to, far the farthest that has memory") {
  const TestFolder folder;
  build_host(folder.path());
  const NumaNodes nodes = find_numa_nodes(folder.path(), bus_id);
  CHECK(nodes.count == 3);
  CHECK(nodes.at(NumaPlace::near) == 1);
  CHECK(nodes.at(NumaPlace::far) == 3);
  CHECK_FALSE(nodes.at(NumaPlace::any));
}

TEST_CASE("there is no near and far where the kernel does not know of any, and it is said why") {
  const TestFolder folder;
  SECTION("a kernel without NUMA") {
    const NumaNodes nodes = find_numa_nodes(folder.path(), bus_id);
    CHECK(nodes.count == 1);
    CHECK_FALSE(nodes.near);
    CHECK(numa_obstacle(nodes) == "the host has one NUMA node");
  }
  SECTION("a virtual machine that hides where the GPU is") {
    build_host(folder.path());
    write(folder.path() / fs::path("bus/pci/devices/0000:1b:00.0/numa_node"), "-1");
    const NumaNodes nodes = find_numa_nodes(folder.path(), bus_id);
    CHECK_FALSE(nodes.near);
    CHECK_FALSE(nodes.far);
    CHECK(numa_obstacle(nodes) ==
          "the kernel does not know which NUMA node the GPU is attached to");
  }
  SECTION("all memory at the GPU's own node") {
    build_host(folder.path());
    write(folder.path() / fs::path("devices/system/node/has_memory"), "1");
    CHECK_FALSE(find_numa_nodes(folder.path(), bus_id).far);
  }
  SECTION("a node that this process gets no memory from") {
    NumaNodes nodes;
    nodes.count = 2;
    nodes.near = 0;
    nodes.far = 63;
    CHECK_THAT(numa_obstacle(nodes), Catch::Contains("memory cannot be put on NUMA node 63 ("));
    CHECK_THROWS_AS(HostPages(4096, 63), Error);
  }
}

TEST_CASE("pages of a node can be written, and more of them than there are is a sentence") {
  const HostPages pages(10000, 0);
  CHECK(pages.size_bytes() == 10000);
  static_cast<char*>(pages.data())[9999] = 1;
  CHECK_THROWS_AS(HostPages(std::size_t{1} << 60, std::nullopt), OutOfMemory);
}
