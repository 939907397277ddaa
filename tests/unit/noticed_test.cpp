#include "app/noticed.h"

#include "support/catch.h"

using namespace peakline;

namespace {

Incident incident(const std::string& kind, std::int64_t rank, const std::string& case_key) {
  return {kind, "measure", case_key, rank, "node1", "rank " + std::to_string(rank) + ": " + kind};
}

}  // namespace

TEST_CASE("what is noticed of a rank again and again is one incident, with its number of cases") {
  Noticed noticed;
  CHECK(noticed.incidents().empty());
  noticed.add(incident("hot", 3, "a"));
  noticed.add(incident("hot", 3, "b"));
  noticed.add(incident("hot", 3, "a"));  // another pass
  noticed.add(incident("hot", 3, "c"));
  noticed.add(incident("hot", 1, "b"));
  noticed.add(incident("ecc", 3, "c"));
  const std::vector<Incident> incidents = noticed.incidents();
  REQUIRE(incidents.size() == 3);
  CHECK(incidents[0].text == "rank 3: ecc, first in c");
  CHECK(incidents[1].text == "rank 1: hot, first in b");
  CHECK(incidents[2].text == "rank 3: hot, first in a and in 2 other cases");
  CHECK(incidents[2].case_key == "a");
  CHECK(incidents[2].rank == 3);
}
