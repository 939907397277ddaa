#include "core/pattern.h"

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <type_traits>
#include <vector>

#include "support/catch.h"

using namespace peakline;

namespace {

constexpr std::array ranks_tried{1, 2, 3, 7, 8, 64, 1000, 4096, 5000};
constexpr std::int64_t indices = 200;

// The expected results are known to the compiler, so to device code as well.
constexpr PatternSpec known = make_pattern(1, 8, DataType::float32, ReduceOp::sum);
static_assert(pattern_reduced(known, 3) == [] {
  std::int64_t sum = 0;
  for (std::int64_t rank = 0; rank < 8; ++rank) sum += pattern_input(known, 3, rank);
  return sum;
}());
static_assert(mix64(0) == 0xe220a8397b1dcdafU);  // first number of splitmix64 from seed 0

std::vector<std::int64_t> inputs_at(const PatternSpec& spec, std::int64_t index) {
  std::vector<std::int64_t> inputs;
  for (std::int64_t rank = 0; rank < spec.ranks; ++rank) {
    inputs.push_back(pattern_input(spec, index, rank));
  }
  return inputs;
}

/// As a library does: what has no arithmetic of its own is rounded after every step.
template <typename Number>
Number combine(ReduceOp op, Number a, Number b) {
  if constexpr (!std::is_arithmetic_v<Number>) {
    return Number(combine(op, static_cast<double>(a), static_cast<double>(b)));
  } else {
    switch (op) {
      case ReduceOp::avg:
      case ReduceOp::sum: return static_cast<Number>(a + b);
      case ReduceOp::prod: return static_cast<Number>(a * b);
      case ReduceOp::min: return std::min(a, b);
      case ReduceOp::max: return std::max(a, b);
    }
    return a;
  }
}

template <typename Number>
Number reduce(ReduceOp op, const std::vector<std::int64_t>& inputs) {
  auto total = static_cast<Number>(inputs.front());
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    total = combine(op, total, static_cast<Number>(inputs[i]));
  }
  return total;
}

/// Neighbours in pairs, then pairs of pairs: what a tree does, with other partial results.
template <typename Number>
Number reduce_as_tree(ReduceOp op, const std::vector<std::int64_t>& inputs) {
  std::vector<Number> level;
  for (std::int64_t input : inputs) level.push_back(static_cast<Number>(input));
  while (level.size() > 1) {
    std::vector<Number> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      next.push_back(combine(op, level[i], level[i + 1]));
    }
    if (level.size() % 2 != 0) next.push_back(level.back());
    level = next;
  }
  return level.front();
}

/// Whether the reduction of all inputs but that of `rank` differs from `reduced`.
bool would_be_missed(ReduceOp op, const std::vector<std::int64_t>& inputs, std::size_t rank,
                     std::int64_t reduced) {
  switch (op) {
    case ReduceOp::avg:
    case ReduceOp::sum: return inputs[rank] != 0;
    case ReduceOp::prod: return inputs[rank] != 1;
    case ReduceOp::min:
    case ReduceOp::max: break;
  }
  return inputs[rank] == reduced && std::count(inputs.begin(), inputs.end(), reduced) == 1;
}

template <typename Check>
void for_all_patterns(Check check) {
  for (DataType type : all_data_types) {
    for (ReduceOp op : all_reduce_ops) {
      for (std::int64_t ranks : ranks_tried) {
        CAPTURE(name_of(type), name_of(op), ranks);
        check(make_pattern(42, ranks, type, op), type);
      }
    }
  }
}

double share_of_indices(const std::function<bool(std::int64_t)>& holds) {
  std::int64_t count = 0;
  for (std::int64_t index = 0; index < indices; ++index) count += holds(index) ? 1 : 0;
  return static_cast<double>(count) / static_cast<double>(indices);
}

}  // namespace

TEST_CASE("the reduced pattern is the reduction of its inputs, exactly and in any order") {
  std::mt19937_64 random(5);
  for_all_patterns([&](const PatternSpec& spec, DataType type) {
    with_type(type, [&](auto zero) {
      using Number = decltype(zero);
      std::int64_t wrong = 0;
      for (std::int64_t index = 0; index < 40; ++index) {
        std::vector<std::int64_t> inputs = inputs_at(spec, index);
        const std::int64_t expected = pattern_reduced(spec, index);
        wrong += reduce<std::int64_t>(spec.op, inputs) != expected;
        wrong +=
            static_cast<double>(static_cast<Number>(expected)) != static_cast<double>(expected);
        for (int order = 0; order < 3; ++order) {
          wrong += reduce<Number>(spec.op, inputs) != static_cast<Number>(expected);
          wrong += reduce_as_tree<Number>(spec.op, inputs) != static_cast<Number>(expected);
          std::shuffle(inputs.begin(), inputs.end(), random);
        }
      }
      CHECK(wrong == 0);
    });
  });
}

