#include "pintle/io/xml/xml_mistake.h"

#include <algorithm>
#include <vector>

namespace pintle {
namespace {

struct OpenTag {
  std::string_view name;
  std::size_t at;
};

/// The byte after the next `ending`, or the end of the text.
std::size_t behind(std::string_view text, std::size_t at, std::string_view ending) {
  const std::size_t found = text.find(ending, at);
  return found == std::string_view::npos ? text.size() : found + ending.size();
}

/// The byte after the `>` of a tag; a `>` in quotes does not count.
std::size_t end_of_tag(std::string_view text, std::size_t at) {
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return at + 1;
    }
  }
  return at;
}

/// The byte after the `>` of a declaration, which may contain others.
std::size_t end_of_declaration(std::string_view text, std::size_t at) {
  for (int depth = 0; at < text.size();) {
    if (text[at] == '<') ++depth;
    if (text[at] == '>' && --depth == 0) return at + 1;
    const bool quoted = text[at] == '"' || text[at] == '\'';
    at = quoted ? behind(text, at + 1, text.substr(at, 1)) : at + 1;
  }
  return at;
}

enum class TagKind : unsigned char { none, opening, closing, whole, cdata, other };

/// The text between `<` and `>`.
struct Tag {
  TagKind kind = TagKind::none;
  std::size_t begin = std::string_view::npos, end = std::string_view::npos;
  std::string_view name{};
};

Tag next_tag(std::string_view text, std::size_t from) {
  const std::size_t at = text.find('<', from);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("<!--")) return {TagKind::other, at, behind(text, at + 4, "-->")};
  if (rest.starts_with("<![CDATA[")) return {TagKind::cdata, at, behind(text, at, "]]>")};
  if (rest.starts_with("<?")) return {TagKind::other, at, behind(text, at, "?>")};
  if (rest.starts_with("<!")) return {TagKind::other, at, end_of_declaration(text, at)};
  if (rest.starts_with("</")) {
    const std::string_view name = rest.substr(2, rest.find_first_of(" \t\r\n>", 2) - 2);
    return {TagKind::closing, at, behind(text, at, ">"), name};
  }
  const std::string_view name = rest.substr(1, rest.find_first_of(" \t\r\n/>", 1) - 1);
  const std::size_t end = end_of_tag(text, at);
  return {text.substr(0, end).ends_with("/>") ? TagKind::whole : TagKind::opening, at, end, name};
}

std::string line_of(std::string_view text, std::size_t at) {
  return std::to_string(place_in(text, at).line);
}

XmlMistake wrong_end(std::string_view text, std::size_t at, std::string_view name, const std::vector<OpenTag>& open) {
  const std::string tag = "</" + std::string(name) + ">";
  if (open.empty()) return {at, tag + " closes nothing", "no element is open here", "remove it"};
  const std::string inner = "<" + std::string(open.back().name) + ">";
  XmlMistake mistake{at, tag + " appears where " + inner + " must be closed first",
                     inner + " of line " + line_of(text, open.back().at) + " is still open",
                     "write </" + std::string(open.back().name) + "> before it, or end " + inner + " with \"/>\""};
  const auto is_it = [&](const OpenTag& other) { return other.name == name; };
  if (std::none_of(open.begin(), open.end(), is_it)) {
    mistake.what = tag + " closes nothing";
    mistake.fix = "write </" + std::string(open.back().name) + "> instead, or remove it";
  }
  return mistake;
}

}  // namespace

TextPlace place_in(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  const std::string_view before = text.substr(0, at);
  const std::size_t newline = before.rfind('\n');
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  return {1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')), 1 + static_cast<int>(at - start)};
}

XmlMistake find_wrong_tag(std::string_view text, std::size_t end) {
  std::vector<OpenTag> open;
  for (Tag tag = next_tag(text, 0); tag.kind != TagKind::none && tag.begin <= end; tag = next_tag(text, tag.end)) {
    if (tag.kind == TagKind::opening) open.push_back({tag.name, tag.begin});
    if (tag.kind != TagKind::closing) continue;
    if (open.empty() || open.back().name != tag.name) return wrong_end(text, tag.begin, tag.name, open);
    open.pop_back();
  }
  if (open.empty()) return {};
  const std::string name(open.back().name);
  return {open.back().at, "<" + name + "> is never closed", "the file ends before </" + name + ">",
          "write </" + name + "> where it ends, or end it with \"/>\""};
}

std::size_t find_stray_text(std::string_view text) {
  int depth = 0;
  std::size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  for (;;) {
    const Tag tag = next_tag(text, at);
    const std::size_t stray = text.find_first_not_of(kXmlSpaces, at);
    if (depth == 0 && stray < tag.begin) return stray;
    if (tag.kind == TagKind::none) return std::string_view::npos;
    if (tag.kind == TagKind::cdata && depth == 0) return tag.begin;
    if (tag.kind == TagKind::opening) ++depth;
    if (tag.kind == TagKind::closing) --depth;
    at = tag.end;
  }
}

}  // namespace pintle
