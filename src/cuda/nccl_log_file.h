#pragma once

#include <string>

namespace peakline::cuda {

/// What NCCL wrote, or why that is not known.
struct NcclLogText {
  std::string text;
  std::string obstacle;  ///< "NCCL_DEBUG is set"; empty when there is a text
  std::string advice;    ///< "unset it"
};

/// Sends NCCL's log to a file of this process instead of to the screen, for as long as the process
/// lives. One in a process, made before the first call of NCCL that logs, which reads the settings
/// once and for all. A user who has set NCCL_DEBUG keeps the log. What is written is about
/// connections: the start, and each first use of an algorithm or a neighbour, which is over before
/// anything is measured.
class NcclLogFile {
 public:
  NcclLogFile();
  ~NcclLogFile();
  NcclLogFile(const NcclLogFile&) = delete;
  NcclLogFile& operator=(const NcclLogFile&) = delete;

  NcclLogText read() const;

 private:
  std::string path_;
  NcclLogText missing_;  ///< why there is no path
};

}  // namespace peakline::cuda
