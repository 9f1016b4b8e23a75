#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "pintle/base/random.h"
#include "pintle/expression/expression.h"

using namespace pintle;

namespace {

Diagnostics problems(std::string_view text) {
  Result<Expression> result = parse_expression(text, {.variables = {"t", "speed"}});
  CHECK(!result.ok());
  return result.diagnostics();
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

struct Expected {
  const char* code;
  int column;
};

void check(std::string_view text, const std::vector<Expected>& expected) {
  CAPTURE(text);
  const Diagnostics found = problems(text);
  std::string all;
  for (const Diagnostic& d : found) all += format(d, text) + "\n";
  CAPTURE(all);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i].code == expected[i].code);
    CHECK(found[i].origin.line == 1);
    CHECK(found[i].origin.column == expected[i].column);
    CHECK(!found[i].what.empty());
    CHECK(!found[i].fix.empty());
  }
}

}  // namespace

TEST_CASE("expression errors: each has its code and its column") {
  check("", {{"expression-empty", 1}});
  check("  ", {{"expression-empty", 1}});
  check("2 +", {{"expression-operand", 4}});
  check("2 + * 3", {{"expression-operand", 5}});
  check("2 ** 3", {{"expression-operand", 4}});
  check("* 3", {{"expression-operand", 1}});
  check("2 ^", {{"expression-operand", 4}});
  check("()", {{"expression-operand", 2}});
  check("sin(t,)", {{"expression-arguments", 1}, {"expression-operand", 7}});
  check("2 t", {{"expression-operator", 3}});
  check("2 pi", {{"expression-operator", 3}});
  check("(1)(2)", {{"expression-operator", 4}});
  check("t(2)", {{"expression-operator", 2}});
  check("t 30 deg", {{"expression-operator", 3}});
  check("2 * (1 + t", {{"expression-unclosed", 5}});
  check("sin(t", {{"expression-unclosed", 4}});
  check("1 + t) * 2", {{"expression-unopened", 6}});
  check("1,5 * t", {{"expression-comma", 2}});
  check("(1,5) * t", {{"expression-comma", 3}});
  check("1 + x", {{"expression-unknown-name", 5}});
  check("foo(t)", {{"expression-unknown-function", 1}});
  check("sin", {{"expression-arguments", 1}});
  check("2 * sin * t", {{"expression-arguments", 5}});
  check("sin()", {{"expression-arguments", 1}});
  check("1 + sin(t, 2)", {{"expression-arguments", 5}});
  check("min(t)", {{"expression-arguments", 1}});
  check("clamp(t, 1)", {{"expression-arguments", 1}});
  check("clamp(t, 2, 1)", {{"expression-clamp", 1}});
  check("1.2.3", {{"expression-number", 1}});
  check("1 + 1e999", {{"expression-number-range", 5}});
  check("1 + 1e-999", {{"expression-number-range", 5}});
  check("t # 2", {{"expression-character", 3}});
  check("t > 2", {{"expression-character", 3}});
  check("30\u00b0", {{"expression-character", 3}});
  check("\xff", {{"expression-character", 1}});
  check("2 m^t", {{"expression-unit-power", 4}});
  check("2 m^2^2", {{"expression-unit-power", 6}});
  check("2 m^0.5", {{"expression-unit-power", 4}});
  check("10^3 mm", {{"expression-unit-exponent", 6}});
  check("nan", {{"expression-unknown-name", 1}});
  check("inf", {{"expression-unknown-name", 1}});
  check("2e", {{"expression-unknown-unit", 2}});
  check("2 * 3 degs + 1", {{"expression-unknown-unit", 7}});
}

TEST_CASE("expression errors: all that can be told apart are found at once, in the order of the text") {
  check("sn(t) + tt * 2 +",
        {{"expression-unknown-function", 1}, {"expression-unknown-name", 9}, {"expression-operand", 17}});
  check("foo * baz + 1.2.3 $ min(t)", {{"expression-unknown-name", 1},
                                       {"expression-unknown-name", 7},
                                       {"expression-number", 13},
                                       {"expression-character", 19},
                                       {"expression-arguments", 21}});
  check("(1 + ) + sin(", {{"expression-operand", 6}, {"expression-unclosed", 13}, {"expression-operand", 14}});
  CHECK(problems(std::string(1000, '#')).size() == 20);
}

TEST_CASE("expression errors: the nearest name is offered") {
  const auto fix = [](const char* text) { return problems(text).at(0).fix; };
  CHECK(fix("sine(t)") == "did you mean 'sin'?");
  CHECK(fix("sped * 2") == "did you mean 'speed'?");
  CHECK(fix("Pi") == "did you mean 'pi'?");
  CHECK(fix("30 Deg") == "did you mean 'deg'?");
  CHECK(fix("2 t") == "write * for a product");
  CHECK(fix("clmp(t, 0, 1)") == "did you mean 'clamp'?");
  CHECK(fix("2 ** 3") == "write ^ for a power");
  CHECK(fix("30\u00b0") == "write deg for degrees");
  CHECK(contains(problems("zzzzzz").at(0).why, "t, speed"));
}

