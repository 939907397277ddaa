#include "cuda/gpu_choice.h"

#include <filesystem>

#include "core/error.h"
#include "cuda/device_info.h"
#include "support/catch.h"

using namespace peakline;
using namespace peakline::cuda;

TEST_CASE("a rank takes the GPU of its place on the node, or the one that it is shown") {
  CHECK(choose_gpu(0, 8) == 0);
  CHECK(choose_gpu(7, 8) == 7);
  CHECK(choose_gpu(0, 1) == 0);
  CHECK(choose_gpu(5, 1) == 0);  // the launcher shows one to each
}

TEST_CASE("a rank without a GPU is told why") {
  CHECK_THROWS_WITH(choose_gpu(0, 0), Catch::Contains("sees no GPU"));
  CHECK_THROWS_WITH(choose_gpu(5, 4), Catch::Contains("sees 4 GPUs and is rank 5 of its node") &&
                                          Catch::Contains("start at most 4 ranks on each node"));
  CHECK_THROWS_AS(choose_gpu(4, 4), Error);
}

TEST_CASE("slices and virtual GPUs are known by their names") {
  const struct {
    const char* name;
    const char* model;
    const char* slice;
    bool is_virtual;
  } cases[] = {
      {"NVIDIA H100 80GB HBM3", "NVIDIA H100 80GB HBM3", "", false},
      {"NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM4-40GB", "", false},
      {"NVIDIA A100-SXM4-40GB MIG 1g.5gb", "NVIDIA A100-SXM4-40GB", "1g.5gb", false},
      {"NVIDIA H100 80GB HBM3 MIG 1g.10gb+me", "NVIDIA H100 80GB HBM3", "1g.10gb+me", false},
      {"GRID A100-10C", "GRID A100-10C", "", true},
      {"NVIDIA A40-8Q", "NVIDIA A40-8Q", "", true},
      {"NVIDIA A10G", "NVIDIA A10G", "", false},
      {"Tesla T4", "Tesla T4", "", false},
  };
  for (const auto& one : cases) {
    const GpuName parsed = parse_gpu_name(one.name);
    CAPTURE(one.name);
    CHECK(parsed.model == one.model);
    CHECK(parsed.mig_profile == one.slice);
    CHECK(parsed.is_virtual == one.is_virtual);
  }
}

TEST_CASE("the driver's list counts the GPUs that a launcher hides") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "peakline-test-gpus";
  fs::remove_all(folder);
  CHECK(installed_gpus(folder) == 0);
  for (const char* bus_id : {"0000:1b:00.0", "0000:43:00.0", "0000:52:00.0"}) {
    fs::create_directories(folder / bus_id);
  }
  CHECK(installed_gpus(folder) == 3);
  fs::remove_all(folder);
}
