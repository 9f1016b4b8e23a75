#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "pintle/base/random.h"
#include "pintle/base/usage_error.h"
#include "pintle/expression/expression_impl.h"

using namespace pintle;

namespace {

Expression parsed(std::string_view text) {
  Result<Expression> result = parse_expression(text, {.variables = {"t", "q", "qd"}});
  for (const Diagnostic& d : result.diagnostics()) MESSAGE(format(d, text));
  REQUIRE(result.ok());
  return *result;
}

double value(std::string_view text, double t = 0.0, double q = 0.0, double qd = 0.0) {
  return evaluate(parsed(text), std::array{t, q, qd});
}

// ---- random formulas: a tree, its text with no more parentheses than it needs, and its value computed from the tree

struct Node {
  std::string word;  // a number, a variable, a sign, "neg" or a function
  std::vector<std::unique_ptr<Node>> parts;
};

int choice(RandomStream& stream, int count) {
  return static_cast<int>(stream.bits() % static_cast<std::uint64_t>(count));
}

std::unique_ptr<Node> random_tree(RandomStream& stream, int depth) {
  auto node = std::make_unique<Node>();
  const auto part = [&] { node->parts.push_back(random_tree(stream, depth - 1)); };
  const int kind = depth == 0 ? choice(stream, 2) : choice(stream, 12);
  if (kind == 0) {
    node->word = std::to_string(choice(stream, 2000)) + "e-3";
  } else if (kind == 1) {
    node->word = std::array{"t", "q", "qd"}[static_cast<std::size_t>(choice(stream, 3))];
  } else if (kind < 8) {
    node->word = std::array{"+", "-", "*", "/", "^", "-"}[static_cast<std::size_t>(kind - 2)];
    part(), part();
  } else if (kind == 8) {
    node->word = "neg";
    part();
  } else if (kind == 9) {
    node->word = std::array{"atan2", "min", "max"}[static_cast<std::size_t>(choice(stream, 3))];
    part(), part();
  } else if (kind == 10) {
    node->word = "clamp";
    part();
    for (const char* bound : {"-0.5", "0.75"}) {
      node->parts.push_back(std::make_unique<Node>());
      node->parts.back()->word = bound;
    }
  } else {
    node->word =
        std::array{"sin",  "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
                   "tanh", "exp", "log", "sqrt", "cbrt", "abs",  "sign", "step"}[static_cast<std::size_t>(choice(stream, 16))];
    part();
  }
  return node;
}

/// 1 sums, 2 products, 3 a sign, 4 powers, 5 all that needs no parentheses.
int strength(const Node& node) {
  if (node.word == "neg") return 3;
  if (node.parts.size() != 2 || node.word.size() > 1) return 5;
  return node.word == "^" ? 4 : node.word == "*" || node.word == "/" ? 2 : 1;
}

std::string text_of(const Node& node);

std::string part_text(const Node& part, int least) {
  return strength(part) < least ? "(" + text_of(part) + ")" : text_of(part);
}

std::string text_of(const Node& node) {
  if (node.parts.empty()) return node.word;
  if (node.word == "neg") return "-" + part_text(*node.parts[0], 3);
  if (strength(node) == 5) {
    std::string text = node.word + "(";
    for (std::size_t i = 0; i < node.parts.size(); ++i) text += (i == 0 ? "" : ", ") + text_of(*node.parts[i]);
    return text + ")";
  }
  const int own = strength(node);
  const bool is_power = node.word == "^";  // from the right; its exponent may begin with a sign
  return part_text(*node.parts[0], is_power ? 5 : own) + node.word + part_text(*node.parts[1], is_power ? 3 : own + 1);
}

double value_of(const Node& node, const std::array<double, 3>& variables) {
  const std::string& word = node.word;
  if (node.parts.empty()) {
    return word == "t" ? variables[0] : word == "q" ? variables[1] : word == "qd" ? variables[2] : std::stod(word);
  }
  const double a = value_of(*node.parts[0], variables);
  const double b = node.parts.size() > 1 ? value_of(*node.parts[1], variables) : 0.0;
  if (word == "neg") return -a;
  if (word == "+") return a + b;
  if (word == "-") return a - b;
  if (word == "*") return a * b;
  if (word == "/") return a / b;
  if (word == "^") return pintle::pow(a, b);
  if (word == "atan2") return pintle::atan2(a, b);
  if (std::isnan(a)) return a;
  if (std::isnan(b)) return b;
  if (word == "min") return a < b ? a : b;
  if (word == "max") return a > b ? a : b;
  if (word == "clamp") return std::fmin(std::fmax(a, -0.5), 0.75);
  if (word == "step") return a < 0.0 ? 0.0 : 1.0;
  if (word == "abs") return std::fabs(a);
  if (word == "sign") return a < 0.0 ? -1.0 : a > 0.0 ? 1.0 : 0.0;
  if (word == "hypot") return std::sqrt(std::fma(a, a, b * b));
  if (word == "cbrt") return expressions::cube_root(a);
  if (word == "sqrt") return std::sqrt(a);
  if (word == "sin") return pintle::sin(a);
  if (word == "cos") return pintle::cos(a);
  if (word == "tan") return pintle::tan(a);
  if (word == "asin") return pintle::asin(a);
  if (word == "acos") return pintle::acos(a);
  if (word == "atan") return pintle::atan(a);
  if (word == "sinh") return pintle::sinh(a);
  if (word == "cosh") return pintle::cosh(a);
  if (word == "tanh") return pintle::tanh(a);
  if (word == "exp") return pintle::exp(a);
  REQUIRE(word == "log");
  return pintle::log(a);
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

TEST_CASE("expression: precedence is that of mathematics") {
  CHECK(value("-2^2") == -4.0);
  CHECK(value("(-2)^2") == 4.0);
  CHECK(value("2^3^2") == 512.0);
  CHECK(value("2^-2") == 0.25);
  CHECK(value("-2^-2") == -0.25);
  CHECK(value("10 - 4 - 3") == 3.0);
  CHECK(value("24 / 4 / 3") == 2.0);
  CHECK(value("2 + 3 * 4 ^ 2 / 8 - 1") == 7.0);
  CHECK(value("2 * -3") == -6.0);
  CHECK(value("2 - -3") == 5.0);
  CHECK(value("+3") == 3.0);
  CHECK(value("--3") == 3.0);
  CHECK(value(" ( 1+2 )\n* 3 ") == 9.0);
  CHECK(value("-t^2", 3.0) == -9.0);
  CHECK(value(".5 + 2. + 1e3 + 1E-3") == 1002.501);
}

TEST_CASE("expression: thousands of random formulas have the value of the tree they were written from, to the bit") {
  RandomStream stream(11);
  int finite = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::unique_ptr<Node> tree = random_tree(stream, 1 + i % 6);
    const std::string text = text_of(*tree);
    CAPTURE(text);
    const Expression expression = parsed(text);
    CHECK(expression.text() == text);
    for (int k = 0; k < 3; ++k) {
      const std::array<double, 3> variables = {stream.uniform(-2, 2), stream.uniform(-2, 2), stream.uniform(-2, 2)};
      const double expected = value_of(*tree, variables);
      finite += std::isfinite(expected) ? 1 : 0;
      CHECK(same(evaluate(expression, variables), expected));
    }
  }
  CHECK(finite > 6000);
}

TEST_CASE("expression: functions and constants against the C library") {
  for (const double x : {-0.9, -0.3, 0.0, 0.2, 0.7, 0.99}) {
    CAPTURE(x);
    const auto close = [&](const char* text, double expected) {
      CAPTURE(text);
      CHECK(std::fabs(value(text, x) - expected) <= 1e-15 * (1.0 + std::fabs(expected)));
    };
    close("sin(t)", std::sin(x));
    close("cos(t)", std::cos(x));
    close("tan(t)", std::tan(x));
    close("asin(t)", std::asin(x));
    close("acos(t)", std::acos(x));
    close("atan(t)", std::atan(x));
    close("atan2(t, -0.3)", std::atan2(x, -0.3));
    close("sinh(t)", std::sinh(x));
    close("cosh(t)", std::cosh(x));
    close("tanh(t)", std::tanh(x));
    close("exp(t)", std::exp(x));
    close("log(t + 1)", std::log(x + 1));
    close("sqrt(t + 1)", std::sqrt(x + 1));
    close("cbrt(1000*t)", std::cbrt(1000 * x));
    close("hypot(t, 0.7)", std::hypot(x, 0.7));
    close("abs(t)", std::fabs(x));
    close("sign(t)", x < 0.0 ? -1.0 : x > 0.0 ? 1.0 : 0.0);
    close("min(t, 0.1)", std::fmin(x, 0.1));
    close("max(t, 0.1)", std::fmax(x, 0.1));
    close("clamp(t, -0.5, 0.5)", std::fmin(std::fmax(x, -0.5), 0.5));
    close("step(t)", x < 0.0 ? 0.0 : 1.0);
    close("(t + 1)^2.5", std::pow(x + 1, 2.5));
    close("pi * t", 3.14159265358979323846 * x);
  }
}

TEST_CASE("expression: a NaN is never hidden") {
  for (const char* text : {"min(log(t), 1)", "min(1, log(t))", "max(log(t), 1)", "max(1, log(t))", "step(log(t))",
                           "clamp(log(t), 0, 1)", "clamp(0, log(t), 1)", "clamp(0, -1, log(t))", "abs(log(t))", "sign(log(t))",
                           "cbrt(log(t))", "hypot(1, log(t))"}) {
    CAPTURE(text);
    CHECK(std::isnan(value(text, -1.0)));
  }
}

TEST_CASE("expression: units follow a number or are factors") {
  constexpr double pi = 3.14159265358979323846;
  CHECK(value("180 deg") == pi);
  CHECK(value("30 deg") == doctest::Approx(pi / 6).epsilon(1e-15));
  CHECK(value("30deg") == value("30 deg"));
  CHECK(value("-30 deg") == -value("30 deg"));
  CHECK(value("t * deg", 180.0) == doctest::Approx(pi).epsilon(1e-15));
  CHECK(value("1 rev") == 2 * pi);
  CHECK(value("60 rpm") == doctest::Approx(2 * pi).epsilon(1e-15));
  CHECK(value("5 mm") == 0.005);
  CHECK(value("7.5 cm") == 0.075);
  CHECK(value("3 ms") == 0.003);
  CHECK(value("2 km") == 2000.0);
  CHECK(value("1.5 kN") == 1500.0);
  CHECK(value("9.81 m/s^2") == 9.81);
  CHECK(value("3 N/mm") == doctest::Approx(3000.0).epsilon(1e-15));
  CHECK(value("4 N m") == 4.0);
  CHECK(value("4 mm^2") == doctest::Approx(4e-6).epsilon(1e-15));
  CHECK(value("4 ms^-1") == 4000.0);
  CHECK(value("4 N mm^-1") == 4000.0);
  CHECK(value("(2 mm)^2") == doctest::Approx(4e-6).epsilon(1e-15));
  CHECK(value("1 / 2 ms") == 500.0);
  CHECK(value("mm^2") == doctest::Approx(1e-6).epsilon(1e-15));
  CHECK(value("10^3 * mm") == 1.0);
  CHECK(value("50 Hz * t", 2.0) == 100.0);
  CHECK(value("200 mNm + 1 Nm + 1 kNm") == doctest::Approx(1001.2));
  CHECK(value("2 in + 1 ft") == doctest::Approx(0.3556).epsilon(1e-15));
  CHECK(value("250 g") == 0.25);
  for (const char* const gravity : {"0.5*g*t^2", "g", "2 * g"})
    CHECK(parse_expression(gravity, {.variables = {"t"}}).diagnostics().at(0).code == "expression-gram");
}

TEST_CASE("expression: lanes are the plain number's result, bit for bit") {
  RandomStream stream(12);
  using P = NativePack<double>;
  using F = NativePack<float>;
  for (int i = 0; i < 400; ++i) {
    const std::string text = text_of(*random_tree(stream, 1 + i % 5));
    CAPTURE(text);
    const Expression expression = parsed(text);
    std::array<P, 3> x;
    std::array<F, 3> y;
    for (int k = 0; k < 3; ++k) {
      const auto n = static_cast<std::size_t>(k);
      for (int lane = 0; lane < P::kLanes; ++lane) x[n].set(lane, stream.uniform(-2, 2));
      for (int lane = 0; lane < F::kLanes; ++lane) y[n].set(lane, static_cast<float>(stream.uniform(-2, 2)));
    }
    const P result = evaluate_expression<P>(expression, x);
    for (int lane = 0; lane < P::kLanes; ++lane) {
      const std::array<double, 3> plain = {x[0][lane], x[1][lane], x[2][lane]};
      CHECK(same(result[lane], evaluate_expression<double>(expression, plain)));
    }
    const F narrow = evaluate_expression<F>(expression, y);
    for (int lane = 0; lane < F::kLanes; ++lane) {
      const std::array<float, 3> plain = {y[0][lane], y[1][lane], y[2][lane]};
      const float expected = evaluate_expression<float>(expression, plain);
      CHECK((narrow[lane] == expected || (std::isnan(narrow[lane]) && std::isnan(expected))));
    }
  }
}

TEST_CASE("expression: first and second derivatives of closed forms") {
  using D = Dual<double, 1>;
  using D2 = Dual<D, 1>;
  const auto check = [](const char* text, double t, double rate, double second) {
    CAPTURE(text);
    CAPTURE(t);
    const std::array<D2, 3> values = {D2::variable(D::variable(t, 0), 0), D2(0.0), D2(0.0)};
    const D2 f = evaluate_expression<D2>(parsed(text), values);
    CHECK(f.value.value == value(text, t));
    CHECK(f.derivative[0].value == doctest::Approx(rate).epsilon(1e-13));
    CHECK(f.value.derivative[0] == f.derivative[0].value);
    CHECK(f.derivative[0].derivative[0] == doctest::Approx(second).epsilon(1e-13));
  };
  for (const double t : {0.3, 0.8}) {
    const double s = std::sin(t), c = std::cos(t), e = std::exp(t);
    check("sin(t)", t, c, -s);
    check("sin(t)^2", t, 2 * s * c, 2 * c * c - 2 * s * s);
    check("cos(2*t)", t, -2 * std::sin(2 * t), -4 * std::cos(2 * t));
    check("tan(t)", t, 1 / (c * c), 2 * s / (c * c * c));
    check("exp(-t)", t, -1 / e, 1 / e);
    check("log(t)", t, 1 / t, -1 / (t * t));
    check("sqrt(t)", t, 0.5 / std::sqrt(t), -0.25 / (t * std::sqrt(t)));
    check("t^2.5", t, 2.5 * std::pow(t, 1.5), 3.75 * std::sqrt(t));
    check("2^t", t, std::log(2.0) * std::pow(2.0, t), std::pow(std::log(2.0), 2) * std::pow(2.0, t));
    check("1/t", t, -1 / (t * t), 2 / (t * t * t));
    check("asin(t)", t, 1 / std::sqrt(1 - t * t), t / std::pow(1 - t * t, 1.5));
    check("acos(t)", t, -1 / std::sqrt(1 - t * t), -t / std::pow(1 - t * t, 1.5));
    check("atan(t)", t, 1 / (1 + t * t), -2 * t / std::pow(1 + t * t, 2));
    check("atan2(t, 2)", t, 2 / (4 + t * t), -4 * t / std::pow(4 + t * t, 2));
    check("sinh(t)", t, std::cosh(t), std::sinh(t));
    check("cosh(t)", t, std::sinh(t), std::cosh(t));
    const double h = std::tanh(t);
    check("tanh(t)", t, 1 - h * h, -2 * h * (1 - h * h));
    check("abs(-t^2)", t, 2 * t, 2);
    check("max(t^3, -1)", t, 3 * t * t, 6 * t);
    check("min(t^3, -1)", t, 0, 0);
    check("clamp(t^3, 0, 9)", t, 3 * t * t, 6 * t);
    check("step(t)", t, 0, 0);
    check("sign(t)", t, 0, 0);
    check("cbrt(t)", t, std::pow(t, -2.0 / 3) / 3, -2 * std::pow(t, -5.0 / 3) / 9);
    check("hypot(t, 2)", t, t / std::hypot(t, 2), 4 / std::pow(std::hypot(t, 2), 3));
  }
  check("cbrt(t)", -8.0, 1.0 / 12, 2.0 / 288);
  // Where a plain pow of duals would have 0 * infinity.
  check("t^0", 0.0, 0, 0);
  check("t^1", 0.0, 1, 0);
  check("t^2", 0.0, 0, 2);
  check("t^3", -2.0, 12, -12);
  check("t^(4/2)", 0.0, 0, 2);
  check("t^-2", -2.0, 0.25, 6.0 / 16);
}

TEST_CASE("expression: derivatives of random formulas against differences in long double") {
  RandomStream stream(13);
  using D = Dual<double, 1>;
  int checked = 0, lost = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string text = text_of(*random_tree(stream, 1 + i % 4));
    CAPTURE(text);
    const Expression expression = parsed(text);
    if (!expression.uses(0)) continue;
    const std::array<double, 3> at = {stream.uniform(-2, 2), stream.uniform(-2, 2), stream.uniform(-2, 2)};
    const D f = evaluate_expression<D>(expression, std::array{D::variable(at[0], 0), D(at[1]), D(at[2])});
    const auto wide = [&](long double t) {
      return evaluate_expression<long double>(
          expression, std::array{t, static_cast<long double>(at[1]), static_cast<long double>(at[2])});
    };
    // Two steps: where they disagree the formula is too steep or has a corner nearby, and tells nothing.
    const long double h = 1e-5L, t = at[0];
    const long double fine = (wide(t + h) - wide(t - h)) / (2 * h);
    const long double coarse = (wide(t + 2 * h) - wide(t - 2 * h)) / (4 * h);
    const long double size = std::fabs(fine) + std::fabs(wide(t)) + 1e-3L;
    if (!(std::fabs(fine - coarse) <= 1e-6L * size) || !std::isfinite(f.value)) continue;
    if (!std::isfinite(f.derivative[0])) {  // a part is not finite, and its influence is lost: (1/0)^0
      ++lost;
      continue;
    }
    ++checked;
    CHECK(std::fabs(static_cast<long double>(f.derivative[0]) - fine) <= 1e-6L * size);
  }
  CHECK(checked > 800);
  CHECK(lost < 5);
}

