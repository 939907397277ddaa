#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace peakline {

/// What a program that has ended left behind. `status` is 128 + the signal when one ended it.
struct ProgramResult {
  int status = 0;
  std::string out;
  std::string err;
};

/// Runs a command of the shell to its end, from `folder`.
ProgramResult run_shell(const std::string& command, const std::filesystem::path& folder);

/// A fresh folder, removed with its contents at the end of the test.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ / name; }

  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  /// The text of a file that a program of ours wrote. Throws when it does not follow its schema.
  std::string read_valid(const std::string& name) const;

  std::vector<std::string> names() const;  ///< of all entries, sorted

  /// Runs the built `peakline` with these arguments in this folder.
  ProgramResult peakline(const std::string& arguments) const;

  /// Checks files against the JSON Schemas that they name.
  ProgramResult check_schema(const std::string& files) const;

  /// The built `peakline-run`: alone as a world of one, or under mpirun.
  ProgramResult run_alone(const std::string& arguments) const;
  ProgramResult run_ranks(int ranks, const std::string& arguments) const;

 private:
  std::filesystem::path path_;
};

}  // namespace peakline
