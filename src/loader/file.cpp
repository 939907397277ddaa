#include "loader/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace peakline {
namespace {

constexpr mode_t readable_by_all = 0644;

[[noreturn]] void refuse(std::string_view what, const std::filesystem::path& path, int error) {
  throw usage_error("Cannot " + std::string(what) + " '" + path.string() +
                    "': " + std::generic_category().message(error) +
                    "; choose another folder for the data set (--data-dir).");
}

/// Calls again what a signal interrupted before anything was done.
template <typename Call>
auto uninterrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace

File::File(std::filesystem::path path, int flags)
    : path_(std::move(path)), descriptor_(uninterrupted([&] {
        return ::open(path_.c_str(), flags | O_CLOEXEC, readable_by_all);
      })) {
  if (descriptor_ < 0) refuse("open", path_, errno);
}

File File::open(const std::filesystem::path& path) { return {path, O_RDONLY}; }

File File::create(const std::filesystem::path& path) {
  return {path, O_WRONLY | O_CREAT | O_TRUNC};
}

File::File(File&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t File::read_at(std::int64_t offset_bytes, std::span<std::byte> into) const {
  std::size_t done = 0;
  while (done < into.size()) {
    const std::span rest = into.subspan(done);
    const ssize_t count = uninterrupted([&] {
      return ::pread(descriptor_, rest.data(), rest.size(),
                     offset_bytes + static_cast<std::int64_t>(done));
    });
    if (count < 0) refuse("read", path_, errno);
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

void File::write(std::span<const std::byte> from) {
  while (!from.empty()) {
    const ssize_t count =
        uninterrupted([&] { return ::write(descriptor_, from.data(), from.size()); });
    if (count < 0) refuse("write", path_, errno);
    from = from.subspan(static_cast<std::size_t>(count));
  }
}

void File::close() {
  // Not called again after EINTR: Linux has freed the descriptor by then.
  if (::close(std::exchange(descriptor_, -1)) < 0) refuse("write", path_, errno);
}

NewFile::NewFile(std::filesystem::path path)
    : path_(std::move(path)), partial_(File::create(partial_path(path_))) {}

NewFile::~NewFile() {
  std::error_code ignored;
  if (!committed_) std::filesystem::remove(partial_.path(), ignored);
}

void NewFile::commit() {
  partial_.close();
  std::error_code error;
  std::filesystem::rename(partial_.path(), path_, error);
  if (error) refuse("make", path_, error.value());
  committed_ = true;
}

std::filesystem::path NewFile::partial_path(std::filesystem::path path) {
  return path += ".partial";
}

}  // namespace peakline
