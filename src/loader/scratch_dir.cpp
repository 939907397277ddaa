#include "loader/scratch_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace peakline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "peakline-";
constexpr const char* lock_name = "in-use.lock";

Error cannot_make(const fs::path& path, const std::string& reason) {
  return usage_error("Cannot make the folder '" + path.string() + "': " + reason +
                     "; choose another place for the data set (--data-dir).");
}

/// A descriptor that has the lock of this file, or -1: somebody else has it, or it is not ours.
int try_lock(const fs::path& file, int flags) {
  const int descriptor = ::open(file.c_str(), flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0 || ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

/// Whatever cannot be removed is left to somebody else. A folder without a lock is just being made.
void remove_abandoned(const fs::path& base) {
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(base, failure)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    if (!entry.is_directory(failure) || entry.is_symlink(failure)) continue;
    const int lock = try_lock(entry.path() / lock_name, 0);
    if (lock < 0) continue;
    fs::remove_all(entry.path(), failure);
    ::close(lock);
  }
}

}  // namespace

ScratchDir::ScratchDir(fs::path path, int lock) : path_(std::move(path)), lock_(lock) {}

ScratchDir ScratchDir::temporary(const fs::path& base) {
  remove_abandoned(base);
  std::string name = (base / (std::string(prefix) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw cannot_make(name, std::generic_category().message(errno));
  }
  // Locked under another name first: nobody may find it unlocked.
  const fs::path unseen = fs::path(name) / "new.lock";
  const int lock = try_lock(unseen, O_CREAT | O_EXCL);
  const int reason = errno;
  std::error_code failure(lock < 0 ? reason : 0, std::generic_category());
  if (!failure) fs::rename(unseen, fs::path(name) / lock_name, failure);
  if (failure) {
    std::error_code ignored;
    fs::remove_all(name, ignored);
    throw cannot_make(name, failure.message());
  }
  return {name, lock};
}

ScratchDir ScratchDir::adopted(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw cannot_make(path, error.message());
  return {path, -1};
}

ScratchDir::~ScratchDir() {
  remove_now();
  if (lock_ >= 0) ::close(lock_);
}

void ScratchDir::remove_now() const noexcept {
  std::error_code ignored;
  if (lock_ >= 0) fs::remove_all(path_, ignored);
}

}  // namespace peakline
