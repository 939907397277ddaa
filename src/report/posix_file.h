#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace peakline {

/// An open file with one owner. Every failure is a usage Error that names the file as the user
/// knows it and gives the system's reason. Sizes in bytes.
class PosixFile {
 public:
  /// `flags` as for open(2); `shown_name` stands in the error sentences.
  PosixFile(const std::string& path, int flags, const std::string& shown_name);
  ~PosixFile();
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;

  void write_all(std::string_view text);
  void sync();

  /// For cleaning up after a failure, which is the one to be reported.
  bool try_truncate(std::size_t size_bytes) noexcept;

  /// Everything up to the end; a folder, or more than `limit_bytes`, is refused.
  std::string read_all(std::size_t limit_bytes);

 private:
  int descriptor_;
  std::string shown_name_;
};

/// Throws the usage Error for a failed write to `shown_name`; `code` is an errno.
[[noreturn]] void fail_to_write(const std::string& shown_name, int code);

}  // namespace peakline
