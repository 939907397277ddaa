#include "report/posix_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "core/error.h"

namespace peakline {
namespace {

constexpr mode_t new_file_mode = 0666;  // less the user's umask

std::string reason(int code) { return std::generic_category().message(code); }

[[noreturn]] void fail_to_read(const std::string& shown_name, int code) {
  throw usage_error("Cannot read '" + shown_name + "': " + reason(code) +
                    "; give a file that exists and may be read.");
}

}  // namespace

void fail_to_write(const std::string& shown_name, int code) {
  throw usage_error("Cannot write '" + shown_name + "': " + reason(code) +
                    "; choose a file in an existing, writable folder with enough space.");
}

PosixFile::PosixFile(const std::string& path, int flags, const std::string& shown_name)
    : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, new_file_mode)), shown_name_(shown_name) {
  if (descriptor_ >= 0) return;
  const int code = errno;
  if ((flags & O_ACCMODE) == O_RDONLY) fail_to_read(shown_name_, code);
  fail_to_write(shown_name_, code);
}

PosixFile::~PosixFile() { ::close(descriptor_); }

void PosixFile::write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail_to_write(shown_name_, errno);
    }
  }
}

bool PosixFile::try_truncate(std::size_t size_bytes) noexcept {
  return ::ftruncate(descriptor_, static_cast<off_t>(size_bytes)) == 0;
}

void PosixFile::sync() {
  // Some file systems cannot sync a folder and say EINVAL; there is nothing more to be done then.
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail_to_write(shown_name_, errno);
}

std::string PosixFile::read_all(std::size_t limit_bytes) {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail_to_read(shown_name_, errno);
  if (S_ISDIR(status.st_mode)) {
    throw usage_error("'" + shown_name_ + "' is a folder; give a file.");
  }
  // The size is known for a file only, not for a pipe, and a file may grow while it is read.
  auto size_bytes = static_cast<std::size_t>(status.st_size);
  std::string text;
  if (size_bytes <= limit_bytes) text.reserve(size_bytes);
  std::vector<char> chunk(std::size_t{1} << 16U);
  while (size_bytes <= limit_bytes) {
    const ssize_t got = ::read(descriptor_, chunk.data(), chunk.size());
    if (got == 0) return text;
    if (got > 0) {
      text.append(chunk.data(), static_cast<std::size_t>(got));
      size_bytes = text.size();
    } else if (errno != EINTR) {
      fail_to_read(shown_name_, errno);
    }
  }
  throw usage_error("'" + shown_name_ + "' is larger than " + std::to_string(limit_bytes) +
                    " bytes, the most that is read; give a smaller file.");
}

}  // namespace peakline
