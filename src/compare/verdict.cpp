#include "compare/verdict.h"

#include <algorithm>

namespace peakline {

std::string_view name_of(Word word) {
  switch (word) {
    case Word::pass: return "pass";
    case Word::real_but_small: return "pass (real but small)";
    case Word::improved: return "improved";
    case Word::regressed: return "regressed";
    case Word::below_floor: return "below floor";
    case Word::inconclusive: return "inconclusive";
    case Word::missing: return "missing";
    case Word::not_planned: return "not planned";
    case Word::new_key: return "new";
    case Word::unjudged: return "unjudged";
    case Word::not_comparable: return "not comparable";
    case Word::invalid: return "invalid";
    case Word::skipped: return "skipped";
    case Word::failed: return "failed";
  }
  return "unknown";
}

std::int64_t count_of(const Verdict& verdict, Word word) {
  return std::count_if(verdict.keys.begin(), verdict.keys.end(),
                       [word](const KeyVerdict& key) { return key.word == word; });
}

}  // namespace peakline
