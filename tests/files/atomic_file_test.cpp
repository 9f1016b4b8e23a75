#include "pintle/files/atomic_file.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "pintle/base/usage_error.h"
#include "support/failed_write.h"
#include "support/scratch_folder.h"

namespace pintle {
namespace {

namespace fs = std::filesystem;

TEST_CASE("a file appears whole, at its commit") {
  const ScratchFolder folder;
  const std::string path = folder / "run.csv";
  std::string expected;
  AtomicFile file;
  REQUIRE(file.open(path));
  for (int i = 0; i < 30000; ++i) {
    const std::string line = std::to_string(i) + "\n";
    expected += line;
    REQUIRE(file.write(line));
  }
  const std::string large(200000, 'x');
  REQUIRE(file.write(large));
  expected += large;
  CHECK(file.size() == static_cast<std::int64_t>(expected.size()));
  CHECK(!fs::exists(path));
  CHECK(folder.files().size() == 1);
  REQUIRE(file.write_at(2, "!"));
  expected[2] = '!';
  REQUIRE(file.commit());
  CHECK(folder.read("run.csv") == expected);
  CHECK(folder.files().size() == 1);
}

TEST_CASE("a file that is not committed was never there") {
  const ScratchFolder folder;
  const std::string path = folder / "run.csv";
  REQUIRE(write_whole_file(path, "before"));
  {
    AtomicFile file;
    REQUIRE(file.open(path));
    REQUIRE(file.write(std::string(100000, 'x')));
  }
  CHECK(folder.read("run.csv") == "before");
  CHECK(folder.files().size() == 1);
  REQUIRE(write_whole_file(path, "after"));
  CHECK(folder.read("run.csv") == "after");
}

TEST_CASE("a target keeps its permissions and its link") {
  const ScratchFolder folder;
  REQUIRE(write_whole_file(folder / "real", "1"));
  REQUIRE(::chmod((folder / "real").c_str(), 0640) == 0);
  fs::create_symlink("real", folder / "link");
  REQUIRE(write_whole_file(folder / "link", "2"));
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(folder.read("real") == "2");
  CHECK((fs::status(folder / "real").permissions() & fs::perms::mask) == fs::perms(0640));
}

TEST_CASE("every reason not to write has its code, and leaves nothing behind") {
  const ScratchFolder folder;
  CHECK(code_of(write_whole_file(folder / "none/run.csv", "x")) == "write-path");
  CHECK(code_of(write_whole_file("", "x")) == "write-path");
  CHECK(code_of(write_whole_file(std::string("a\0b", 3), "x")) == "write-path");
  CHECK(code_of(write_whole_file(folder / std::string(300, 'n'), "x")) == "write-path");
  REQUIRE(write_whole_file(folder / "file", "x"));
  CHECK(code_of(write_whole_file(folder / "file/run.csv", "x")) == "write-path");
  CHECK(code_of(make_folders(folder / "file/sub")) == "write-path");
  CHECK(code_of(make_folders(folder / "file")) == "write-path");
  CHECK(code_of(write_whole_file(folder / "new/", "x")) == "write-folder");
  REQUIRE(make_folders(folder / "a/b"));
  REQUIRE(make_folders(folder / "a/b"));
  const Result<void> is_folder = write_whole_file(folder / "a", "x");
  CHECK(code_of(is_folder) == "write-folder");
  CHECK(is_folder.diagnostics()[0].why == "Is a directory");
  CHECK(is_folder.diagnostics()[0].origin.file == folder / "a");
  CHECK(folder.files() == std::vector<std::string>{"a", "file"});
  if (::geteuid() != 0) {  // nothing is closed to root
    REQUIRE(::chmod((folder / "a").c_str(), 0555) == 0);
    CHECK(code_of(write_whole_file(folder / "a/run.csv", "x")) == "write-denied");
    REQUIRE(::chmod((folder / "a").c_str(), 0755) == 0);
  }
}

TEST_CASE("the longest name can be written") {
  const ScratchFolder folder;
  CHECK(write_whole_file(folder / std::string(255, 'n'), "x").ok());
}

TEST_CASE("a disk that is full in the middle leaves the old file, and no other") {
  const ScratchFolder folder;
  const std::string path = folder / "run.csv";
  REQUIRE(write_whole_file(path, "before"));
  AtomicFile file;
  REQUIRE(file.open(path));
  {
    const SizeLimit limit(100000);  // SIGXFSZ would end the process if it were raised
    Result<void> written = file.write(std::string(60000, 'x'));
    for (int i = 0; written && i < 3; ++i) written = file.write(std::string(60000, 'x'));
    CHECK(code_of(written) == "write-full");
    CHECK(written.diagnostics()[0].why == "File too large");
    CHECK(folder.files().size() == 1);
    CHECK(code_of(file.write("more")) == "write-full");
    CHECK(code_of(file.commit()) == "write-full");
  }
  CHECK(folder.read("run.csv") == "before");
  CHECK_THROWS_AS((void)file.write("x"), UsageError);
}

TEST_CASE("devices are written directly and stay what they are") {
  const Result<void> full = write_whole_file("/dev/full", "x");
  CHECK(code_of(full) == "write-full");
  CHECK(full.diagnostics()[0].why == "No space left on device");
  CHECK(fs::is_character_file("/dev/full"));
  CHECK(write_whole_file("/dev/null", "x").ok());
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a pipe that nobody reads is an error and no signal") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  AtomicFile file;
  REQUIRE(file.open("/dev/fd/" + std::to_string(ends[1])));
  ::close(ends[0]);
  Result<void> written = file.write(std::string(100000, 'x'));
  CHECK(code_of(written) == "write-pipe");
  ::close(ends[1]);
  sigset_t pending;
  sigpending(&pending);
  CHECK(sigismember(&pending, SIGPIPE) == 0);
}

TEST_CASE("files of a group appear together or not at all") {
  const ScratchFolder folder;
  REQUIRE(write_whole_file(folder / "a", "old"));
  {
    FileGroup group;
    REQUIRE(write_whole_file(folder / "a", "new", &group));
    REQUIRE(write_whole_file(folder / "b", "new", &group));
    CHECK(folder.read("a") == "old");
    CHECK(!fs::exists(folder / "b"));
    const SizeLimit full(2);
    CHECK(code_of(write_whole_file(folder / "c", "too long", &group)) == "write-full");
  }
  CHECK(folder.files() == std::vector<std::string>{"a"});
  CHECK(folder.read("a") == "old");

  FileGroup group;
  REQUIRE(write_whole_file(folder / "a", "new", &group));
  REQUIRE(write_whole_file(folder / "b", "newer", &group));
  REQUIRE(group.commit());
  CHECK(folder.files() == std::vector<std::string>{"a", "b"});
  CHECK(folder.read("a") == "new");
  CHECK(folder.read("b") == "newer");
  REQUIRE(group.commit());

  REQUIRE(write_whole_file(folder / "d", "new", &group));
  fs::create_directories(folder / "d/e");
  CHECK(code_of(group.commit()) == "write-folder");
  CHECK(folder.files() == std::vector<std::string>{"a", "b", "d"});
}

TEST_CASE("what killed processes left is removed, and nothing else") {
  const ScratchFolder folder;
  const std::string mine = "run.csv." + std::to_string(::getpid()) + "-0.tmp";
  const std::string dead = std::to_string(std::numeric_limits<pid_t>::max());  // no system has so many processes
  const std::vector<std::string> kept{
      mine, "run.csv", "x.tmp", "a." + dead + "-1.tmp.csv", "b." + dead + ".tmp", "c." + dead + "-x.tmp", "d.-1-1.tmp"};
  for (const std::string& name : kept) std::ofstream(folder / name) << "x";
  for (const std::string& name : {"run.csv." + dead + "-0.tmp", "odd-name.svg." + dead + "-12.tmp"})
    std::ofstream(folder / name) << "x";
  remove_temporary_files(folder / "");
  std::vector<std::string> expected = kept;
  std::sort(expected.begin(), expected.end());
  CHECK(folder.files() == expected);
}

}  // namespace
}  // namespace pintle
