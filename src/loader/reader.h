#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "loader/dataset.h"

namespace peakline {

/// An I/O engine that reads records of a data set. One thread uses one reader, and it is given a
/// whole batch at a time, so that an engine may have many requests under way.
class RecordReader {
 public:
  virtual ~RecordReader() = default;

  /// Reads `records` one behind the other into `into`, which holds just them. Returns the bytes
  /// truly read, which may be more. Throws an Error that names file and record.
  virtual std::int64_t read(std::span<const std::int64_t> records, std::span<std::byte> into) = 0;
};

/// Name of the engine that reads each record by one pread() through the page cache.
inline constexpr std::string_view pread_engine = "pread";

/// Opens every shard of the data set.
std::unique_ptr<RecordReader> open_pread_reader(const std::filesystem::path& folder,
                                                const DatasetSpec& spec);

}  // namespace peakline
