#pragma once

#include <functional>
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
/// then. A user who has set NCCL_DEBUG keeps the log. What is written is about connections: the
/// start, and each first use of an algorithm or a neighbour, which is over before anything is
/// measured.
class NcclLogFile {
 public:
  NcclLogFile();
  ~NcclLogFile();
  NcclLogFile(const NcclLogFile&) = delete;
  NcclLogFile& operator=(const NcclLogFile&) = delete;

  /// What was written so far. The file has no name from then on.
  NcclLogText take();

  /// Why log_of() is always empty; empty: it is not. NCCL reads its settings again with
  /// ncclResetDebugInit, which is not of its documented interface, is there from 2.24 to 2.29 at
  /// least (src/debug.cc), and may be gone one day; so it is looked up when it is needed.
  std::string no_log_of_calls() const;

  /// What NCCL writes of the way that it takes for the `calls` (subsystem TUNING), and then writes
  /// no more. Called between measurements: such a line for every call would be measured.
  std::string log_of(const std::function<void()>& calls);

 private:
  std::string path_;
  bool is_ours_ = false;
  NcclLogText missing_;  ///< why the log is not ours
};

}  // namespace peakline::cuda
