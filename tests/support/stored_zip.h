// A reader of ZIP archives without compression that shares no code with the writer.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pintle {

struct StoredFile {
  std::string name, bytes;
  bool operator==(const StoredFile&) const = default;
};

/// The remainder of the bytes by the polynomial, bit by bit.
inline std::uint32_t slow_crc32(const std::string& bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

inline std::uint64_t number_at(const std::string& bytes, std::size_t place, int count) {
  std::uint64_t number = 0;
  for (int i = count; i-- > 0;)
    number = number << 8 | static_cast<unsigned char>(bytes.at(place + static_cast<std::size_t>(i)));
  return number;
}

/// The files of an archive, by its central directory; checks every field on the way.
inline std::vector<StoredFile> read_stored_zip(const std::string& zip) {
  std::vector<StoredFile> files;
  const std::size_t end = zip.size() - 22;
  REQUIRE(number_at(zip, end, 4) == 0x06054b50);
  std::uint64_t count = number_at(zip, end + 10, 2), place = number_at(zip, end + 16, 4);
  if (count == 0xffff) {
    REQUIRE(number_at(zip, end - 20, 4) == 0x07064b50);
    const std::size_t large = number_at(zip, end - 12, 8);
    REQUIRE(number_at(zip, large, 4) == 0x06064b50);
    count = number_at(zip, large + 32, 8);
    place = number_at(zip, large + 48, 8);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    REQUIRE(number_at(zip, place, 4) == 0x02014b50);
    CHECK(number_at(zip, place + 10, 2) == 0);  // stored
    const std::size_t name = number_at(zip, place + 28, 2), auxiliary = number_at(zip, place + 30, 2);
    std::uint64_t size = number_at(zip, place + 24, 4), local = number_at(zip, place + 42, 4);
    std::size_t more = place + 46 + name + 4;
    if (size == 0xffffffff) {
      size = number_at(zip, more, 8);
      more += 16;
    }
    if (local == 0xffffffff) local = number_at(zip, more, 8);
    REQUIRE(number_at(zip, local, 4) == 0x04034b50);
    CHECK(number_at(zip, local + 14, 4) == number_at(zip, place + 16, 4));
    const std::size_t first = local + 30 + name + number_at(zip, local + 28, 2);
    StoredFile file{zip.substr(place + 46, name), zip.substr(first, size)};
    CHECK(zip.substr(local + 30, name) == file.name);
    CHECK(slow_crc32(file.bytes) == number_at(zip, place + 16, 4));
    files.push_back(file);
    place += 46 + name + auxiliary;
  }
  return files;
}

}  // namespace pintle
