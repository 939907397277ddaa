#include "core/case_id.h"

#include <stdexcept>

#include "core/fingerprint.h"
#include "support/catch.h"

using namespace peakline;

TEST_CASE("the key is one canonical text") {
  struct Row {
    CaseId id;
    const char* key;
  };
  for (const Row& row : std::vector<Row>{
           {{"allreduce",
             {{"size_bytes", 1048576}, {"dtype", "float32"}, {"redop", "sum"}},
             {16, 2, 8}},
            "allreduce/dtype=float32,redop=sum,size_bytes=1048576/"
            "ranks=16,nodes=2,ranks_per_node=8"},
           {{"step", {}, {}}, "step//ranks=1,nodes=1,ranks_per_node=1"},
           {{"gemm", {{"n", std::int64_t{-5}}, {"m", std::int64_t{9'000'000'000}}}, {}},
            "gemm/m=9000000000,n=-5/ranks=1,nodes=1,ranks_per_node=1"},
           // Capitals come before small letters: names are sorted by byte.
           {{"x", {{"b", "1"}, {"B", "2"}, {"a_", "3"}, {"a", "4"}}, {}},
            "x/B=2,a=4,a_=3,b=1/ranks=1,nodes=1,ranks_per_node=1"},
           {{"a/b", {{"na=me", "x,y/z 100%"}}, {}},
            "a%2Fb/na%3Dme=x%2Cy%2Fz%20100%25/ranks=1,nodes=1,ranks_per_node=1"},
       }) {
    CHECK(row.id.key() == row.key);
  }
}

TEST_CASE("words in a key keep letters, digits and ._+- and encode every other byte") {
  CHECK(encode_key_word("AZaz09._+-") == "AZaz09._+-");
  CHECK(encode_key_word("\xC3\xA9") == "%C3%A9");  // e with an acute accent, in UTF-8
  CHECK(encode_key_word(std::string_view("\0\n\x7F", 3)) == "%00%0A%7F");
  CHECK(encode_key_word("@[`{/:~*") == "%40%5B%60%7B%2F%3A%7E%2A");
  CHECK(encode_key_word("").empty());
}

TEST_CASE("identities are ordered by benchmark, parameters and scope, and each of them counts") {
  const CaseId base{"gemm", {{"m", 8}}, {2, 1, 2}};
  CHECK(base == CaseId{"gemm", {{"m", 8}}, {2, 1, 2}});
  for (const CaseId& larger :
       {CaseId{"memory", {{"m", 8}}, {2, 1, 2}}, CaseId{"gemm", {{"m", 9}}, {2, 1, 2}},
        CaseId{"gemm", {{"m", "8"}}, {2, 1, 2}}, CaseId{"gemm", {{"m", 8}, {"n", 1}}, {2, 1, 2}},
        CaseId{"gemm", {{"m", 8}}, {4, 1, 2}}, CaseId{"gemm", {{"m", 8}}, {2, 2, 2}},
        CaseId{"gemm", {{"m", 8}}, {2, 1, 4}}}) {
    CHECK(base < larger);
    CHECK(base != larger);
  }
}

TEST_CASE("a parameter is found by name, and asking for one that is not there is a bug") {
  const CaseId id{"gemm", {{"m", 8}, {"dtype", "float64"}}, {}};
  CHECK(id.integer("m") == 8);
  CHECK(id.word("dtype") == "float64");
  CHECK_THROWS_WITH(id.integer("k"), "gemm has no parameter 'k'");
  CHECK_THROWS_AS(id.word("k"), std::logic_error);
  CHECK_THROWS_AS(id.word("m"), std::bad_variant_access);
}

TEST_CASE("the fingerprint is FNV-1a of the canonical line") {
  // Vectors published with the hash.
  CHECK(fnv1a_64("") == 0xcbf29ce484222325U);
  CHECK(fnv1a_64("a") == 0xaf63dc4c8601ec8cU);
  CHECK(fnv1a_64("foobar") == 0x85944171f73967e8U);

  const MachineKind kind{"cuda", "NVIDIA A100-SXM4-80GB", "", 8, 1};
  CHECK(kind.canonical_line() ==
        "backend=cuda,device_model=NVIDIA%20A100-SXM4-80GB,devices_per_node=8,method_version=1,"
        "mig_profile=");
  CHECK(kind.fingerprint().size() == 16);
  CHECK(kind.fingerprint() == MachineKind(kind).fingerprint());
}

TEST_CASE("each part of a machine's kind changes its fingerprint") {
  const MachineKind kind{"cuda", "H100", "", 8, 1};
  for (const MachineKind& other :
       {MachineKind{"host", "H100", "", 8, 1}, MachineKind{"cuda", "H200", "", 8, 1},
        MachineKind{"cuda", "H100", "1g.10gb", 8, 1}, MachineKind{"cuda", "H100", "", 4, 1},
        MachineKind{"cuda", "H100", "", 8, 2}}) {
    CHECK(other.fingerprint() != kind.fingerprint());
  }
}
