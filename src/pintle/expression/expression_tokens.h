// Splits the text of an expression into numbers, names and operators.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "pintle/expression/expression_problems.h"

namespace pintle {

enum class ExpressionTokenKind : unsigned char {
  number,
  name,
  plus,
  minus,
  times,
  divide,
  power,
  open,
  close,
  comma,
  bad,  ///< an invalid token, already reported
  end,
};

struct ExpressionToken {
  ExpressionTokenKind kind = ExpressionTokenKind::end;
  std::size_t place = 0;    ///< its first byte
  std::string_view text{};  ///< as written
  double number = 0.0;
};

/// The tokens of a text, the last of them `end`.
std::vector<ExpressionToken> expression_tokens(std::string_view text, ExpressionProblems& problems);

/// Whether a text is one name: letters, digits and underscores, not beginning with a digit; parts may be joined by
/// dots.
bool is_expression_name(std::string_view text);

/// Whether a formula contains a name that equals another one or has it among its parts: "q.elbow.x" contains "elbow".
bool mentions(std::string_view formula, std::string_view name);

}  // namespace pintle