TEST_CASE("expression: what is known about one, and wrong calls") {
  const Expression expression = parsed("q + 2*sin(qd)");
  CHECK(!expression.uses(0));
  CHECK(expression.uses(1));
  CHECK(expression.uses(2));
  CHECK(expression.variables().size() == 3);
  CHECK(expression.stack_size() == 3);
  CHECK(parsed("t+t+t+t+t+t").stack_size() == 2);
  CHECK(evaluate(Expression(), {}) == 0.0);
  CHECK(value("clamp(t, 0, 1)", 0.5) == 0.5);
  CHECK_THROWS_AS((void)evaluate(expression, std::array{1.0}), UsageError);
  for (const char* name : {"sin", "pi", "deg", "m", "2t", "", "a b", "a.", ".a", "q-d"}) {
    CAPTURE(name);
    CHECK_THROWS_AS((void)parse_expression("1", {.variables = {name}}), UsageError);
  }
  CHECK_THROWS_AS((void)parse_expression("1", {.variables = {"t", "t"}}), UsageError);
  CHECK(evaluate(*parse_expression("arm.q_1 * 2", {.variables = {"arm.q_1"}}), std::array{4.0}) == 8.0);
  CHECK(is_expression_word("rpm"));
  CHECK(!is_expression_word("t"));
}
