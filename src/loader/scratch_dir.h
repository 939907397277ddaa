#pragma once

#include <filesystem>

namespace peakline {

/// A folder for the files of a run.
class ScratchDir {
 public:
  /// A new folder within `base`, removed with all it holds when this goes. One that a process left
  /// there which was killed is removed first: each holds a file that its process keeps locked. A
  /// usage Error when it cannot be made.
  static ScratchDir temporary(const std::filesystem::path& base);

  /// The user's own folder, made where there is none, and never removed.
  static ScratchDir adopted(const std::filesystem::path& path);

  ScratchDir(const ScratchDir&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;
  ~ScratchDir();

  const std::filesystem::path& path() const { return path_; }

  /// What the destructor does, for a process that ends without one. The user's own folder stays.
  void remove_now() const noexcept;

 private:
  ScratchDir(std::filesystem::path path, int lock);

  std::filesystem::path path_;
  int lock_;  ///< -1: the user's own folder
};

}  // namespace peakline
