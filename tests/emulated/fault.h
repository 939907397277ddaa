#pragma once

#include <string_view>

namespace emulated {

/// Whether the fault of this kind, asked for by PEAKLINE_EMULATED_FAULT=KIND[@RANK][+N], strikes
/// now: on this rank (OMPI_COMM_WORLD_RANK), and every time that this is asked but the first N.
bool strikes(std::string_view kind);

}  // namespace emulated
