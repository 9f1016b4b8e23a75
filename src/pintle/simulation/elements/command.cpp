#include "pintle/simulation/elements/command.h"

#include <algorithm>
#include <array>

#include "pintle/expression/expression_tokens.h"

namespace pintle {

namespace {
constexpr int kPosition = 1;  // among the variables t, q, qd, v

/// The names in a formula that are neither words of the language nor among `known`, each once.
std::vector<std::string> free_names(std::string_view text, const std::vector<std::string>& known) {
  const Origin nowhere;
  ExpressionProblems ignored(text, nowhere);
  std::vector<std::string> names;
  const std::vector<ExpressionToken> tokens = expression_tokens(text, ignored);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const std::string name(tokens[i].text);
    const bool is_function = tokens[i + 1].kind == ExpressionTokenKind::open;
    if (tokens[i].kind != ExpressionTokenKind::name || is_function || !is_expression_name(name)) continue;
    const bool after_number = i > 0 && tokens[i - 1].kind == ExpressionTokenKind::number;  // an unknown unit
    const auto is_in = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), name) != list.end();
    };
    if (!after_number && !is_expression_word(name) && !is_in(known) && !is_in(names)) names.push_back(name);
  }
  return names;
}

}  // namespace

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

std::vector<NameUse> Command::others() const {
  std::vector<NameUse> uses;
  const std::span<const std::string> names = expression_.variables();
  for (std::size_t i = kOwn; i < names.size(); ++i)
    uses.push_back({names[i], expression_.origin_of_variable(static_cast<int>(i))});
  return uses;
}

bool Command::uses_motion() const {
  bool any = false;
  for (std::size_t i = 1; i < expression_.variables().size(); ++i)
    any = any || expression_.uses(static_cast<int>(i));
  return by_expression_ && any;
}

Origin Command::position_origin() const {
  return expression_.origin_of_variable(kPosition);
}

Result<Command> command_expression(std::string_view text, const Origin& origin, CommandScope scope) {
  ExpressionOptions options;
  options.variables = {"t", "q", "qd", "v"};
  options.origin = origin;
  if (scope == CommandScope::scene)
    for (std::string& name : free_names(text, options.variables)) options.variables.push_back(std::move(name));
  Result<Expression> expression = parse_expression(text, options);
  if (!expression) return expression.diagnostics();
  Command command;
  command.expression_ = *std::move(expression);
  command.by_expression_ = true;
  return command;
}

double evaluate(const Command& command, double t, double q, double qd) {
  if (!command.by_expression_) return drive_value(command.drive_, t);
  const std::array<double, Command::kOwn> values = {t, q, qd, qd};
  return evaluate(command.expression_, values);
}

}  // namespace pintle
