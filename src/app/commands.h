#pragma once

#include <span>
#include <string_view>

#include "core/exit_status.h"

namespace peakline {

/// One word behind `peakline`. argv begins with that word.
struct Command {
  std::string_view name;
  std::string_view usage;
  std::string_view summary;
  ExitStatus (*perform)(int argc, const char* const* argv);
};

std::span<const Command> all_commands();

ExitStatus compare_command(int argc, const char* const* argv);
ExitStatus accept_command(int argc, const char* const* argv);
ExitStatus show_command(int argc, const char* const* argv);
ExitStatus validate_command(int argc, const char* const* argv);
ExitStatus peaks_command(int argc, const char* const* argv);

}  // namespace peakline
