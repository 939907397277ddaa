#include "core/units.h"

#include <limits>
#include <string>

#include "core/error.h"
#include "support/catch.h"

using namespace peakline;

namespace {

/// The sentence of the usage Error that `call` throws; empty when it throws none.
template <typename Call>
std::string usage_sentence(Call call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.status() == ExitStatus::usage);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("sizes with their units") {
  struct Row {
    const char* text;
    std::int64_t size_bytes;
  };
  const Row row = GENERATE(values<Row>({
      {"0", 0},
      {"8", 8},
      {"8B", 8},
      {"8 KiB", 8192},
      {"1K", 1024},
      {"2M", 2 << 20},
      {"3G", std::int64_t{3} << 30},
      {"1T", std::int64_t{1} << 40},
      {"1MiB", 1 << 20},
      {"1GiB", 1 << 30},
      {"2TiB", std::int64_t{2} << 40},
      {"4KB", 4000},
      {"4MB", 4'000'000},
      {"4GB", 4'000'000'000},
      {"1TB", 1'000'000'000'000},
      {"0.5KiB", 512},
      {"1.5GB", 1'500'000'000},
      // Their products with a power of ten miss the whole number by a rounding error.
      {"16.1KB", 16'100},
      {"2.01KB", 2010},
      {"32.3MB", 32'300'000},
      {"4611686018427387904", std::int64_t{1} << 62},
  }));
  CAPTURE(row.text);
  CHECK(parse_size_bytes(row.text) == row.size_bytes);
}

TEST_CASE("what is no size is refused in a sentence that quotes it") {
  const std::string text =
      GENERATE("", "KiB", "-1", "1.5", "0.3KiB", "8kib", "8 XB", "1e400", "inf", "nan", "8 8", "+8",
               "0x8", " 8", "4194305TiB", "99999999999999999999", "8,", "1.00001KB");
  const std::string sentence = usage_sentence([&] { parse_size_bytes(text); });
  CAPTURE(text);
  CHECK(sentence.starts_with("'" + text + "' is not a size: "));
}

TEST_CASE("durations with their units") {
  CHECK(parse_duration_s("120s") == 120);
  CHECK(parse_duration_s("30") == 30);
  CHECK(parse_duration_s("500ms") == Approx(0.5));
  CHECK(parse_duration_s("2m") == 120);
  CHECK(parse_duration_s("2 min") == 120);
  CHECK(parse_duration_s("1.5h") == 5400);
}

TEST_CASE("what is no duration is refused in a sentence that quotes it") {
  // The last ones are longer than any clock can count.
  const std::string text =
      GENERATE("", "0", "0s", "-1s", "s", "2x", "1 s s", "nan", "inf", "1e12s", "1e308h");
  const std::string sentence = usage_sentence([&] { parse_duration_s(text); });
  CAPTURE(text);
  CHECK(sentence.starts_with("'" + text + "' is not a duration: "));
}

TEST_CASE("whole numbers within their limits") {
  CHECK(parse_integer("7", "root", 0, 7) == 7);
  CHECK(parse_integer("-3", "offset", -3, 3) == -3);
  CHECK(parse_integer("9223372036854775807", "seed", 0, std::numeric_limits<std::int64_t>::max()) ==
        std::numeric_limits<std::int64_t>::max());
  for (const std::string text : {"", "8", "-1", "7x", " 7", "+7", "7.0", "99999999999999999999"}) {
    CHECK(usage_sentence([&] { parse_integer(text, "root", 0, 7); }) ==
          "'" + text + "' is not a valid root: write a whole number from 0 to 7.");
  }
}

TEST_CASE("sizes for people scale only exact multiples") {
  struct Row {
    std::int64_t size_bytes;
    const char* text;
  };
  for (const Row& row :
       {Row{0, "0 B"}, Row{8, "8 B"}, Row{1000, "1000 B"}, Row{1024, "1 KiB"}, Row{1025, "1025 B"},
        Row{1536, "1536 B"}, Row{3 << 20, "3 MiB"}, Row{std::int64_t{5} << 30, "5 GiB"},
        Row{std::int64_t{7} << 50, "7168 TiB"}}) {
    CHECK(format_size(row.size_bytes) == row.text);
    CHECK(parse_size_bytes(row.text) == row.size_bytes);
  }
}

TEST_CASE("times for people have three digits and a fitting unit") {
  struct Row {
    double time_s;
    const char* text;
  };
  const Row row = GENERATE(values<Row>({{0, "0 s"},
                                        {1.23e-9, "1.23 ns"},
                                        {45.6e-6, "45.6 us"},
                                        {0.00123, "1.23 ms"},
                                        {0.5, "500 ms"},
                                        {1, "1.00 s"},
                                        {12.34, "12.3 s"},
                                        {7200, "7200 s"},
                                        {-0.002, "-2.00 ms"},
                                        // Rounding takes these to the next unit.
                                        {0.00099996, "1.00 ms"},
                                        {9.9996e-7, "1.00 us"},
                                        {0.9999, "1.00 s"},
                                        {0.9994, "999 ms"}}));
  CHECK(format_time(row.time_s) == row.text);
}

TEST_CASE("rates for people are scaled by powers of 1000") {
  CHECK(format_si(2.5e9, "B/s") == "2.50 GB/s");
  CHECK(format_si(0, "B/s") == "0 B/s");
  CHECK(format_si(999, "FLOP/s") == "999 FLOP/s");
  CHECK(format_si(999.9, "FLOP/s") == "1.00 kFLOP/s");
  CHECK(format_si(999.7e6, "B/s") == "1.00 GB/s");
  CHECK(format_si(1e15, "FLOP/s") == "1.00 PFLOP/s");
  CHECK(format_si(5e18, "FLOP/s") == "5000 PFLOP/s");
  CHECK(format_si(-2e3, "B/s") == "-2.00 kB/s");
}

TEST_CASE("metrics for people by their unit") {
  CHECK(format_value(0.00123, "s") == "1.23 ms");
  CHECK(format_value(0.97, "1") == "0.970");
  CHECK(format_value(1234, "") == "1234");
  CHECK(format_value(4e3, "1/s") == "4.00 k/s");
}

TEST_CASE("significant digits") {
  struct Row {
    double value;
    int digits;
    const char* text;
  };
  const Row row = GENERATE(values<Row>({{0, 3, "0"},
                                        {1, 3, "1.00"},
                                        {1234.4, 3, "1234"},
                                        {0.012345, 3, "0.0123"},
                                        {-0.5, 2, "-0.50"},
                                        {1e-7, 3, "1.00e-07"},
                                        {1e20, 2, "1.0e+20"},
                                        // One digit more before the point, so one less after it.
                                        {9.996, 3, "10.0"},
                                        {0.09996, 3, "0.100"},
                                        {99.96, 3, "100"}}));
  CHECK(format_significant(row.value, row.digits) == row.text);
}

TEST_CASE("percentages have one decimal") {
  CHECK(counted(1, "rank") == "1 rank");
  CHECK(counted(0, "rank") == "0 ranks");
  CHECK(counted(2, "pass", "es") == "2 passes");
  CHECK(format_percent(0.1234) == "12.3 %");
  CHECK(format_percent(0) == "0.0 %");
  CHECK(format_percent(-0.05) == "-5.0 %");
  CHECK(format_percent(1.07) == "107.0 %");
}

TEST_CASE("rounding to significant digits gives the nearest such number") {
  CHECK(round_significant(1.23456789e-5, 6) == 1.23457e-5);
  CHECK(round_significant(-98765.4, 2) == -99000);
  CHECK(round_significant(0, 6) == 0);
  const double rounded = round_significant(0.1 + 0.2, 6);
  CHECK(rounded == 0.3);
  CHECK(round_significant(rounded, 6) == rounded);
  CHECK(round_significant(std::numeric_limits<double>::infinity(), 6) ==
        std::numeric_limits<double>::infinity());
}
