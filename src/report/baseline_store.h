#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/record.h"

namespace peakline {

/// Accepted runs on disk: DIR/stored/<fingerprint>/<run id>.json, each a record with where it comes
/// from (baselines/schema/baseline.schema.json).

/// Why and when a record became a baseline.
struct Provenance {
  std::string reason;
  std::string accepted;     ///< UTC
  std::string source_file;  ///< name of the file it came from
  bool golden = false;      ///< pinned: what drift is measured against
};

/// Every record that the paths mean: a record or accepted run itself, the accepted runs of a
/// baseline folder (one with `stored` in it), or all such files below any other folder. Journals
/// count as the incomplete records they are. A usage Error for a file that is none of these, and
/// for a folder without any that is no baseline folder.
std::vector<Record> load_baselines(const std::vector<std::string>& paths);

/// One record that became part of a baseline.
struct AcceptedRun {
  std::string file;
  std::int64_t measured = 0;  ///< cases with an ok result
  std::int64_t planned = 0;
};

/// Stores records as accepted, each in a file of its own, written atomically. Refuses what is
/// incomplete, emulated, failed, invalid or without any result, and then stores nothing at all; and
/// what is there already.
std::vector<AcceptedRun> accept_records(const std::vector<std::string>& record_files,
                                        const std::string& folder, const Provenance& provenance);

}  // namespace peakline
