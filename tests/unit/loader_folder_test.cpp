#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/error.h"
#include "loader/file_system.h"
#include "loader/scratch_dir.h"
#include "support/catch.h"

using namespace peakline;
namespace fs = std::filesystem;

TEST_CASE("a temporary folder goes with all it holds, each has its own") {
  const ScratchDir base = ScratchDir::temporary(fs::temp_directory_path());
  fs::path path;
  {
    const ScratchDir folder = ScratchDir::temporary(base.path());
    const ScratchDir other = ScratchDir::temporary(base.path());
    path = folder.path();
    CHECK(path != other.path());
    CHECK(path.parent_path() == base.path());
    fs::create_directory(path / "inner");
    std::ofstream(path / "inner" / "file") << "text";
    CHECK(fs::exists(path / "inner" / "file"));
  }
  CHECK_FALSE(fs::exists(path));
  CHECK(std::distance(fs::directory_iterator(base.path()), {}) == 1);  // its own lock
}

TEST_CASE("a folder that a killed process left is removed, and none that is in use or foreign") {
  const ScratchDir base = ScratchDir::temporary(fs::temp_directory_path());
  for (const char* name : {"peakline-dead00", "peakline-foreign", "someone-else"}) {
    fs::create_directory(base.path() / name);
    std::ofstream(base.path() / name / "data") << "bytes";
  }
  std::ofstream(base.path() / "peakline-dead00" / "in-use.lock");
  std::ofstream(base.path() / "someone-else" / "in-use.lock");
  const ScratchDir living = ScratchDir::temporary(base.path());
  const ScratchDir another = ScratchDir::temporary(base.path());
  CHECK_FALSE(fs::exists(base.path() / "peakline-dead00"));
  CHECK(fs::exists(base.path() / "peakline-foreign" / "data"));
  CHECK(fs::exists(base.path() / "someone-else" / "data"));
  CHECK(fs::exists(living.path()));
}

TEST_CASE("the user's own folder stays, and is made where there is none") {
  const ScratchDir base = ScratchDir::temporary(fs::temp_directory_path());
  const fs::path path = base.path() / "a" / "b";
  {
    const ScratchDir folder = ScratchDir::adopted(path);
    std::ofstream(folder.path() / "file") << "text";
  }
  CHECK(fs::exists(path / "file"));
}

TEST_CASE("a folder that cannot be made is a sentence") {
  const ScratchDir base = ScratchDir::temporary(fs::temp_directory_path());
  std::ofstream(base.path() / "file") << "text";
  CHECK_THROWS_WITH(ScratchDir::temporary(base.path() / "missing"),
                    Catch::Contains("missing") && Catch::Contains("No such file"));
  CHECK_THROWS_WITH(ScratchDir::adopted(base.path() / "file" / "data"),
                    Catch::Contains("Not a directory"));
}

TEST_CASE("file systems have the names that mount(8) uses") {
  struct Row {
    std::uint32_t magic;
    std::string name;
  };
  for (const Row& row : {Row{0xef53, "ext4"}, Row{0x58465342, "xfs"}, Row{0x01021994, "tmpfs"},
                         Row{0x794c7630, "overlay"}, Row{0x6969, "nfs"}, Row{0x9123683e, "btrfs"},
                         Row{0x0bd00bd0, "lustre"}, Row{0x9fa0, "fs-9fa0"}}) {
    CHECK(file_system_name(row.magic) == row.name);
  }
}

TEST_CASE("the file system of a folder is asked of the system") {
  CHECK(file_system_of("/proc") == "fs-9fa0");
  CHECK_THROWS_WITH(file_system_of("/proc/no-such-folder"),
                    Catch::Contains("/proc/no-such-folder") && Catch::Contains("No such file"));
}
