#include "pintle/simulation/elements/command.h"

#include <array>

namespace pintle {

namespace {
constexpr int kPosition = 1;  // among the variables t, q, qd, v
}

Command::Command() = default;
Command::Command(const Drive& drive) : drive_(drive) {}
Command::Command(double value) : drive_(constant_drive(value)) {}
Command::Command(const Command&) = default;
Command::Command(Command&&) noexcept = default;
Command& Command::operator=(const Command&) = default;
Command& Command::operator=(Command&&) noexcept = default;
Command::~Command() = default;

bool Command::uses_position() const {
  return by_expression_ && expression_.uses(kPosition);
}

Origin Command::position_origin() const {
  for (const Expression::Instruction& instruction : expression_.program())
    if (instruction.operation == Expression::Operation::variable && instruction.index == kPosition)
      return expression_.origin_of(instruction.place);
  return {};
}

Result<Command> command_expression(std::string_view text, const Origin& origin) {
  ExpressionOptions options;
  options.variables = {"t", "q", "qd", "v"};
  options.origin = origin;
  Result<Expression> expression = parse_expression(text, options);
  if (!expression) return expression.diagnostics();
  Command command;
  command.expression_ = *std::move(expression);
  command.by_expression_ = true;
  return command;
}

double evaluate(const Command& command, double t, double q, double qd) {
  if (!command.by_expression_) return drive_value(command.drive_, t);
  const std::array<double, 4> values = {t, q, qd, qd};
  return evaluate(command.expression_, values);
}

}  // namespace pintle
