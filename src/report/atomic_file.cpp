#include "report/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <random>
#include <system_error>

#include "core/error.h"
#include "report/posix_file.h"

namespace peakline {
namespace {

namespace fs = std::filesystem;

/// Where the bytes will really go, behind symbolic links. Only a regular file is ever replaced: a
/// rename onto a device such as /dev/null would destroy it.
fs::path target_of(const std::string& path) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found && fs::path(path).has_filename()) return path;
  if (status.type() == fs::file_type::none) fail_to_write(path, failure.value());
  if (status.type() != fs::file_type::regular) {
    throw usage_error("Cannot write '" + path +
                      "': it is a folder or a device; give the name of a regular file.");
  }
  if (::access(path.c_str(), W_OK) != 0) fail_to_write(path, errno);
  return fs::canonical(path);
}

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

/// A name of its own, not one made from the target's, which may be as long as names can be.
std::string temporary_path(const fs::path& target) {
  const std::string name = ".peakline-" + std::to_string(std::random_device()()) + ".tmp";
  return (folder_of(target) / name).string();
}

/// A new file beside the target, gone again unless it takes the target's place.
class TemporaryFile {
 public:
  TemporaryFile(const fs::path& target, const std::string& shown_name)
      : path_(temporary_path(target)),
        file_(path_, O_WRONLY | O_CREAT | O_EXCL, shown_name),
        shown_name_(shown_name) {}
  ~TemporaryFile() {
    if (!moved_) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(std::string_view text) {
    file_.write_all(text);
    file_.sync();
  }

  void move_to(const fs::path& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) fail_to_write(shown_name_, errno);
    moved_ = true;
  }

 private:
  std::string path_;
  PosixFile file_;
  std::string shown_name_;
  bool moved_ = false;
};

}  // namespace

void check_writable(const std::string& path) { const TemporaryFile probe(target_of(path), path); }

void write_file_atomically(const std::string& path, std::string_view text) {
  const fs::path target = target_of(path);
  TemporaryFile temporary(target, path);
  temporary.write(text);
  temporary.move_to(target);
  PosixFile(folder_of(target).string(), O_RDONLY | O_DIRECTORY, path).sync();
}

std::string read_file(const std::string& path) {
  return PosixFile(path, O_RDONLY, path).read_all(file_limit_bytes);
}

}  // namespace peakline
