#include "pintle/io/diagnostics/sarif.h"

#include <algorithm>

#include "pintle/base/version.h"
#include "pintle/io/diagnostics/problem_rules.h"
#include "pintle/text/json.h"
#include "pintle/text/utf8.h"

namespace pintle {
namespace {

constexpr const char* kRoot = "%SRCROOT%";

/// A path as a URI reference.
std::string uri(const std::string& path) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string result = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      result += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      result += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
  }
  return result;
}

/// "inertia-triangle" -> "InertiaTriangle"
std::string pascal_case(std::string_view code) {
  std::string result;
  bool begins = true;
  for (const char c : code) {
    if (c != '-') result += begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    begins = c == '-';
  }
  return result;
}

/// The text after the first `end`; empty if there is none.
std::string_view behind(std::string_view text, char end) {
  const std::size_t at = text.find(end);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
}

/// Markdown as plain text: "see [scene.md](scene.md)" -> "see scene.md".
std::string plain(std::string_view markdown) {
  std::string result;
  while (!markdown.empty()) {
    if (markdown.starts_with("](")) {
      markdown = behind(markdown, ')');
      continue;
    }
    if (markdown[0] != '`' && markdown[0] != '[') result += markdown[0];
    markdown.remove_prefix(1);
  }
  return result;
}

Json rule_json(const std::string& code, const std::vector<ProblemRule>& rules) {
  Json json{{"id", code}, {"name", pascal_case(code)}};
  const auto rule = std::find_if(rules.begin(), rules.end(), [&](const ProblemRule& one) { return one.code == code; });
  if (rule == rules.end()) return json;
  const std::string_view meaning = rule->meaning;
  const char* const level = meaning.starts_with("a warning") ? "warning"
                            : meaning.starts_with("a note")  ? "note"
                                                             : "error";
  json["shortDescription"] = {{"text", plain(meaning)}};
  json["help"] = {{"text", plain(rule->remedy) + "\nSee " + rule->place},
                  {"markdown", rule->remedy + "\n\nSee `" + rule->place + "`"}};
  json["defaultConfiguration"] = {{"level", level}};
  json["properties"] = {{"docs", rule->place}};
  return json;
}

/// The number of characters of a line up to and including the byte in `column`, which is counted from 1.
int column_in_characters(std::string_view text, int line, int column) {
  for (int skip = line - 1; skip > 0; --skip) text = behind(text, '\n');
  text = text.substr(0, text.find('\n'));
  const std::size_t before = std::min(static_cast<std::size_t>(column - 1), text.size());
  return static_cast<int>(count_characters(text.substr(0, before))) + 1;
}

Json location_json(const Origin& origin, std::span<const SarifFile> files) {
  const auto file = std::find_if(files.begin(), files.end(), [&](const SarifFile& f) { return f.name == origin.file; });
  if (file == files.end()) return {{"logicalLocations", Json::array({{{"name", origin.file}}})}};
  Json artifact{{"uri", uri(file->path)}};
  if (!file->path.starts_with('/')) artifact["uriBaseId"] = kRoot;
  Json physical{{"artifactLocation", artifact}};
  Json region{{"startLine", std::max(origin.line, 1)}};
  if (origin.column > 0) region["startColumn"] = column_in_characters(file->text, origin.line, origin.column);
  physical["region"] = region;
  return {{"physicalLocation", physical}};
}

std::string message_text(const Diagnostic& problem) {
  std::string text = problem.what;
  if (!problem.why.empty()) text += "\nwhy: " + problem.why;
  if (!problem.fix.empty()) text += "\nfix: " + problem.fix;
  return text;
}

Json result_json(const Diagnostic& problem, std::size_t rule, std::span<const SarifFile> files) {
  Json json{{"ruleId", problem.code},
            {"ruleIndex", rule},
            {"level", name(problem.severity)},
            {"message", {{"text", message_text(problem)}}}};
  if (!problem.origin.file.empty()) json["locations"] = Json::array({location_json(problem.origin, files)});
  return json;
}

}  // namespace

std::string sarif_text(const Diagnostics& problems, std::span<const SarifFile> files) {
  const std::vector<ProblemRule> known = problem_rules();
  std::vector<std::string> codes;
  Json rules = Json::array(), results = Json::array();
  for (const Diagnostic& problem : problems) {
    const auto code = std::find(codes.begin(), codes.end(), problem.code);
    const auto index = static_cast<std::size_t>(code - codes.begin());
    if (code == codes.end()) {
      codes.push_back(problem.code);
      rules.push_back(rule_json(problem.code, known));
    }
    results.push_back(result_json(problem, index, files));
  }
  const Json driver{{"name", "Pintle"}, {"semanticVersion", kVersion}, {"rules", rules}};
  const Json root{{"description", {{"text", "the folder from which the program was called"}}}};
  const Json run{{"tool", {{"driver", driver}}},
                 {"invocations", Json::array({{{"executionSuccessful", true}}})},
                 {"originalUriBaseIds", {{kRoot, root}}},
                 {"columnKind", "unicodeCodePoints"},
                 {"results", results}};
  const Json log{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return log.dump(2) + "\n";
}

}  // namespace pintle
