#include <algorithm>
#include <array>
#include <iostream>

#include "app/commands.h"
#include "app/version.h"
#include "core/error.h"

namespace peakline {

std::span<const Command> all_commands() {
  static constexpr std::array commands{
      Command{"compare", "RECORD... [--baseline PATH]...",
              "judge records against baselines and peaks", compare_command},
      Command{"accept", "RECORD... --into DIR --reason TEXT", "make records part of a baseline",
              accept_command},
      Command{"show", "RECORD", "look at one record, or at what a broken run left behind",
              show_command},
      Command{"validate", "FILE...", "check records against their format and physics",
              validate_command},
      Command{"peaks", "[--device NAME]", "list what devices can do at most", peaks_command},
  };
  return commands;
}

namespace {

void print_help() {
  std::cout
      << "peakline judges what peakline-run measured. `peakline COMMAND --help` says more.\n\n";
  for (const Command& command : all_commands()) {
    std::cout << "  peakline " << command.name << ' ' << command.usage << "\n      "
              << command.summary << '\n';
  }
}

ExitStatus dispatch(int argc, const char* const* argv) {
  const std::string_view name = argc > 1 ? argv[1] : "--help";
  if (name == "--help" || name == "-h" || name == "help") {
    print_help();
    return argc > 1 ? ExitStatus::ok : ExitStatus::usage;
  }
  if (name == "--version") {
    std::cout << "peakline " << program_version() << '\n';
    return ExitStatus::ok;
  }
  const auto commands = all_commands();
  const auto command = std::find_if(commands.begin(), commands.end(),
                                    [name](const Command& known) { return known.name == name; });
  if (command == commands.end()) {
    throw usage_error("There is no command '" + std::string(name) +
                      "': peakline --help lists them.");
  }
  return command->perform(argc - 1, argv + 1);
}

}  // namespace
}  // namespace peakline

int main(int argc, char** argv) {
  try {
    const peakline::ExitStatus status = peakline::dispatch(argc, argv);
    if (!std::cout.flush()) {
      throw peakline::usage_error("Standard output could not be written: is its disk full?");
    }
    return peakline::to_int(status);
  } catch (const peakline::Error& error) {
    std::cerr << "peakline: " << error.what() << std::endl;
    return peakline::to_int(error.status());
  } catch (const std::exception& error) {
    std::cerr << "peakline: " << error.what() << std::endl;
    return peakline::to_int(peakline::ExitStatus::usage);
  }
}
