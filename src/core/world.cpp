#include "core/world.h"

#include <algorithm>
#include <map>

namespace peakline {

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
