#include "pintle/expression/expression_problems.h"

#include <algorithm>
#include <utility>

namespace pintle {
namespace {

constexpr std::size_t kMaxProblems = 20;

}  // namespace

Origin origin_in(std::string_view text, const Origin& origin, std::size_t place) {
  const std::string_view before = text.substr(0, place);
  const int lines = static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t newline = before.rfind('\n');
  const int column = static_cast<int>(newline == std::string_view::npos ? place : place - newline - 1);
  Origin result = origin;
  if (origin.file.empty() && origin.line == 0) {
    result.line = 1 + lines;
    result.column = 1 + column;
  } else if (origin.line > 0 && origin.column > 0) {
    result.line = origin.line + lines;
    result.column = lines > 0 ? 1 + column : origin.column + column;
  }
  return result;
}

ExpressionProblems::ExpressionProblems(std::string_view text, const Origin& origin) : text_(text), origin_(origin) {}

void ExpressionProblems::add(std::size_t place, const char* code, std::string what, std::string why, std::string fix) {
  const auto here = [&](const Problem& problem) { return problem.place == place; };
  if (closed_ || std::any_of(found_.begin(), found_.end(), here)) return;
  found_.push_back(
      {place, make_error(code, origin_in(text_, origin_, place), std::move(what), std::move(why), std::move(fix))});
  if (found_.size() == kMaxProblems) close();
}

Diagnostics ExpressionProblems::sorted() const {
  std::vector<Problem> ordered = found_;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const Problem& a, const Problem& b) { return a.place < b.place; });
  Diagnostics diagnostics;
  for (Problem& problem : ordered) diagnostics.push_back(std::move(problem.diagnostic));
  return diagnostics;
}

}  // namespace pintle
