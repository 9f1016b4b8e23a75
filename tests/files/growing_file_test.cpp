#include "pintle/files/growing_file.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "support/failed_write.h"
#include "support/scratch_folder.h"

namespace pintle {
namespace {

TEST_CASE("a growing file goes on where it was cut, for one process at a time") {
  const ScratchFolder folder;
  const std::string path = folder / "run.part", piece(50000, 'a');
  GrowingFile file;
  CHECK_THROWS_AS(static_cast<void>(file.append("x")), UsageError);
  CHECK(code_of(file.reopen(path)) == "write-path");
  REQUIRE(file.create(path));
  for (int i = 0; i < 3; ++i) REQUIRE(file.append(piece));
  REQUIRE(file.flush());
  CHECK(file.size() == 150000);
  REQUIRE(file.append("lost"));
  GrowingFile other;
  CHECK(code_of(other.reopen(path)) == "write-busy");
  CHECK(code_of(other.create(path)) == "write-busy");
  CHECK(folder.read("run.part").size() >= 150000);
  file.close();

  REQUIRE(other.claim(path));
  CHECK(folder.read("run.part").size() >= 150000);
  REQUIRE(other.reopen(path));
  char bytes[8] = {};
  CHECK(other.read(149998, bytes, 8).value() >= 2);
  CHECK(bytes[0] == 'a');
  REQUIRE(other.cut(10));
  CHECK(other.size() == 10);
  CHECK(other.read(0, bytes, 8).value() == 8);
  CHECK(other.read(8, bytes, 8).value() == 2);
  REQUIRE(other.append("end"));
  REQUIRE(other.flush());
  CHECK(folder.read("run.part") == "aaaaaaaaaaend");
  REQUIRE(other.create(path));
  CHECK(folder.read("run.part").empty());
  {
    const SizeLimit full(100);
    REQUIRE(other.append(std::string(200, 'x')));
    CHECK(code_of(other.flush()) == "write-full");
  }
}

}  // namespace
}  // namespace pintle
