#include "report/atomic_file.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "core/error.h"
#include "report/journal.h"
#include "report/record_json.h"
#include "support/catch.h"
#include "support/program.h"

using namespace peakline;
namespace fs = std::filesystem;

namespace {

/// For the life of it no file of this process can grow beyond `size_bytes`: a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t size_bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_limit_);
    const rlimit limit{size_bytes, old_limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit old_limit_{};
  void (*old_handler_)(int);
};

/// What a failing write says; empty when it works.
template <typename Write>
std::string refusal(Write write) {
  try {
    write();
    return "";
  } catch (const Error& error) {
    CHECK(error.status() == ExitStatus::usage);
    return error.what();
  }
}

}  // namespace

TEST_CASE("a file is written whole, and nothing beside it stays") {
  const TestFolder folder;
  const std::string path = folder.file("a.json");
  check_writable(path);
  CHECK(folder.names().empty());
  write_file_atomically(path, "first\n");
  CHECK(folder.read("a.json") == "first\n");
  check_writable(path);
  CHECK(folder.read("a.json") == "first\n");
  write_file_atomically(path, "second\n");
  CHECK(read_file(path) == "second\n");
  CHECK(folder.names() == std::vector<std::string>{"a.json"});
}

TEST_CASE("others may read the file, as far as the umask lets them") {
  const TestFolder folder;
  const mode_t old_mask = ::umask(022);
  write_file_atomically(folder.file("a.json"), "text");
  ::umask(old_mask);
  CHECK((fs::status(folder.file("a.json")).permissions() & fs::perms::mask) ==
        static_cast<fs::perms>(0644));
}

TEST_CASE("a symbolic link keeps pointing to what is written") {
  const TestFolder folder;
  folder.write("target.json", "old");
  fs::create_symlink("target.json", folder.file("link.json"));
  write_file_atomically(folder.file("link.json"), "new");
  CHECK(fs::is_symlink(folder.file("link.json")));
  CHECK(folder.read("target.json") == "new");
}

TEST_CASE("where nothing can be written is found before, with the reason") {
  const TestFolder folder;
  folder.write("file", "text");
  fs::create_directory(folder.file("folder"));
  // Stands for every kind of device: a real one would be lost to the machine if the check failed.
  REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  struct Case {
    std::string path;
    std::string reason;
  };
  const Case cases[] = {
      {folder.file("absent/a.json"), "No such file or directory"},
      {folder.file("file/a.json"), "Not a directory"},
      {folder.file("folder"), "it is a folder or a device"},
      {folder.file("folder/"), "it is a folder or a device"},
      {folder.file("absent/"), "it is a folder or a device"},
      {"", "it is a folder or a device"},
      {folder.file("pipe"), "it is a folder or a device"},
      {folder.file(std::string(300, 'a')), "File name too long"},
      {"/proc/self/a.json", "No such file or directory"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.path);
    for (const std::string& sentence : {refusal([&] { check_writable(each.path); }), refusal([&] {
                                          write_file_atomically(each.path, "text");
                                        })}) {
      CHECK_THAT(sentence, Catch::Matchers::StartsWith("Cannot write '" + each.path + "': "));
      CHECK_THAT(sentence, Catch::Matchers::Contains(each.reason));
    }
  }
  CHECK(fs::is_fifo(folder.file("pipe")));
  CHECK(folder.names() == std::vector<std::string>{"file", "folder", "pipe"});
}

TEST_CASE("a folder that may not be written to is found before") {
  // Permissions do not bind root, so a child process gives them up and reports by its status.
  const TestFolder folder;
  fs::permissions(folder.path(), static_cast<fs::perms>(0755));
  folder.write("a.json", "old");
  fs::permissions(folder.path(), static_cast<fs::perms>(0555));
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    if (::geteuid() == 0 && ::setuid(nobody) != 0) ::_exit(1);
    for (const char* name : {"a.json", "b.json"}) {
      try {
        check_writable(folder.file(name));
        ::_exit(2);
      } catch (const Error& error) {
        if (std::string(error.what()).find("Permission denied") == std::string::npos) ::_exit(3);
      }
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  fs::permissions(folder.path(), static_cast<fs::perms>(0755));
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("a disk that fills up costs neither the old file nor a word") {
  const TestFolder folder;
  folder.write("a.json", "old");
  std::string sentence;
  {
    const FullDisk disk(1000);
    sentence =
        refusal([&] { write_file_atomically(folder.file("a.json"), std::string(2000, 'x')); });
  }
  CHECK_THAT(sentence, Catch::Matchers::Contains("File too large; choose a file"));
  CHECK(folder.read("a.json") == "old");
  CHECK(folder.names() == std::vector<std::string>{"a.json"});
}

TEST_CASE("a journal on a disk that fills up keeps its whole lines") {
  const TestFolder folder;
  const Record record = read_record_file(PEAKLINE_SOURCE_DIR "/tests/data/records/full.json");
  const std::string path = folder.file("a.part");
  Journal journal(path, record);
  journal.append(record.results.at(0));
  std::string sentence;
  {
    const FullDisk disk(fs::file_size(path) + 100);
    sentence = refusal([&] { journal.append(record.results.at(1)); });
  }
  CHECK_THAT(sentence, Catch::Matchers::Contains("a.part': File too large"));
  CHECK(read_record_or_journal_file(path).results.size() == 1);
  journal.append(record.results.at(1));
  CHECK(read_record_or_journal_file(path).results.size() == 2);
}

TEST_CASE("what cannot be read is one sentence") {
  const TestFolder folder;
  folder.write("large", "");
  fs::resize_file(folder.file("large"), file_limit_bytes + 1);  // a hole, it takes no space
  CHECK_THAT(refusal([&] { read_file(folder.file("absent")); }),
             Catch::Matchers::Contains("absent': No such file or directory; give a file"));
  CHECK_THAT(refusal([&] { read_file(folder.path().string()); }),
             Catch::Matchers::Contains("is a folder; give a file."));
  CHECK_THAT(refusal([&] { read_file(folder.file("large")); }),
             Catch::Matchers::Contains("is larger than 1073741824 bytes"));
}

TEST_CASE("a pipe is read to its end") {
  const TestFolder folder;
  const std::string path = folder.file("pipe");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const std::string text(200'000, 'x');
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", ("head -c 200000 /dev/zero | tr '\\0' x > " + path).c_str(),
            static_cast<char*>(nullptr));
    ::_exit(1);
  }
  CHECK(read_file(path) == text);
  ::waitpid(child, nullptr, 0);
}
