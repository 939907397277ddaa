#include "loader/scratch_dir.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace peakline {
namespace {

Error cannot_make(const std::filesystem::path& path, const std::string& reason) {
  return usage_error("Cannot make the folder '" + path.string() + "': " + reason +
                     "; choose another place for the data set (--data-dir).");
}

}  // namespace

ScratchDir::ScratchDir(std::filesystem::path path, bool removed_at_end)
    : path_(std::move(path)), removed_at_end_(removed_at_end) {}

ScratchDir ScratchDir::temporary(const std::filesystem::path& base) {
  std::string name = (base / "peakline-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw cannot_make(base / "peakline-XXXXXX", std::generic_category().message(errno));
  }
  return {name, true};
}

ScratchDir ScratchDir::adopted(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw cannot_make(path, error.message());
  return {path, false};
}

ScratchDir::~ScratchDir() { remove_now(); }

void ScratchDir::remove_now() const noexcept {
  std::error_code ignored;
  if (removed_at_end_) std::filesystem::remove_all(path_, ignored);
}

}  // namespace peakline
