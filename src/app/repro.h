#pragma once

#include <string>

#include "core/case_id.h"

namespace peakline {

/// A command that measures just this case again, on as many ranks.
std::string repro_command(const CaseId& id, const std::string& suite, const std::string& backend);

}  // namespace peakline
