#include "cuda/nccl_log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace peakline::cuda {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
bool is_upper(char letter) { return letter >= 'A' && letter <= 'Z'; }
bool is_letter(char letter) { return is_upper(letter) || (letter >= 'a' && letter <= 'z'); }

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

  template <typename Accepts>
  std::string_view take_while(Accepts accepts) {
    const auto end = std::ranges::find_if_not(text_, accepts);
    const std::string_view taken(text_.begin(), end);
    text_.remove_prefix(taken.size());
    return taken;
  }

  bool take_number() { return !take_while(is_digit).empty(); }
  std::string_view take_word() {
    return take_while([](char letter) { return letter != ' '; });
  }
  bool is_at(char letter) const { return text_.starts_with(letter); }
  bool is_at_word_end() const { return text_.empty() || is_at(' '); }
  std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

/// Takes the number that a text ends in. Absent when it does not stand alone.
std::optional<std::int64_t> take_last_number(std::string_view& text) {
  const auto first = std::find_if_not(text.rbegin(), text.rend(), is_digit).base();
  const std::string_view digits(first, text.end());
  std::int64_t number = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (end.ec != std::errc()) return std::nullopt;
  text.remove_suffix(digits.size());
  if (!text.empty() && !text.ends_with(' ')) return std::nullopt;
  return number;
}

/// A text up to the end of its line; empty when another line has run into it.
std::string whole_rest(std::string_view text) {
  if (text.find(" NCCL ") != text.npos) return "";
  while (text.ends_with(' ')) text.remove_suffix(1);
  return std::string(text);
}

/// What NCCL writes for a thing, and what we call it.
struct Name {
  std::string_view written;
  std::string_view name;
};

/// "IB/0(3)/GDRDMA(PCI)/Shared" -> "IB/GDRDMA": without the device, and the rank that serves it.
std::string network_path(Reader reader) {
  const std::string name(reader.take_while([](char letter) {
    return is_letter(letter) || is_digit(letter) || letter == ' ' || letter == '_' || letter == '-';
  }));
  if (name.empty() || !reader.take("/") || !reader.take_number()) return "";
  if (reader.take("(") && !(reader.take_number() && reader.take(")"))) return "";
  const bool direct = reader.take("/GDRDMA");
  reader.take("(PCI)");
  reader.take("/Shared");
  if (!reader.is_at_word_end()) return "";
  return direct ? name + "/GDRDMA" : name;
}

/// What follows "via ", without peers and devices; empty when it is cut off or not known.
std::string transport(std::string_view text) {
  constexpr std::array kinds{Name{"P2P/CUMEM", "P2P/CUMEM"},
                             Name{"P2P/MNNVL", "P2P/MNNVL"},
                             Name{"P2P/IPC", "P2P/IPC"},
                             Name{"P2P/direct pointer", "P2P/direct"},
                             Name{"P2P/indirect", "P2P/indirect"},
                             Name{"SHM/direct", "SHM/direct"},
                             Name{"SHM/CE", "SHM/CE"}};
  Reader reader(text);
  for (const Name& kind : kinds) {
    if (!reader.take(kind.written)) continue;
    const bool is_whole = reader.is_at_word_end() || reader.is_at('/');
    return is_whole ? std::string(kind.name) : "";
  }
  for (const std::string prefix : {"NET/", "COLLNET/"}) {
    if (!reader.take(prefix)) continue;
    const std::string path = network_path(reader);
    return path.empty() ? "" : prefix + path;
  }
  return "";
}

/// "[0]mlx5_0:1/RoCE", and "[0] mlx5_0:1/RoCE" within the braces of a merged one.
std::string infiniband_port(Reader reader) {
  if (!reader.take_number() || !reader.take("]")) return "";
  reader.take(" ");
  const std::string_view start = reader.rest();
  reader.take_while([](char letter) { return letter != ':' && letter != ' '; });
  if (!reader.take(":") || !reader.take_number()) return "";
  if (!reader.take("/IB") && !reader.take("/RoCE")) return "";
  const std::size_t size = start.size() - reader.rest().size();
  reader.take("/SHARP");
  const bool is_whole = reader.is_at_word_end() || reader.is_at(',') || reader.is_at('}');
  return is_whole ? std::string(start.substr(0, size)) : "";
}

/// "[0]eth0:10.0.0.1<0>".
std::string socket_address(Reader reader) {
  if (!reader.take_number() || !reader.take("]")) return "";
  const std::string_view name =
      reader.take_while([](char letter) { return letter != ' ' && letter != '<'; });
  const bool is_whole = reader.take("<") && reader.take_number() && reader.take(">");
  return is_whole && name.find(':') != name.npos ? std::string(name) : "";
}

/// A choice in the making, with what decides the answers that several lines have a part in.
struct Sightings {
  NcclChoice choice;
  std::optional<std::int64_t> nvls_channels;
  std::optional<bool> multicast;
  bool nvls_failed = false;
  bool peer_to_peer_denied = false;
};

void read_version(std::string_view line, Sightings& seen) {
  after_each(line, "NCCL version ", [&](std::string_view after) {
    Reader reader(after);
    const std::string version(reader.take_while([](char letter) {
      return is_digit(letter) || is_letter(letter) || letter == '.' || letter == '+' ||
             letter == '-';
    }));
    const bool is_one = !version.empty() && is_digit(version.front()) && reader.is_at_word_end();
    if (seen.choice.version.empty() && is_one) seen.choice.version = version;
  });
}

void read_network(std::string_view line, Sightings& seen) {
  after_each(line, "Using network ", [&](std::string_view after) {
    if (seen.choice.network.empty()) seen.choice.network = whole_rest(after);
  });
}

