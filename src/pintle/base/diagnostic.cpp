#include "pintle/base/diagnostic.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace pintle {
namespace {

// The maximum width of a quote, and of its part before the caret, in cells.
constexpr std::size_t kQuoteWidth = 100;
constexpr std::size_t kQuoteBefore = 60;
constexpr std::string_view kCut = "...";

constexpr std::size_t kLongestCharacter = 4;

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

std::size_t next_character(std::string_view line, std::size_t at) {
  const std::size_t limit = std::min(line.size(), at + kLongestCharacter);
  do ++at;
  while (at < limit && continues_character(line[at]));
  return at;
}

std::size_t previous_character(std::string_view line, std::size_t at) {
  const std::size_t limit = at > kLongestCharacter ? at - kLongestCharacter : 0;
  do --at;
  while (at > limit && continues_character(line[at]));
  return at;
}

std::size_t forward(std::string_view line, std::size_t at, std::size_t cells) {
  for (; cells > 0 && at < line.size(); --cells) at = next_character(line, at);
  return at;
}

std::size_t back(std::string_view line, std::size_t at, std::size_t cells) {
  for (; cells > 0 && at > 0; --cells) at = previous_character(line, at);
  return at;
}

std::optional<std::string_view> find_line(std::string_view text, int line) {
  if (line < 1) return std::nullopt;
  for (int skip = line - 1; skip > 0; --skip) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  if (text.empty()) return std::nullopt;
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

// The byte at which the character in `column` begins.
std::size_t caret_byte(std::string_view line, int column) {
  const std::size_t at = std::min(static_cast<std::size_t>(column - 1), line.size());
  const bool inside = at > 0 && at < line.size() && continues_character(line[at]);
  return inside ? previous_character(line, at) : at;
}

char printable(char c) {
  const bool control = static_cast<unsigned char>(c) < 0x20U || c == 0x7F;
  return control && c != '\t' ? ' ' : c;
}

void append_quote(std::string& out, std::string_view line, int number, int column) {
  const std::size_t caret = column > 0 ? caret_byte(line, column) : 0;
  const bool fits = forward(line, 0, kQuoteWidth) == line.size();
  const std::size_t begin = fits ? 0 : back(line, caret, kQuoteBefore);
  const std::size_t end = forward(line, begin, kQuoteWidth);

  const std::string gutter = std::to_string(number);
  out += "\n  " + gutter + " | ";
  if (begin > 0) out += kCut;
  for (const char c : line.substr(begin, end - begin)) out += printable(c);
  if (end < line.size()) out += kCut;
  if (column <= 0) return;

  out += "\n  " + std::string(gutter.size(), ' ') + " | ";
  if (begin > 0) out.append(kCut.size(), ' ');
  for (std::size_t at = begin; at < caret; at = next_character(line, at)) out += line[at] == '\t' ? '\t' : ' ';
  out += '^';
}

// "  why: text", later lines of the text aligned under the first.
void append_part(std::string& out, std::string_view label, std::string_view text) {
  if (text.empty()) return;
  out += "\n  ";
  out += label;
  out += ": ";
  for (const char c : text) {
    out += c == '\n' ? c : printable(c);
    if (c == '\n') out.append(label.size() + 4, ' ');
  }
}

/// A quote from a file may contain anything; a terminal must not interpret it.
std::string one_line(std::string text) {
  for (char& c : text) c = printable(c);
  return text;
}

void append_origin(std::string& out, const Origin& origin) {
  const bool line = origin.line > 0;
  const bool column = line && origin.column > 0;
  if (!origin.file.empty()) {
    out += one_line(origin.file) + ":";
    if (line) out += std::to_string(origin.line) + ":";
    if (column) out += std::to_string(origin.column) + ":";
    out += " ";
  } else if (line) {
    out += "line " + std::to_string(origin.line);
    if (column) out += ", column " + std::to_string(origin.column);
    out += ": ";
  }
}

std::string format_with_line(const Diagnostic& diagnostic, std::optional<std::string_view> line) {
  std::string out;
  append_origin(out, diagnostic.origin);
  out += name(diagnostic.severity);
  if (!diagnostic.code.empty()) out += "[" + diagnostic.code + "]";
  if (!diagnostic.what.empty()) out += ": " + one_line(diagnostic.what);
  if (line) append_quote(out, *line, diagnostic.origin.line, diagnostic.origin.column);
  append_part(out, "why", diagnostic.why);
  append_part(out, "fix", diagnostic.fix);
  return out;
}

// Member by member: see Origin on aggregates.
Diagnostic make(Severity severity, std::string code, Origin origin, std::string what, std::string why,
                std::string fix) {
  Diagnostic result;
  result.code = std::move(code);
  result.severity = severity;
  result.origin = std::move(origin);
  result.what = std::move(what);
  result.why = std::move(why);
  result.fix = std::move(fix);
  return result;
}

}  // namespace

Origin::Origin() = default;

Origin::Origin(std::string file_name, int line_number, int column_number)
    : file(std::move(file_name)), line(line_number), column(column_number) {}

const char* name(Severity severity) {
  switch (severity) {
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
    case Severity::error:
      break;
  }
  return "error";
}

Diagnostic make_error(std::string code, Origin origin, std::string what, std::string why, std::string fix) {
  return make(Severity::error, std::move(code), std::move(origin), std::move(what), std::move(why), std::move(fix));
}

Diagnostic make_warning(std::string code, Origin origin, std::string what, std::string why, std::string fix) {
  return make(Severity::warning, std::move(code), std::move(origin), std::move(what), std::move(why), std::move(fix));
}

Diagnostic make_note(std::string code, Origin origin, std::string what, std::string why, std::string fix) {
  return make(Severity::note, std::move(code), std::move(origin), std::move(what), std::move(why), std::move(fix));
}

bool has_errors(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

std::string format(const Diagnostic& diagnostic) {
  return format_with_line(diagnostic, std::nullopt);
}

std::string format(const Diagnostic& diagnostic, std::string_view source_text) {
  return format_with_line(diagnostic, find_line(source_text, diagnostic.origin.line));
}

}  // namespace pintle
