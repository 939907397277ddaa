#include "cuda/nccl_log.h"

#include "support/catch.h"

using namespace peakline::cuda;

namespace {

using Names = std::set<std::string>;
using List = std::vector<std::string>;

/// Eight H100, one of two nodes, NCCL 2.18: no collective is logged, collnet is not counted.
constexpr const char* log_of_2_18 =
    "n1:41:41 [0] NCCL INFO Bootstrap : Using ens3:10.0.0.11<0>\n"
    "n1:41:41 [0] NCCL INFO NET/Plugin : No plugin found, using internal implementation\n"
    "n1:41:41 [0] NCCL INFO cudaDriverVersion 12020\n"
    "NCCL version 2.18.5+cuda12.2\n"
    "n1:41:50 [0] NCCL INFO NCCL_IB_HCA set to mlx5_0,mlx5_1\n"
    "n1:41:50 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB "
    "ens3:10.0.0.11<0>\n"
    "n1:41:50 [0] NCCL INFO Using network IB\n"
    "n1:41:50 [0] NCCL INFO comm 0x55d0 rank 0 nranks 16 cudaDev 0 nvmlDev 0 busId 1b000 commId "
    "0x71 - Init START\n"
    "n1:41:50 [0] NCCL INFO NVLS multicast support is available on dev 0\n"
    "n1:41:50 [0] NCCL INFO Channel 00/16 :    0   7   6   5   4   3   2   1   8  15  14  13  12  "
    "11  10   9\n"
    "n1:41:50 [0] NCCL INFO Trees [0] 1/8/-1->0->-1 [1] -1/-1/-1->0->7\n"
    "n1:41:50 [0] NCCL INFO Channel 00/0 : 0[0] -> 7[7] via P2P/IPC/read\n"
    "n1:41:50 [0] NCCL INFO Channel 00/0 : 9[1] -> 0[0] [receive] via NET/IB/0/GDRDMA\n"
    "n1:41:50 [0] NCCL INFO Channel 02/0 : 0[0] -> 9[1] [send] via NET/IB/1(1)/GDRDMA\n"
    "n1:41:50 [0] NCCL INFO Connected all rings\n"
    "n1:41:50 [0] NCCL INFO 16 coll channels, 16 nvls channels, 16 p2p channels, 2 p2p channels "
    "per peer\n"
    "n1:41:50 [0] NCCL INFO comm 0x55d0 rank 0 nranks 16 cudaDev 0 nvmlDev 0 busId 1b000 commId "
    "0x71 - Init COMPLETE\n";

/// Eight H100 of one node, NCCL 2.28, with NVLS switched off and one collective of each kind.
constexpr const char* log_of_2_28 =
    "[2025-11-20 08:00:01] n7:9:9 [0] NCCL INFO NCCL_SOCKET_IFNAME set by environment to eth0\n"
    "n7:9:9 [0] NCCL INFO Bootstrap: Using eth0:10.0.0.7<0>\n"
    "n7:9:9 [0] NCCL INFO NCCL version 2.28.9+cuda13.0\n"
    "n7:9:31 [0] NCCL INFO NET/IB : No device found.\n"
    "n7:9:31 [0] NCCL INFO Failed to initialize NET plugin IB\n"
    "n7:9:31 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.7<0> [1]eth1:fe80::1%eth1<0>\n"
    "n7:9:31 [0] NCCL INFO Initialized NET plugin Socket\n"
    "n7:9:31 [0] NCCL INFO Assigned NET plugin Socket to comm\n"
    "n7:9:31 [0] NCCL INFO Using network Socket\n"
    "n7:9:31 [0] NCCL INFO ncclCommInitRank comm 0x7f01 rank 0 nranks 8 cudaDev 0 nvmlDev 0 busId "
    "1a000 commId 0x9c - Init START\n"
    "n7:9:31 [0] NCCL INFO NCCL_NVLS_ENABLE set by environment to 0.\n"
    "n7:9:31 [0] NCCL INFO comm 0x7f01 rank 0 nRanks 8 nNodes 1 localRanks 8 localRank 0 MNNVL 0\n"
    "n7:9:31 [0] NCCL INFO Check P2P Type isAllDirectP2p 1 directMode 0 isAllCudaP2p 1\n"
    "n7:9:31 [0] NCCL INFO 24 coll channels, 24 collnet channels, 0 nvls channels, 32 p2p "
    "channels, 32 p2p channels per peer\n"
    "n7:9:31 [0] NCCL INFO AllReduce: 1024 Bytes -> Algo TREE proto LL channel{Lo..Hi}={0..0}\n"
    "n7:9:40 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read\n"
    "n7:9:31 [0] NCCL INFO AllReduce: 1073741824 Bytes -> Algo RING proto SIMPLE "
    "channel{Lo..Hi}={0..23}\n"
    "n7:9:31 [0] NCCL INFO AllGather: 65536 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..7}\n"
    "n7:9:31 [0] NCCL INFO AllReduce [Symmetric]: 4194304 Bytes -> Kernel "
    "AllReduce_AGxLL_R nchannels 8 nthreads 512 nWorks 1\n";

bool is_empty(const NcclChoice& choice) {
  return choice.version.empty() && choice.network.empty() && choice.interfaces.empty() &&
         choice.transports.empty() && !choice.channels && !choice.nvls && !choice.peer_to_peer &&
         choice.settings.empty();
}

std::string text_of(const TunedCall& call) {
  return call.collective + " " + std::to_string(call.size_bytes) + " " + call.algorithm + " " +
         call.protocol;
}

List tuned(const std::string& log) {
  List calls;
  for (const TunedCall& call : parse_tuned_calls(log)) calls.push_back(text_of(call));
  return calls;
}

}  // namespace

