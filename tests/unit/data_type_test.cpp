#include "core/data_type.h"

#include <set>
#include <string>
#include <type_traits>

#include "core/error.h"
#include "support/catch.h"

using namespace peakline;

namespace {

template <typename Values, typename Parse>
void check_names(const Values& values, Parse parse) {
  std::set<std::string> names;
  std::string all;
  for (auto value : values) {
    CHECK(parse(name_of(value)) == value);
    names.insert(std::string(name_of(value)));
    all += (all.empty() ? "" : ", ") + std::string(name_of(value));
  }
  CHECK(names.size() == values.size());
  CHECK_FALSE(names.contains("unknown"));
  for (const char* wrong : {"", "FLOAT32", "sum ", "fast"}) {
    try {
      parse(wrong);
      FAIL("'" << wrong << "' was accepted");
    } catch (const Error& error) {
      const std::string sentence = error.what();
      CHECK(error.status() == ExitStatus::usage);
      CHECK(sentence.starts_with("'" + std::string(wrong) + "' is not a known "));
      CHECK(sentence.find(all) != std::string::npos);
    }
  }
}

}  // namespace

TEST_CASE("names of data types and the like are read back, and a wrong one lists the right ones") {
  check_names(all_data_types, parse_data_type);
  check_names(all_reduce_ops, parse_reduce_op);
  check_names(all_placements, parse_placement);
  check_names(all_timing_modes, parse_timing_mode);
}

TEST_CASE("each data type stands for one C++ type of its size") {
  for (DataType type : all_data_types) {
    const auto matches = with_type(type, [&](auto zero) {
      using Number = decltype(zero);
      return sizeof(Number) == size_of(type) && std::is_integral_v<Number> == is_whole(type);
    });
    CHECK(matches);
  }
}
