#include "app/data_dir.h"

#include <filesystem>

#include "core/error.h"

namespace peakline {

namespace fs = std::filesystem;

std::string program_dir() { return fs::read_symlink("/proc/self/exe").parent_path(); }

std::string find_data_dir() {
  std::string looked;
  const fs::path here = program_dir();
  for (const char* relative : {"../share/peakline", "../../baselines"}) {
    const fs::path folder = (here / relative).lexically_normal();
    std::error_code failure;
    if (fs::exists(folder / "peaks" / "gpus.json", failure)) return folder;
    looked += (looked.empty() ? "" : " and ") + folder.string();
  }
  throw usage_error("Peakline's tables are missing: no peaks/gpus.json in " + looked +
                    ". Install Peakline again, or run it from its build folder.");
}

}  // namespace peakline
