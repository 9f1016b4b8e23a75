#include "pintle/base/read_number.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace pintle;

TEST_CASE("read_number: signs, points and exponents, and where the number ends") {
  struct Case {
    const char* text;
    double value;
    std::size_t length;
  };
  for (const Case& c : {Case{"1", 1.0, 1}, Case{"-1", -1.0, 2}, Case{"+.5", 0.5, 3}, Case{"2.", 2.0, 2},
                        Case{"6.02e23 1/mol", 6.02e23, 7}, Case{"1e-3", 1e-3, 4}, Case{"2em", 2.0, 1},
                        Case{"2e+", 2.0, 1}, Case{"0x10", 0.0, 1}, Case{"1.2.3", 1.2, 3}, Case{"1,5", 1.0, 1},
                        Case{"0.1", 0.1, 3}, Case{"4.9e-324", 4.9e-324, 8}, Case{"1e308)", 1e308, 5}}) {
    CAPTURE(c.text);
    const ReadNumber read = read_number(c.text);
    CHECK(read.found == NumberText::number);
    CHECK(read.value == c.value);
    CHECK(read.length == c.length);
  }
  CHECK(std::signbit(read_number("-0").value));
}

TEST_CASE("read_number: what is no number, and what no double can hold") {
  for (const char* text :
       {"", " 1", "nan", "inf", "-inf", "+nan", "infinity", "--1", "+-1", "-+1", ".", "-", "e5", "-.e5", "x"}) {
    CAPTURE(text);
    CHECK(read_number(text).found == NumberText::none);
    CHECK(read_number(text).length == 0);
  }
  for (const char* text : {"1e999", "-1e999", "1e-999", "+1e309"}) {
    CAPTURE(text);
    CHECK(read_number(text).found == NumberText::out_of_range);
    CHECK(read_number(text).value == 0.0);
    CHECK(read_number(text).length == std::string(text).size());
  }
  CHECK(read_number("0e999").found == NumberText::number);
}
