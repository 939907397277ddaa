#include "cuda/nccl_log_file.h"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

namespace peakline::cuda {
namespace {

constexpr const char* start_subsystems = "INIT,ENV,NET,P2P,SHM";
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

std::string text_of_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

using ReadSettingsAgain = void (*)();
ReadSettingsAgain find_reset() {
  return reinterpret_cast<ReadSettingsAgain>(::dlsym(RTLD_DEFAULT, "ncclResetDebugInit"));
}

/// Both are set already. NCCL's threads may be reading the environment: replacing a value leaves
/// them the old one (glibc frees none), where a new name could move the whole table.
void log_to(const std::string& path, const char* subsystems) {
  ::setenv("NCCL_DEBUG_SUBSYS", subsystems, 1);
  ::setenv("NCCL_DEBUG_FILE", path.c_str(), 1);
  find_reset()();
}

/// A file for the log of some calls, and afterwards none.
class CallLog {
 public:
  CallLog() : path_(make_temporary_file()) {
    if (!path_.empty()) log_to(path_, "TUNING");
  }
  ~CallLog() {
    if (path_.empty()) return;
    log_to("/dev/null", start_subsystems);
    ::unlink(path_.c_str());
  }
  CallLog(const CallLog&) = delete;
  CallLog& operator=(const CallLog&) = delete;

  std::string text() const { return path_.empty() ? "" : text_of_file(path_); }

 private:
  std::string path_;
};

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
  is_ours_ = true;
  ::setenv("NCCL_DEBUG", "INFO", 1);
  ::setenv("NCCL_DEBUG_SUBSYS", start_subsystems, 1);
  ::setenv("NCCL_DEBUG_FILE", path_.c_str(), 1);
}

/// NCCL has the file open and goes on writing into what has no name any more. The settings stay:
/// its threads may be reading the environment.
NcclLogFile::~NcclLogFile() {
  if (is_ours_) ::unlink(path_.c_str());
}

NcclLogText NcclLogFile::take() {
  if (!is_ours_) return missing_;
  const std::string text = text_of_file(path_);
  ::unlink(path_.c_str());
  if (!text.empty()) return {text, "", ""};
  return {"", "NCCL wrote no log", "see whether it does with NCCL_DEBUG=INFO"};
}

std::string NcclLogFile::no_log_of_calls() const {
  if (!is_ours_) return missing_.obstacle;
  return find_reset() != nullptr ? "" : "this NCCL does not read its settings again";
}

std::string NcclLogFile::log_of(const std::function<void()>& calls) {
  std::optional<CallLog> log;
  if (no_log_of_calls().empty()) log.emplace();
  calls();
  return log ? log->text() : "";
}

}  // namespace peakline::cuda
