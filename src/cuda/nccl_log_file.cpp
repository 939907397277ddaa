#include "cuda/nccl_log_file.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace peakline::cuda {
namespace {

constexpr std::array settings{"NCCL_DEBUG", "NCCL_DEBUG_SUBSYS", "NCCL_DEBUG_FILE"};

/// Empty when there is no place for temporary files.
std::string make_temporary_file() {
  std::error_code failure;
  std::string path = std::filesystem::temp_directory_path(failure) / "peakline-nccl-XXXXXX";
  const int file = failure ? -1 : ::mkstemp(path.data());
  if (file < 0) return "";
  ::close(file);
  return path;
}

}  // namespace

NcclLogFile::NcclLogFile() {
  for (const char* setting : settings) {
    if (std::getenv(setting) != nullptr) return;
  }
  path_ = make_temporary_file();
  if (path_.empty()) return;
  ::setenv("NCCL_DEBUG", "INFO", 1);
  ::setenv("NCCL_DEBUG_SUBSYS", "INIT,ENV,NET,P2P,SHM", 1);
  ::setenv("NCCL_DEBUG_FILE", path_.c_str(), 1);
}

/// The settings are taken back: they are no part of how the user has set up the machine.
NcclLogFile::~NcclLogFile() {
  if (path_.empty()) return;
  for (const char* setting : settings) ::unsetenv(setting);
  ::unlink(path_.c_str());
}

std::string NcclLogFile::text() const {
  if (path_.empty()) return "";
  std::ostringstream text;
  text << std::ifstream(path_).rdbuf();
  return text.str();
}

}  // namespace peakline::cuda
