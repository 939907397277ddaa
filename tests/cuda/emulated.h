#pragma once

#include <string>

#include "support/program.h"

namespace peakline {

inline constexpr const char* one_case =
    "--bench allreduce --sizes 64KiB --placement out_of_place --mode throughput ";

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The shipped program under mpirun with the emulated GPU; `environment` is "NAME=value ...".
inline ProgramResult run_emulated(const TestFolder& folder, int ranks, const std::string& arguments,
                                  const std::string& environment = "") {
  return run_shell("export LD_LIBRARY_PATH=" PEAKLINE_EMULATED_DIR " " + environment +
                       "; " PEAKLINE_SOURCE_DIR "/tests/support/launch.sh " +
                       std::to_string(ranks) + " " PEAKLINE_BIN_DIR "/peakline-run --no-progress " +
                       arguments,
                   folder.path());
}

/// As tests/emulated/README.md lists them: KIND[@RANK][+N].
inline std::string fault(const std::string& words) { return "PEAKLINE_EMULATED_FAULT=" + words; }

}  // namespace peakline
