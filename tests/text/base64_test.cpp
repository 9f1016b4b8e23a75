#include "pintle/text/base64.h"

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

TEST_CASE("base64: the bytes come back, and what is no base64 is told") {
  std::string bytes, all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<char>(i));
  for (std::size_t n : {0U, 1U, 2U, 3U, 255U, 256U}) {
    REQUIRE(base64_bytes(base64(std::string_view(all).substr(0, n)), bytes));
    CHECK(bytes == all.substr(0, n));
  }
  for (const char* text : {"Z", "Zg=", "Zm9", "Zm9*", "Z===", "Zm=v", "====", "Zm 9vYmF"})
    CHECK(!base64_bytes(text, bytes));
}

TEST_CASE("base64: numbers are little-endian") {
  CHECK(base64(std::array{1.0}) == "AAAAAAAA8D8=");                // 00 00 00 00 00 00 f0 3f
  CHECK(base64(std::array{-2.0F}) == "AAAAwA==");                  // 00 00 00 c0
  CHECK(base64(std::array<std::uint32_t, 1>{258}) == "AgEAAA==");  // 02 01 00 00
}
