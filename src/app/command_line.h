#pragma once

#include <cxxopts.hpp>
#include <functional>
#include <string>
#include <vector>

#include "core/exit_status.h"

namespace peakline {

/// What the commands of `peakline` share: files as arguments, --help, one sentence for bad usage.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& summary, const std::string& arguments);

  /// For declaring options as cxxopts does.
  cxxopts::OptionAdder options() { return options_.add_options(); }

  /// Prints the help or parses and performs; throws a usage Error for what cxxopts refuses.
  ExitStatus perform(int argc, const char* const* argv,
                     const std::function<ExitStatus(const cxxopts::ParseResult&,
                                                    const std::vector<std::string>&)>& work);

 private:
  cxxopts::Options options_;
  std::string name_;
};

/// Text of an option or the given default.
std::string text_or(const cxxopts::ParseResult& parsed, const char* name,
                    const std::string& otherwise);

/// All values of an option that may be repeated.
std::vector<std::string> texts_of(const cxxopts::ParseResult& parsed, const char* name);

}  // namespace peakline
