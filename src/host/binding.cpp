#include "host/binding.h"

#include <sched.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace peakline::host {
namespace {

namespace fs = std::filesystem;

std::optional<double> smaller(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

/// cgroup v2: "max 100000" or "25000 100000".
std::optional<double> quota_v2(const fs::path& folder) {
  std::ifstream file(folder / "cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0) return std::nullopt;
  return std::stod(quota) / period;
}

/// cgroup v1: a quota of -1 is no limit.
std::optional<double> quota_v1(const fs::path& folder) {
  std::ifstream quota_file(folder / "cpu.cfs_quota_us");
  std::ifstream period_file(folder / "cpu.cfs_period_us");
  double quota = 0;
  double period = 0;
  if (!(quota_file >> quota) || !(period_file >> period) || quota <= 0 || period <= 0) {
    return std::nullopt;
  }
  return quota / period;
}

/// The least quota from a group up to the root of its hierarchy.
template <typename Read>
std::optional<double> least_quota(const fs::path& root, const fs::path& group, Read read) {
  std::optional<double> least = read(root);
  fs::path folder = root;
  for (const fs::path& part : group.relative_path()) {
    folder /= part;
    least = smaller(least, read(folder));
  }
  return least;
}

struct HostRank {
  std::string host;
  std::vector<int> cpus;
  double quota = 0;  ///< 0: none
};

std::string to_text(const HostRank& rank) {
  std::ostringstream text;
  text << rank.host << ' ' << rank.quota;
  for (int cpu : rank.cpus) text << ' ' << cpu;
  return text.str();
}

HostRank from_text(const std::string& text) {
  std::istringstream stream(text);
  HostRank rank;
  stream >> rank.host >> rank.quota;
  for (int cpu = 0; stream >> cpu;) rank.cpus.push_back(cpu);
  return rank;
}

std::vector<HostRank> gather_ranks(World& world) {
  const HostRank mine{world.host(), bound_cpus(), cpu_quota().value_or(0)};
  std::vector<HostRank> ranks;
  for (const std::string& text : world.gather(to_text(mine))) ranks.push_back(from_text(text));
  return ranks;
}

/// Processors that each rank has to itself: the share of each one that falls to it, added up; a
/// quota is shared by a host's ranks.
std::vector<double> shares_of(const std::vector<HostRank>& ranks) {
  constexpr double rounding = 1e-6;  // thirds of three shared processors add up to a little under 1
  std::map<std::pair<std::string, int>, int> users_of_cpu;
  std::map<std::string, int> ranks_on;
  for (const HostRank& rank : ranks) {
    ++ranks_on[rank.host];
    for (int cpu : rank.cpus) ++users_of_cpu[{rank.host, cpu}];
  }
  std::vector<double> shares;
  for (const HostRank& rank : ranks) {
    double share = rounding;
    for (int cpu : rank.cpus) share += 1.0 / users_of_cpu[{rank.host, cpu}];
    if (rank.quota > 0) share = std::min(share, rank.quota / ranks_on[rank.host]);
    shares.push_back(share);
  }
  return shares;
}

std::string crowding_sentences(const std::vector<HostRank>& ranks) {
  struct Crowd {
    int ranks = 0;
    std::set<int> cpus;
    double quota = 0;
  };
  const std::vector<double> shares = shares_of(ranks);
  std::map<std::string, Crowd> crowds;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    if (shares[rank] >= 1) continue;
    Crowd& crowd = crowds[ranks[rank].host];
    ++crowd.ranks;
    crowd.cpus.insert(ranks[rank].cpus.begin(), ranks[rank].cpus.end());
    crowd.quota = ranks[rank].quota;
  }
  std::ostringstream text;
  for (const auto& [host, crowd] : crowds) {
    text << crowd.ranks << (crowd.ranks == 1 ? " rank on " : " ranks on ") << host
         << " together get ";
    if (crowd.quota > 0 && crowd.quota < static_cast<double>(crowd.cpus.size())) {
      text << "the time of " << crowd.quota << " processors (a control group's limit)";
    } else {
      text << crowd.cpus.size() << (crowd.cpus.size() == 1 ? " processor" : " processors");
    }
    text
        << ": their times show the scheduler's work, not the machine's; start fewer ranks, or bind "
           "them apart\n";
  }
  return text.str();
}

}  // namespace

std::vector<int> bound_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(static_cast<int>(cpu));
  }
  return cpus;
}

std::string format_cpus(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(cpus[i]);
    if (last > i) text += "-" + std::to_string(cpus[last]);
    i = last + 1;
  }
  return text;
}

std::optional<double> cpu_quota() {
  const fs::path mount = "/sys/fs/cgroup";
  std::ifstream groups("/proc/self/cgroup");
  std::optional<double> least;
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,") {
      least = smaller(least, least_quota(mount, group, quota_v2));
    } else if (controllers.find(",cpu,") != std::string::npos) {
      least = smaller(least, least_quota(mount / "cpu", group, quota_v1));
    }
  }
  return least;
}

std::int64_t threads_per_rank(World& world) {
  const std::vector<double> shares = shares_of(gather_ranks(world));
  const double fewest = shares.empty() ? 1 : *std::min_element(shares.begin(), shares.end());
  return world.agree(std::max<std::int64_t>(1, static_cast<std::int64_t>(fewest)));
}

std::vector<std::string> crowded_hosts(World& world) {
  std::istringstream lines(crowding_sentences(gather_ranks(world)));
  std::vector<std::string> sentences;
  for (std::string line; std::getline(lines, line);) sentences.push_back(line);
  return sentences;
}

}  // namespace peakline::host
