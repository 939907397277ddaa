#include <limits>
#include <tuple>
#include <vector>

#include "bench/gemm_check.h"
#include "core/pattern.h"
#include "support/catch.h"

using namespace peakline;

namespace {

class VectorMatrix final : public Matrix {
 public:
  VectorMatrix(const std::vector<double>& entries, std::int64_t rows)
      : entries_(&entries), rows_(rows) {}
  std::int64_t rows() const override { return rows_; }
  std::int64_t columns() const override {
    return static_cast<std::int64_t>(entries_->size()) / rows_;
  }
  void each_row(const VisitRow& visit) const override {
    const auto width = static_cast<std::size_t>(columns());
    for (std::int64_t row = 0; row < rows_; ++row) {
      visit(row, {entries_->data() + static_cast<std::size_t>(row) * width, width});
    }
  }

 private:
  const std::vector<double>* entries_;
  std::int64_t rows_;
};

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
  Product product{{DataType::float32, m, n, k, false}, {}, {}, {}};
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
  const GemmShape& shape = product.shape;
  return check_product(VectorMatrix(product.a, shape.m),
                       VectorMatrix(product.b, shape.b_is_transposed() ? shape.n : shape.k),
                       VectorMatrix(product.c, shape.m), shape, 5);
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

TEST_CASE("rounded entries of a narrow output are no error, and a wrong tile still is") {
  Product product = make_product(64, 256, 128);
  product.shape.type = DataType::bfloat16;  // of exact inputs, as far as this check sees
  for (double& entry : product.c) entry = static_cast<double>(BFloat16(entry));
  CHECK(check(product).wrong == 0);
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t column = 32; column < 64; ++column) product.c[row * 256 + column] = 0;
  }
  CHECK(check(product).wrong > 8);
}

TEST_CASE("whole numbers of 8 bits are checked exactly, with B turned over") {
  Product product{{DataType::int8, 5, 7, 9, false}, {}, {}, {}};
  const auto whole = [](std::int64_t i) {
    return static_cast<double>(mix64(static_cast<std::uint64_t>(i)) % 255) - 127;
  };
  for (std::int64_t i = 0; i < 5 * 9; ++i) product.a.push_back(whole(i));
  for (std::int64_t i = 0; i < 7 * 9; ++i) product.b.push_back(whole(1000 + i));
  for (std::size_t row = 0; row < 5; ++row) {
    for (std::size_t column = 0; column < 7; ++column) {
      double sum = 0;
      for (std::size_t i = 0; i < 9; ++i) sum += product.a[row * 9 + i] * product.b[column * 9 + i];
      product.c.push_back(sum);
    }
  }
  CHECK(check(product).wrong == 0);
  product.c[3 * 7 + 2] += 1;
  const PatternCheck result = check(product);
  CHECK(result.wrong == 1);
  REQUIRE(result.first);
  CHECK(result.first->index == 3);
}
