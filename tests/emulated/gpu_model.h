#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace emulated {

/// What an emulated GPU says of itself.
struct GpuModel {
  std::string name;
  int major = 0;
  int minor = 0;
  int multiprocessors = 0;
  int clock_khz = 0;
  int memory_clock_khz = 0;
  int memory_bus_bits = 0;
  int power_limit_w = 0;
  int pcie_generation = 0;
  int nvlinks = 0;
  int most_shared_bytes = 0;   ///< of a block, if it asks for more than 48 KiB
  bool has_multicast = false;  ///< through NVSwitch, for NVLink SHARP
};

/// The node that the environment asks for, as this process sees it.
struct Node {
  GpuModel model;
  std::size_t memory_bytes = 0;
  std::vector<int> visible;  ///< numbers on the node, in the order of CUDA_VISIBLE_DEVICES
};

const Node& node();

/// "0000:1b:00.0" and so on, by the number on the node.
std::string bus_id(int number_on_node);

}  // namespace emulated
