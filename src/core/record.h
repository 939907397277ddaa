#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/case_id.h"
#include "core/fingerprint.h"
#include "core/result.h"

namespace peakline {

struct ToolInfo {
  std::string version;
  std::string git;  ///< commit the program was built from; empty when unknown
  std::int64_t method = method_version;
};

/// Something that went wrong or was noticed while running, with its place.
struct Incident {
  std::string kind;
  std::string phase;
  std::string case_key;
  std::optional<std::int64_t> rank;
  std::string host;
  std::string text;
};

struct RunInfo {
  std::string id;
  std::string label;
  std::string started;               ///< ISO 8601, UTC
  std::optional<double> duration_s;  ///< absent until the run has ended
  std::string suite;
  std::vector<std::string> command;
  std::uint64_t seed = 0;
  bool complete = false;
  std::vector<Incident> incidents;
};

struct RankPlace {
  std::int64_t rank = 0;
  std::string host;
  std::string device;
  std::string uuid = {};  ///< of the device, whatever slot it is in; empty: it has none
};

/// Facts by name. Grouped with the hosts that share every one of them.
using Facts = std::map<std::string, ParamValue>;

struct NodeGroup {
  std::vector<std::string> hosts;
  Facts device;
  Facts software;
  Facts network;
  Facts storage;
};

struct Environment {
  MachineKind kind;
  bool emulated = false;
  bool shared_gpu = false;
  Scope world;
  std::vector<RankPlace> placement;
  std::vector<NodeGroup> nodes;
  std::map<std::string, std::string> settings;  ///< allow-listed variables and the binding
};

/// One run of Peakline: everything needed to judge it, and to do it again.
struct Record {
  ToolInfo tool;
  RunInfo run;
  Environment environment;
  std::vector<CaseId> plan;
  std::vector<Result> results;
};

}  // namespace peakline
