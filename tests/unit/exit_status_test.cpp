#include "core/exit_status.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/error.h"
#include "support/catch.h"

using namespace peakline;

namespace {

// From mild to severe: 2 over 5 over 6 over 3 over 4 over 0.
constexpr std::array by_severity{
    ExitStatus::ok,        ExitStatus::inconclusive, ExitStatus::not_comparable,
    ExitStatus::regressed, ExitStatus::run_failed,   ExitStatus::usage};

}  // namespace

TEST_CASE("of two exit statuses the more severe one stands, in either order") {
  for (std::size_t a = 0; a < by_severity.size(); ++a) {
    for (std::size_t b = 0; b < by_severity.size(); ++b) {
      CHECK(worse(by_severity[a], by_severity[b]) == by_severity[std::max(a, b)]);
    }
  }
}

TEST_CASE("the numbers are those of the contract, and 1 is never ours") {
  constexpr std::array numbers{0, 4, 3, 6, 5, 2};
  for (std::size_t i = 0; i < by_severity.size(); ++i) CHECK(to_int(by_severity[i]) == numbers[i]);
}

TEST_CASE("an error carries its sentence, its status and its place") {
  const Error bad_input = usage_error("Give a size.");
  CHECK(std::string(bad_input.what()) == "Give a size.");
  CHECK(bad_input.status() == ExitStatus::usage);
  CHECK(std::string(bad_input.place().file_name()).ends_with("exit_status_test.cpp"));
  CHECK(OutOfMemory("No room.").status() == ExitStatus::run_failed);
}
