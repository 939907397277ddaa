#include "cuda/nccl_log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace peakline::cuda {
namespace {

constexpr const char* digits = "0123456789";

template <typename Use>
void each_whole_line(std::string_view log, Use use) {
  for (std::size_t end = log.find('\n'); end != log.npos; end = log.find('\n')) {
    std::string_view line = log.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    use(line);
    log.remove_prefix(end + 1);
  }
}

/// Calls `use` with what stands before and after each `phrase` of a line.
template <typename Use>
void around_each(std::string_view line, std::string_view phrase, Use use) {
  for (std::size_t at = line.find(phrase); at != line.npos; at = line.find(phrase, at + 1)) {
    use(line.substr(0, at), line.substr(at + phrase.size()));
  }
}

template <typename Use>
void after_each(std::string_view line, std::string_view phrase, Use use) {
  around_each(line, phrase, [&](std::string_view, std::string_view after) { use(after); });
}

/// Takes pieces off the front of a text. By hand: std::regex overflows the stack on a long line.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool take(std::string_view literal) {
    if (!text_.starts_with(literal)) return false;
    text_.remove_prefix(literal.size());
    return true;
  }

  std::string_view take_until(std::string_view stops) {
    const std::string_view taken = text_.substr(0, text_.find_first_of(stops));
    text_.remove_prefix(taken.size());
    return taken;
  }

  bool take_number() {
    const std::size_t size = std::min(text_.find_first_not_of(digits), text_.size());
    text_.remove_prefix(size);
    return size > 0;
  }

  bool is_at(char letter) const { return text_.starts_with(letter); }
  bool is_at_word_end() const { return text_.empty() || is_at(' '); }
  std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

/// Takes the number that a text ends in. Absent when it does not stand alone.
template <typename Number>
std::optional<Number> take_last_number(std::string_view& text) {
  const std::string_view last = text.substr(text.find_last_not_of(digits) + 1);
  Number number = 0;
  const auto end = std::from_chars(last.data(), last.data() + last.size(), number);
  text.remove_suffix(last.size());
  const bool is_alone = text.empty() || text.ends_with(' ');
  return end.ec == std::errc() && is_alone ? std::optional(number) : std::nullopt;
}

/// A text up to the end of its line; empty when another line has run into it.
std::string whole_rest(std::string_view text) {
  return text.find(" NCCL ") == text.npos ? std::string(text) : "";
}

/// "IB/0(3)/GDRDMA(PCI)/Shared" -> "IB/GDRDMA": without the device, and the rank that serves it.
std::string network_path(Reader reader) {
  const std::string name(reader.take_until(":/"));
  if (name.empty() || !reader.take("/") || !reader.take_number()) return "";
  if (reader.take("(") && !(reader.take_number() && reader.take(")"))) return "";
  const bool direct = reader.take("/GDRDMA");
  reader.take("(PCI)");
  reader.take("/Shared");
  if (!reader.is_at_word_end()) return "";
  return direct ? name + "/GDRDMA" : name;
}

/// What follows "via ", without peers and devices; empty when it is cut off or not known.
std::string transport(Reader reader) {
  constexpr std::array<std::string_view, 7> kinds{
      "P2P/CUMEM",    "P2P/MNNVL",  "P2P/IPC", "P2P/direct pointer",
      "P2P/indirect", "SHM/direct", "SHM/CE"};
  for (const std::string_view kind : kinds) {
    if (!reader.take(kind)) continue;
    const bool is_whole = reader.is_at_word_end() || reader.is_at('/');
    return is_whole ? std::string(kind.substr(0, kind.find(' '))) : "";
  }
  for (const std::string prefix : {"NET/", "COLLNET/"}) {
    if (!reader.take(prefix)) continue;
    const std::string path = network_path(reader);
    return path.empty() ? "" : prefix + path;
  }
  return "";
}

/// "mlx5_0:1/RoCE", and " mlx5_0:1/RoCE" within the braces of a merged device.
std::string infiniband_port(Reader reader) {
  reader.take(" ");
  std::string_view port = reader.take_until(" ,}");
  if (port.ends_with("/SHARP")) port.remove_suffix(std::string_view("/SHARP").size());
  return port.ends_with("/IB") || port.ends_with("/RoCE") ? std::string(port) : "";
}

