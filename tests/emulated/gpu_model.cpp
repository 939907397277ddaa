#include "gpu_model.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace emulated {
namespace {

struct Box {
  const char* word;
  GpuModel model;
  int gpus;
};

constexpr int kib = 1024;

/// As the data sheets and the drivers of these cards say, and the CUDA C++ Programming Guide.
const std::array boxes{
    Box{"h100",
        {"NVIDIA H100 80GB HBM3", 9, 0, 132, 1980000, 2619000, 5120, 700, 5, 18, 227 * kib, true},
        8},
    Box{"a100",
        {"NVIDIA A100-SXM4-80GB", 8, 0, 108, 1410000, 1593000, 5120, 400, 4, 12, 163 * kib, false},
        8},
    Box{"t4", {"Tesla T4", 7, 5, 40, 1590000, 5001000, 256, 70, 3, 0, 64 * kib, false}, 4},
};

std::string text_of(const char* variable, const std::string& otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr || *text == '\0' ? otherwise : text;
}

/// As CUDA does: the list ends at the first number that is none of a GPU.
std::vector<int> visible_of(int gpus) {
  std::vector<int> visible;
  const char* list = std::getenv("CUDA_VISIBLE_DEVICES");
  if (list == nullptr) {
    for (int i = 0; i < gpus; ++i) visible.push_back(i);
    return visible;
  }
  std::istringstream numbers(list);
  for (std::string number; std::getline(numbers, number, ',');) {
    char* end = nullptr;
    const long value = std::strtol(number.c_str(), &end, 10);
    if (end == number.c_str() || value < 0 || value >= gpus) break;
    visible.push_back(static_cast<int>(value));
  }
  return visible;
}

Node read_environment() {
  const std::string word = text_of("PEAKLINE_EMULATED_GPU", "h100");
  for (const Box& box : boxes) {
    if (word != box.word) continue;
    const std::string gpus = text_of("PEAKLINE_EMULATED_GPUS", std::to_string(box.gpus));
    const std::string memory = text_of("PEAKLINE_EMULATED_MEMORY", "1073741824");
    return {box.model, std::strtoull(memory.c_str(), nullptr, 10),
            visible_of(std::atoi(gpus.c_str()))};
  }
  std::fprintf(stderr, "emulated GPU: there is no PEAKLINE_EMULATED_GPU=%s\n", word.c_str());
  std::abort();
}

}  // namespace

const Node& node() {
  static const Node the_node = read_environment();
  return the_node;
}

std::string bus_id(int number_on_node) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "0000:%02x:00.0", 0x1b + 0x10 * number_on_node);
  return text.data();
}

}  // namespace emulated
