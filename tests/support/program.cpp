#include "support/program.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace peakline {
namespace {

namespace fs = std::filesystem;

std::string read_all(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

ProgramResult run_shell(const std::string& command, const fs::path& folder) {
  const fs::path out = folder / ".out";
  const fs::path err = folder / ".err";
  const std::string line = "cd '" + folder.string() + "' && ( " + command + " ) </dev/null >'" +
                           out.string() + "' 2>'" + err.string() + "'";
  const int wait_status = std::system(line.c_str());
  ProgramResult result;
  result.status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
  result.out = read_all(out);
  result.err = read_all(err);
  fs::remove(out);
  fs::remove(err);
  return result;
}

TestFolder::TestFolder() {
  std::string name = fs::temp_directory_path() / "peakline-test-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void TestFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
}

std::string TestFolder::read(const std::string& name) const { return read_all(path_ / name); }

std::vector<std::string> TestFolder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string TestFolder::read_valid(const std::string& name) const {
  const ProgramResult checked = check_schema(name);
  if (checked.status != 0) throw std::runtime_error(checked.out + checked.err);
  return read(name);
}

ProgramResult TestFolder::peakline(const std::string& arguments) const {
  return run_shell(PEAKLINE_BIN_DIR "/peakline " + arguments, path_);
}

ProgramResult TestFolder::check_schema(const std::string& files) const {
  return run_shell("/usr/bin/python3 " PEAKLINE_SOURCE_DIR "/tests/schema_test.py " + files, path_);
}

ProgramResult TestFolder::run_alone(const std::string& arguments) const {
  return run_shell(PEAKLINE_BIN_DIR "/peakline-run " + arguments, path_);
}

ProgramResult TestFolder::run_ranks(int ranks, const std::string& arguments) const {
  return run_shell(PEAKLINE_SOURCE_DIR "/tests/support/launch.sh " + std::to_string(ranks) +
                       " " PEAKLINE_BIN_DIR "/peakline-run " + arguments,
                   path_);
}

}  // namespace peakline
