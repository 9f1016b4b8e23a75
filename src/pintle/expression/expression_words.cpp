#include "pintle/expression/expression_words.h"

#include "pintle/math/scalar.h"

namespace pintle {
namespace {

using Op = Expression::Operation;

constexpr ExpressionFunction kFunctions[] = {
    {"sin", Op::sin, 1},   {"cos", Op::cos, 1},     {"tan", Op::tan, 1},     {"asin", Op::asin, 1},
    {"acos", Op::acos, 1}, {"atan", Op::atan, 1},   {"atan2", Op::atan2, 2}, {"sinh", Op::sinh, 1},
    {"cosh", Op::cosh, 1}, {"tanh", Op::tanh, 1},   {"exp", Op::exp, 1},     {"log", Op::log, 1},
    {"sqrt", Op::sqrt, 1}, {"cbrt", Op::cbrt, 1},   {"hypot", Op::hypot, 2}, {"abs", Op::abs, 1},
    {"sign", Op::sign, 1}, {"step", Op::step, 1},   {"min", Op::min, 2},     {"max", Op::max, 2},
    {"clamp", Op::clamp, 3},
};

constexpr std::string_view kPiName = "pi";
constexpr double kPiValue = kPi<double>;

}  // namespace

const ExpressionFunction* find_function(std::string_view name) {
  for (const ExpressionFunction& function : kFunctions)
    if (function.name == name) return &function;
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

std::vector<std::string> expression_words(std::span<const std::string> variables) {
  std::vector<std::string> names(variables.begin(), variables.end());
  names.emplace_back(kPiName);
  for (const ExpressionFunction& function : kFunctions) names.emplace_back(function.name);
  for (const std::string& unit : unit_names()) names.push_back(unit);
  return names;
}

bool is_expression_word(std::string_view name) {
  return find_function(name) != nullptr || find_unit(name) != nullptr || find_constant(name) != nullptr;
}

}  // namespace pintle
