// Any text is a quantity or is refused; the value of a quantity is finite, and its dimension can be said.
#include <cmath>

#include "fuzz/properties.h"
#include "pintle/base/unit.h"
#include "pintle/base/usage_error.h"
#include "pintle/text/quantity.h"

namespace pintle::fuzz {
namespace {

constexpr Dimension kExpected[] = {kNumber, kLength, kMass, kTime, kAngle, kForce, kTorque, kTorque / kAngle};

/// The dimension in SI units is the dimension again, read as a unit.
void require_round_trip(const Dimension& dimension) {
  const std::string text = dimension_text(dimension);
  require(!text.empty(), "a dimension has a text");
  if (dimension == kNumber) return;
  const Result<Quantity> again = read_quantity("1 " + text);
  if (again) require(again->dimension == dimension, "a dimension's text is a unit of that dimension", text);
}

void test(std::string_view text) {
  const Texts texts{{"f", std::string(text)}};
  const Origin origin("f", 1, 1);
  const Result<Quantity> quantity = read_quantity(text, origin);
  require_good(quantity.diagnostics(), quantity.ok(), texts);
  if (quantity) {
    require(std::isfinite(quantity->value), "a quantity is finite", text);
    require(quantity->unit_at <= text.size(), "its unit is within the text", text);
    require(quantity->has_unit || quantity->dimension == kNumber, "a bare number has no dimension", text);
    require_round_trip(quantity->dimension);
  }
  for (const Dimension& expected : kExpected) {
    const Result<double> value = read_quantity_of(text, expected, "it", origin);
    for (const Diagnostic& problem : value.diagnostics()) require_good(problem, texts);
    require(!value || quantity.ok(), "what is refused is refused for every dimension", text);
    if (value) require(std::isfinite(*value), "a value is finite", text);
  }
  try {
    const Dimension dimension = dimension_of(text);
    require(dimension == dimension_of(text), "a unit has one dimension", text);
  } catch (const UsageError&) {
  }
}

}  // namespace
}  // namespace pintle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  pintle::fuzz::test({reinterpret_cast<const char*>(data), size});
  return 0;
}
