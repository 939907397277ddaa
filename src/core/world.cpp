#include "core/world.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace peakline {

int local_rank_of(World& world) {
  std::map<std::string, int> ranks_on;
  std::string all;
  for (const std::string& host : world.gather(world.host())) {
    all += std::to_string(ranks_on[host]++) + " ";
  }
  std::istringstream numbers(world.agree(all));
  int local_rank = 0;
  for (int rank = 0; rank <= world.rank(); ++rank) numbers >> local_rank;
  return local_rank;
}

std::vector<std::string> gather_on_node(World& world, const std::string& line) {
  const std::vector<std::string> hosts = world.gather(world.host());
  const std::vector<std::string> lines = world.gather(line);
  std::string all;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    all += hosts[rank] + "\n" + lines[rank] + "\n";
  }
  std::istringstream stream(world.agree(all));
  std::vector<std::string> here;
  for (std::string host, text; std::getline(stream, host) && std::getline(stream, text);) {
    if (host == world.host()) here.push_back(text);
  }
  return here;
}

Scope scope_of(World& world) {
  std::map<std::string, std::int64_t> ranks_on;
  for (const std::string& host : world.gather(world.host())) ++ranks_on[host];
  std::int64_t most = 0;
  for (const auto& [host, ranks] : ranks_on) most = std::max(most, ranks);
  Scope scope;
  scope.ranks = world.size();
  scope.nodes = world.agree(static_cast<std::int64_t>(ranks_on.size()));
  scope.ranks_per_node = world.agree(most);
  return scope;
}

}  // namespace peakline
