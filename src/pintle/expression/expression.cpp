#include "pintle/expression/expression.h"

#include "pintle/expression/expression_impl.h"
#include "pintle/expression/expression_problems.h"

namespace pintle {

Expression::Expression() : text_("0"), program_{Instruction{}} {}
Expression::Expression(const Expression&) = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(const Expression&) = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

std::string_view Expression::text() const {
  return text_;
}

std::span<const std::string> Expression::variables() const {
  return variables_;
}

bool Expression::uses(int i) const {
  for (const Instruction& instruction : program_)
    if (instruction.operation == Operation::variable && instruction.index == i) return true;
  return false;
}

std::span<const Expression::Instruction> Expression::program() const {
  return program_;
}

int Expression::stack_size() const {
  return stack_size_;
}

Origin Expression::origin_of_variable(int i) const {
  for (const Instruction& instruction : program_)
    if (instruction.operation == Operation::variable && instruction.index == i) return origin_of(instruction.place);
  return {};
}

Origin Expression::origin_of(std::size_t place) const {
  return origin_in(text_, origin_, place);
}

double evaluate(const Expression& expression, std::span<const double> values) {
  return evaluate_expression<double>(expression, values);
}

}  // namespace pintle
