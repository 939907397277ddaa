#include "app/repro.h"

#include <array>
#include <string_view>
#include <utility>

#include "app/run_options.h"

namespace peakline {

std::string repro_command(const CaseId& id, const std::string& suite, const std::string& backend,
                          std::uint64_t seed) {
  constexpr std::array<std::pair<const char*, const char*>, 9> options{
      {{"size_bytes", "--sizes"},
       {"dtype", "--dtypes"},
       {"implementation", "--implementation"},
       {"redop", "--redops"},
       {"root", "--root"},
       {"placement", "--placement"},
       {"mode", "--mode"},
       {"buffers", "--buffers"},
       {"launch", "--launch"}}};
  std::string command =
      id.scope.ranks > 1 ? "mpirun -np " + std::to_string(id.scope.ranks) + " " : "";
  command += "peakline-run --device " + backend + " --suite " + suite + " --bench " + id.benchmark;
  if (seed != default_seed) command += " --seed " + std::to_string(seed);
  if (id.params.contains("k")) {
    command += " --extents " + std::to_string(id.integer("m")) + "x" +
               std::to_string(id.integer("n")) + "x" + std::to_string(id.integer("k"));
  }
  const bool is_collective = id.params.contains("placement");
  for (const auto& [parameter, option] : options) {
    const auto found = id.params.find(parameter);
    if (found == id.params.end()) continue;
    const bool is_size = std::string_view(parameter) == "size_bytes";
    if (!is_collective && is_size) continue;  // not to be chosen
    const std::string value = text_of(found->second);
    command += std::string(" ") + option + " " + (value == "tf32" ? "float32" : value);
  }
  return command;
}

}  // namespace peakline
