#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace peakline {

/// Files that are either whole or not there. All failures are usage Errors that name the path and
/// the system's reason.

/// The most that is read of any one file, in bytes.
inline constexpr std::size_t file_limit_bytes = std::size_t{1} << 30U;

/// Finds out before the work starts whether write_file_atomically() could write there. Leaves
/// nothing behind and an existing file as it is.
void check_writable(const std::string& path);

/// Puts `text` into a temporary file in the same folder, syncs it, renames it to `path` and syncs
/// the folder. On failure an existing file is as it was. A symbolic link keeps pointing where it
/// did.
void write_file_atomically(const std::string& path, std::string_view text);

/// All of a file or pipe, up to file_limit_bytes.
std::string read_file(const std::string& path);

}  // namespace peakline
