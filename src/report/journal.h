#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/record.h"

namespace peakline {

class PosixFile;

inline constexpr std::string_view journal_schema = "peakline.journal";
inline constexpr std::int64_t journal_schema_version = 1;

/// What is known while a run goes on, as a file beside the record to be (`FILE.part`): one JSON
/// line that says what is being run, then one for each result. It outlives the process but not a
/// crash of the machine: each line is handed to the kernel at once, and not synced to the disk,
/// which would disturb what is being measured.
class Journal {
 public:
  static std::string path_for(const std::string& record_path) { return record_path + ".part"; }

  /// Starts anew with all of `record` but its results. A usage Error when it cannot be written.
  Journal(const std::string& path, const Record& record);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Adds a result, which stands for an earlier one of the same case and place. When there is no
  /// space left, a usage Error, and the lines before stay readable.
  void append(const Result& result);

  /// Takes the file away, once the record is written.
  void remove();

 private:
  void append_line(std::string line);

  std::string path_;
  std::unique_ptr<PosixFile> file_;
  std::size_t size_bytes_ = 0;
};

/// Whether a text is a journal rather than a record: its first bytes say so.
bool is_journal(std::string_view text);

/// An incomplete record, with an incident that says why, of what a journal holds. A last line that
/// was cut off in the middle is left out and said in an incident; any other that is broken is a
/// usage Error.
Record read_journal(std::string_view text, const std::string& name_for_errors);

}  // namespace peakline