TEST_CASE("a log of NCCL 2.18 is read") {
  const NcclChoice choice = parse_nccl_choice(log_of_2_18);
  CHECK(choice.version == "2.18.5+cuda12.2");
  CHECK(choice.network == "IB");
  CHECK(choice.interfaces == List{"mlx5_0:1/IB", "mlx5_1:1/IB"});
  CHECK(choice.transports == Names{"P2P/IPC", "NET/IB/GDRDMA"});
  CHECK(choice.channels == 16);
  CHECK(choice.nvls == true);
  CHECK_FALSE(choice.peer_to_peer.has_value());  // 2.18 does not say
  CHECK(choice.settings.at("NCCL_IB_HCA") == "mlx5_0,mlx5_1");
  CHECK(parse_tuned_calls(log_of_2_18).empty());
}

TEST_CASE("a log of NCCL 2.28 is read") {
  const NcclChoice choice = parse_nccl_choice(log_of_2_28);
  CHECK(choice.version == "2.28.9+cuda13.0");
  CHECK(choice.network == "Socket");
  CHECK(choice.interfaces == List{"eth0", "eth1"});
  CHECK(choice.transports == Names{"P2P/CUMEM"});
  CHECK(choice.channels == 24);
  CHECK(choice.nvls == false);
  CHECK(choice.peer_to_peer == true);
  CHECK(choice.settings.at("NCCL_SOCKET_IFNAME") == "eth0");
  CHECK(choice.settings.at("NCCL_NVLS_ENABLE") == "0");
  CHECK(tuned(log_of_2_28) == List{"AllReduce 1024 Tree LL", "AllReduce 1073741824 Ring Simple",
                                   "AllGather 65536 Ring LL128",
                                   "AllReduce 4194304 Symmetric AllReduce_AGxLL_R"});
}

TEST_CASE("a text without a word of NCCL says nothing") {
  const std::string unending(1 << 20, '[');
  for (const std::string& text :
       {std::string(), std::string("\n\n\r\n"), std::string("\xff\xfe\0 via \0\n", 10),
        std::string("the bus goes via P2P\nNCCL version of the day\nUsing network "),
        std::string("NCCL_\nNCCL_IB_HCA set to \n coll channels, \n Bytes -> Algo\n"),
        unending + "\n", "NET/IB : Using " + unending + "\n"}) {
    CAPTURE(text.substr(0, 60));
    CHECK(is_empty(parse_nccl_choice(text)));
    CHECK(parse_tuned_calls(text).empty());
  }
}

TEST_CASE("transports are named without peers and devices") {
  const struct {
    const char* written;
    const char* name;
  } cases[] = {
      {"0[0] -> 1[1] via P2P/CUMEM", "P2P/CUMEM"},
      {"0[0] -> 1[1] via P2P/CUMEM/read", "P2P/CUMEM"},
      {"0[0] -> 1[1] via P2P/MNNVL", "P2P/MNNVL"},
      {"0[0] -> 1[1] via P2P/IPC/CE", "P2P/IPC"},
      {"0[0] -> 1[1] via P2P/direct pointer/read", "P2P/direct"},
      {"0[0] -> 5[5] via P2P/indirect/4[4]/read", "P2P/indirect"},
      {"0[0] -> 1[1] via SHM/direct/direct", "SHM/direct"},
      {"0[0] -> 1[1] via SHM/CE/direct", "SHM/CE"},
      {"0[0] -> 8[0] [send] via NET/Socket/0", "NET/Socket"},
      {"0[0] -> 8[0] [send] via NET/IB/3/Shared", "NET/IB"},
      {"0[0] -> 8[0] [send] via NET/IB/3(2)/GDRDMA(PCI)/Shared", "NET/IB/GDRDMA"},
      {"8[0] -> 0[0] [receive] via NET/AWS Libfabric/2/GDRDMA", "NET/AWS Libfabric/GDRDMA"},
      {"8[0] -> 0[0] [receive] via NET/IBext_v8/0/GDRDMA", "NET/IBext_v8/GDRDMA"},
      {"0 [send] via COLLNET/SHARP/0/GDRDMA", "COLLNET/SHARP/GDRDMA"},
  };
  for (const auto& one : cases) {
    const std::string line = std::string("Channel 00/0 : ") + one.written + "\n";
    CAPTURE(line);
    CHECK(parse_nccl_choice(line).transports == Names{one.name});
  }
}

