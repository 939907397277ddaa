#pragma once

#include <string>
#include <vector>

namespace peakline {

/// Cells of one line.
using TextRow = std::vector<std::string>;

/// Lines whose columns are as wide as their widest cell, two spaces apart; no line ends in spaces.
std::string aligned_table(const std::vector<TextRow>& rows);

}  // namespace peakline
