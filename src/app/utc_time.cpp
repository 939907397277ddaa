#include "app/utc_time.h"

#include <array>
#include <ctime>

namespace peakline {
namespace {

std::string format_now(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), format, &parts);
  return text.data();
}

}  // namespace

std::string utc_time() { return format_now("%Y-%m-%dT%H:%M:%SZ"); }
std::string compact_utc_time() { return format_now("%Y%m%dT%H%M%SZ"); }

}  // namespace peakline
