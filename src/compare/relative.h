#pragma once

#include <string>
#include <vector>

#include "compare/gather.h"
#include "compare/policy.h"

namespace peakline {

/// Judges every key that has values on both sides against the baseline, and returns what is to be
/// said of the run as a whole.
///
/// A difference has two parts: the shift of the whole run and what the key adds to it. A key is
/// `regressed` when it is worse by at least the least effect of its family, and either its own part
/// is that large and significant after Benjamini-Hochberg over all keys, or the whole run's shift
/// is. It passes when a worsening of the least effect is excluded with 95 % confidence. To accuse,
/// what bursts of other work can do is ruled out as well; to acquit, it need not be, because they
/// cannot improve a figure. Absence of significance is not a pass: everything else is inconclusive.
std::vector<std::string> judge_against_baseline(std::vector<KeyState>& states,
                                                const Policy& policy);

}  // namespace peakline
