#include "cuda/transport_check.h"

#include "support/catch.h"

using namespace peakline::cuda;

namespace {

/// Two nodes of eight GPUs with all that a cluster may have.
const Available everything{true, true, true, 2, 8};

NcclChoice healthy() {
  NcclChoice choice;
  choice.network = "IB";
  choice.interfaces = {"mlx5_0:1/IB"};
  choice.transports = {"P2P/CUMEM", "NET/IB/GDRDMA"};
  choice.channels = 16;
  choice.nvls = true;
  choice.peer_to_peer = true;
  return choice;
}

NcclChoice staged(std::map<std::string, std::string> settings = {}) {
  NcclChoice choice = healthy();
  choice.transports.insert("SHM/direct");
  choice.settings = std::move(settings);
  return choice;
}

NcclChoice over_sockets(std::map<std::string, std::string> settings = {}) {
  NcclChoice choice = healthy();
  choice.network = "Socket";
  choice.interfaces = {"eth0", "eth1"};
  choice.transports = {"P2P/CUMEM", "NET/Socket"};
  choice.settings = std::move(settings);
  return choice;
}

NcclChoice without_nvls(std::map<std::string, std::string> settings = {}) {
  NcclChoice choice = healthy();
  choice.nvls = false;
  choice.settings = std::move(settings);
  return choice;
}

}  // namespace

TEST_CASE("a communicator that uses all there is has no mismatch") {
  CHECK(transport_mismatches(healthy(), everything).empty());
}

TEST_CASE("what the log leaves open accuses nobody") {
  CHECK(transport_mismatches(NcclChoice{}, everything).empty());
  CHECK(transport_mismatches(parse_nccl_choice("NCCL version 2.28.9+cuda13.0\n"), everything)
            .empty());
  NcclChoice only_settings;
  only_settings.settings = {{"NCCL_P2P_DISABLE", "1"}, {"NCCL_NVLS_ENABLE", "0"}};
  CHECK(transport_mismatches(only_settings, everything).empty());
}

TEST_CASE("what a machine does not have is not missed") {
  NcclChoice poor = over_sockets();
  poor.transports.insert("SHM/direct");
  poor.nvls = false;
  poor.peer_to_peer = false;
  CHECK(transport_mismatches(poor, Available{false, false, false, 2, 8}).empty());
  CHECK(transport_mismatches(poor, Available{true, true, true, 1, 1}).empty());
  CHECK(transport_mismatches(poor, everything).size() == 3);
}

TEST_CASE("each mismatch says what is used, what there is, why and what to do") {
  NcclChoice not_direct = healthy();
  not_direct.peer_to_peer = false;
  const struct {
    NcclChoice choice;
    std::vector<std::string> words;
  } cases[] = {
      {staged(),
       {"copies through host memory within a node (SHM/direct)", "can reach each other's memory",
        "usually NCCL_P2P_DISABLE or NCCL_P2P_LEVEL", "NCCL_P2P_LEVEL=SYS"}},
      {staged({{"NCCL_P2P_DISABLE", "1"}}), {"NCCL_P2P_DISABLE=1 is set: remove it"}},
      {staged({{"NCCL_P2P_DISABLE", "0"}}), {"usually NCCL_P2P_DISABLE"}},
      {staged({{"NCCL_P2P_LEVEL", "LOC"}}), {"NCCL_P2P_LEVEL=LOC is set: remove it"}},
      {staged({{"NCCL_P2P_LEVEL", "SYS"}}), {"usually NCCL_P2P_DISABLE"}},
      {not_direct, {"does not connect all GPUs of a node directly", "usually"}},
      {over_sockets(),
       {"uses TCP sockets (eth0, eth1) between nodes", "/sys/class/infiniband",
        "usually no port is active", "/dev/infiniband", "aws-ofi-nccl"}},
      {over_sockets({{"NCCL_IB_DISABLE", "1"}}), {"NCCL_IB_DISABLE=1 is set: remove it"}},
      {over_sockets({{"NCCL_IB_DISABLE", "0"}}), {"usually no port is active"}},
      {over_sockets({{"NCCL_NET", "Socket"}}), {"NCCL_NET=Socket is set: remove it"}},
      {over_sockets({{"NCCL_IB_HCA", "mlx4"}}), {"NCCL_IB_HCA=mlx4 is set: check that it names"}},
      {without_nvls(),
       {"does not use NVLink SHARP (NVLS)", "NVSwitches support it", "usually NCCL_NVLS_ENABLE=0",
        "nvidia-fabricmanager"}},
      {without_nvls({{"NCCL_NVLS_ENABLE", "0"}}), {"NCCL_NVLS_ENABLE=0 is set: remove it"}},
      {without_nvls({{"NCCL_NVLS_ENABLE", "2"}}), {"usually NCCL_NVLS_ENABLE=0"}},
  };
  for (const auto& one : cases) {
    const std::vector<std::string> sentences = transport_mismatches(one.choice, everything);
    REQUIRE(sentences.size() == 1);
    for (const std::string& words : one.words)
      CHECK_THAT(sentences.front(), Catch::Contains(words));
  }
}

TEST_CASE("NCCL takes NVLS from three GPUs a node on") {
  CHECK(transport_mismatches(without_nvls(), {true, true, true, 2, 2}).empty());
  CHECK(transport_mismatches(without_nvls(), {true, true, true, 2, 3}).size() == 1);
}

TEST_CASE("a GPU of which it is not known whether it can multicast is not held to it") {
  CHECK(transport_mismatches(without_nvls(), {true, {}, true, 2, 8}).empty());
}

TEST_CASE("sockets are a mismatch between nodes only") {
  CHECK(transport_mismatches(over_sockets(), {true, true, true, 1, 8}).empty());
  NcclChoice chosen_only = over_sockets();  // no connection is made before the first collective
  chosen_only.transports = {};
  CHECK(transport_mismatches(chosen_only, everything).size() == 1);
  chosen_only.interfaces = {};
  CHECK_THAT(transport_mismatches(chosen_only, everything).at(0),
             Catch::Contains("uses TCP sockets between nodes"));
  NcclChoice connected_only;  // of a log whose start is lost
  connected_only.transports = {"NET/Socket"};
  CHECK(transport_mismatches(connected_only, everything).size() == 1);
  NcclChoice over_nvlink = over_sockets();
  over_nvlink.transports = {"P2P/MNNVL"};
  CHECK(transport_mismatches(over_nvlink, everything).empty());
  NcclChoice over_plugin = over_sockets();
  over_plugin.network = "AWS Libfabric";
  over_plugin.transports = {"NET/AWS Libfabric/GDRDMA"};
  CHECK(transport_mismatches(over_plugin, everything).empty());
}

TEST_CASE("ranks on different hosts with the same concern say the same") {
  std::vector<std::string> sentences;
  for (const char* address : {"10.0.0.1", "10.0.0.2", "fe80::2%eth0"}) {
    const std::string log = std::string("NET/Socket : Using [0]eth0:") + address +
                            "<0>\nn:1:1 [0] NCCL INFO Using network Socket\n";
    const auto found = transport_mismatches(parse_nccl_choice(log), everything);
    REQUIRE(found.size() == 1);
    sentences.push_back(found.front());
  }
  CHECK(sentences[0] == sentences[1]);
  CHECK(sentences[0] == sentences[2]);
  CHECK_THAT(sentences[0], Catch::Contains("uses TCP sockets (eth0) between nodes"));
}
