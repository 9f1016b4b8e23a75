// The words of the expression language: functions and constants, and the units of base/unit.h.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/unit.h"
#include "pintle/expression/expression.h"

namespace pintle {

/// A function and its number of arguments.
struct ExpressionFunction {
  std::string_view name;
  Expression::Operation operation;
  int arguments;
};

/// The function or constant of a name; null when there is none.
const ExpressionFunction* find_function(std::string_view name);
const double* find_constant(std::string_view name);

/// All names that may appear where a value is expected (functions too), the given variables first.
std::vector<std::string> expression_words(std::span<const std::string> variables);

/// The names of all functions.
std::vector<std::string> expression_functions();

}  // namespace pintle
