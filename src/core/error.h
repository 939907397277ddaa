#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

#include "core/exit_status.h"

namespace peakline {

/// What ends a run or a command: one sentence for the user (what, where, what to do), the status
/// the program returns, and the place in the code that gave up.
class Error : public std::runtime_error {
 public:
  Error(ExitStatus status, const std::string& sentence,
        std::source_location place = std::source_location::current())
      : std::runtime_error(sentence), status_(status), place_(place) {}

  ExitStatus status() const { return status_; }
  const std::source_location& place() const { return place_; }

 private:
  ExitStatus status_;
  std::source_location place_;
};

/// A buffer that does not fit. Expected on a sweep: the runner turns it into a skipped case.
class OutOfMemory : public Error {
 public:
  explicit OutOfMemory(const std::string& sentence,
                       std::source_location place = std::source_location::current())
      : Error(ExitStatus::run_failed, sentence, place) {}
};

/// Bad usage or bad input: status 2.
inline Error usage_error(const std::string& sentence,
                         std::source_location place = std::source_location::current()) {
  return {ExitStatus::usage, sentence, place};
}

}  // namespace peakline
