#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace peakline {

/// An open file, closed with it. What the system refuses is a usage Error that names the file.
class File {
 public:
  static File open(const std::filesystem::path& path);

  /// Empty, whatever stood there before.
  static File create(const std::filesystem::path& path);

  File(File&& other) noexcept;
  File(const File&) = delete;
  File& operator=(File&&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  const std::filesystem::path& path() const { return path_; }

  /// Bytes read into the front of `into`: fewer than it holds only where the file ends.
  std::size_t read_at(std::int64_t offset_bytes, std::span<std::byte> into) const;

  void write(std::span<const std::byte> from);

  /// Some file systems say only now that the disk is full.
  void close();

 private:
  File(std::filesystem::path path, int flags);

  std::filesystem::path path_;
  int descriptor_;  ///< -1 when there is nothing to close
};

/// A file that appears under its name only when it is complete: it is written beside it and moved
/// there by commit(), and removed if that never happens. It is not forced to the disk.
class NewFile {
 public:
  explicit NewFile(std::filesystem::path path);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  void write(std::span<const std::byte> from) { partial_.write(from); }
  void commit();

  /// The name that `path` has until it is complete.
  static std::filesystem::path partial_path(std::filesystem::path path);

 private:
  std::filesystem::path path_;
  File partial_;
  bool committed_ = false;
};

}  // namespace peakline
