#include "loader/file_system.h"

#include <sys/vfs.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>

#include "core/error.h"

namespace peakline {
namespace {

struct KnownFileSystem {
  std::uint32_t magic;
  std::string_view name;
};

/// From statfs(2) and linux/magic.h; zfs, lustre, gpfs and beegfs from their own sources.
constexpr std::array known_file_systems{
    KnownFileSystem{0x0000ef53, "ext4"},  // ext2 and ext3 share the number and the driver
    KnownFileSystem{0x58465342, "xfs"},     KnownFileSystem{0x9123683e, "btrfs"},
    KnownFileSystem{0xf2f52010, "f2fs"},    KnownFileSystem{0x2fc12fc1, "zfs"},
    KnownFileSystem{0x01021994, "tmpfs"},   KnownFileSystem{0x858458f6, "ramfs"},
    KnownFileSystem{0x794c7630, "overlay"}, KnownFileSystem{0x65735546, "fuse"},
    KnownFileSystem{0x01021997, "9p"},      KnownFileSystem{0x00006969, "nfs"},
    KnownFileSystem{0xff534d42, "cifs"},    KnownFileSystem{0xfe534d42, "smb2"},
    KnownFileSystem{0x00c36400, "ceph"},    KnownFileSystem{0x0bd00bd0, "lustre"},
    KnownFileSystem{0x47504653, "gpfs"},    KnownFileSystem{0x19830326, "beegfs"},
};

}  // namespace

std::string file_system_name(std::uint32_t magic) {
  for (const KnownFileSystem& known : known_file_systems) {
    if (known.magic == magic) return std::string(known.name);
  }
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "fs-%x", magic);
  return text.data();
}

std::string file_system_of(const std::filesystem::path& folder) {
  struct statfs status {};
  if (::statfs(folder.c_str(), &status) != 0) {
    throw usage_error("Cannot tell the file system of '" + folder.string() + "': " +
                      std::generic_category().message(errno) + "; name a folder that exists.");
  }
  return file_system_name(static_cast<std::uint32_t>(status.f_type));
}

}  // namespace peakline
