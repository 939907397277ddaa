#pragma once

#include <string>
#include <vector>

namespace peakline {

/// Found out before the work starts: whether `path` can be written, and whether a file that is
/// there already may be replaced. A slip of the keyboard must not cost a measurement or someone
/// else's file. All failures are usage Errors.

/// A record replaces only a record, or an empty file, and none of the `inputs`.
void check_record_output(const std::string& path, const std::vector<std::string>& inputs);

/// A verdict replaces anything but records and journals, which are what it judges.
void check_verdict_output(const std::string& path);

}  // namespace peakline
