#include "pintle/base/diagnostic.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "pintle/base/random.h"

namespace pintle {
namespace {

Diagnostic at(int line, int column) {
  return {.code = "c", .origin = {"f", line, column}, .what = "w"};
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result(1);
  for (const char c : text) {
    if (c == '\n') {
      result.emplace_back();
    } else {
      result.back() += c;
    }
  }
  return result;
}

// Cells of a text as a terminal shows them: one per UTF-8 character, tabs to the next multiple of 8.
std::size_t cells(const std::string& text) {
  std::size_t n = 0;
  for (const char c : text) {
    if (c == '\t') {
      n += 8 - n % 8;
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++n;
    }
  }
  return n;
}

TEST_CASE("a diagnostic says where, how bad, its code, what, why and the fix") {
  const Diagnostic d = {.code = "inertia-triangle",
                        .severity = Severity::error,
                        .origin = {"arm.urdf", 42, 7},
                        .what = "link 'forearm' has an impossible inertia",
                        .why = "Ixx + Iyy < Izz",
                        .fix = "check the order\nof the six numbers"};
  CHECK(format(d) ==
        "arm.urdf:42:7: error[inertia-triangle]: link 'forearm' has an impossible inertia\n"
        "  why: Ixx + Iyy < Izz\n"
        "  fix: check the order\n"
        "       of the six numbers");
}

TEST_CASE("what was quoted from a file cannot command a terminal") {
  const Diagnostic d = {.code = "c",
                        .origin = {"a\x1B[2Jb", 1, 1},
                        .what = "key '\x1B]0;x\x07' \n\r!",
                        .why = "a\x08\x7F\tb",
                        .fix = "one\ntwo\x1B"};
  CHECK(format(d) == "a [2Jb:1:1: error[c]: key ' ]0;x '   !\n  why: a  \tb\n  fix: one\n       two ");
}

TEST_CASE("what is empty or unknown is left out") {
  const auto text = [](Origin origin) { return format({.code = "c", .origin = std::move(origin), .what = "w"}); };
  CHECK(text({"f", 4, 2}) == "f:4:2: error[c]: w");
  CHECK(text({"f", 4, 0}) == "f:4: error[c]: w");
  CHECK(text({"f", 0, 0}) == "f: error[c]: w");
  CHECK(text({"f", 0, 2}) == "f: error[c]: w");
  CHECK(text({"f", -1, -1}) == "f: error[c]: w");
  CHECK(text({"", 4, 2}) == "line 4, column 2: error[c]: w");
  CHECK(text({"", 4, 0}) == "line 4: error[c]: w");
  CHECK(text({}) == "error[c]: w");
  CHECK(format({.severity = Severity::warning, .what = "w"}) == "warning: w");
  CHECK(format({.code = "c", .severity = Severity::note, .fix = "do"}) == "note[c]\n  fix: do");
}

struct Refusal {
  operator std::string() const { throw Refusal(); }
};

TEST_CASE("a diagnostic whose last part cannot be made leaves nothing behind, and nothing destroyed twice") {
  const std::string long_name(100, 'f');
  const auto make = [&] { return Diagnostic{.origin = {long_name, 1, 1}, .what = long_name, .fix = Refusal()}; };
  CHECK_THROWS_AS(make(), Refusal);
}

TEST_CASE("only errors are errors") {
  const Diagnostic error = {};
  const Diagnostic warning = {.severity = Severity::warning};
  const Diagnostic note = {.severity = Severity::note};
  CHECK_FALSE(has_errors({}));
  CHECK_FALSE(has_errors({warning, note}));
  CHECK(has_errors({error}));
  CHECK(has_errors({warning, note, error}));
}

TEST_CASE("the quote stands between the first line and the reasons, the caret under the column") {
  const Diagnostic d = {.code = "c", .origin = {"f", 10, 3}, .what = "w", .why = "y", .fix = "x"};
  const std::string source = std::string(9, '\n') + "<mass/>\nnext";
  CHECK(format(d, source) ==
        "f:10:3: error[c]: w\n"
        "  10 | <mass/>\n"
        "     |   ^\n"
        "  why: y\n"
        "  fix: x");
}

TEST_CASE("lines end in LF or CR LF, the last one also at the end of the text") {
  for (const char* text : {"one\ntwo", "one\ntwo\n", "one\r\ntwo\r\n", "one\r\ntwo"}) {
    CHECK(format(at(1, 1), text) == "f:1:1: error[c]: w\n  1 | one\n    | ^");
    CHECK(format(at(2, 3), text) == "f:2:3: error[c]: w\n  2 | two\n    |   ^");
    CHECK(format(at(3, 1), text) == format(at(3, 1)));
    CHECK(format(at(1000000, 1), text) == format(at(1000000, 1)));
  }
  CHECK(format(at(2, 1), "one\n\nthree") == "f:2:1: error[c]: w\n  2 | \n    | ^");
}

TEST_CASE("there is no quote without a line or a text, and no caret without a column") {
  CHECK(format(at(0, 5), "one") == format(at(0, 5)));
  CHECK(format(at(-3, 5), "one") == format(at(-3, 5)));
  CHECK(format(at(1, 1), "") == format(at(1, 1)));
  CHECK(format(at(1, 0), "one") == "f:1: error[c]: w\n  1 | one");
  CHECK(format(at(1, -7), "one") == "f:1: error[c]: w\n  1 | one");
}

TEST_CASE("a column past the end of its line puts the caret behind the last character") {
  CHECK(lines(format(at(1, 4), "one\r\n"))[2] == "    |    ^");
  CHECK(lines(format(at(1, 99), "one\r\n"))[2] == "    |    ^");
}

TEST_CASE("tabs are repeated above the caret and other control characters become spaces") {
  const auto quote = lines(format(at(1, 5), "\ta\tb\x1b[1m\x7f"));
  CHECK(quote[1] == "  1 | \ta\tb [1m ");
  CHECK(quote[2] == "    | \t \t ^");
}

TEST_CASE("a UTF-8 character is one cell, whichever of its bytes the column names") {
  const std::string source =
      "gr\xc3\xb6\xc3\x9f"
      "e \xe2\x82\xac \xf0\x9f\xa4\x96!";  // 2 x 2, 3 and 4 bytes
  const auto caret_cell = [&](int column) { return lines(format(at(1, column), source))[2].size() - 7; };
  CHECK(caret_cell(1) == 0);
  CHECK(caret_cell(3) == 2);
  CHECK(caret_cell(4) == 2);
  CHECK(caret_cell(5) == 3);
  CHECK(caret_cell(7) == 4);
  for (int column = 9; column <= 11; ++column) CHECK(caret_cell(column) == 6);
  for (int column = 13; column <= 16; ++column) CHECK(caret_cell(column) == 8);
  CHECK(caret_cell(17) == 9);
  CHECK(caret_cell(18) == 10);
}

TEST_CASE("a long line is cut to the part around the caret, at characters, and the caret stays under its column") {
  std::string source;
  std::vector<int> starts;
  for (int i = 0; i < 500; ++i) {
    starts.push_back(static_cast<int>(source.size()) + 1);
    source += i % 7 == 0 ? "\xc3\xa9" : std::string(1, static_cast<char>('a' + i % 26));
  }
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const auto quote = lines(format(at(1, starts[i]), source));
    REQUIRE(quote.size() == 3);
    CHECK(cells(quote[1]) <= 6 + 3 + 100 + 3);
    const std::size_t caret = quote[2].find('^');
    REQUIRE(caret != std::string::npos);
    std::size_t byte = 0;
    for (std::size_t cell = 0; cell < caret; ++cell) {
      do ++byte;
      while ((static_cast<unsigned char>(quote[1][byte]) & 0xC0U) == 0x80U);
    }
    const auto begin = static_cast<std::size_t>(starts[i]) - 1;
    const std::size_t size = i % 7 == 0 ? 2 : 1;
    CHECK(quote[1].substr(byte, size) == source.substr(begin, size));
    CHECK(quote[1].starts_with("  1 | ...") == (i > 60));
    CHECK(quote[1].ends_with("...") == (i < 460));
  }
  CHECK(lines(format(at(1, 0), source))[1].size() < 130);
}

TEST_CASE("a line of 100 cells is quoted whole, wherever the caret is") {
  const std::string source(100, 'x');
  for (int column = 1; column <= 101; ++column) {
    const auto quote = lines(format(at(1, column), source));
    CHECK(quote[1] == "  1 | " + source);
    CHECK(quote[2] == "    | " + std::string(static_cast<std::size_t>(column) - 1, ' ') + "^");
  }
}

TEST_CASE("any bytes at all give a short quote of two lines") {
  RandomStream random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    std::string source(1 + random.below(2000), '\0');
    const bool only_continuations = random.below(2) == 0;
    for (char& c : source) {
      const std::uint64_t byte = only_continuations ? 0x80 + random.below(64) : random.below(256);
      c = byte == '\n' ? '\t' : static_cast<char>(byte);
    }
    const auto quote = lines(format(at(1, 1 + static_cast<int>(random.below(2500))), source));
    REQUIRE(quote.size() == 3);
    CHECK(quote[1].size() <= 6 + 3 + 4 * 100 + 3);
    CHECK(quote[2].size() <= quote[1].size() + 1);
    CHECK(quote[2].ends_with('^'));
  }
}

TEST_CASE("with tabs and control characters anywhere, the caret is under its character") {
  RandomStream random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string source(1 + random.below(400), ' ');
    for (char& c : source) c = "\t\x01-abc"[random.below(6)];
    const std::size_t byte = random.below(source.size());
    const auto quote = lines(format(at(1, static_cast<int>(byte) + 1), source));
    REQUIRE(quote.size() == 3);
    const std::size_t caret = quote[2].find('^');
    CHECK(quote[1][caret] == (source[byte] == '\x01' ? ' ' : source[byte]));
    for (std::size_t i = 0; i < caret; ++i) CHECK((quote[1][i] == '\t') == (quote[2][i] == '\t'));
  }
}

}  // namespace
}  // namespace pintle
