#include "compare/policy.h"

namespace peakline {

Policy default_policy(const std::string& backend) {
  Policy policy;
  if (backend != "host") return policy;
  policy.shift_prior = 0.20;
  policy.gemm = {0.10, 0.03, 0.80};
  policy.bandwidth = {0.10, 0.03, 0.80};
  policy.small_message = {0.10, 0.05, 0.40};
  policy.loader = {0.10, 0.05, 0.80};
  return policy;
}

const Family& family_of(const Policy& policy, const Result& result) {
  if (result.id.benchmark == "gemm") return policy.gemm;
  if (result.id.benchmark == "memory") return policy.bandwidth;
  if (result.id.benchmark == "loader") return policy.loader;
  const Metric* primary = primary_metric(result);
  const bool about_bandwidth = primary != nullptr && primary->better == Better::higher;
  return about_bandwidth ? policy.bandwidth : policy.small_message;
}

}  // namespace peakline
