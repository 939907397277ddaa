#include <iostream>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/data_dir.h"
#include "core/error.h"
#include "report/peaks_json.h"
#include "report/peaks_text.h"
#include "report/record_json.h"

namespace peakline {
namespace {

ExitStatus perform(const cxxopts::ParseResult& parsed, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::cout << measured_ceilings(read_record_or_journal_file(file));
  }
  if (!files.empty()) return ExitStatus::ok;

  const std::vector<GpuPeaks> gpus = read_peaks_file(find_data_dir() + "/peaks/gpus.json");
  const std::string name = text_or(parsed, "device", "");
  if (name.empty()) {
    std::cout << peaks_table(gpus);
    return ExitStatus::ok;
  }
  const GpuPeaks* gpu = find_gpu(gpus, name);
  if (gpu == nullptr) {
    throw usage_error("There is no GPU named exactly '" + name +
                      "' in the table: peakline peaks lists all names.");
  }
  std::cout << peaks_of_gpu(*gpu);
  return ExitStatus::ok;
}

}  // namespace

ExitStatus peaks_command(int argc, const char* const* argv) {
  CommandLine line(
      "peaks", "Lists what GPUs can do by their data sheets, or the ceilings that a run measured.",
      "[RECORD...]");
  line.options()("device", "one GPU, by the name that its driver prints",
                 cxxopts::value<std::string>(), "NAME");
  return line.perform(argc, argv, perform);
}

}  // namespace peakline
