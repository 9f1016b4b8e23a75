#include "pintle/io/diagnostics/problem_rules.h"

#include <algorithm>

namespace pintle {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// The text before the next `end`; removes both from `text`.
std::string_view taken(std::string_view& text, std::string_view end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + end.size(), text.size()));
  return part;
}

/// "Bodies and joints" -> "bodies-and-joints", as in Markdown anchors.
std::string anchor(std::string_view heading) {
  std::string result;
  for (const char c : heading) {
    if (c >= 'A' && c <= 'Z') result += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-') result += c;
    if (c == ' ') result += '-';
  }
  return result;
}

}  // namespace

std::vector<ProblemRule> problem_rules() {
  std::vector<ProblemRule> rules;
  std::string_view page = problem_page();
  std::string place;
  while (!page.empty()) {
    std::string_view line = taken(page, "\n");
    if (line.starts_with("## ")) place = "docs/formats/problems.md#" + anchor(line.substr(3));
    if (!line.starts_with("| `")) continue;
    line.remove_prefix(2);
    std::string_view codes = taken(line, " | ");
    const std::string_view meaning = trimmed(taken(line, " | "));
    const std::string_view remedy = trimmed(taken(line, " |"));
    for (taken(codes, "`"); !codes.empty(); taken(codes, "`"))
      rules.push_back({std::string(taken(codes, "`")), std::string(meaning), std::string(remedy), place});
  }
  return rules;
}

}  // namespace pintle
