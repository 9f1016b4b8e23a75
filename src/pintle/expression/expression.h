// Expression: a formula written by a user ("30 deg * sin(2*pi*0.5 Hz*t)"), parsed once and evaluated for any number
// type. docs/formats/expressions.md describes the language.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/result.h"

namespace pintle {

/// A formula compiled to a flat program of a stack machine. Immutable; copies are independent.
class Expression {
 public:
  /// The operation of an instruction on the values on top of the stack, ordered by the number of operands: none, one,
  /// two, three.
  enum class Operation : unsigned char {
    constant,
    variable,
    // one operand
    negate,
    power_constant,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    exp,
    log,
    sqrt,
    cbrt,
    abs,
    sign,
    step,
    // two operands
    add,
    subtract,
    multiply,
    divide,
    power,
    atan2,
    hypot,
    min,
    max,
    // three operands
    clamp,
  };

  /// One instruction: pops its operands from the stack and pushes its result.
  struct Instruction {
    Operation operation = Operation::constant;
    int index = 0;          ///< index of the variable
    double number = 0.0;    ///< the constant, or the constant exponent
    std::size_t place = 0;  ///< its position in the text, in bytes
  };

  /// The maximum stack depth of a program; the parser rejects deeper ones.
  static constexpr int kMaxStack = 64;

  /// The formula 0 of no variables.
  Expression();
  Expression(const Expression&);
  Expression(Expression&&) noexcept;
  Expression& operator=(const Expression&);
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  /// The text it was parsed from.
  std::string_view text() const;

  /// The names of its variables, in the order in which `evaluate` takes their values.
  std::span<const std::string> variables() const;

  /// Whether the value depends on variable i at all.
  bool uses(int i) const;

  /// The instructions, in execution order; they leave exactly one value on the stack.
  std::span<const Instruction> program() const;

  /// The stack depth, at most kMaxStack.
  int stack_size() const;

  /// The position of the first use of variable i in the user's file; unknown where it is not used.
  Origin origin_of_variable(int i) const;

  /// The position of a byte of the text in the user's file.
  Origin origin_of(std::size_t place) const;

 private:
  friend class ExpressionParser;

  std::string text_;
  Origin origin_;
  std::vector<std::string> variables_;
  std::vector<Instruction> program_;
  int stack_size_ = 1;
};

/// The variables of an expression and its position in a file.
struct ExpressionOptions {
  std::vector<std::string> variables{};  ///< their names, such as {"t", "q", "qd"}
  /// The position of the first byte of the text. Without a file and a line, errors count lines and columns within the
  /// text; other unknown parts stay unknown.
  Origin origin{};
};

/// Parses an expression. On failure it reports all independent errors, in the order of the text, each with its line and
/// column: `format(diagnostic, text)` shows the caret. Throws UsageError when a variable's name is not a name, is given
/// twice, or already means something (`is_expression_word`).
Result<Expression> parse_expression(std::string_view text, const ExpressionOptions& options = {});

/// Whether a name is a function, a constant or a unit of the language, and so cannot be a variable.
bool is_expression_word(std::string_view name);

/// The value of an expression, given the values of its variables. Never fails: outside the domain of a function the
/// result is NaN or infinite. Allocates nothing. Other number types: `evaluate_expression` in expression_impl.h.
/// Throws UsageError unless there is one value per variable.
double evaluate(const Expression& expression, std::span<const double> values);

}  // namespace pintle
