#include "app/judging.h"

#include "app/data_dir.h"
#include "compare/judge.h"
#include "report/baseline_store.h"
#include "report/peaks_json.h"

namespace peakline {

Judging load_judging(const std::vector<std::string>& baselines) {
  return {load_baselines(baselines), read_peaks_file(find_data_dir() + "/peaks/gpus.json")};
}

Verdict judge_records(const std::vector<Record>& fresh, const Judging& judging,
                      const std::vector<std::string>& allow_mismatch) {
  Policy policy = default_policy(fresh.front().environment.kind.backend);
  policy.allow_mismatch = allow_mismatch;
  return judge(fresh, judging.baselines, judging.peaks, policy);
}

}  // namespace peakline
