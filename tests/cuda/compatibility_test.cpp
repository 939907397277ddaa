#include "cuda/compatibility.h"

#include "support/catch.h"

using namespace peakline::cuda;

namespace {

const Versions sound{13000, 13000, 22809, 22809};

}  // namespace

TEST_CASE("versions that fit together have nothing to say") {
  CHECK(misfit(sound).empty());
  CHECK(misfit({13020, 13000, 22809, 22809}).empty());  // a newer driver
  CHECK(misfit({13000, 13010, 22809, 22809}).empty());  // an older one of the same major version
  CHECK(misfit({13000, 12080, 21800, 22809}).empty());  // the oldest NCCL
}

TEST_CASE("each misfit says what to change") {
  const struct {
    Versions versions;
    const char* words;
  } cases[] = {
      {{0, 13000, 22809, 22809}, "no NVIDIA driver"},
      {{12040, 13000, 22809, 22809}, "knows CUDA up to 12.4 and this build needs 13.0"},
      {{13000, 13000, 21705, 22809}, "NCCL 2.17.5 was found and 2.18 or newer is needed"},
      {{13000, 13000, 30000, 22809}, "NCCL 3.0.0 was found and this build was made for 2.28.9"},
  };
  for (const auto& one : cases) {
    CAPTURE(misfit(one.versions));
    CHECK(misfit(one.versions).find(one.words) != std::string::npos);
  }
}

TEST_CASE("versions are written as their makers write them") {
  CHECK(cuda_version_text(12040) == "12.4");
  CHECK(cuda_version_text(13000) == "13.0");
  CHECK(nccl_version_text(22809) == "2.28.9");
  CHECK(nccl_version_text(21800) == "2.18.0");
  CHECK(nccl_version_text(2708) == "2.7.8");
}

TEST_CASE("8 bit floats need an NCCL that knows them and a GPU that adds them") {
  CHECK(reduces_float8(22400, 9));
  CHECK(reduces_float8(22809, 10));
  CHECK_FALSE(reduces_float8(22304, 9));  // a library older than the header
  CHECK_FALSE(reduces_float8(22809, 8));
}
