#include "core/small_float.h"

#include <cmath>
#include <limits>
#include <vector>

#include "support/catch.h"

using namespace peakline;

namespace {

template <typename Small>
double through(double value) {
  return static_cast<double>(Small(value));
}

// Known to the compiler, so to device code as well.
static_assert(static_cast<double>(Float16(1.5)) == 1.5);
static_assert(static_cast<double>(Float8E4M3(std::int64_t{-6})) == -6);

}  // namespace

TEST_CASE("what a small float can hold comes back as it was") {
  for (double value : {0.0, 1.0, -1.0, 0.5, 1.75, -6.0, 12.0, 0.0625}) {
    CHECK(through<Float16>(value) == value);
    CHECK(through<BFloat16>(value) == value);
    CHECK(through<Float8E4M3>(value) == value);
    CHECK(through<Float8E5M2>(value) == value);
  }
}

TEST_CASE("the limits are those of the formats") {
  CHECK(through<Float16>(65504) == 65504);
  CHECK(std::isinf(through<Float16>(65520)));
  CHECK(through<Float16>(std::ldexp(1, -24)) == std::ldexp(1, -24));
  CHECK(through<Float16>(std::ldexp(1, -26)) == 0);
  CHECK(through<BFloat16>(3.3895313892515355e38) == 3.3895313892515355e38);
  CHECK(std::isinf(through<BFloat16>(3.4e38)));
  CHECK(through<Float8E4M3>(448) == 448);
  CHECK(std::isnan(through<Float8E4M3>(480)));
  CHECK(through<Float8E4M3>(std::ldexp(1, -9)) == std::ldexp(1, -9));
  CHECK(through<Float8E5M2>(57344) == 57344);
  CHECK(std::isinf(through<Float8E5M2>(61440)));
  CHECK(through<Float8E5M2>(std::ldexp(1, -16)) == std::ldexp(1, -16));
}

TEST_CASE("rounding is to nearest, ties to even") {
  CHECK(through<Float8E4M3>(17) == 16);  // steps of 2 from 16 on; 17 is halfway
  CHECK(through<Float8E4M3>(19) == 20);
  CHECK(through<Float8E4M3>(17.001) == 18);
  CHECK(through<Float8E5M2>(9) == 8);
  CHECK(through<Float8E5M2>(11) == 12);
  CHECK(through<Float16>(2049) == 2048);
  CHECK(through<Float16>(2051) == 2052);
  CHECK(through<BFloat16>(257) == 256);
  CHECK(through<BFloat16>(259) == 260);
  CHECK(through<Float8E4M3>(15.9) == 16);  // the carry goes into the exponent
}

TEST_CASE("what is no number stays none") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(std::isnan(through<Float16>(nan)));
  CHECK(std::isnan(through<BFloat16>(nan)));
  CHECK(std::isnan(through<Float8E4M3>(nan)));
  CHECK(std::isnan(through<Float8E5M2>(nan)));
  CHECK(through<Float16>(-infinity) == -infinity);
  CHECK(std::isnan(through<Float8E4M3>(infinity)));
}

TEST_CASE("every whole number that a format promises is exact") {
  for (std::int64_t whole = -16; whole <= 16; ++whole) {
    CHECK(static_cast<double>(Float8E4M3(whole)) == static_cast<double>(whole));
  }
  for (std::int64_t whole = -8; whole <= 8; ++whole) {
    CHECK(static_cast<double>(Float8E5M2(whole)) == static_cast<double>(whole));
  }
  for (std::int64_t whole = -256; whole <= 256; ++whole) {
    CHECK(static_cast<double>(BFloat16(whole)) == static_cast<double>(whole));
  }
  for (std::int64_t whole = -2048; whole <= 2048; ++whole) {
    CHECK(static_cast<double>(Float16(whole)) == static_cast<double>(whole));
  }
}