/// "eth0:10.0.0.1<0>" -> "eth0": without the address, which no other node has.
std::string socket_interface(Reader reader) {
  const std::string name(reader.take_until(": <"));
  reader.take_until(" <");
  const bool is_whole = reader.take("<") && reader.take_number() && reader.take(">");
  return is_whole ? name : "";
}

/// A choice in the making, with what decides the answers that several lines have a part in.
struct Sightings {
  NcclChoice choice;
  std::optional<int> nvls_channels;
  std::optional<bool> multicast;
  bool nvls_failed = false;
  bool peer_to_peer_denied = false;
};

void read_version(std::string_view line, Sightings& seen) {
  after_each(line, "NCCL version ", [&](std::string_view after) {
    const std::string_view version = Reader(after).take_until(" ");
    const bool is_one = Reader(version).take_number() && version.find(':') == version.npos;
    if (seen.choice.version.empty() && is_one) seen.choice.version = version;
  });
}

void read_network(std::string_view line, Sightings& seen) {
  after_each(line, "Using network ", [&](std::string_view after) {
    if (seen.choice.network.empty()) seen.choice.network = whole_rest(after);
  });
}

/// Each "[0]..." after `phrase` that `read` finds whole, once.
void read_interfaces(std::string_view line, std::string_view phrase, std::string (*read)(Reader),
                     std::vector<std::string>& known) {
  after_each(line, phrase, [&](std::string_view list) {
    after_each(list, "[", [&](std::string_view item) {
      Reader reader(item);
      if (!reader.take_number() || !reader.take("]")) return;
      const std::string name = read(reader);
      if (!name.empty() && std::ranges::find(known, name) == known.end()) known.push_back(name);
    });
  });
}

void read_transports(std::string_view line, Sightings& seen) {
  after_each(line, " via ", [&](std::string_view after) {
    const std::string found = transport(Reader(after));
    if (!found.empty()) seen.choice.transports.insert(found);
  });
}

/// The line is "N coll channels, [N collnet channels,] N nvls channels, ..."; collnet since 2.22.
void read_channels(std::string_view line, Sightings& seen) {
  around_each(line, " coll channels, ", [&](std::string_view before, std::string_view after) {
    if (const auto number = take_last_number<int>(before)) {
      seen.choice.channels = std::max(seen.choice.channels.value_or(0), *number);
    }
    around_each(after, " nvls channels, ", [&](std::string_view nvls, std::string_view) {
      if (const auto number = take_last_number<int>(nvls)) {
        seen.nvls_channels = std::max(seen.nvls_channels.value_or(0), *number);
      }
    });
  });
}

void read_nvls(std::string_view line, Sightings& seen) {
  after_each(line, "NVLS multicast support is ", [&](std::string_view after) {
    if (after.starts_with("not available on dev ")) seen.multicast = false;
    if (after.starts_with("available on dev ") && !seen.multicast) seen.multicast = true;
  });
  if (line.find("Proceeding without NVLS support") != line.npos) seen.nvls_failed = true;
}

void read_peer_to_peer(std::string_view line, Sightings& seen) {
  after_each(line, "Check P2P Type isAllDirectP2p ", [&](std::string_view after) {
    const bool is_whole = after.starts_with("0 ") || after.starts_with("1 ");
    if (is_whole && !seen.choice.peer_to_peer) seen.choice.peer_to_peer = after.front() == '1';
  });
  // "... connected GPUs 0 and 1" or "... NVLINK connected GPUs 0 and 1".
  if (line.find("P2P is disabled between ") != line.npos) seen.peer_to_peer_denied = true;
}

