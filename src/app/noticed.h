#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/record.h"

namespace peakline {

/// What was noticed of the ranks' devices while cases were measured. A GPU that is hot is hot in
/// most cases: that is one incident, not one for each of them.
class Noticed {
 public:
  void add(const Incident& incident);

  /// One for each kind and rank: the first, and in how many other cases it was noticed.
  std::vector<Incident> incidents() const;

 private:
  struct Entry {
    Incident first;
    std::set<std::string> case_keys;
  };
  std::map<std::pair<std::string, std::int64_t>, Entry> entries_;
};

}  // namespace peakline