TEST_CASE("a line that is cut off or run into by another is no evidence") {
  for (const char* text : {
           "Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM",  // no newline: the rest may still come
           "Channel 00/0 : 0[0] -> 1[1] via P2P/CUM\n",
           "Channel 00/0 : 0[0] -> 1[1] via P2P/IPCnode1:1:2 [0] NCCL INFO Connected all rings\n",
           "Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB\n",
           "Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDR\n",
           "Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0(1\n",
           "Channel 00/0 : 0[0] -> 8[0] [send] via NET/IBn:1:2 [0] NCCL INFO Channel 00/0 : 0\n",
           "NCCL version 2.28.9+cuda13.0",
           "NCCL version 2.28.9+cudanode1:1:2 [0] NCCL INFO Connected all rings\n",
           "NCCL version mismatch with remote peer node2 (local: 22809, remote 21805)\n",
           "node1:1:2 [0] NCCL INFO Using network Sonode1:1:3 [1] NCCL INFO Connected all rings\n",
           "NET/IB : Using [0]mlx5_0:1/I\n",
           "NET/Socket : Using [0]eth0:10.0.0.1\n",
           "NVLS multicast support is \n",
           "node1:1:2 [0] NCCL INFO 1node1:1:3 24 coll chan\n",
           "Check P2P Type isAllDirectP2p \n",
           "NCCL_P2P_DISABLE set by environment to",
       }) {
    CAPTURE(text);
    CHECK(is_empty(parse_nccl_choice(text)));
  }
}

TEST_CASE("lines that run into each other still give what is whole in them") {
  const NcclChoice choice = parse_nccl_choice(
      "[1,3]<stdout>:Channel 00/0 : 0[0] -> 1[1] via P2P/CUnode1:1:2 [0] NCCL INFO Using network "
      "IB\n"
      "  1024  256 float sum -1node1:1:3 [1] NCCL INFO Channel 01/0 : 1[1] -> 2[2] via "
      "SHM/direct/direct\r\n");
  CHECK(choice.network == "IB");
  CHECK(choice.transports == Names{"SHM/direct"});
}

TEST_CASE("a network may have a name of several words, and a line an end of its own") {
  CHECK(parse_nccl_choice("n:1:1 [0] NCCL INFO Using network AWS Libfabric\r\n").network ==
        "AWS Libfabric");
}

TEST_CASE("interfaces are listed once, and not the one for the start alone") {
  CHECK(parse_nccl_choice(
            "NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/IB/SHARP ; OOB eth0:10.0.0.1<0>\n"
            "NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/IB/SHARP ; OOB eth0:10.0.0.1<0>\n")
            .interfaces == List{"mlx5_0:1/RoCE", "mlx5_1:1/IB"});
  CHECK(parse_nccl_choice(
            "NET/IB : Using [0]={[0] mlx5_0:1/IB, [1] mlx5_1:1/IB} [RO]; OOB eth0:10.0.0.1<0>\n")
            .interfaces == List{"mlx5_0:1/IB", "mlx5_1:1/IB"});
}

TEST_CASE("NVLS is told by its channels, then by what the GPUs offer") {
  const std::string on = "NVLS multicast support is available on dev 0 (NVLS_NCHANNELS 16)\n";
  const std::string off = "NVLS multicast support is not available on dev 3\n";
  const std::string some = "24 coll channels, 16 nvls channels, 32 p2p channels\n";
  const std::string none = "2 coll channels, 2 collnet channels, 0 nvls channels, 2 p2p channels\n";
  const std::string failed =
      "Failed to bind NVLink SHARP (NVLS) Multicast memory of size 2097152 : CUDA error 401 'x'. "
      "Proceeding without NVLS support.\n";
  const struct {
    std::string log;
    std::optional<bool> nvls;
  } cases[] = {
      {"", {}},
      {on, true},
      {off, false},
      {on + off, false},
      {off + on, false},  // one GPU that cannot is one too many
      {on + some, true},
      {on + none, false},   // the topology has no use for it
      {some + none, true},  // a smaller communicator came later
      {on + some + failed, false},
  };
  for (const auto& one : cases) {
    CAPTURE(one.log);
    CHECK(parse_nccl_choice(one.log).nvls == one.nvls);
  }
  CHECK(parse_nccl_choice(some + none).channels == 24);
  CHECK_FALSE(parse_nccl_choice("99999999999 coll channels, 0 p2p channels\n").channels);
}

