#pragma once

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
/// count as the incomplete records they are. A usage Error for a file that is none of these.
std::vector<Record> load_baselines(const std::vector<std::string>& paths);

/// Stores records as accepted, each in a file of its own, written atomically; returns the files.
/// Refuses what is incomplete, emulated, failed or invalid, and then stores nothing at all; and
/// what is there already.
std::vector<std::string> accept_records(const std::vector<std::string>& record_files,
                                        const std::string& folder, const Provenance& provenance);

}  // namespace peakline
