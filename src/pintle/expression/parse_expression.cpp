// The grammar (docs/formats/expressions.md), one function per rule. Every rule leaves one more value on the stack of
// the program, also after an error, so that parsing continues and reports the next one.
#include <algorithm>
#include <cmath>
#include <utility>

#include "pintle/base/foreign_text.h"
#include "pintle/base/nearest_name.h"
#include "pintle/base/usage_error.h"
#include "pintle/expression/expression.h"
#include "pintle/expression/expression_impl.h"
#include "pintle/expression/expression_tokens.h"
#include "pintle/expression/expression_words.h"

namespace pintle {
namespace {

using Kind = ExpressionTokenKind;
using Op = Expression::Operation;

constexpr int kMaxNested = 64;
constexpr std::size_t kMaxBytes = 65536;

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

bool starts_operand(Kind kind) {
  return kind == Kind::number || kind == Kind::name || kind == Kind::open;
}

std::string count_of_arguments(int count) {
  return count == 1 ? "1 argument" : std::to_string(count) + " arguments";
}

}  // namespace

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const ExpressionOptions& options)
      : text_(text), options_(options), problems_(text, options.origin) {}

  Result<Expression> parse() {
    if (text_.size() > kMaxBytes) {
      problems_.add(0, "expression-long", "the expression has " + std::to_string(text_.size()) + " bytes",
                    "at most " + std::to_string(kMaxBytes) + " are read", "use a table for data");
      return problems_.sorted();
    }
    tokens_ = expression_tokens(text_, problems_);
    if (token().kind == Kind::end) {
      problems_.add(0, "expression-empty", "the expression is empty", "", "write a number, such as 0");
      return problems_.sorted();
    }
    sum();
    while (token().kind != Kind::end) left_over();
    if (!problems_.empty()) return problems_.sorted();

    Expression expression;
    expression.text_ = std::string(text_);
    expression.origin_ = options_.origin;
    expression.variables_ = options_.variables;
    expression.program_ = std::move(program_);
    expression.stack_size_ = max_depth_;
    return expression;
  }

 private:
  const ExpressionToken& token() const { return tokens_[at_]; }
  const ExpressionToken& next_token() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  void advance() {
    if (token().kind != Kind::end) ++at_;
  }

  void emit(Op operation, std::size_t place, double number = 0.0, int index = 0) {
    depth_ += 1 - expressions::operands(operation);
    max_depth_ = std::max(max_depth_, depth_);
    if (depth_ > Expression::kMaxStack) too_deep(place);
    program_.push_back({operation, index, number, place});
  }

  /// Gives up and skips the rest of the text.
  void too_deep(std::size_t place) {
    problems_.add(place, "expression-deep", "the expression is nested too deeply",
                  "at most " + std::to_string(kMaxNested) + " levels of parentheses, signs and powers are allowed",
                  "write it with fewer parentheses");
    problems_.close();
    at_ = tokens_.size() - 1;
  }

  /// Runs a rule one level deeper.
  template <class Rule>
  void nested(std::size_t place, Rule rule) {
    if (nested_ == kMaxNested) {
      too_deep(place);
      emit(Op::constant, place);
      return;
    }
    ++nested_;
    rule();
    --nested_;
  }

  // sum := product {("+" | "-") product}
  void sum() {
    product();
    while (token().kind == Kind::plus || token().kind == Kind::minus) {
      const ExpressionToken sign = token();
      advance();
      product();
      emit(sign.kind == Kind::plus ? Op::add : Op::subtract, sign.place);
    }
  }

  // product := signed {("*" | "/") signed}
  void product() {
    signed_power();
    for (;;) {
      const ExpressionToken sign = token();
      if (sign.kind == Kind::times || sign.kind == Kind::divide) {
        advance();
      } else if (starts_operand(sign.kind)) {
        missing_operator(sign);
      } else if (sign.kind == Kind::bad) {
        advance();
        if (!starts_operand(token().kind) && token().kind != Kind::bad) continue;
      } else {
        return;
      }
      signed_power();
      emit(sign.kind == Kind::divide ? Op::divide : Op::multiply, sign.place);
    }
  }

  // signed := ("-" | "+") signed | power
  void signed_power() {
    const ExpressionToken sign = token();
    if (sign.kind != Kind::minus && sign.kind != Kind::plus) return power(false);
    advance();
    nested(sign.place, [&] { signed_power(); });
    if (sign.kind == Kind::minus) emit(Op::negate, sign.place);
  }

  // power := primary ["^" exponent]
  void power(bool is_exponent) {
    const bool has_unit = primary(is_exponent);
    const ExpressionToken sign = token();
    if (sign.kind != Kind::power) return;
    if (has_unit) {
      problems_.add(sign.place, "expression-unit-power", "it is ambiguous what is raised to this power",
                    "an exponent after a unit belongs to the unit and is an integer, as in 2 m^2",
                    "write parentheses: (2 m)^3, or a product: 2 * m^(3)");
    }
    advance();
    const std::size_t first = program_.size();
    nested(sign.place, [&] { exponent(); });
    raise(sign.place, first);
  }

  // exponent := ("-" | "+") exponent | power
  void exponent() {
    const ExpressionToken sign = token();
    if (sign.kind != Kind::minus && sign.kind != Kind::plus) return power(true);
    advance();
    nested(sign.place, [&] { exponent(); });
    if (sign.kind == Kind::minus) emit(Op::negate, sign.place);
  }

  /// Raises to the power that the program computes from instruction `first` on; a constant exponent is evaluated now.
  void raise(std::size_t place, std::size_t first) {
    double value = 0.0;
    if (!is_constant(first, program_.size(), value) || !std::isfinite(value)) return emit(Op::power, place);
    program_.resize(first);
    --depth_;
    emit(Op::power_constant, place, value);
  }

  /// Whether instructions first to last - 1, which leave one value, use no variable; and that value.
  bool is_constant(std::size_t first, std::size_t last, double& value) const {
    if (!problems_.empty()) return false;
    const std::span<const Expression::Instruction> part = std::span(program_).subspan(first, last - first);
    for (const Expression::Instruction& instruction : part)
      if (instruction.operation == Op::variable) return false;
    value = expressions::run<double>(part, nullptr, [](const Expression::Instruction&, const double*) {});
    return true;
  }

  // primary := quantity | name | function "(" sum {"," sum} ")" | "(" sum ")"
  // Returns whether it is a number with a unit.
  bool primary(bool is_exponent) {
    const ExpressionToken here = token();
    switch (here.kind) {
      case Kind::number:
        return quantity(is_exponent);
      case Kind::name:
        word();
        return false;
      case Kind::open:
        advance();
        nested(here.place, [&] { parenthesis(here); });
        return false;
      case Kind::bad:
        advance();
        emit(Op::constant, here.place);
        return false;
      default:
        missing_operand(here);
        emit(Op::constant, here.place);
        return false;
    }
  }

  // quantity := number {unit ["^" ["-" | "+"] integer]}
  bool quantity(bool is_exponent) {
    const ExpressionToken number = token();
    advance();
    double value = number.number;
    bool has_unit = false;
    while (token().kind == Kind::name) {
      const Unit* const unit = find_unit(token().text);
      if (unit == nullptr) break;
      if (is_exponent) {
        problems_.add(token().place, "expression-unit-exponent", "an exponent has no unit",
                      "10^3 mm would mean 10^(3 mm)", "write a product: 10^3 * mm");
      }
      advance();
      has_unit = true;
      const int power = unit_power();
      for (int i = 0; i < power; ++i) value = value * unit->numerator / unit->denominator;
      for (int i = 0; i > power; --i) value = value * unit->denominator / unit->numerator;
    }
    emit(Op::constant, number.place, value);
    return has_unit;
  }

  /// Reads the integer power after a unit; 1 when there is none or it is something else.
  int unit_power() {
    if (token().kind != Kind::power) return 1;
    const Kind sign = next_token().kind;
    const bool has_sign = sign == Kind::minus || sign == Kind::plus;
    const std::size_t digits = at_ + (has_sign ? 2 : 1);
    if (digits >= tokens_.size() || tokens_[digits].kind != Kind::number) return 1;
    const double size = tokens_[digits].number;
    if (!(size <= 9.0) || size != std::floor(size)) return 1;
    at_ = digits + 1;
    return sign == Kind::minus ? -static_cast<int>(size) : static_cast<int>(size);
  }

  void parenthesis(const ExpressionToken& open) {
    sum();
    while (token().kind == Kind::comma) {
      comma_outside(token());
      advance();
      sum();
      emit(Op::add, open.place);
    }
    close(open);
  }

  void close(const ExpressionToken& open) {
    if (token().kind == Kind::close) return advance();
    problems_.add(open.place, "expression-unclosed", "this parenthesis is never closed", "", "add the missing ')'");
  }

  /// A name: a variable, a constant, a unit, or a function with its arguments.
  void word() {
    const ExpressionToken name = token();
    const bool called = next_token().kind == Kind::open;
    advance();
    const auto found = std::find(options_.variables.begin(), options_.variables.end(), name.text);
    if (found != options_.variables.end()) {
      return emit(Op::variable, name.place, 0.0, static_cast<int>(found - options_.variables.begin()));
    }
    if (const double* const constant = find_constant(name.text)) return emit(Op::constant, name.place, *constant);
    if (const Unit* const unit = find_unit(name.text)) {
      if (unit->only_after_number) {
        problems_.add(name.place, "expression-gram", "'g' is grams here, and grams follow a number",
                      "as a factor it would more likely be meant as the acceleration of gravity",
                      "write 9.81 m/s^2 for gravity, 1 g for a gram");
      }
      return emit(Op::constant, name.place, unit->numerator / unit->denominator);
    }
    const ExpressionFunction* const function = find_function(name.text);
    if (function == nullptr) unknown(name, called);
    if (function != nullptr && !called) {
      problems_.add(name.place, "expression-arguments", quoted(name.text) + " is a function and has no arguments here",
                    "it takes " + count_of_arguments(function->arguments), "write " + std::string(name.text) + "(...)");
    }
    if (!called) return emit(Op::constant, name.place);
    nested(name.place, [&] { call(name, function); });
  }

  /// The arguments of a function, which is null when it is unknown.
  void call(const ExpressionToken& name, const ExpressionFunction* function) {
    const ExpressionToken open = token();
    advance();
    const std::size_t first = program_.size();
    const int depth = depth_;
    std::vector<std::size_t> begins;
    if (token().kind == Kind::close) {
      advance();
    } else {
      begins.push_back(program_.size());
      sum();
      while (token().kind == Kind::comma) {
        advance();
        begins.push_back(program_.size());
        sum();
      }
      close(open);
    }

    const int count = static_cast<int>(begins.size());
    if (function != nullptr && count == function->arguments) {
      if (function->operation == Op::clamp) check_clamp(name, begins);
      return emit(function->operation, name.place);
    }
    if (function != nullptr) {
      problems_.add(name.place, "expression-arguments",
                    quoted(name.text) + " has " + count_of_arguments(count) + " here",
                    "it takes " + count_of_arguments(function->arguments),
                    function->operation == Op::clamp ? "write clamp(x, lower, upper)" : "count the commas");
    }
    program_.resize(first);
    depth_ = depth;
    emit(Op::constant, name.place);
  }

  void check_clamp(const ExpressionToken& name, const std::vector<std::size_t>& begins) {
    double lower = 0.0, upper = 0.0;
    if (!is_constant(begins[1], begins[2], lower) || !is_constant(begins[2], program_.size(), upper)) return;
    if (lower <= upper) return;
    problems_.add(name.place, "expression-clamp", "the lower bound of this clamp is above the upper one",
                  "clamp(x, lower, upper) keeps x between them", "swap the bounds");
  }

  /// Reports what follows a complete expression.
  void left_over() {
    const ExpressionToken here = token();
    if (here.kind == Kind::close) {
      problems_.add(here.place, "expression-unopened", "this parenthesis was never opened", "",
                    "remove it, or add the missing '('");
    } else {
      comma_outside(here);
    }
    advance();
    const Kind kind = token().kind;
    if (kind == Kind::times || kind == Kind::divide || kind == Kind::power) advance();
    if (token().kind == Kind::end || token().kind == Kind::close) return;
    sum();
    emit(Op::add, here.place);
  }

  void missing_operator(const ExpressionToken& here) {
    const bool after_number = at_ > 0 && tokens_[at_ - 1].kind == Kind::number;
    if (after_number && here.kind == Kind::name && next_token().kind != Kind::open && !is_known(here.text)) {
      problems_.add(here.place, "expression-unknown-unit", "unknown unit " + quoted(here.text),
                    "only units may follow a number directly, as in 30 deg",
                    unit_fix(here.text, "see docs/formats/expressions.md for the units, or write * for a product"));
    }
    const std::string shown = here.kind == Kind::open ? "the parenthesis" : quoted(here.text);
    problems_.add(here.place, "expression-operator", "an operator is missing before " + shown,
                  "only units may follow a number directly, as in 30 deg", "write * for a product");
  }

  void missing_operand(const ExpressionToken& here) {
    const bool twice = here.kind == Kind::times && at_ > 0 && tokens_[at_ - 1].kind == Kind::times;
    problems_.add(
        here.place, "expression-operand",
        here.kind == Kind::end ? "a value is missing at the end" : "a value is missing before " + quoted(here.text), "",
        twice ? "write ^ for a power" : "add the value, or remove the extra operator");
  }

  void comma_outside(const ExpressionToken& here) {
    problems_.add(here.place, "expression-comma", "a comma outside the arguments of a function",
                  "commas separate arguments; a decimal number has a point", "write 1.5, not 1,5");
  }

  bool is_known(std::string_view name) const {
    const std::vector<std::string>& variables = options_.variables;
    return is_expression_word(name) || std::find(variables.begin(), variables.end(), name) != variables.end();
  }

  /// A name as joint names are written in formulas.
  static std::string in_ascii(std::string_view name) {
    std::string text(name);
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80U; }, '_');
    return text;
  }

  void unknown(const ExpressionToken& name, bool called) {
    std::string nearest = in_ascii(name.text);
    if (called || nearest == name.text || !is_known(nearest))
      nearest = nearest_name(name.text, called ? expression_functions() : expression_words(options_.variables));
    std::string variables;
    for (const std::string& variable : options_.variables) variables += (variables.empty() ? "" : ", ") + variable;
    const std::string why = called              ? "it is not a function of the expression language"
                            : variables.empty() ? "no variables may be used here"
                                                : "the variables here are " + variables;
    problems_.add(name.place, called ? "expression-unknown-function" : "expression-unknown-name",
                  (called ? "unknown function " : "unknown name ") + quoted(name.text), why,
                  nearest.empty() ? "use one of them; functions and units are in docs/formats/expressions.md"
                                  : "did you mean " + quoted(nearest) + "?");
  }

  std::string_view text_;
  const ExpressionOptions& options_;
  ExpressionProblems problems_;
  std::vector<ExpressionToken> tokens_;
  std::size_t at_ = 0;
  std::vector<Expression::Instruction> program_;
  int depth_ = 0;
  int max_depth_ = 0;
  int nested_ = 0;
};

Result<Expression> parse_expression(std::string_view text, const ExpressionOptions& options) {
  const std::vector<std::string>& names = options.variables;
  for (auto name = names.begin(); name != names.end(); ++name) {
    const bool free = is_expression_name(*name) && !is_expression_word(*name);
    if (!free || std::find(names.begin(), name, *name) != name) {
      throw UsageError("parse_expression: argument 'options': '" + *name +
                       "' cannot be a variable: it is not a valid name, is listed twice, or is already defined");
    }
  }
  return ExpressionParser(text, options).parse();
}

}  // namespace pintle
