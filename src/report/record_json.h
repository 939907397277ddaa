#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/record.h"

namespace peakline {

/// The record as a file (docs/result_format.md, baselines/schema/record.schema.json).
inline constexpr std::string_view record_schema = "peakline.record";
inline constexpr std::int64_t record_schema_version = 1;

/// JSON with one planned case and one result a line; the same record gives the same bytes, and
/// every number reads back exactly. Bytes that are not UTF-8 become U+FFFD. A number that is not
/// finite is a bug of whoever measured it: std::logic_error names the field.
std::string write_record(const Record& record);

/// The inverse. Whatever is not as the format promises (a wrong type, a missing field, an unknown
/// word, a key or fingerprint that contradicts its own fields) is a usage Error with file and
/// place. A metric without a value is read as such: to judge it is the comparer's business.
Record read_record(std::string_view text, const std::string& name_for_errors);
Record read_record_file(const std::string& path);

/// The same for a file that may also be the journal of a run that did not end (report/journal.h).
Record read_record_or_journal_file(const std::string& path);

}  // namespace peakline
