#include "loader/dataset.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "loader/file.h"
#include "loader/record_content.h"

namespace peakline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view manifest_name = "peakline-dataset.txt";
constexpr std::string_view shard_prefix = "peakline-shard-";
constexpr std::int64_t write_bytes = std::int64_t{1} << 20;

bool is_ours(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  return entry.is_regular_file() &&
         (name.starts_with(shard_prefix) || name.starts_with(manifest_name));
}

bool has_size(const fs::path& path, std::int64_t size_bytes) {
  std::error_code error;
  const std::uintmax_t found = fs::file_size(path, error);
  return !error && found == static_cast<std::uintmax_t>(size_bytes);
}

bool holds(const fs::path& folder, const DatasetSpec& spec) {
  std::ifstream manifest(manifest_path(folder), std::ios::binary);
  const std::string text{std::istreambuf_iterator(manifest), {}};
  if (text != manifest_text(spec)) return false;
  for (std::int64_t shard = 0; shard < spec.shards(); ++shard) {
    if (!has_size(shard_path(folder, shard), spec.records_in(shard) * spec.record_bytes)) {
      return false;
    }
  }
  return true;
}

/// A usage Error for the first file that is not ours.
std::vector<fs::path> our_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!is_ours(entry)) {
      throw usage_error("The folder '" + folder.string() + "' holds '" +
                        entry.path().filename().string() +
                        "', which is no part of a Peakline data set: name an empty or new folder.");
    }
    files.push_back(entry.path());
  }
  return files;
}

void remove_dataset(const fs::path& folder) {
  const std::vector<fs::path> files = our_files(folder);
  // The manifest goes first, so that half of a data set is never taken for a whole one.
  fs::remove(manifest_path(folder));
  for (const fs::path& file : files) fs::remove(file);
}

void write_shard(const fs::path& folder, const DatasetSpec& spec, std::int64_t shard) {
  const auto record_bytes = static_cast<std::size_t>(spec.record_bytes);
  const std::int64_t records_at_once = std::max<std::int64_t>(1, write_bytes / spec.record_bytes);
  std::vector<std::byte> bytes(static_cast<std::size_t>(records_at_once) * record_bytes);
  NewFile file(shard_path(folder, shard));
  std::int64_t record = shard * spec.records_per_shard;
  const std::int64_t end = record + spec.records_in(shard);
  while (record < end) {
    const auto count = static_cast<std::size_t>(std::min(records_at_once, end - record));
    for (std::size_t i = 0; i < count; ++i) {
      fill_record(spec.seed, record++, std::span(bytes).subspan(i * record_bytes, record_bytes));
    }
    file.write(std::span(bytes).first(count * record_bytes));
  }
  file.commit();
}

void write_manifest(const fs::path& folder, const DatasetSpec& spec) {
  const std::string text = manifest_text(spec);
  NewFile file(manifest_path(folder));
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

}  // namespace

std::int64_t DatasetSpec::records_in(std::int64_t shard) const {
  return std::min(records_per_shard, records - shard * records_per_shard);
}

void check_spec(const DatasetSpec& spec) {
  if (spec.record_bytes < smallest_record_bytes || spec.record_bytes % 8 != 0) {
    throw usage_error("A data set cannot have records of " + std::to_string(spec.record_bytes) +
                      " bytes: choose a multiple of 8 of at least " +
                      std::to_string(smallest_record_bytes) + ".");
  }
  if (spec.records < 1 || spec.records_per_shard < 1) {
    throw usage_error("A data set cannot have " + std::to_string(spec.records) + " records, " +
                      std::to_string(spec.records_per_shard) +
                      " in each shard: it needs at least one of each.");
  }
}

std::string manifest_text(const DatasetSpec& spec) {
  return "peakline-dataset 1\nrecord_bytes " + std::to_string(spec.record_bytes) + "\nrecords " +
         std::to_string(spec.records) + "\nrecords_per_shard " +
         std::to_string(spec.records_per_shard) + "\nseed " + std::to_string(spec.seed) + "\n";
}

fs::path manifest_path(const fs::path& folder) { return folder / manifest_name; }

fs::path shard_path(const fs::path& folder, std::int64_t shard) {
  std::array<char, 32> number{};
  std::snprintf(number.data(), number.size(), "%05lld.bin", static_cast<long long>(shard));
  return folder / (std::string(shard_prefix) + number.data());
}

void write_dataset(const fs::path& folder, const DatasetSpec& spec) {
  check_spec(spec);
  try {
    fs::create_directories(folder);
    if (holds(folder, spec)) return;
    remove_dataset(folder);
  } catch (const fs::filesystem_error& failure) {
    throw usage_error("Cannot prepare the folder '" + folder.string() + "' for the data set: " +
                      failure.code().message() + "; choose another one (--data-dir).");
  }
  for (std::int64_t shard = 0; shard < spec.shards(); ++shard) write_shard(folder, spec, shard);
  write_manifest(folder, spec);
}

}  // namespace peakline