void read_settings(std::string_view line, Sightings& seen) {
  const auto keep = [&](const std::string& name, std::string_view rest) {
    std::string value = whole_rest(rest);
    if (value.ends_with('.')) value.pop_back();  // behind numbers, not behind words
    if (!value.empty()) seen.choice.settings[name] = value;
  };
  after_each(line, "NCCL_", [&](std::string_view after) {
    Reader reader(after);
    const std::string name(reader.take_until(" "));
    if (!reader.take(" set by environment to ") && !reader.take(" set to ")) return;
    keep("NCCL_" + name, reader.rest());
  });
  after_each(line, "Comm config Net name set to ",
             [&](std::string_view after) { keep("NCCL_NET", after); });
}

/// The channels that remain in the end say more than what the GPUs offered at the start.
std::optional<bool> is_nvls_used(const Sightings& seen) {
  if (seen.nvls_failed) return false;
  if (seen.nvls_channels) return *seen.nvls_channels > 0;
  return seen.multicast;
}

/// The name whose place in the table NCCL writes, as up to 2.23, or its own word for it, as since
/// 2.24; an unknown word is kept.
std::string known_name(std::string_view word, std::span<const std::string_view> written,
                       std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (word == written[i] || word == std::to_string(i)) return std::string(names[i]);
  }
  return std::string(word);
}

/// What follows "N Bytes -> ", into `call`; false when it is cut off or something else.
bool read_tuning(Reader reader, TunedCall& call) {
  // In the order of their numbers: NCCL_ALGO_TREE is 0, NCCL_PROTO_LL is 0.
  constexpr std::array<std::string_view, 7> algorithms_written{
      "TREE", "RING", "COLLNET_DIRECT", "COLLNET_CHAIN", "NVLS", "NVLS_TREE", "PAT"};
  constexpr std::array<std::string_view, 7> algorithms{
      "Tree", "Ring", "CollnetDirect", "CollnetChain", "NVLS", "NVLSTree", "PAT"};
  constexpr std::array<std::string_view, 3> protocols_written{"LL", "LL128", "SIMPLE"};
  constexpr std::array<std::string_view, 3> protocols{"LL", "LL128", "Simple"};
  if (reader.take("Kernel ")) {
    call.algorithm = "Symmetric";
    call.protocol = reader.take_until(" ");
    return reader.take(" nchannels ");
  }
  if (!reader.take("Algo ")) return false;
  call.algorithm = known_name(reader.take_until(" "), algorithms_written, algorithms);
  if (!reader.take(" proto ")) return false;
  call.protocol = known_name(reader.take_until(" "), protocols_written, protocols);
  return reader.take(" time ") || reader.take(" channel{");
}

/// The last word of "... AllReduce: " and "... AllReduce [Symmetric]: "; empty without the colon.
std::string collective_name(std::string_view before) {
  if (!before.ends_with(": ")) return "";
  before = before.substr(0, before.rfind(before.ends_with(" [Symmetric]: ") ? " [" : ": "));
  return std::string(before.substr(before.rfind(' ') + 1));
}

}  // namespace

NcclChoice parse_nccl_choice(std::string_view log) {
  Sightings seen;
  each_whole_line(log, [&](std::string_view line) {
    read_version(line, seen);
    read_network(line, seen);
    read_interfaces(line, "NET/IB : Using ", infiniband_port, seen.choice.interfaces);
    read_interfaces(line, "NET/Socket : Using ", socket_interface, seen.choice.interfaces);
    read_transports(line, seen);
    read_channels(line, seen);
    read_nvls(line, seen);
    read_peer_to_peer(line, seen);
    read_settings(line, seen);
  });
  seen.choice.nvls = is_nvls_used(seen);
  if (seen.peer_to_peer_denied) seen.choice.peer_to_peer = false;
  return seen.choice;
}

std::vector<TunedCall> parse_tuned_calls(std::string_view log) {
  std::vector<TunedCall> calls;
  each_whole_line(log, [&](std::string_view line) {
    around_each(line, " Bytes -> ", [&](std::string_view before, std::string_view after) {
      TunedCall call;
      const auto size = take_last_number<std::int64_t>(before);
      if (!size || !read_tuning(Reader(after), call)) return;
      call.size_bytes = *size;
      call.collective = collective_name(before);
      calls.push_back(call);
    });
  });
  return calls;
}

}  // namespace peakline::cuda