void read_interfaces(std::string_view line, Sightings& seen) {
  std::vector<std::string>& known = seen.choice.interfaces;
  const auto keep = [&](const std::string& name) {
    if (!name.empty() && std::ranges::find(known, name) == known.end()) known.push_back(name);
  };
  after_each(line, "NET/IB : Using ", [&](std::string_view list) {
    after_each(list, "[", [&](std::string_view item) { keep(infiniband_port(Reader(item))); });
  });
  after_each(line, "NET/Socket : Using ", [&](std::string_view list) {
    after_each(list, "[", [&](std::string_view item) { keep(socket_address(Reader(item))); });
  });
}

void read_transports(std::string_view line, Sightings& seen) {
  after_each(line, " via ", [&](std::string_view after) {
    const std::string found = transport(after);
    if (!found.empty()) seen.choice.transports.insert(found);
  });
}

/// The line is "N coll channels, [N collnet channels,] N nvls channels, ..."; collnet since 2.22.
void read_channels(std::string_view line, Sightings& seen) {
  around_each(line, " coll channels, ", [&](std::string_view before, std::string_view after) {
    if (const auto number = take_last_number(before)) {
      seen.choice.channels = std::max(seen.choice.channels.value_or(0), static_cast<int>(*number));
    }
    around_each(after, " nvls channels, ", [&](std::string_view nvls, std::string_view) {
      if (const auto number = take_last_number(nvls)) {
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
    if (seen.choice.peer_to_peer) return;
    if (after.starts_with("0 directMode")) seen.choice.peer_to_peer = false;
    if (after.starts_with("1 directMode")) seen.choice.peer_to_peer = true;
  });
  // "... connected GPUs 0 and 1" or "... NVLINK connected GPUs 0 and 1".
  if (line.find("P2P is disabled between ") != line.npos) seen.peer_to_peer_denied = true;
}

void read_settings(std::string_view line, Sightings& seen) {
  const auto keep = [&](const std::string& name, std::string_view rest) {
    std::string value = whole_rest(rest);
    // Numbers are written with a full stop behind them, words without.
    if (value.ends_with('.') && std::all_of(value.begin(), value.end() - 1, is_digit)) {
      value.pop_back();
    }
    if (!value.empty()) seen.choice.settings[name] = value;
  };
  after_each(line, "NCCL_", [&](std::string_view after) {
    Reader reader(after);
    const std::string_view name = reader.take_while(
        [](char letter) { return is_upper(letter) || is_digit(letter) || letter == '_'; });
    if (name.empty()) return;
    if (!reader.take(" set by environment to ") && !reader.take(" set to ")) return;
    keep("NCCL_" + std::string(name), reader.rest());
  });
  around_each(line, "Comm config Net name set to ",
              [&](std::string_view, std::string_view after) { keep("NCCL_NET", after); });
}

/// The channels that remain in the end say more than what the GPUs offered at the start.
std::optional<bool> is_nvls_used(const Sightings& seen) {
  if (seen.nvls_failed) return false;
  if (seen.nvls_channels) return *seen.nvls_channels > 0;
  return seen.multicast;
}

/// Numbers, up to 2.23, are places in the table of names. What is not in it keeps its spelling.
std::string known_name(std::string_view text, std::span<const Name> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (text == names[i].written || text == std::to_string(i)) return std::string(names[i].name);
  }
  return std::string(text);
}

/// What follows "N Bytes -> ", into `call`; false when it is cut off or something else.
bool read_tuning(Reader reader, TunedCall& call) {
  // In the order of their numbers: NCCL_ALGO_TREE is 0, NCCL_PROTO_LL is 0.
  constexpr std::array algorithms{Name{"TREE", "Tree"},
                                  Name{"RING", "Ring"},
                                  Name{"COLLNET_DIRECT", "CollnetDirect"},
                                  Name{"COLLNET_CHAIN", "CollnetChain"},
                                  Name{"NVLS", "NVLS"},
                                  Name{"NVLS_TREE", "NVLSTree"},
                                  Name{"PAT", "PAT"}};
  constexpr std::array protocols{Name{"LL", "LL"}, Name{"LL128", "LL128"},
                                 Name{"SIMPLE", "Simple"}};
  if (reader.take("Kernel ")) {
    call.algorithm = "Symmetric";
    call.protocol = reader.take_word();
    return reader.take(" nchannels ");
  }
  if (!reader.take("Algo ")) return false;
  call.algorithm = known_name(reader.take_word(), algorithms);
  if (!reader.take(" proto ")) return false;
  call.protocol = known_name(reader.take_word(), protocols);
  return reader.take(" time ") || reader.take(" channel{");
}

/// The last word of "... AllReduce: " and "... AllReduce [Symmetric]: "; empty without the colon.
std::string collective_name(std::string_view before) {
  if (!before.ends_with(": ")) return "";
  before.remove_suffix(2);
  if (before.ends_with(" [Symmetric]"))
    before.remove_suffix(std::string_view(" [Symmetric]").size());
  const auto first = std::find_if_not(before.rbegin(), before.rend(), is_letter).base();
  return std::string(first, before.end());
}

}  // namespace

NcclChoice parse_nccl_choice(std::string_view log) {
  Sightings seen;
  each_whole_line(log, [&](std::string_view line) {
    read_version(line, seen);
    read_network(line, seen);
    read_interfaces(line, seen);
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
      const auto size = take_last_number(before);
      if (!size || !read_tuning(Reader(after), call)) return;
      call.size_bytes = *size;
      call.collective = collective_name(before);
      calls.push_back(call);
    });
  });
  return calls;
}

}  // namespace peakline::cuda
