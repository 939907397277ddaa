#pragma once

#include <memory>
#include <string_view>

#include "core/device.h"

namespace peakline {

/// Points in time on the host's monotonic clock, for work that is over when its call returns.
std::unique_ptr<Timeline> make_host_timeline();
inline constexpr std::string_view host_timer = "steady_clock";

}  // namespace peakline
