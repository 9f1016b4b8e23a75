#include "pintle/text/number_list.h"

#include <doctest/doctest.h>

#include <string>

namespace pintle {
namespace {

TEST_CASE("numbers stand with any spaces between and around them") {
  CHECK(read_number_list(" 1\t-2.5e-3\n+.5 ").numbers == std::vector<double>{1.0, -2.5e-3, 0.5});
  CHECK(read_number_list("").numbers.empty());
  CHECK(read_number_list("  \r\n").wrong_length == 0);
  CHECK(read_number_list("3.").numbers == std::vector<double>{3.0});
}

TEST_CASE("what is too small is zero, what is too large or no number is wrong") {
  for (const char* const tiny : {"1e-400", "-1e-400", "0.0001e-330", "1234.5E-99999999999999999999"}) {
    CAPTURE(tiny);
    CHECK(read_number_list(tiny).numbers == std::vector<double>{0.0});
  }
  CHECK(read_number_list("0." + std::string(400, '0') + "1").numbers == std::vector<double>{0.0});
  for (const char* const wrong : {"nan", "-inf", "Infinity", "1e400", "-0.001e400", "+NaN"}) {
    CAPTURE(wrong);
    CHECK(read_number_list(wrong).wrong_length == std::string(wrong).size());
    CHECK(read_number_list(wrong).not_finite);
  }
  for (const char* const wrong : {"1,2", "0x10", "one", "1e", "--1", "1.2.3", "1f", "$"}) {
    CAPTURE(wrong);
    CHECK(read_number_list(wrong).wrong_length == std::string(wrong).size());
    CHECK(!read_number_list(wrong).not_finite);
  }
}

TEST_CASE("the place of what is wrong is told") {
  const NumberList list = read_number_list("1 2  x3 4");
  CHECK(list.numbers == std::vector<double>{1.0, 2.0});
  CHECK(list.wrong_at == 5);
  CHECK(list.wrong_length == 2);
}

}  // namespace
}  // namespace pintle
