#include "app/judging.h"

#include <algorithm>

#include "app/data_dir.h"
#include "compare/judge.h"
#include "compare/matching.h"
#include "core/error.h"
#include "report/baseline_store.h"
#include "report/peaks_json.h"

namespace peakline {

Judging load_judging(const std::vector<std::string>& baselines) {
  return {load_baselines(baselines), read_peaks_file(find_data_dir() + "/peaks/gpus.json")};
}

Verdict judge_records(const std::vector<Record>& fresh, const Judging& judging,
                      const std::vector<std::string>& allow_mismatch) {
  Policy policy = default_policy(fresh.front().environment.kind.backend);
  for (const std::string& field : allow_mismatch) {
    if (std::find(identity_fields.begin(), identity_fields.end(), field) != identity_fields.end()) {
      continue;
    }
    throw usage_error(
        "There is no field '" + field + "' in a machine's identity: --allow-mismatch " +
        "takes backend, device_model, mig_profile, devices_per_node, method_version.");
  }
  policy.allow_mismatch = allow_mismatch;
  return judge(fresh, judging.baselines, judging.peaks, policy);
}

}  // namespace peakline
