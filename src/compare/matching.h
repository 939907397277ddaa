#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compare/policy.h"
#include "core/fingerprint.h"
#include "core/record.h"

namespace peakline {

/// Each field in which two machines differ, as "device_model: 'A' here, 'B' in the baseline";
/// fields that the policy allows to differ are left out.
std::vector<std::string> differences(const MachineKind& here, const MachineKind& baseline,
                                     const Policy& policy);

/// The fields of the fingerprint, as a policy names them.
inline constexpr std::array<std::string_view, 5> identity_fields{
    "backend", "device_model", "mig_profile", "devices_per_node", "method_version"};

/// Why a record can be nobody's baseline, or nothing.
std::string why_unusable(const Record& baseline);

/// The usable records of `baselines` that come from the same kind of machine, by fingerprint or by
/// what the policy allows.
std::vector<const Record*> comparable_records(const MachineKind& here,
                                              std::span<const Record> baselines,
                                              const Policy& policy);

/// What differs from the nearest of the baselines, when none is comparable.
std::vector<std::string> nearest_differences(const MachineKind& here,
                                             std::span<const Record> baselines,
                                             const Policy& policy);

/// Facts of the first group of nodes and settings that differ, as "software.mpi: 'A' here, 'B' in
/// the baseline".
std::vector<std::string> changed_facts(const Environment& here, const Environment& baseline);

/// "4 ranks on 1 node".
std::string describe(const Scope& scope);

}  // namespace peakline
