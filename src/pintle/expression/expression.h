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

/// A formula compiled to a flat program for a stack of numbers. Immutable; copies are independent.
class Expression {
 public:
  /// What an instruction does with the numbers on top of the stack, ordered by how many it takes: none, one, two,
  /// three.
  enum class Operation : unsigned char {
    constant,
    variable,
    // one number
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
    abs,
    step,
    // two numbers
    add,
    subtract,
    multiply,
    divide,
    power,
    atan2,
    min,
    max,
    // three numbers
    clamp,
  };

  /// One step of the program: takes its numbers from the stack and puts its result there.
  struct Instruction {
    Operation operation = Operation::constant;
    int index = 0;          ///< which variable
    double number = 0.0;    ///< the constant, or the constant exponent
    std::size_t place = 0;  ///< where in the text it stands, in bytes
  };

  /// How deep the stack of any program may get; deeper ones are refused when they are parsed.
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

  /// Whether the value depends on variable number i at all.
  bool uses(int i) const;

  /// The instructions, in the order in which they run; they leave exactly one number on the stack.
  std::span<const Instruction> program() const;

  /// How deep the stack gets, at most kMaxStack.
  int stack_size() const;

  /// The place of a byte of the text in the user's file.
  Origin origin_of(std::size_t place) const;

 private:
  friend class ExpressionParser;

  std::string text_;
  Origin origin_;
  std::vector<std::string> variables_;
  std::vector<Instruction> program_;
  int stack_size_ = 1;
};

/// What an expression may refer to, and where it stands.
struct ExpressionOptions {
  std::vector<std::string> variables{};  ///< their names, such as {"t", "q", "qd"}
  /// The place of the first byte of the text. Without a file and a line, errors count lines and columns within the
  /// text; what is unknown otherwise stays unknown.
  Origin origin{};
};

/// Parses an expression. On failure all errors that can be told apart, in the order of the text, each with its line and
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
