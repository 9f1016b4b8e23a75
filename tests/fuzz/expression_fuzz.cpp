// Any text is a formula or is refused; formulas have a value everywhere, the same one each time.
#include <bit>
#include <cmath>
#include <limits>

#include "fuzz/properties.h"
#include "pintle/expression/expression.h"
#include "pintle/simulation/elements/drive.h"

namespace pintle::fuzz {
namespace {

constexpr double kValues[][3] = {{0.0, 0.0, 0.0},
                                 {0.7, -1.3, 12.5},
                                 {-1e300, 1e-300, 1e9},
                                 {std::numeric_limits<double>::quiet_NaN(), 1.0, -0.0},
                                 {std::numeric_limits<double>::infinity(), -1.0, 2.0}};

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

void test(std::string_view text) {
  ExpressionOptions options;
  options.variables = {"t", "q", "v"};
  options.origin = Origin("f", 1, 1);
  const Result<Expression> expression = parse_expression(text, options);
  require_good(expression.diagnostics(), expression.ok(), {{"f", std::string(text)}});
  if (!expression) return;
  require(expression->text() == text, "an expression keeps its text");
  require(expression->stack_size() <= Expression::kMaxStack, "the stack is bounded");
  const Result<Expression> again = parse_expression(expression->text(), options);
  require(again.ok(), "a text that was read is read again");
  for (const auto& values : kValues)
    require(same(evaluate(*expression, values), evaluate(*again, values)), "the same text has the same value", text);
  const Result<Drive> drive = expression_drive(text, Origin("f", 1, 1));
  require_good(drive.diagnostics(), drive.ok(), {{"f", std::string(text)}});
  if (!drive) return;
  for (const double t : {-1.0, 0.0, 0.3, 1e5}) (void)evaluate(*drive, t);
}

}  // namespace
}  // namespace pintle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  pintle::fuzz::test({reinterpret_cast<const char*>(data), size});
  return 0;
}
