#include "core/fingerprint.h"

#include <array>
#include <cinttypes>
#include <cstdio>

#include "core/case_id.h"

namespace peakline {

std::uint64_t fnv1a_64(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3U;
  }
  return hash;
}

std::string MachineKind::canonical_line() const {
  return "backend=" + encode_key_word(backend) + ",device_model=" + encode_key_word(device_model) +
         ",devices_per_node=" + std::to_string(devices_per_node) +
         ",method_version=" + std::to_string(method) +
         ",mig_profile=" + encode_key_word(mig_profile);
}

std::string MachineKind::fingerprint() const {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016" PRIx64, fnv1a_64(canonical_line()));
  return text.data();
}

}  // namespace peakline