TEST_CASE("the largest sum of a pattern stays exact in its type") {
  for (DataType type : all_data_types) {
    for (std::int64_t ranks : {1, 2, 3, 1000, 4096, 5000, 100'000, 1'000'000}) {
      const PatternSpec spec = make_pattern(1, ranks, type, ReduceOp::sum);
      std::int64_t largest = 0;
      for (std::int64_t index = 0; index < 1000; ++index) {
        largest = std::max(largest, pattern_reduced(spec, index));
      }
      CAPTURE(name_of(type), ranks);
      CHECK(spec.span >= 1);
      CHECK(largest <= std::int64_t{1} << exact_bits(type));
    }
  }
}

TEST_CASE("at every element some rank would be missed, and every rank at some element") {
  for_all_patterns([](const PatternSpec& spec, DataType) {
    if (spec.ranks == 1) return;  // a lone rank is not left out
    // In a minimum, and where a single rank contributes, one rank in `ranks` stands out at each
    // element, so that all of them have had their turn only after many elements: too many to try in
    // a large world.
    const bool to_the_end = (spec.op == ReduceOp::sum && !spec.lone) || spec.ranks <= 64;
    const std::int64_t last = spec.ranks <= 64 ? 20 * spec.ranks : 40;
    std::vector<bool> missed(static_cast<std::size_t>(spec.ranks));
    std::int64_t blind = 0;
    for (std::int64_t index = 0; index < last; ++index) {
      const std::vector<std::int64_t> inputs = inputs_at(spec, index);
      const std::int64_t reduced = pattern_reduced(spec, index);
      bool any = false;
      for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
        if (!would_be_missed(spec.op, inputs, rank, reduced)) continue;
        missed[rank] = true;
        any = true;
      }
      blind += any ? 0 : 1;
    }
    CHECK(blind == 0);
    if (to_the_end) CHECK(std::count(missed.begin(), missed.end(), true) == spec.ranks);
  });
}

TEST_CASE("data that moved within a result show") {
  for_all_patterns([&](const PatternSpec& spec, DataType) {
    constexpr std::int64_t chunk = 64;
    const auto differs = [&](std::int64_t distance) {
      return share_of_indices([&](std::int64_t index) {
        return pattern_reduced(spec, index) != pattern_reduced(spec, index + distance);
      });
    };
    // Two elements are alike by chance when there are few values: in a minimum of E5M2, two.
    const double least = spec.span >= 64 && spec.factors >= 63 ? 0.9 : 0.35;
    CHECK(differs(1) > least);
    CHECK(differs(chunk) > least);
  });
}

TEST_CASE("inputs differ from rank to rank and from seed to seed") {
  for_all_patterns([&](const PatternSpec& spec, DataType type) {
    const PatternSpec other = make_pattern(43, spec.ranks, type, spec.op);
    CHECK(share_of_indices([&](std::int64_t index) {
            return pattern_reduced(spec, index) != pattern_reduced(other, index);
          }) > (spec.span >= 64 && spec.factors >= 63 ? 0.5 : 0.35));
    // Of a lone contribution two ranks see little in a large world, of a narrow type little at all.
    const bool lone_in_many = spec.lone && spec.ranks > 3;
    const bool alike = !spec.has_sign && spec.op == ReduceOp::prod && spec.ranks > 3;
    if (spec.ranks == 1 || lone_in_many || alike) return;
    CHECK(share_of_indices([&](std::int64_t index) {
            return pattern_input(spec, index, 0) != pattern_input(spec, index, 1);
          }) > (spec.span >= 64 ? 0.5 : 0.3));
  });
}

TEST_CASE("a broadcast's data depend on position") {
  const PatternSpec spec = make_pattern(9, 1, DataType::float32, ReduceOp::sum);
  CHECK(pattern_input(spec, 0, 0) == pattern_reduced(spec, 0));
  std::vector<std::int64_t> values;
  for (std::int64_t index = 0; index < 1000; ++index)
    values.push_back(pattern_input(spec, index, 0));
  std::sort(values.begin(), values.end());
  CHECK(std::unique(values.begin(), values.end()) - values.begin() > 950);
}

TEST_CASE("an average may be off by the roundings of its type, and by no more") {
  for (DataType type : all_data_types) {
    for (std::int64_t ranks : {1, 2, 3, 7, 8, 12, 64, 331, 4096}) {
      if (!is_verifiable(type, ReduceOp::avg, ranks)) {
        CHECK(ranks > 64);
        continue;
      }
      const PatternSpec spec = make_pattern(3, ranks, type, ReduceOp::avg);
      with_type(type, [&](auto zero) {
        using Number = decltype(zero);
        CAPTURE(name_of(type), ranks);
        std::int64_t refused = 0;
        std::int64_t accepted = 0;
        for (std::int64_t index = 0; index < indices; ++index) {
          const double expected = pattern_expected(spec, index);
          Number divided{};
          if constexpr (std::is_integral_v<Number>) {
            divided = static_cast<Number>(pattern_reduced(spec, index) / ranks);
          } else {
            divided = Number(static_cast<double>(pattern_reduced(spec, index)) *
                             static_cast<double>(Number(1.0 / static_cast<double>(ranks))));
          }
          refused += pattern_matches(divided, spec, index) ? 0 : 1;
          const auto far = static_cast<Number>(2 * expected + 1);
          accepted += pattern_matches(far, spec, index) ? 1 : 0;
        }
        CHECK(refused == 0);
        CHECK(accepted == 0);
      });
    }
  }
}

TEST_CASE("narrow types give few ranks their own values, many ranks a turn each") {
  CHECK_FALSE(make_pattern(1, 8, DataType::float32, ReduceOp::sum).lone);
  CHECK_FALSE(make_pattern(1, 8, DataType::bfloat16, ReduceOp::sum).lone);
  CHECK(make_pattern(1, 64, DataType::bfloat16, ReduceOp::sum).lone);
  CHECK(make_pattern(1, 2, DataType::float8_e5m2, ReduceOp::sum).lone);
  CHECK(make_pattern(1, 2, DataType::float32, ReduceOp::avg).lone);
}
