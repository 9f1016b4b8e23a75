#include "pintle/expression/expression_tokens.h"

#include <algorithm>
#include <string>

#include "pintle/base/foreign_text.h"
#include "pintle/base/read_number.h"

namespace pintle {
namespace {

using Kind = ExpressionTokenKind;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_letter(std::string_view text, std::size_t at) {
  return at < text.size() && is_letter(text[at]);
}

bool is_digit(std::string_view text, std::size_t at) {
  return at < text.size() && is_digit(text[at]);
}

/// The length in bytes of the name that a text begins with.
std::size_t name_length(std::string_view text) {
  std::size_t at = 0;
  while (is_letter(text, at)) {
    while (is_letter(text, at) || is_digit(text, at)) ++at;
    if (at >= text.size() || text[at] != '.' || !is_letter(text, at + 1)) break;
    ++at;
  }
  return at;
}

/// The length in bytes of the word that a text begins with: a name, or one that is invalid only because of letters
/// beyond ASCII.
std::size_t word_length(std::string_view text) {
  std::size_t at = name_length(text);
  while (at > 0 && at < text.size() && static_cast<unsigned char>(text[at]) >= 0x80U) {
    const std::string_view character = first_character(text.substr(at));
    if (!character_fix(character).empty()) break;
    at += character.size();
    while (is_letter(text, at) || is_digit(text, at) || (at < text.size() && text[at] == '.')) ++at;
  }
  return at;
}

Kind sign(char c) {
  switch (c) {
    case '+':
      return Kind::plus;
    case '-':
      return Kind::minus;
    case '*':
      return Kind::times;
    case '/':
      return Kind::divide;
    case '^':
      return Kind::power;
    case '(':
      return Kind::open;
    case ')':
      return Kind::close;
    case ',':
      return Kind::comma;
    default:
      return Kind::bad;
  }
}

/// Operators of other languages, and what to write here.
struct Foreign {
  std::string_view text;
  const char* fix;
};
constexpr Foreign kForeign[] = {
    {"[", "write round parentheses"},
    {"]", "write round parentheses"},
    {"{", "write round parentheses"},
    {"}", "write round parentheses"},
    {"<", "there are no comparisons: step(x) is 1 where x >= 0 and 0 elsewhere"},
    {">", "there are no comparisons: step(x) is 1 where x >= 0 and 0 elsewhere"},
    {"=", "write the value alone; there are no assignments and no comparisons"},
    {"|", "write abs(x)"},
};

ExpressionToken bad_character(std::string_view rest, std::size_t place, ExpressionProblems& problems) {
  const std::string_view character = first_character(rest);
  const unsigned char first = static_cast<unsigned char>(rest[0]);
  std::string fix(character_fix(character));
  for (const Foreign& foreign : kForeign)
    if (foreign.text == character) fix = foreign.fix;
  const std::string shown = !fix.empty() || (first > 0x20U && first < 0x7FU) ? "'" + std::string(character) + "'"
                            : first >= 0x80U                                 ? "a character that is not ASCII"
                                                                             : "a control character";
  problems.add(place, "expression-character", shown + " is not allowed in an expression",
               "expressions are numbers, names, + - * / ^, parentheses and commas", fix.empty() ? "remove it" : fix);
  return {Kind::bad, place, character, 0.0};
}

ExpressionToken number_token(std::string_view rest, std::size_t place, ExpressionProblems& problems) {
  const ReadNumber read = read_number(rest);
  std::size_t length = read.length;
  while (is_digit(rest, length) || (length < rest.size() && rest[length] == '.')) ++length;
  const std::string_view text = rest.substr(0, length);
  if (length != read.length) {
    problems.add(place, "expression-number", "'" + std::string(text) + "' is not a number",
                 "a number has one decimal point", "write it like 1234.5 or 1.2345e3");
  } else if (read.found == NumberText::out_of_range) {
    problems.add(place, "expression-number-range", "'" + std::string(text) + "' is out of the range of a double",
                 "its magnitudes are 4.9e-324 to 1.8e308", "choose another unit");
  }
  return {Kind::number, place, text, read.value};
}

}  // namespace

bool is_expression_name(std::string_view text) {
  return !text.empty() && name_length(text) == text.size();
}

bool mentions(std::string_view formula, std::string_view name) {
  const std::string part = "." + std::string(name) + ".";
  const Origin nowhere;
  ExpressionProblems ignored(formula, nowhere);
  for (const ExpressionToken& token : expression_tokens(formula, ignored)) {
    const std::string whole = "." + std::string(token.text) + ".";
    if (token.kind == Kind::name && whole.find(part) != std::string::npos) return true;
  }
  return false;
}

std::vector<ExpressionToken> expression_tokens(std::string_view text, ExpressionProblems& problems) {
  std::vector<ExpressionToken> tokens;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    if (is_space(rest[0])) {
      ++at;
      continue;
    }
    ExpressionToken token{sign(rest[0]), at, rest.substr(0, 1), 0.0};
    if (is_letter(rest[0])) {
      token = {Kind::name, at, rest.substr(0, word_length(rest)), 0.0};
    } else if (is_digit(rest[0]) || (rest[0] == '.' && is_digit(rest, 1))) {
      token = number_token(rest, at, problems);
    } else if (token.kind == Kind::bad) {
      token = bad_character(rest, at, problems);
    }
    at += token.text.size();
    tokens.push_back(token);
  }
  tokens.push_back({Kind::end, text.size(), {}, 0.0});
  return tokens;
}

}  // namespace pintle
