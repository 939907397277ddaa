#include "report/strict_json.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "report/json_parser.h"
#include "support/catch.h"

using namespace peakline;

namespace {

/// The sentence with which a text is refused; empty when it is taken.
std::string refusal(const std::string& text) {
  try {
    const JsonDocument document(text, "a.json");
    return "";
  } catch (const Error& error) {
    CHECK(error.status() == ExitStatus::usage);
    return error.what();
  }
}

template <typename T>
std::string refusal_of_field(const std::string& text) {
  const JsonDocument document(R"({"list":[{"field":)" + text + "}]}", "a.json");
  const auto read = [](const JsonDocument& file, const JsonValue& element) {
    T item{};
    file.get(element, "field", item);
    return item;
  };
  std::vector<T> into;
  try {
    document.get_list(document.root(), "list", into, read);
    return "";
  } catch (const Error& error) {
    CHECK(error.status() == ExitStatus::usage);
    return error.what();
  }
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace

TEST_CASE("what is not strict JSON is refused with its place") {
  struct Case {
    std::string text;
    std::string place;
    std::string reason;
  };
  const Case cases[] = {
      {"", "line 1, column 0", "unexpected end of input"},
      {"{\n\"a\": 1,\n", "line 3, column 0", "unexpected end of input"},
      {"[1] x", "line 1, column 5", "invalid literal"},
      {"[NaN]", "line 1, column 2", "invalid literal"},
      {"[-Infinity]", "line 1, column 3", "invalid number"},
      {"[1,\n 1e999]", "line 2, column 6", "number overflow parsing '1e999'"},
      {"[01]", "line 1, column 3", "unexpected number literal"},
      {"[1,]", "line 1, column 4", "unexpected ']'"},
      {"{'a':1}", "line 1, column 2", "invalid literal"},
      {"// a\n1", "line 1, column 1", "invalid literal"},
      {"[\"\xff\"]", "line 1, column 3", "ill-formed UTF-8"},
      {R"(["\ud800"])", "line 1, column 9", "surrogate"},
      {"[\"a\nb\"]", "line 2, column 0", "control character"},
      {"{\"a\":{\"b\":[{\"c\":1,\n\"d\":2,\"c\":3}]}}", "line 2, column 9",
       "the key 'a.b[0].c' is there twice"},
      {nested(65), "line 1, column 65", "nested more than 64 deep"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.text);
    const std::string sentence = refusal(each.text);
    CHECK_THAT(sentence, Catch::Matchers::StartsWith("a.json: " + each.place + ": "));
    CHECK_THAT(sentence, Catch::Matchers::Contains(each.reason));
    CHECK(sentence.back() == '.');
  }
}

TEST_CASE("what is strict JSON is taken") {
  for (const std::string& text :
       {std::string("null"), std::string(" {} \n"), nested(64), std::string(R"({"a":{"a":1}})"),
        std::string(R"(["\u00e4\ud83d\ude00", -0.0, 1e-999, 18446744073709551615])")}) {
    CAPTURE(text);
    CHECK(refusal(text).empty());
  }
}

TEST_CASE("an object with more members than anyone writes is refused") {
  std::string text = "{\"m0\":0";
  for (std::size_t i = 1; i < json_members_limit; ++i) text += ",\"m" + std::to_string(i) + "\":0";
  CHECK(refusal(text + "}").empty());
  CHECK_THAT(refusal(text + ",\"more\":0}"), Catch::Matchers::Contains("more than 10000 members"));
}

TEST_CASE("lines are counted from the one given") {
  CHECK_THROWS_WITH(JsonDocument("{", "a.part", 7),
                    Catch::Matchers::StartsWith("a.part: line 7, column 1: "));
}

TEST_CASE("a field of another type is refused with its path") {
  CHECK_THAT(refusal_of_field<double>("\"fast\""),
             Catch::Matchers::StartsWith(
                 "a.json: list[0].field must be a number, found the string \"fast\";"));
  CHECK_THAT(refusal_of_field<double>("null"), Catch::Matchers::Contains("found null;"));
  CHECK_THAT(refusal_of_field<std::string>("[1]"),
             Catch::Matchers::Contains("must be a string, found an array;"));
  CHECK_THAT(refusal_of_field<bool>("1"),
             Catch::Matchers::Contains("must be true or false, found 1;"));
  CHECK_THAT(refusal_of_field<std::int64_t>("-3"),
             Catch::Matchers::Contains("must be a whole number from 0 to"));
  CHECK_THAT(refusal_of_field<std::int64_t>("9223372036854775808"),
             Catch::Matchers::Contains("found 9223372036854775808;"));
  CHECK_THAT(refusal_of_field<std::int64_t>("2.5"), Catch::Matchers::Contains("found 2.5;"));
  CHECK_THAT(refusal_of_field<std::uint64_t>("-1"), Catch::Matchers::Contains("found -1;"));
  CHECK_THAT(refusal_of_field<ParamValue>("0.5"),
             Catch::Matchers::Contains("must be a string or a whole number, found 0.5;"));
  CHECK_THAT((refusal_of_field<std::map<std::string, double>>("{\"a\":true}")),
             Catch::Matchers::Contains("list[0].field.a must be a number, found true;"));
  CHECK_THAT(refusal_of_field<std::vector<double>>("{}"),
             Catch::Matchers::Contains("must be an array, found an object;"));
}

TEST_CASE("fields are taken as what they are") {
  const JsonDocument document(
      R"({"text":"a","number":-2.5,"whole":3,"point":4.0,"seed":18446744073709551615,
          "word":-7,"none":null,"list":[1,2]})",
      "a.json");
  const JsonValue& root = document.root();
  std::string text;
  double number = 0;
  std::int64_t whole = 0;
  std::uint64_t seed = 0;
  ParamValue word;
  std::optional<double> none;
  std::vector<double> list;
  document.get(root, "text", text);
  CHECK(text == "a");
  document.get(root, "number", number);
  CHECK(number == -2.5);
  document.get(root, "whole", number);
  CHECK(number == 3.0);
  document.get(root, "point", whole);
  CHECK(whole == 4);
  document.get(root, "seed", seed);
  CHECK(seed == 18446744073709551615U);
  document.get(root, "word", word);
  CHECK(word == ParamValue(std::int64_t{-7}));
  document.get_if(root, "none", none);
  document.get_if(root, "absent", none);
  CHECK_FALSE(none.has_value());
  document.get_if(root, "number", none);
  CHECK(none == -2.5);
  document.get(root, "list", list);
  CHECK(list == std::vector<double>{1, 2});
  CHECK_THROWS_WITH(
      document.get(root, "absent", text),
      Catch::Matchers::StartsWith("a.json: the outermost value lacks the field 'absent';"));
}

TEST_CASE("another schema and a newer version are refused") {
  const auto refuse = [](const std::string& text) {
    const JsonDocument document(text, "a.json");
    document.expect_schema("peakline.record", 2);
  };
  CHECK_NOTHROW(refuse(R"({"schema":"peakline.record","schema_version":2})"));
  CHECK_THROWS_WITH(refuse(R"({"schema":"peakline.verdict","schema_version":1})"),
                    Catch::Matchers::StartsWith("a.json: this is no 'peakline.record': its "
                                                "'schema' is the string \"peakline.verdict\";"));
  CHECK_THROWS_WITH(refuse(R"({"schema":"peakline.record","schema_version":3})"),
                    Catch::Matchers::StartsWith(
                        "a.json: schema_version is 3, and this program knows 1 to 2; use a newer"));
  CHECK_THROWS_WITH(refuse("[]"), Catch::Matchers::Contains("it has no 'schema'"));
}
