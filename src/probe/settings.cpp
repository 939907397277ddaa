#include "probe/settings.h"

#include <unistd.h>

#include <array>
#include <string_view>

namespace peakline {
namespace {

bool is_listed(std::string_view name) {
  constexpr std::array<std::string_view, 8> prefixes{
      "NCCL_",        "UCX_",          "FI_",          "OMPI_MCA_btl",
      "OMPI_MCA_pml", "OMPI_MCA_coll", "OMPI_MCA_mtl", "OMPI_MCA_osc"};
  constexpr std::array<std::string_view, 5> names{"CUDA_VISIBLE_DEVICES", "OMP_NUM_THREADS",
                                                  "OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE",
                                                  "OMPI_MCA_mpi_yield_when_idle"};
  for (std::string_view prefix : prefixes) {
    if (name.starts_with(prefix)) return true;
  }
  for (std::string_view listed : names) {
    if (name == listed) return true;
  }
  return false;
}

}  // namespace

std::map<std::string, std::string> speed_settings() {
  std::map<std::string, std::string> settings;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || !is_listed(text.substr(0, equals))) continue;
    settings[std::string(text.substr(0, equals))] = text.substr(equals + 1);
  }
  return settings;
}

}  // namespace peakline
