#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace peakline {

/// The kind of file system under a folder: "ext4", "tmpfs", "nfs", ..., or "fs-" with the number
/// that statfs(2) gives in hexadecimal. A usage Error when there is no such folder.
std::string file_system_of(const std::filesystem::path& folder);

/// The name for a number of statfs(2).
std::string file_system_name(std::uint32_t magic);

}  // namespace peakline
