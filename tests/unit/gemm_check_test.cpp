#include <limits>
#include <tuple>
#include <vector>

#include "bench/gemm_check.h"
#include "core/pattern.h"
#include "support/catch.h"

using namespace peakline;

namespace {

constexpr double epsilon = 1.2e-7;  // float32

struct Product {
  GemmShape shape;
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> c;
};

double random_value(std::uint64_t seed) {
  return static_cast<double>(mix64(seed) % 2001) / 1000 - 1;
}

/// A product with float32 rounding in every entry.
Product make_product(std::int64_t m, std::int64_t n, std::int64_t k) {
  Product product{{DataType::float32, m, n, k}, {}, {}, {}};
  for (std::int64_t i = 0; i < m * k; ++i)
    product.a.push_back(random_value(static_cast<std::uint64_t>(i)));
  for (std::int64_t i = 0; i < k * n; ++i)
    product.b.push_back(random_value(static_cast<std::uint64_t>(1000000 + i)));
  for (std::int64_t row = 0; row < m; ++row) {
    for (std::int64_t column = 0; column < n; ++column) {
      float sum = 0;
      for (std::int64_t i = 0; i < k; ++i) {
        sum += static_cast<float>(product.a[static_cast<std::size_t>(row * k + i)]) *
               static_cast<float>(product.b[static_cast<std::size_t>(i * n + column)]);
      }
      product.c.push_back(sum);
    }
  }
  return product;
}

PatternCheck check(const Product& product) {
  return check_product(product.a, product.b, product.c, product.shape, epsilon, 5);
}

}  // namespace

TEST_CASE("rounding is not an error, at any shape") {
  for (const auto& [m, n, k] : {std::tuple{1, 1, 1}, {7, 5, 3}, {64, 48, 128}, {33, 65, 257}}) {
    const PatternCheck result = check(make_product(m, n, k));
    CHECK(result.checked == m);
    CHECK(result.wrong == 0);
  }
}

TEST_CASE("one wrong entry anywhere is found in its row") {
  const Product sound = make_product(64, 48, 128);
  for (std::size_t at : {0U, 47U, 48U * 31U + 7U, 64U * 48U - 1U}) {
    Product product = sound;
    product.c[at] += 0.01;
    const PatternCheck result = check(product);
    CAPTURE(at);
    CHECK(result.wrong == 1);
    REQUIRE(result.first);
    CHECK(result.first->index == static_cast<std::int64_t>(at / 48));
  }
}

TEST_CASE("a tile that was left out, and numbers that are none, are found") {
  Product product = make_product(64, 48, 128);
  for (std::size_t row = 16; row < 32; ++row) {
    for (std::size_t column = 16; column < 32; ++column) product.c[row * 48 + column] = 0;
  }
  CHECK(check(product).wrong == 16);
  product.c[0] = std::numeric_limits<double>::quiet_NaN();
  const PatternCheck result = check(product);
  CHECK(result.wrong == 17);
  CHECK_FALSE(result.first->found);
}
