#include "probe/machine.h"

#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

namespace peakline {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    entries.push_back(entry->path());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::string os_name() {
  std::ifstream file("/etc/os-release");
  constexpr std::string_view key = "PRETTY_NAME=";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    std::string name = line.substr(key.size());
    std::erase(name, '"');
    return name;
  }
  return "";
}

}  // namespace

Facts software_facts() {
  Facts facts;
  if (const std::string os = os_name(); !os.empty()) facts["os"] = os;
  utsname names{};
  if (uname(&names) == 0) facts["kernel"] = std::string(names.release);
  return facts;
}

Facts network_facts() {
  Facts facts;
  for (const fs::path& device : entries_of("/sys/class/infiniband")) {
    for (const fs::path& port : entries_of(device / "ports")) {
      const std::string state = first_line(port / "state");
      facts[device.filename().string() + "/" + port.filename().string()] =
          state.find("ACTIVE") == std::string::npos ? state : first_line(port / "rate");
    }
  }
  for (const fs::path& interface : entries_of("/sys/class/net")) {
    const std::string name = interface.filename();
    if (name == "lo" || first_line(interface / "operstate") != "up") continue;
    const std::string speed = first_line(interface / "speed");  // Mb/s; virtual devices have none
    facts[name] = speed.empty() || speed.starts_with('-') ? "up" : speed + " Mb/s";
  }
  return facts;
}

}  // namespace peakline
