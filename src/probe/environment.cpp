#include "probe/environment.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "probe/machine.h"

namespace peakline {
namespace {

/// A driver or a CPU may call itself what it likes; a tab or a line's end would break the lines.
std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char letter) { return static_cast<unsigned char>(letter) < ' ' || letter == '\x7f'; },
      ' ');
  return text;
}

/// Facts travel between ranks as lines "section TAB name TAB kind TAB value", kind i or s.
void append_facts(std::string& text, char section, const Facts& facts) {
  for (const auto& [name, value] : facts) {
    text += section + ("\t" + name + "\t");
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      text += "i\t" + std::to_string(*number) + "\n";
    } else {
      text += "s\t" + on_one_line(std::get<std::string>(value)) + "\n";
    }
  }
}

Facts* section_of(NodeGroup& group, char section) {
  switch (section) {
    case 'd': return &group.device;
    case 's': return &group.software;
    case 'n': return &group.network;
    default: return &group.storage;
  }
}

NodeGroup parse_facts(const std::string& text) {
  NodeGroup group;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t name_end = line.find('\t', 2);
    const std::string name = line.substr(2, name_end - 2);
    const std::string value = line.substr(name_end + 3);
    Facts& facts = *section_of(group, line.front());
    if (line[name_end + 1] == 'i') {
      std::int64_t number = 0;
      std::from_chars(value.data(), value.data() + value.size(), number);
      facts[name] = number;
    } else {
      facts[name] = value;
    }
  }
  return group;
}

std::string facts_of_this_node(const Device& device, const NodeKnowledge& knowledge) {
  Facts device_facts = device.info().facts;
  device_facts["model"] = device.info().model;
  device_facts["threads_per_rank"] = device.info().threads;
  Facts software = software_facts();
  software[knowledge.backend == "host" ? "mpi" : "nccl"] = knowledge.communicator;
  if (!device.info().math_library.empty()) software["blas"] = device.info().math_library;
  std::string text;
  append_facts(text, 'd', device_facts);
  append_facts(text, 's', software);
  Facts network = network_facts();
  network.insert(knowledge.transport.begin(), knowledge.transport.end());
  append_facts(text, 'n', network);
  append_facts(text, 't', {{"scratch_file_system", knowledge.scratch_file_system}});
  return text;
}

/// One entry for each different text; every host once, in order of its first rank.
std::vector<NodeGroup> group_nodes(const std::vector<std::string>& hosts,
                                   const std::vector<std::string>& texts) {
  std::vector<NodeGroup> groups;
  std::map<std::string, std::size_t> group_of_text;
  std::map<std::string, bool> seen;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    if (seen[hosts[rank]]) continue;
    seen[hosts[rank]] = true;
    const auto [entry, is_new] = group_of_text.try_emplace(texts[rank], groups.size());
    if (is_new) groups.push_back(parse_facts(texts[rank]));
    groups[entry->second].hosts.push_back(hosts[rank]);
  }
  return groups;
}

/// All different names, sorted: a mixed cluster is another machine than any of its halves.
std::string joined(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : " + ") + name;
  return all;
}

/// What the drivers count, or the devices that the ranks of one node have: a launcher may show each
/// rank only its own, and the node is the same.
std::int64_t devices_per_node(World& world, const DeviceInfo& info,
                              const std::vector<std::string>& hosts,
                              const std::vector<std::string>& labels) {
  auto most = static_cast<std::int64_t>(world.maximum(static_cast<double>(info.devices_per_node)));
  if (info.memory == MemoryOwner::node) return most;
  std::map<std::string, std::set<std::string>> used;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) used[hosts[rank]].insert(labels[rank]);
  for (const auto& [host, devices] : used) {
    most = std::max(most, static_cast<std::int64_t>(devices.size()));
  }
  return most;
}

/// Where the ranks of the first host sit, in rank order.
std::string binding_of(const std::vector<std::string>& hosts,
                       const std::vector<std::string>& labels) {
  std::string binding;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    if (hosts[rank] == hosts.front()) binding += (binding.empty() ? "" : " ") + labels[rank];
  }
  return binding;
}

}  // namespace

Environment probe_environment(World& world, const Scope& scope, const Device& device,
                              const NodeKnowledge& knowledge) {
  const std::vector<std::string> hosts = world.gather(world.host());
  const std::vector<std::string> labels = world.gather(device.info().label);
  const std::vector<std::string> uuids = world.gather(device.info().uuid);
  const std::vector<std::string> texts = world.gather(facts_of_this_node(device, knowledge));
  Environment environment;
  environment.kind = {knowledge.backend, joined(world.gather(device.info().model)),
                      joined(world.gather(device.info().mig_profile)),
                      devices_per_node(world, device.info(), hosts, labels), method_version};
  environment.emulated = world.maximum(device.info().emulated ? 1 : 0) > 0;
  environment.shared_gpu = world.maximum(device.info().shared_gpu ? 1 : 0) > 0;
  environment.world = scope;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    environment.placement.push_back(
        {static_cast<std::int64_t>(rank), hosts[rank], labels[rank], uuids[rank]});
  }
  environment.nodes = group_nodes(hosts, texts);
  environment.settings = knowledge.settings;
  environment.settings["binding"] = binding_of(hosts, labels);
  return environment;
}

}  // namespace peakline
