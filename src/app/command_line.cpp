#include "app/command_line.h"

#include <iostream>

#include "core/error.h"

namespace peakline {

CommandLine::CommandLine(const std::string& name, const std::string& summary,
                         const std::string& arguments)
    : options_("peakline " + name, summary), name_(name) {
  options_.custom_help("[OPTION...] " + arguments);
  options_.add_options()("h,help", "print this");
  options_.allow_unrecognised_options();
}

ExitStatus CommandLine::perform(
    int argc, const char* const* argv,
    const std::function<ExitStatus(const cxxopts::ParseResult&, const std::vector<std::string>&)>&
        work) {
  try {
    const cxxopts::ParseResult parsed = options_.parse(argc, argv);
    if (parsed.count("help") != 0) {
      std::cout << options_.help();
      return ExitStatus::ok;
    }
    for (const std::string& argument : parsed.unmatched()) {
      if (argument.size() > 1 && argument.front() == '-') {
        throw usage_error("There is no option '" + argument + "': peakline " + name_ +
                          " --help lists the options.");
      }
    }
    return work(parsed, parsed.unmatched());
  } catch (const Error&) {
    throw;
  } catch (const std::exception& failure) {  // of cxxopts, whose types differ between versions
    throw usage_error(std::string(failure.what()) + "; peakline " + name_ +
                      " --help lists the options.");
  }
}

std::string text_or(const cxxopts::ParseResult& parsed, const char* name,
                    const std::string& otherwise) {
  return parsed.count(name) != 0 ? parsed[name].as<std::string>() : otherwise;
}

std::vector<std::string> texts_of(const cxxopts::ParseResult& parsed, const char* name) {
  return parsed.count(name) != 0 ? parsed[name].as<std::vector<std::string>>()
                                 : std::vector<std::string>{};
}

}  // namespace peakline
