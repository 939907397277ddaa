#include <string>

#include "emulated.h"
#include "support/catch.h"
#include "support/record_edit.h"

using namespace peakline;

namespace {

constexpr const char* products =
    "--bench gemm --extents 48,32x64x16 --dtypes "
    "float64,float32,bfloat16,float16,int8,float8_e4m3 --implementation library --device cuda "
    "--out r.json";

/// Smaller than a tile, whole tiles, and more with rows that are no whole chunks of 16 bytes.
constexpr const char* own_products =
    "--bench gemm --implementation kernel --dtypes float32,bfloat16,float16 "
    "--extents 1,33x17x65,128,130x257x40,264x136x72 --device cuda --out own.json";

EditableRecord find_product(const EditableRecord& record, const std::string& type,
                            std::int64_t m = 48) {
  for (const EditableRecord& entry : record["results"]) {
    if (entry["params"]["dtype"] == type && entry["params"]["m"] == m) return entry;
  }
  return {};
}

}  // namespace

TEST_CASE("matrix products of every type come out right on a GPU") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(folder, 2, products);
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  CHECK(contains(record["environment"]["nodes"][0]["software"]["blas"], "cuBLASLt 1"));
  REQUIRE(record["results"].size() == 2 * 7);
  for (const char* type :
       {"float64", "float32", "tf32", "bfloat16", "float16", "int8", "float8_e4m3"}) {
    for (const std::int64_t m : {48, 32}) {
      CAPTURE(type, m);
      const EditableRecord entry = find_product(record, type, m);
      REQUIRE(entry["status"] == "ok");
      CHECK(entry["verify"]["checked"].get<std::int64_t>() >= 2 * m);
      CHECK(entry["verify"]["wrong"] == 0);
      CHECK_FALSE(entry["params"].contains("threads"));
      const std::string extent = m == 48 ? "--extents 48x48x48" : "--extents 32x64x16";
      CHECK(contains(entry["repro"], extent));
    }
  }
}

TEST_CASE("a matrix product that a GPU or its library does not have is left out, and why") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(folder, 1, products, "PEAKLINE_EMULATED_GPU=t4");
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  CHECK(find_product(record, "float16")["status"] == "ok");
  CHECK(find_product(record, "tf32")["reason"] == "unsupported");
  CHECK(find_product(record, "tf32")["note"] ==
        "the GPU has no tf32, which came with compute capability 8.0");
  CHECK(contains(find_product(record, "float8_e4m3")["note"],
                 "has no way to multiply float8_e4m3 of these sizes on this GPU"));

  const ProgramResult odd =
      run_emulated(folder, 1,
                   "--bench gemm --extents 33x17x65 --dtypes int8,int64,float16 --device cuda "
                   "--out odd.json");
  CAPTURE(odd.err);
  REQUIRE(odd.status == 0);
  const EditableRecord odd_record = parse_record(folder.read_valid("odd.json"));
  CHECK(find_product(odd_record, "float16", 33)["verify"]["wrong"] == 0);
  CHECK(contains(find_product(odd_record, "int8", 33)["note"], "has no way to multiply int8"));
  CHECK(contains(find_product(odd_record, "int64", 33)["note"], "has no GEMM of int64"));
}

TEST_CASE("a wrong matrix product is found, with its rank and row") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(folder, 2, products, fault("wrong_gemm@1"));
  CAPTURE(result.err);
  CHECK(result.status == 5);
  const EditableRecord record = parse_record(folder.read("r.json"));
  REQUIRE(record["results"].size() == 2 * 7);
  for (const EditableRecord& entry : record["results"]) {
    CAPTURE(entry["key"].get<std::string>());
    CHECK(entry["status"] == "failed");
    CHECK(entry["verify"]["wrong"].get<std::int64_t>() >= 1);
    CHECK(entry["verify"]["first"]["rank"] == 1);
    CHECK(entry["verify"]["first"]["index"] == 0);
  }
}

TEST_CASE("without cuBLASLt everything but its matrix products is measured") {
  const TestFolder folder;
  folder.write("libcublasLt.so." + std::to_string(PEAKLINE_CUDA_MAJOR), "no library");
  const ProgramResult result =
      run_shell("export LD_LIBRARY_PATH=$PWD:" PEAKLINE_EMULATED_DIR "; " PEAKLINE_BIN_DIR
                "/peakline-run --bench gemm,memory --device cuda --no-progress --out r.json",
                folder.path());
  CAPTURE(result.err);
  CHECK(result.status == 0);
  const EditableRecord record = parse_record(folder.read_valid("r.json"));
  for (const EditableRecord& entry : record["results"]) {
    if (entry["benchmark"] == "memory" || entry["params"]["implementation"] == "kernel") {
      CHECK(entry["status"] == "ok");
    } else {
      CHECK(entry["reason"] == "unsupported");
      CHECK(contains(entry["note"], "cuBLASLt cannot be loaded ("));
      CHECK(contains(entry["note"], "libcublasLt.so."));
    }
  }
}

TEST_CASE("Peakline's own kernel multiplies right, whatever the size") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(folder, 2, own_products);
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  const EditableRecord record = parse_record(folder.read_valid("own.json"));
  for (const char* type : {"tf32", "bfloat16", "float16"}) {
    for (const std::int64_t m : {1, 33, 128, 130, 264}) {
      CAPTURE(type, m);
      const EditableRecord entry = find_product(record, type, m);
      REQUIRE(entry["status"] == "ok");
      CHECK(entry["params"]["implementation"] == "kernel");
      CHECK(entry["verify"]["checked"] == 2 * 2 * m);  // twice, on two ranks
      CHECK(entry["verify"]["wrong"] == 0);
      CHECK(contains(entry["repro"], "--implementation kernel"));
    }
  }
  const EditableRecord exact = find_product(record, "float32", 128);
  CHECK(exact["reason"] == "unsupported");
  CHECK(exact["note"] == "Peakline's own kernel multiplies float16, bfloat16 and tf32 only");
}

TEST_CASE("a GPU whose tensor cores take float16 alone has Peakline's own kernel for that") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(folder, 1, own_products, "PEAKLINE_EMULATED_GPU=t4");
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  const EditableRecord record = parse_record(folder.read_valid("own.json"));
  CHECK(find_product(record, "float16", 130)["verify"]["wrong"] == 0);
  for (const char* type : {"bfloat16", "tf32"}) {
    CHECK(find_product(record, type, 128)["note"] ==
          "the GPU's tensor cores take float16 only; the others came with compute capability 8.0");
  }
}

TEST_CASE("a wrong tile is found, with its rank and its first row") {
  const TestFolder folder;
  const ProgramResult result = run_emulated(folder, 2, own_products, fault("wrong_tile@1"));
  CAPTURE(result.err);
  CHECK(result.status == 5);
  const EditableRecord record = parse_record(folder.read("own.json"));
  for (const std::int64_t m : {33, 128, 130, 264}) {
    const EditableRecord entry = find_product(record, "float16", m);
    CHECK(entry["status"] == "failed");
    // Twice sixteen rows, less those whose wrong entries happen to cancel in the check.
    CHECK(entry["verify"]["wrong"].get<int>() > 24);
    CHECK(entry["verify"]["wrong"].get<int>() <= 32);
    CHECK(entry["verify"]["first"]["rank"] == 1);
    CHECK(entry["verify"]["first"]["index"] == m - 16);
  }
}
