#include "pintle/simulation/expression_words.h"

#include "pintle/math/scalar.h"

namespace pintle {
namespace {

using Op = Expression::Operation;

constexpr ExpressionFunction kFunctions[] = {
    {"sin", Op::sin, 1},   {"cos", Op::cos, 1},     {"tan", Op::tan, 1},     {"asin", Op::asin, 1},
    {"acos", Op::acos, 1}, {"atan", Op::atan, 1},   {"atan2", Op::atan2, 2}, {"sinh", Op::sinh, 1},
    {"cosh", Op::cosh, 1}, {"tanh", Op::tanh, 1},   {"exp", Op::exp, 1},     {"log", Op::log, 1},
    {"sqrt", Op::sqrt, 1}, {"abs", Op::abs, 1},     {"step", Op::step, 1},   {"min", Op::min, 2},
    {"max", Op::max, 2},   {"clamp", Op::clamp, 3},
};

// A quotient keeps decimal units exact: 5 mm is 5 / 1000, the double nearest to 0.005, where 5 * 0.001 may not be.
constexpr ExpressionUnit kUnits[] = {
    {"rad", 1, 1},
    {"mrad", 1, 1000},
    {"deg", kPi<double>, 180},
    {"rev", 2 * kPi<double>, 1},
    {"rpm", kPi<double>, 30},
    {"m", 1, 1},
    {"um", 1, 1e6},
    {"mm", 1, 1000},
    {"cm", 1, 100},
    {"km", 1000, 1},
    {"s", 1, 1},
    {"ms", 1, 1000},
    {"us", 1, 1e6},
    {"Hz", 1, 1},
    {"kHz", 1000, 1},
    {"kg", 1, 1},
    {"N", 1, 1},
    {"mN", 1, 1000},
    {"kN", 1000, 1},
    {"Nm", 1, 1},
    {"mNm", 1, 1000},
    {"kNm", 1000, 1},
    {"J", 1, 1},
    {"kJ", 1000, 1},
    {"W", 1, 1},
    {"kW", 1000, 1},
    {"Pa", 1, 1},
    {"kPa", 1000, 1},
    {"MPa", 1e6, 1},
};

constexpr std::string_view kPiName = "pi";
constexpr double kPiValue = kPi<double>;

}  // namespace

const ExpressionFunction* find_function(std::string_view name) {
  for (const ExpressionFunction& function : kFunctions)
    if (function.name == name) return &function;
  return nullptr;
}

const ExpressionUnit* find_unit(std::string_view name) {
  for (const ExpressionUnit& unit : kUnits)
    if (unit.name == name) return &unit;
  return nullptr;
}

const double* find_constant(std::string_view name) {
  return name == kPiName ? &kPiValue : nullptr;
}

std::vector<std::string> expression_functions() {
  std::vector<std::string> names;
  for (const ExpressionFunction& function : kFunctions) names.emplace_back(function.name);
  return names;
}

std::vector<std::string> expression_units() {
  std::vector<std::string> names;
  for (const ExpressionUnit& unit : kUnits) names.emplace_back(unit.name);
  return names;
}

std::vector<std::string> expression_words(std::span<const std::string> variables) {
  std::vector<std::string> names(variables.begin(), variables.end());
  names.emplace_back(kPiName);
  for (const ExpressionFunction& function : kFunctions) names.emplace_back(function.name);
  for (const ExpressionUnit& unit : kUnits) names.emplace_back(unit.name);
  return names;
}

bool is_expression_word(std::string_view name) {
  return find_function(name) != nullptr || find_unit(name) != nullptr || find_constant(name) != nullptr;
}

}  // namespace pintle
