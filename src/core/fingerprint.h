#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace peakline {

/// Raised whenever the same flags would give other numbers than before.
inline constexpr std::int64_t method_version = 1;

/// What makes two machines one kind of machine. Everything else that may explain a difference
/// (driver, versions, settings, node set) is reported as "also changed" instead.
struct MachineKind {
  std::string backend;       ///< "host" or "cuda"
  std::string device_model;  ///< the GPU's or CPU's own name
  std::string mig_profile;   ///< empty unless the devices are MIG slices
  std::int64_t devices_per_node = 0;
  std::int64_t method = method_version;

  bool operator==(const MachineKind&) const = default;

  /// The one line that is hashed (docs/result_format.md has test vectors).
  std::string canonical_line() const;

  /// 16 hexadecimal digits: FNV-1a, 64 bit, over the bytes of canonical_line().
  std::string fingerprint() const;
};

/// FNV-1a, 64 bit (Fowler, Noll, Vo; offset basis 0xcbf29ce484222325, prime 0x100000001b3).
std::uint64_t fnv1a_64(std::string_view bytes);

}  // namespace peakline
