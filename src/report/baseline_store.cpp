#include "report/baseline_store.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "compare/physics.h"
#include "core/error.h"
#include "report/atomic_file.h"
#include "report/record_json.h"
#include "report/record_parts.h"

namespace peakline {
namespace {

namespace fs = std::filesystem;

constexpr const char* stored = "stored";

std::vector<fs::path> records_below(const fs::path& folder) {
  std::vector<fs::path> files;
  try {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const bool is_record =
          entry.path().extension() == ".json" || entry.path().extension() == ".part";
      if (entry.is_regular_file() && is_record) files.push_back(entry.path());
    }
  } catch (const fs::filesystem_error& failure) {
    throw usage_error("Cannot read the folder '" + failure.path1().string() +
                      "': " + failure.code().message() + "; give one that may be read.");
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> files_of(const fs::path& path) {
  std::error_code failure;
  if (!fs::is_directory(path, failure)) return {path};
  const fs::path accepted = path / stored;
  if (fs::is_directory(accepted, failure)) return records_below(accepted);
  std::vector<fs::path> files = records_below(path);
  if (!files.empty()) return files;
  throw usage_error("There is no record in the folder '" + path.string() +
                    "': give a record, or a folder that peakline accept has filled (--into).");
}

/// Cases of which something was measured: a case may have several results.
std::int64_t measured_cases(const Record& record) {
  std::set<std::string> keys;
  for (const Result& result : record.results) {
    if (result.status == Status::ok) keys.insert(result.id.key());
  }
  return static_cast<std::int64_t>(keys.size());
}

/// Why a record must not become a baseline; empty when it may.
std::string refusal(const Record& record) {
  if (!record.run.complete) return "it is not complete";
  if (record.environment.emulated) return "it comes from an emulated GPU, which has no speed";
  if (record.environment.shared_gpu) return "its ranks shared a GPU";
  for (const Result& result : record.results) {
    if (result.status == Status::failed) return result.id.key() + " failed: " + result.reason;
    if (result.status == Status::invalid) return result.id.key() + " is invalid";
    const std::string contradiction = contradiction_in(result);
    if (!contradiction.empty()) return result.id.key() + " is invalid: " + contradiction;
  }
  if (measured_cases(record) == 0) return "nothing in it was measured, every case was skipped";
  return "";
}

/// Takes back what was written, unless all of it was.
class WrittenFiles {
 public:
  ~WrittenFiles() {
    std::error_code ignored;
    for (const std::string& path : paths_) fs::remove(path, ignored);
  }
  WrittenFiles() = default;
  WrittenFiles(const WrittenFiles&) = delete;
  WrittenFiles& operator=(const WrittenFiles&) = delete;

  void add(const fs::path& path) { paths_.push_back(path.string()); }
  void keep() { paths_.clear(); }

 private:
  std::vector<std::string> paths_;
};

/// An accepted run is a record with one member more, so whatever reads records reads it.
std::string with_provenance(const std::string& record, const Provenance& provenance) {
  const OrderedJson accepted{{"reason", provenance.reason},
                             {"time", provenance.accepted},
                             {"source_file", provenance.source_file},
                             {"golden", provenance.golden}};
  const std::size_t behind_brace = record.find('{') + 1;
  return record.substr(0, behind_brace) + "\n\"accepted\":" + line_of(accepted, "accepted") + "," +
         record.substr(behind_brace);
}

}  // namespace

std::vector<Record> load_baselines(const std::vector<std::string>& paths) {
  std::vector<Record> records;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    for (const fs::path& file : files_of(path)) {
      Record record = read_record_or_journal_file(file);
      if (seen.insert(record.run.id).second) records.push_back(std::move(record));
    }
  }
  return records;
}

std::vector<AcceptedRun> accept_records(const std::vector<std::string>& record_files,
                                        const std::string& folder, const Provenance& provenance) {
  std::vector<Record> records;
  for (const std::string& file : record_files) {
    records.push_back(read_record_or_journal_file(file));
    const std::string why = refusal(records.back());
    if (!why.empty()) {
      throw usage_error(file + " cannot be accepted as a baseline: " + why + ".");
    }
  }
  std::vector<AcceptedRun> accepted;
  WrittenFiles written;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const fs::path place = fs::path(folder) / stored / records[i].environment.kind.fingerprint();
    std::error_code failure;
    fs::create_directories(place, failure);
    if (failure) {
      throw usage_error("The folder " + place.string() + " cannot be made: " + failure.message() +
                        ". Choose another with --into.");
    }
    Provenance own = provenance;
    own.source_file = fs::path(record_files[i]).filename();
    const fs::path file = place / (encode_key_word(records[i].run.id) + ".json");
    if (fs::exists(file, failure)) {
      throw usage_error(record_files[i] + " is accepted already, as " + file.string() +
                        ": remove that file first to accept it anew.");
    }
    write_file_atomically(file, with_provenance(write_record(records[i]), own));
    written.add(file);
    accepted.push_back({file.string(), measured_cases(records[i]),
                        static_cast<std::int64_t>(records[i].plan.size())});
  }
  written.keep();
  return accepted;
}

}  // namespace peakline
