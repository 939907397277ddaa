#pragma once

#include <memory>

#include "core/accelerator.h"

namespace peakline {

/// The accelerator of the module beside this program. A usage Error says in a sentence why there is
/// none: not built, or the name of the library that the loader misses. The module stays loaded to
/// the end of the process, as its libraries have threads of their own.
std::unique_ptr<Accelerator> load_accelerator();

}  // namespace peakline
