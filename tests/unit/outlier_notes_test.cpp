#include "compare/outlier_notes.h"

#include "compare/judge.h"
#include "support/catch.h"

using namespace peakline;

namespace {

constexpr std::int64_t ranks_per_node = 4;

/// A run of two nodes with four ranks each.
Record two_nodes() {
  Record record;
  for (std::int64_t rank = 0; rank < 2 * ranks_per_node; ++rank) {
    record.environment.placement.push_back({rank, rank < ranks_per_node ? "node1" : "node2",
                                            "gpu " + std::to_string(rank % ranks_per_node)});
  }
  return record;
}

/// A case in which these ranks take so many times as long as the others, which take 2 s.
void add_case(Record& record, std::int64_t size_bytes,
              const std::vector<std::pair<std::int64_t, double>>& slow) {
  Result result;
  result.id = {"memory", {{"size_bytes", size_bytes}}, {8, 2, 4}};
  result.ranks.quantiles["p25"] = 2;
  for (const auto& [rank, times] : slow) {
    const std::string host = record.environment.placement[static_cast<std::size_t>(rank)].host;
    result.ranks.outliers.push_back({rank, host, 2 * times});
  }
  record.results.push_back(std::move(result));
}

using Notes = std::vector<std::string>;
const std::string scope = "/ranks=8,nodes=2,ranks_per_node=4";

}  // namespace

TEST_CASE("a run without outliers has nothing to say of them") {
  Record record = two_nodes();
  add_case(record, 8, {});
  record.results.push_back({});  // skipped: nothing is known of its ranks
  CHECK(outlier_notes(record).empty());
}

TEST_CASE("a slow rank is named once, with host, device and its worst case") {
  Record record = two_nodes();
  add_case(record, 8, {{5, 1.25}});
  add_case(record, 16, {{5, 1.5}});
  add_case(record, 32, {{5, 1.0625}, {0, 1.125}});
  CHECK(outlier_notes(record) ==
        Notes{"outlier: rank 5 on node2 (gpu 1) is slower than the other ranks, by 50.0 % in 3 "
              "cases, most in memory/size_bytes=16" +
                  scope,
              "outlier: rank 0 on node1 (gpu 0) is slower than the other ranks, by 12.5 % in "
              "memory/size_bytes=32" +
                  scope});
}

TEST_CASE("a host whose ranks are all slow is named as a whole") {
  Record record = two_nodes();
  // Three nodes, so that one of them is no more than a quarter and a bit.
  for (std::int64_t rank = 8; rank < 18; ++rank) {
    record.environment.placement.push_back({rank, "node" + std::to_string(rank), "gpu 0"});
  }
  add_case(record, 8, {{4, 1.25}, {5, 1.5}, {6, 1.25}, {7, 1.25}});
  record.results.back().id.scope = {18, 12, 4};
  REQUIRE(outlier_notes(record).size() == 1);
  CHECK(outlier_notes(record)[0] ==
        "outlier: every rank on node2 is slower than the other ranks, by 50.0 % in "
        "memory/size_bytes=8/ranks=18,nodes=12,ranks_per_node=4");
}

TEST_CASE("where more than a quarter of the ranks are slow, none of them is named") {
  Record record = two_nodes();
  add_case(record, 8, {{1, 1.25}, {2, 1.5}});  // a quarter
  CHECK(outlier_notes(record).size() == 2);
  record.results.clear();
  add_case(record, 8, {{1, 1.25}, {2, 1.5}, {6, 1.25}});
  CHECK(outlier_notes(record) ==
        Notes{"outlier: more than a quarter of the ranks are slower than the others, by 50.0 % in "
              "memory/size_bytes=8" +
              scope});
}

TEST_CASE("of many slow ranks the slowest are named, and the others counted") {
  Record record = two_nodes();
  for (std::int64_t rank = 8; rank < 100; ++rank) {
    record.environment.placement.push_back({rank, "node" + std::to_string(rank), "gpu 0"});
  }
  std::vector<std::pair<std::int64_t, double>> slow;
  for (std::int64_t rank = 50; rank < 60; ++rank) {
    slow.push_back({rank, 1.25 + static_cast<double>(rank - 50)});
  }
  add_case(record, 8, slow);
  record.results.back().id.scope.ranks = 100;
  const Notes notes = outlier_notes(record);
  REQUIRE(notes.size() == 9);
  CHECK(notes[0].starts_with("outlier: rank 59 "));
  CHECK(notes[7].starts_with("outlier: rank 52 "));
  CHECK(notes[8] == "outlier: 2 more are slower than the other ranks; the record lists them");
}

TEST_CASE("the verdict has the notes on outliers") {
  Record record = two_nodes();
  record.run.complete = true;
  add_case(record, 8, {{5, 1.25}});
  record.plan.push_back(record.results[0].id);
  const Verdict verdict = judge(std::vector{record}, {}, {}, default_policy("cuda"));
  REQUIRE(verdict.notes.size() == 1);
  CHECK(verdict.notes[0].starts_with("outlier: rank 5 on node2 (gpu 1)"));
}
