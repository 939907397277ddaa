#include "core/sweep.h"

#include <string>

#include "core/error.h"
#include "support/catch.h"

using namespace peakline;

namespace {

using Sizes = std::vector<std::int64_t>;
constexpr std::int64_t most_bytes = std::int64_t{1} << 62;

}  // namespace

TEST_CASE("sizes as ranges and lists") {
  struct Row {
    const char* text;
    Sizes sizes;
  };
  for (const Row& row : std::vector<Row>{
           {"8", {8}},
           {"8:64:x2", {8, 16, 32, 64}},
           {"8:63:x2", {8, 16, 32}},
           {"8:64", {8, 16, 32, 64}},
           {"1KiB:1MiB:x32", {1 << 10, 1 << 15, 1 << 20}},
           {"1MiB:4MiB:+1MiB", {1 << 20, 2 << 20, 3 << 20, 4 << 20}},
           {"0:10:+4", {0, 4, 8}},
           {"8:8:x2", {8}},
           {"1MiB,8,1KiB,8", {8, 1 << 10, 1 << 20}},
           // The next size would not fit into 64 bits.
           {"1048576TiB:4194304TiB:x2", {most_bytes / 4, most_bytes / 2, most_bytes}},
           {"0:4194304TiB:+4194304TiB", {0, most_bytes}},
           {"4194304TiB:4194304TiB:+4194304TiB", {most_bytes}},
           {"2097152TiB:4194304TiB:x1048576", {most_bytes / 2}},
       }) {
    CAPTURE(row.text);
    CHECK(parse_sizes(row.text) == row.sizes);
  }
}

TEST_CASE("a thousand sizes are allowed, one more is not") {
  CHECK(parse_sizes("1:1000:+1").size() == 1000);
  CHECK_THROWS_WITH(parse_sizes("1:1001:+1"),
                    "'1:1001:+1' means more than 1000 sizes: choose a larger factor or step.");
  // Refused at once, not after counting to the end.
  CHECK_THROWS_AS(parse_sizes("0:4194304TiB:+1"), Error);
}

TEST_CASE("what is no sweep is refused in a sentence that quotes it") {
  struct Row {
    const char* text;
    const char* quoted;
    const char* reason;
  };
  for (const Row& row : {
           Row{"64:8:x2", "64:8:x2", "FROM not above TO"},
           Row{"0:64:x2", "0:64:x2", "is not a range of sizes"},
           Row{"8:64:2", "8:64:2", "is not a range of sizes"},
           Row{"8:64:", "8:64:", "is not a range of sizes"},
           Row{"8:64:x1", "1", "is not a valid factor"},
           Row{"8:64:x0", "0", "is not a valid factor"},
           Row{"8:64:x", "", "is not a valid factor"},
           Row{"8:64:x2:x2", "2:x2", "is not a valid factor"},
           Row{"8:64:+0", "8:64:+0", "has a step of 0"},
           Row{"8:64:+-8", "-8", "is not a size"},
           Row{":64:x2", "", "is not a size"},
           Row{"8::x2", "", "is not a size"},
           Row{"8,,16", "8,,16", "is not a list of sizes"},
           Row{",8", ",8", "is not a list of sizes"},
           Row{"8,", "8,", "is not a list of sizes"},
           Row{"", "", "is not a list of sizes"},
           Row{"8,fast", "fast", "is not a size"},
       }) {
    CAPTURE(row.text);
    try {
      parse_sizes(row.text);
      FAIL("it was accepted");
    } catch (const Error& error) {
      const std::string sentence = error.what();
      CHECK(error.status() == ExitStatus::usage);
      CHECK(sentence.starts_with("'" + std::string(row.quoted) + "'"));
      CHECK(sentence.find(row.reason) != std::string::npos);
    }
  }
}

TEST_CASE("lists are split at commas and empty items refused") {
  CHECK(split_list("a,b c,d", "things") == std::vector<std::string_view>{"a", "b c", "d"});
  CHECK(split_list("a", "things") == std::vector<std::string_view>{"a"});
  CHECK_THROWS_WITH(split_list("a,,b", "benchmarks"),
                    "'a,,b' is not a list of benchmarks: separate the items by single commas.");
}

TEST_CASE("globs match whole names") {
  struct Row {
    const char* pattern;
    const char* name;
    bool matches;
  };
  const Row row = GENERATE(values<Row>({
      {"allreduce", "allreduce", true},
      {"all", "allreduce", false},
      {"all*", "allreduce", true},
      {"all*", "all", true},
      {"*reduce", "allreduce", true},
      {"*reduce", "reducescatter", false},
      {"*", "", true},
      {"", "", true},
      {"", "gemm", false},
      {"g?mm", "gemm", true},
      {"g?mm", "gmm", false},
      {"?", "", false},
      {"gemm?", "gemm", false},
      {"a*b*c", "a-b-b-c", true},
      {"a*b*c", "a-b-c-b", false},
      {"*aab", "aaaab", true},
      {"**", "x", true},
      {"*?", "x", true},
      {"A*", "allreduce", false},
  }));
  CAPTURE(row.pattern, row.name);
  CHECK(matches_glob(row.pattern, row.name) == row.matches);
}
