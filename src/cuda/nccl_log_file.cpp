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
    if (std::getenv(setting) == nullptr) continue;
    missing_ = {"", std::string(setting) + " is set", "unset it"};
    return;
  }
  path_ = make_temporary_file();
  if (path_.empty()) {
    missing_ = {"", "no temporary file can be made", "name a folder that can be written in TMPDIR"};
    return;
  }
  ::setenv("NCCL_DEBUG", "INFO", 1);
  ::setenv("NCCL_DEBUG_SUBSYS", "INIT,ENV,NET,P2P,SHM", 1);
  ::setenv("NCCL_DEBUG_FILE", path_.c_str(), 1);
}

/// NCCL has the file open and goes on writing into what has no name any more. The settings stay:
/// its threads may be reading the environment.
NcclLogFile::~NcclLogFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

NcclLogText NcclLogFile::read() const {
  if (path_.empty()) return missing_;
  std::ostringstream text;
  text << std::ifstream(path_).rdbuf();
  if (!text.str().empty()) return {text.str(), "", ""};
  return {"", "NCCL wrote no log", "see whether it does with NCCL_DEBUG=INFO"};
}

}  // namespace peakline::cuda
