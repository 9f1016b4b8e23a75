#include "coloured_problem.h"

#include <algorithm>

namespace pintle::cli {

std::string coloured_problem(const Diagnostic& problem, const std::string& text, const Colors& colors) {
  if (!colors.wanted()) return text;
  const std::string kind = std::string(name(problem.severity)) + (problem.code.empty() ? "" : "[" + problem.code + "]");
  const auto by_severity = [&](std::string_view part) {
    if (problem.severity == Severity::error) return colors.bad(part);
    return problem.severity == Severity::warning ? colors.singular(part) : colors.line(part);
  };
  std::string result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    const std::size_t at = begin == 0 ? line.find(kind) : std::string_view::npos;
    if (begin > 0) result += '\n';
    if (at != std::string_view::npos) {
      result += colors.strong(line.substr(0, at)) + by_severity(kind);
      result += line.substr(at + kind.size());
    } else if (line.find_first_not_of(" \t|") + 1 == line.size() && line.ends_with('^')) {
      result += colors.faint(line.substr(0, line.size() - 1)) + by_severity("^");
    } else if (line.starts_with("  fix: ")) {
      result += "  " + colors.good("fix:");
      result += line.substr(6);
    } else {
      result += line;
    }
    begin = end + 1;
  }
  return result;
}

}  // namespace pintle::cli