TEST_CASE("peer access is told by the first communicator, unless the driver denies it") {
  const std::string yes = "Check P2P Type isAllDirectP2p 1 directMode 0\n";
  const std::string no = "Check P2P Type isAllDirectP2p 0 directMode 0 isAllCudaP2p 1\n";
  CHECK(parse_nccl_choice(yes + no).peer_to_peer == true);
  CHECK(parse_nccl_choice(no + yes).peer_to_peer == false);
  CHECK(parse_nccl_choice(
            "P2P is disabled between connected GPUs 1 and 0. You can repress this message "
            "with NCCL_IGNORE_DISABLED_P2P=1.\n" +
            yes)
            .peer_to_peer == false);
}

TEST_CASE("settings are those that NCCL says it has read") {
  const NcclChoice choice = parse_nccl_choice(
      "NCCL_P2P_LEVEL set by environment to LOC\n"
      "NCCL_IB_DISABLE set by environment to 1.\n"
      "Comm config Net name set to AWS Libfabric\n"
      "Mismatch: NCCL_ALGO was set to Ring.\n");
  CHECK(choice.settings == std::map<std::string, std::string>{{"NCCL_P2P_LEVEL", "LOC"},
                                                              {"NCCL_IB_DISABLE", "1"},
                                                              {"NCCL_NET", "AWS Libfabric"}});
}

TEST_CASE("collectives are read in each form") {
  const struct {
    const char* line;
    List calls;
  } cases[] = {
      {"n:1:1 [0] NCCL INFO 805306368 Bytes -> Algo 1 proto 2 time 3970.683594\n",
       {" 805306368 Ring Simple"}},
      {"n:1:1 [0] NCCL INFO AllGather: 4096 Bytes -> Algo 0 proto 1 time 28.6\n",
       {"AllGather 4096 Tree LL128"}},
      {"Broadcast: 8 Bytes -> Algo 5 proto 0 time 1.0\n", {"Broadcast 8 NVLSTree LL"}},
      {"AllReduce: 8 Bytes -> Algo COLLNET_DIRECT proto SIMPLE channel{Lo..Hi}={0..3}\n",
       {"AllReduce 8 CollnetDirect Simple"}},
      {"AllReduce: 8 Bytes -> Algo NVLS_TREE proto SIMPLE channel{Lo..Hi}={0..3}\n",
       {"AllReduce 8 NVLSTree Simple"}},
      {"ReduceScatter: 8 Bytes -> Algo PAT proto SIMPLE channel{Lo..Hi}={0..3}\n",
       {"ReduceScatter 8 PAT Simple"}},
      {"Trees: nonen:1:1 [0] NCCL INFO 8 Bytes -> Algo 1 proto 0 time 1.0\n", {" 8 Ring LL"}},
      {"AllReduce: 8 Bytes -> Algo HYPERCUBE proto 9 time 1.0\n", {"AllReduce 8 HYPERCUBE 9"}},
      {"  512  128  float  sum  -1[0] n:1:1 [0] NCCL INFO 512 Bytes -> Algo 0 proto 0 time 25.2\n",
       {" 512 Tree LL"}},
      {"AllReduce: 8 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..3}n:1:1 [0] NCCL INFO "
       "AllReduce: 16 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..0}\n",
       {"AllReduce 8 Ring Simple", "AllReduce 16 Ring LL"}},
      {"AllReduce: 8 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..0}", {}},  // no newline
      {"AllReduce: 8 Bytes -> Algo RING proto LL\n", {}},                       // perhaps LL128
      {"AllReduce: 8 Bytes -> Algo RI\n", {}},
      {"AllReduce: x8 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..0}\n", {}},
      {"AllReduce: Bytes -> Algo RING proto LL channel{Lo..Hi}={0..0}\n", {}},
      {"AllReduce: 99999999999999999999 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..0}\n", {}},
      {"AllReduce [Symmetric]: 8 Bytes -> Kernel AllReduce_AG\n", {}},
  };
  for (const auto& one : cases) {
    CAPTURE(one.line);
    CHECK(tuned(one.line) == one.calls);
  }
}
