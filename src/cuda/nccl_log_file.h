#pragma once

#include <string>

namespace peakline::cuda {

/// While it lives, NCCL's log of its start goes to a file of this process instead of to the screen.
/// It must be made before the first call of NCCL that logs, which reads the settings once and for
/// all. A user who has set NCCL_DEBUG keeps the log, and nothing is known of it here. What is
/// logged belongs to the start alone, so it costs the measurement nothing.
class NcclLogFile {
 public:
  NcclLogFile();
  ~NcclLogFile();
  NcclLogFile(const NcclLogFile&) = delete;
  NcclLogFile& operator=(const NcclLogFile&) = delete;

  /// Empty when there is no log.
  std::string text() const;

 private:
  std::string path_;
};

}  // namespace peakline::cuda
