#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace peakline {

/// A synthetic data set: records of one size in shard files, their bytes following from the seed
/// (record_content.h). Equal specs give equal bytes.
struct DatasetSpec {
  std::int64_t record_bytes = 0;
  std::int64_t records = 0;
  std::int64_t records_per_shard = 0;  ///< the last shard may hold fewer
  std::uint64_t seed = 0;

  std::int64_t shards() const { return (records + records_per_shard - 1) / records_per_shard; }
  std::int64_t records_in(std::int64_t shard) const;
};

/// A usage Error for a spec that no data set can have.
void check_spec(const DatasetSpec& spec);

/// What the manifest of such a data set says, line by line.
std::string manifest_text(const DatasetSpec& spec);

std::filesystem::path manifest_path(const std::filesystem::path& folder);
std::filesystem::path shard_path(const std::filesystem::path& folder, std::int64_t shard);

/// Makes `folder` hold exactly this data set, and makes the folder. One that is complete is kept as
/// it is; one of another spec, or half of one, is replaced. A usage Error, with nothing changed,
/// when the folder holds a file that no data set of ours has; and one that names the file, with the
/// partial file removed, when it cannot be written.
void write_dataset(const std::filesystem::path& folder, const DatasetSpec& spec);

}  // namespace peakline
