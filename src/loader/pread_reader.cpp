#include <string>
#include <vector>

#include "core/error.h"
#include "loader/file.h"
#include "loader/reader.h"

namespace peakline {
namespace {

class PreadReader final : public RecordReader {
 public:
  PreadReader(const std::filesystem::path& folder, const DatasetSpec& spec) : spec_(spec) {
    for (std::int64_t shard = 0; shard < spec.shards(); ++shard) {
      shards_.push_back(File::open(shard_path(folder, shard)));
    }
  }

  std::int64_t read(std::span<const std::int64_t> records, std::span<std::byte> into) override {
    const auto record_bytes = static_cast<std::size_t>(spec_.record_bytes);
    std::int64_t read_bytes = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
      read_bytes += read_record(records[i], into.subspan(i * record_bytes, record_bytes));
    }
    return read_bytes;
  }

 private:
  std::int64_t read_record(std::int64_t record, std::span<std::byte> into) {
    const File& shard = shards_[static_cast<std::size_t>(record / spec_.records_per_shard)];
    const std::int64_t offset_bytes = record % spec_.records_per_shard * spec_.record_bytes;
    const std::size_t read_bytes = shard.read_at(offset_bytes, into);
    if (read_bytes < into.size()) {
      throw usage_error("The file '" + shard.path().string() + "' ends within record " +
                        std::to_string(record) + ", at byte " +
                        std::to_string(offset_bytes + static_cast<std::int64_t>(read_bytes)) +
                        ": remove the data set, and it is written again.");
    }
    return static_cast<std::int64_t>(read_bytes);
  }

  DatasetSpec spec_;
  std::vector<File> shards_;
};

}  // namespace

std::unique_ptr<RecordReader> open_pread_reader(const std::filesystem::path& folder,
                                                const DatasetSpec& spec) {
  return std::make_unique<PreadReader>(folder, spec);
}

}  // namespace peakline
