#include "pintle/files/scratch_file.h"

#include <doctest/doctest.h>

#include "support/failed_write.h"
#include "support/scratch_folder.h"

namespace pintle {
namespace {

TEST_CASE("a scratch file has no name and gives back what it was given") {
  const ScratchFolder folder;
  ScratchFile file;
  REQUIRE(file.open(folder / "run.npz"));
  CHECK(folder.files().empty());
  REQUIRE(file.append("hello "));
  REQUIRE(file.append("world"));
  char text[5];
  REQUIRE(file.read(4, text, 5));
  CHECK(std::string(text, 5) == "o wor");
  CHECK(!file.read(8, text, 5).ok());
  const SizeLimit limit(20);
  CHECK(code_of(file.append(std::string(30, 'x'))) == "write-full");
}

}  // namespace
}  // namespace pintle
