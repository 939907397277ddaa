#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <vector>

#include "core/error.h"
#include "loader/dataset.h"
#include "loader/reader.h"
#include "loader/record_content.h"
#include "loader/scratch_dir.h"
#include "support/catch.h"

using namespace peakline;
namespace fs = std::filesystem;

namespace {

constexpr DatasetSpec small_spec{64, 10, 4, 42};

/// An empty folder that goes at the end.
class Folder {
 public:
  Folder() { fs::create_directory(path()); }
  fs::path path() const { return base_.path() / "dataset"; }

 private:
  ScratchDir base_ = ScratchDir::temporary(fs::temp_directory_path());
};

std::vector<std::byte> record_bytes(std::uint64_t seed, std::int64_t record, std::size_t size) {
  std::vector<std::byte> bytes(size);
  fill_record(seed, record, bytes);
  return bytes;
}

std::vector<std::byte> read_all(const fs::path& folder, const DatasetSpec& spec) {
  std::vector<std::int64_t> records(static_cast<std::size_t>(spec.records));
  std::iota(records.begin(), records.end(), 0);
  std::vector<std::byte> bytes(static_cast<std::size_t>(spec.records * spec.record_bytes));
  const std::int64_t read_bytes = open_pread_reader(folder, spec)->read(records, bytes);
  CHECK(read_bytes == spec.records * spec.record_bytes);
  return bytes;
}

/// Numbers of the records that are not what was written.
std::vector<std::int64_t> wrong_records(const fs::path& folder, const DatasetSpec& spec) {
  const std::vector<std::byte> bytes = read_all(folder, spec);
  const auto size = static_cast<std::size_t>(spec.record_bytes);
  std::vector<std::int64_t> wrong;
  for (std::int64_t record = 0; record < spec.records; ++record) {
    const auto content = std::span(bytes).subspan(static_cast<std::size_t>(record) * size, size);
    if (!is_record(spec.seed, record, content)) wrong.push_back(record);
  }
  return wrong;
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void overwrite(const fs::path& path, std::int64_t offset_bytes, std::span<const std::byte> bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(offset_bytes);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

/// While it lives, no file grows beyond `size_bytes`: writing then fails as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t size_bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{size_bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

}  // namespace

TEST_CASE("a record is known by its bytes") {
  for (std::size_t size : {24U, 32U, 64U, 1000U}) {
    const auto bytes = record_bytes(42, 7, size);
    CAPTURE(size);
    CHECK(is_record(42, 7, bytes));
    CHECK_FALSE(is_record(42, 8, bytes));
    CHECK_FALSE(is_record(43, 7, bytes));
    CHECK_FALSE(is_record(42, 7, std::vector<std::byte>(size)));
  }
  CHECK(record_bytes(42, 7, 64) == record_bytes(42, 7, 64));
}

TEST_CASE("every flipped bit and every two exchanged words of a record are found") {
  const auto bytes = record_bytes(42, 7, 88);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    auto flipped = bytes;
    flipped[bit / 8] ^= std::byte{1} << (bit % 8);
    CAPTURE(bit);
    CHECK_FALSE(is_record(42, 7, flipped));
  }
  for (std::size_t a = 0; a < bytes.size(); a += 8) {
    for (std::size_t b = a + 8; b < bytes.size(); b += 8) {
      auto exchanged = bytes;
      std::swap_ranges(&exchanged[a], &exchanged[a] + 8, &exchanged[b]);
      CAPTURE(a, b);
      CHECK_FALSE(is_record(42, 7, exchanged));
    }
  }
}

TEST_CASE("a data set reads back as it was written") {
  const std::int64_t large = 100'000;
  for (const DatasetSpec& spec :
       {small_spec, DatasetSpec{24, 1, 1, 0}, DatasetSpec{64, 8, 4, 1},
        DatasetSpec{8 * large, 4, 3, 5}, DatasetSpec{24, large, large, 9}}) {
    const Folder folder;
    write_dataset(folder.path(), spec);
    CAPTURE(spec.record_bytes, spec.records);
    CHECK(wrong_records(folder.path(), spec).empty());
    CHECK(files_in(folder.path()).size() == static_cast<std::size_t>(spec.shards()) + 1);
  }
}

TEST_CASE("the manifest says what the data set is") {
  const Folder folder;
  write_dataset(folder.path(), small_spec);
  std::ifstream manifest(manifest_path(folder.path()));
  const std::string text{std::istreambuf_iterator(manifest), {}};
  CHECK(text == "peakline-dataset 1\nrecord_bytes 64\nrecords 10\nrecords_per_shard 4\nseed 42\n");
}

TEST_CASE("damage to a shard is found, and the damaged record is named") {
  const Folder folder;
  write_dataset(folder.path(), small_spec);
  const fs::path second_shard = shard_path(folder.path(), 1);

  SECTION("a flipped bit") {
    auto bytes = record_bytes(42, 5, 64);
    bytes[40] ^= std::byte{0x10};
    overwrite(second_shard, 64, bytes);
    CHECK(wrong_records(folder.path(), small_spec) == std::vector<std::int64_t>{5});
  }
  SECTION("two records exchanged") {
    overwrite(second_shard, 0, record_bytes(42, 6, 64));
    overwrite(second_shard, 128, record_bytes(42, 4, 64));
    CHECK(wrong_records(folder.path(), small_spec) == std::vector<std::int64_t>{4, 6});
  }
  SECTION("a shard in the place of another") {
    fs::copy_file(shard_path(folder.path(), 0), second_shard, fs::copy_options::overwrite_existing);
    CHECK(wrong_records(folder.path(), small_spec) == std::vector<std::int64_t>{4, 5, 6, 7});
  }
  SECTION("a truncated shard") {
    fs::resize_file(second_shard, 100);
    CHECK_THROWS_WITH(
        read_all(folder.path(), small_spec),
        Catch::Contains(second_shard.string()) && Catch::Contains("record 5, at byte 100"));
  }
  SECTION("a missing shard") {
    fs::remove(second_shard);
    CHECK_THROWS_WITH(open_pread_reader(folder.path(), small_spec),
                      Catch::Contains(second_shard.string()) && Catch::Contains("No such file"));
  }
}

TEST_CASE("a complete data set is kept, any other is replaced") {
  const Folder folder;
  write_dataset(folder.path(), small_spec);
  // Damage that no size shows tells whether the shard was written again.
  overwrite(shard_path(folder.path(), 0), 0, record_bytes(42, 3, 64));
  DatasetSpec wanted = small_spec;
  std::vector<std::int64_t> expected_wrong;

  SECTION("the same spec") { expected_wrong = {0}; }
  SECTION("another seed") { wanted.seed = 43; }
  SECTION("fewer shards") { wanted.records = 3; }
  SECTION("no manifest") { fs::remove(manifest_path(folder.path())); }
  SECTION("a shard cut short") { fs::resize_file(shard_path(folder.path(), 2), 64); }
  SECTION("a shard gone") { fs::remove(shard_path(folder.path(), 1)); }

  write_dataset(folder.path(), wanted);
  CHECK(wrong_records(folder.path(), wanted) == expected_wrong);
  CHECK(files_in(folder.path()).size() == static_cast<std::size_t>(wanted.shards()) + 1);
}

TEST_CASE("a folder with foreign files is refused and left as it is") {
  const Folder folder;
  write_dataset(folder.path(), small_spec);
  SECTION("a file") { std::ofstream(folder.path() / "thesis.tex") << "text"; }
  SECTION("a folder") { fs::create_directory(folder.path() / "thesis.tex"); }
  const auto before = files_in(folder.path());
  DatasetSpec other = small_spec;
  other.seed = 43;
  CHECK_THROWS_WITH(write_dataset(folder.path(), other),
                    Catch::Contains("thesis.tex") && Catch::Contains(folder.path().string()));
  CHECK(files_in(folder.path()) == before);
  CHECK(wrong_records(folder.path(), small_spec).empty());
}

TEST_CASE("a disk that is full is a sentence, and nothing half-written stays") {
  const Folder folder;
  const DatasetSpec spec{1 << 20, 4, 4, 42};
  std::string sentence;
  try {
    const FileSizeLimit limit(3 << 20);
    write_dataset(folder.path(), spec);
  } catch (const Error& failure) {
    sentence = failure.what();
    CHECK(failure.status() == ExitStatus::usage);
  }
  CHECK_THAT(sentence, Catch::Contains("Cannot write") &&
                           Catch::Contains(shard_path(folder.path(), 0).string()) &&
                           Catch::Contains("File too large"));
  CHECK(files_in(folder.path()).empty());
  write_dataset(folder.path(), spec);
  CHECK(wrong_records(folder.path(), spec).empty());
}

TEST_CASE("a place where no folder can be is a sentence") {
  const Folder folder;
  std::ofstream(folder.path() / "file") << "text";
  CHECK_THROWS_WITH(write_dataset(folder.path() / "file" / "data", small_spec),
                    Catch::Contains("Cannot prepare") && Catch::Contains("Not a directory"));
}

TEST_CASE("a spec that no data set can have is refused") {
  const Folder folder;
  for (const DatasetSpec& spec : {DatasetSpec{16, 1, 1, 0}, DatasetSpec{60, 1, 1, 0},
                                  DatasetSpec{64, 0, 1, 0}, DatasetSpec{64, 1, 0, 0}}) {
    CHECK_THROWS_WITH(write_dataset(folder.path(), spec), Catch::Contains("cannot have"));
  }
  CHECK(files_in(folder.path()).empty());
}
