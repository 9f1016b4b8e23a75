#include "pintle/io/base64.h"

#include <doctest/doctest.h>

#include <array>

using namespace pintle;

TEST_CASE("base64: the examples of RFC 4648") {
  CHECK(base64(std::string_view("")) == "");
  CHECK(base64(std::string_view("f")) == "Zg==");
  CHECK(base64(std::string_view("fo")) == "Zm8=");
  CHECK(base64(std::string_view("foo")) == "Zm9v");
  CHECK(base64(std::string_view("foob")) == "Zm9vYg==");
  CHECK(base64(std::string_view("fooba")) == "Zm9vYmE=");
  CHECK(base64(std::string_view("foobar")) == "Zm9vYmFy");
}

TEST_CASE("base64: numbers are little-endian") {
  CHECK(base64(std::array{1.0}) == "AAAAAAAA8D8=");                // 00 00 00 00 00 00 f0 3f
  CHECK(base64(std::array{-2.0F}) == "AAAAwA==");                  // 00 00 00 c0
  CHECK(base64(std::array<std::uint32_t, 1>{258}) == "AgEAAA==");  // 02 01 00 00
}