TEST_CASE("expression errors: a name with letters beyond ASCII is one name, and told as it is written here") {
  const auto found = [](std::string_view text, const char* variable) {
    ExpressionOptions options;
    options.variables = {"t", variable};
    return parse_expression(text, options).diagnostics();
  };
  const Diagnostics problem = found("2 * q.gr\u00f6\u00dfe + t", "q.gr____e");
  REQUIRE(problem.size() == 1);
  CHECK(problem[0].code == "expression-unknown-name");
  CHECK(problem[0].what == "unknown name 'q.gr\u00f6\u00dfe'");
  CHECK(problem[0].fix == "did you mean 'q.gr____e'?");
  CHECK(found("t\u00b7t", "x").at(0).fix == "write * for a product");
  CHECK(found("t\u00b2", "x").at(0).fix == "write ^2");
}

TEST_CASE("expression errors: the caret points into the user's file") {
  const std::string text = "1 +\n  sine(t)";
  const Diagnostic alone = problems(text).at(0);
  CHECK(alone.origin.line == 2);
  CHECK(alone.origin.column == 3);
  CHECK(contains(format(alone, text), "  2 |   sine(t)\n    |   ^"));

  const auto in_file = [](std::string_view expression, const Origin& origin) {
    ExpressionOptions options;
    options.variables = {"t"};
    options.origin = origin;
    return parse_expression(expression, options).diagnostics().at(0).origin;
  };
  Origin origin = in_file("2*tt", Origin("a.toml", 7, 12));
  CHECK(origin.file == "a.toml");
  CHECK(origin.line == 7);
  CHECK(origin.column == 14);
  origin = in_file("2*\ntt", Origin("a.toml", 7, 12));
  CHECK(origin.line == 8);
  CHECK(origin.column == 1);
  origin = in_file("2*tt", Origin("a.toml", 7));
  CHECK(origin.line == 7);
  CHECK(origin.column == 0);
  origin = in_file("2*\ntt", Origin("a.toml", 7));  // a newline that may not be one of the file
  CHECK(origin.line == 7);
  CHECK(origin.column == 0);
  origin = in_file("2*tt", Origin("a.toml"));
  CHECK(origin.line == 0);
  CHECK(origin.column == 0);
}

TEST_CASE("expression errors: depth and length are bounded") {
  const auto nested = [](int levels) {
    const auto n = static_cast<std::size_t>(levels);
    return std::string(n, '(') + "t" + std::string(n, ')');
  };
  CHECK(parse_expression(nested(64), {.variables = {"t"}}).ok());
  check(nested(65), {{"expression-deep", 65}});
  check(nested(30000), {{"expression-deep", 65}});
  check(std::string(65, '-') + "1", {{"expression-deep", 65}});
  std::string tower = "1", sums = "1";
  for (int i = 0; i < 100; ++i) tower += "^1";
  CHECK(problems(tower).at(0).code == "expression-deep");
  for (int i = 0; i < 60; ++i) sums = "1+2*(" + sums + ")";
  CHECK(problems(sums).at(0).code == "expression-deep");
  CHECK(problems(std::string(70000, '1')).at(0).code == "expression-long");
  std::string sum = "1";
  for (int i = 0; i < 10000; ++i) sum += "+1";
  CHECK(evaluate(*parse_expression(sum), {}) == 10001.0);
}

TEST_CASE("expression errors: random text never crashes, and what is accepted can be evaluated") {
  RandomStream stream(17);
  const char* const words[] = {"t",    "speed", "sin", "clamp", "min", "(",   ")",  ",",   "+",          "-",  "*",
                               "/",    "^",     "1",   "2.5",   "deg", "mm",  "pi", " ",   "1e5",        ".",  "x",
                               "\xc3", "\n",    "#",   "(t)",   "^2",  "(1,", "m^", "s^-", "atan2(1,t)", "3 N"};
  int accepted = 0;
  for (int i = 0; i < 100000; ++i) {
    std::string text;
    const int length = static_cast<int>(stream.bits() % 12);
    for (int k = 0; k < length; ++k) {
      if (i % 2 == 0) {
        text += static_cast<char>(i % 4 == 0 ? stream.bits() % 256 : 32 + stream.bits() % 95);
      } else {
        text += words[stream.bits() % std::size(words)];
      }
    }
    const Result<Expression> result = parse_expression(text, {.variables = {"t", "speed"}});
    if (result.ok()) {
      ++accepted;
      (void)evaluate(*result, std::array{0.5, 2.0});
      REQUIRE(result->stack_size() >= 1);
      continue;
    }
    for (const Diagnostic& d : result.diagnostics()) {
      REQUIRE(d.origin.line >= 1);
      REQUIRE(d.origin.column >= 1);
      REQUIRE(d.origin.column <= static_cast<int>(text.size()) + 1);
      REQUIRE(!format(d, text).empty());
    }
  }
  CHECK(accepted > 2000);
}
