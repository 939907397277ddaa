#include "fault.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string>

namespace emulated {
namespace {

struct Fault {
  std::string kind;
  int rank = -1;  ///< -1: every rank
  int after = 0;
};

Fault parse(const char* text) {
  Fault fault;
  if (text == nullptr) return fault;
  const std::string all = text;
  const std::size_t plus = all.find('+');
  const std::size_t at = all.find('@');
  fault.kind = all.substr(0, std::min(at, plus));
  if (at != std::string::npos) fault.rank = std::atoi(all.c_str() + at + 1);
  if (plus != std::string::npos) fault.after = std::atoi(all.c_str() + plus + 1);
  return fault;
}

int rank_of_this_process() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank == nullptr ? 0 : std::atoi(rank);
}

}  // namespace

bool strikes(std::string_view kind) {
  static const Fault fault = parse(std::getenv("PEAKLINE_EMULATED_FAULT"));
  static std::mutex mutex;
  static int asked = 0;
  if (fault.kind != kind) return false;
  if (fault.rank >= 0 && fault.rank != rank_of_this_process()) return false;
  const std::lock_guard lock(mutex);
  return asked++ >= fault.after;
}

}  // namespace emulated
