#pragma once

#include <cstdint>
#include <string>

#include "core/case_id.h"

namespace peakline {

/// A command that measures this case again, on as many ranks: one collective alone, of the other
/// benchmarks what `--bench` and `--dtypes` can select.
std::string repro_command(const CaseId& id, const std::string& suite, const std::string& backend,
                          std::uint64_t seed);

}  // namespace peakline
