#include "app/repro.h"

#include <array>
#include <utility>

namespace peakline {

std::string repro_command(const CaseId& id, const std::string& suite, const std::string& backend) {
  constexpr std::array<std::pair<const char*, const char*>, 6> options{
      {{"size_bytes", "--sizes"},
       {"dtype", "--dtypes"},
       {"redop", "--redops"},
       {"root", "--root"},
       {"placement", "--placement"},
       {"mode", "--mode"}}};
  std::string command =
      id.scope.ranks > 1 ? "mpirun -np " + std::to_string(id.scope.ranks) + " " : "";
  command += "peakline-run --device " + backend + " --suite " + suite + " --bench " + id.benchmark;
  const bool has_axes = id.params.contains("placement");  // the axes are those of the collectives
  for (const auto& [parameter, option] : options) {
    const auto found = id.params.find(parameter);
    if (!has_axes || found == id.params.end()) continue;
    const auto* number = std::get_if<std::int64_t>(&found->second);
    command += std::string(" ") + option + " " +
               (number != nullptr ? std::to_string(*number) : std::get<std::string>(found->second));
  }
  return command;
}

}  // namespace peakline
