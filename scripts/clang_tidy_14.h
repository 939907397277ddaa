// Included by the tidy preset alone: clang 14 has no std::source_location, and GCC's library hides it there.
#pragma once

#if defined(__clang_major__) && __clang_major__ < 15
#include <cstdint>

namespace std {
struct source_location {
  static constexpr source_location current() noexcept { return {}; }
  constexpr const char* file_name() const noexcept { return ""; }
  constexpr uint_least32_t line() const noexcept { return 0; }
};
}  // namespace std
#endif
