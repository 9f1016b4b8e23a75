// The words of the expression language: functions, units and constants.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/simulation/expression.h"

namespace pintle {

/// A function and how many arguments it takes.
struct ExpressionFunction {
  std::string_view name;
  Expression::Operation operation;
  int arguments;
};

/// A unit or a constant: x of it is x * numerator / denominator in SI units and radians.
struct ExpressionUnit {
  std::string_view name;
  double numerator;
  double denominator;
};

/// The function, unit or constant of a name; null when there is none.
const ExpressionFunction* find_function(std::string_view name);
const ExpressionUnit* find_unit(std::string_view name);
const double* find_constant(std::string_view name);

/// All names that may stand where a value is expected (functions too), the given variables first.
std::vector<std::string> expression_words(std::span<const std::string> variables);

/// The names of all functions, and those of all units.
std::vector<std::string> expression_functions();
std::vector<std::string> expression_units();

}  // namespace pintle
