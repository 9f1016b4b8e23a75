#include "pintle/files/zip_writer.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/files/crc32.h"
#include "support/scratch_folder.h"
#include "support/stored_zip.h"

namespace pintle {
namespace {

TEST_CASE("CRC-32 has its known values, in parts too") {
  CHECK(crc32("") == 0);
  CHECK(crc32("123456789") == 0xcbf43926u);
  CHECK(crc32("The quick brown fox jumps over the lazy dog") == 0x414fa339u);
  const std::string text = "The quick brown fox jumps over the lazy dog";
  for (std::size_t i = 0; i <= text.size(); ++i) CHECK(crc32(text.substr(i), crc32(text.substr(0, i))) == 0x414fa339u);
}

void check_archive(std::int64_t zip64_from) {
  const ScratchFolder folder;
  ZipWriter zip(zip64_from);
  REQUIRE(zip.open(folder / "a.zip"));
  const std::vector<StoredFile> files{{"empty", ""}, {"größe.txt", "hello"}, {"large", std::string(200000, 'z')}};
  for (const StoredFile& file : files) {
    REQUIRE(zip.begin_file(file.name, static_cast<std::int64_t>(file.bytes.size())));
    REQUIRE(zip.write(file.bytes.substr(0, file.bytes.size() / 2)));
    REQUIRE(zip.write(file.bytes.substr(file.bytes.size() / 2)));
    REQUIRE(zip.end_file());
  }
  REQUIRE(zip.commit());
  CHECK(read_stored_zip(folder.read("a.zip")) == files);
}

TEST_CASE("an archive holds its files") {
  check_archive(0xffffffff);
}

TEST_CASE("sizes and places beyond 32 bits have Zip64 records") {
  check_archive(0);
  check_archive(3);
  check_archive(100000);
}

TEST_CASE("a file must have the size that was promised") {
  const ScratchFolder folder;
  ZipWriter zip;
  REQUIRE(zip.open(folder / "a.zip"));
  REQUIRE(zip.begin_file("a", 3));
  CHECK_THROWS_AS((void)zip.begin_file("b", 3), UsageError);
  REQUIRE(zip.write("ab"));
  CHECK_THROWS_AS((void)zip.end_file(), UsageError);
}

}  // namespace
}  // namespace pintle
