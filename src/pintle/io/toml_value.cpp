// The one file that knows toml++, which is compiled into it: nothing of it is needed at run time.
#include "pintle/io/toml_value.h"

#include <algorithm>

#define TOML_ENABLE_FORMATTERS 0
// Some of its assertions do not hold for files that are not TOML, such as "[=]". They would abort, or in optimised
// builds be taken for granted; without them the same files are refused as they should be.
#include <toml++/impl/preprocessor.h>
#undef TOML_ASSERT
#undef TOML_ASSERT_ASSUME
#define TOML_ASSERT(expression) static_assert(true)
#define TOML_ASSERT_ASSUME(expression) static_assert(true)
#include <toml++/toml.h>

namespace pintle {
namespace {

/// toml++ destroys what it has read by recursion, so the depth must have a bound before it begins.
constexpr int kMostParts = 16;

Diagnostic syntax_problem(const std::string& file, int line, int column, std::string what, std::string why,
                          std::string fix) {
  Diagnostic problem;
  problem.code = "toml-syntax";
  problem.origin = Origin(file, line, column);
  problem.what = std::move(what);
  problem.why = std::move(why);
  problem.fix = std::move(fix);
  return problem;
}

/// Counts the dots of keys, passing over texts and comments.
class DotCounter {
 public:
  explicit DotCounter(std::string_view text) : text_(text) {}

  /// The byte at which a key has too many parts, or npos.
  std::size_t find() {
    int dots = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_text(c);
        continue;
      }
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
        continue;
      }
      if (c == '.' && ++dots >= kMostParts) return at_;
      if (c == '\n' || c == ',' || c == '=' || c == '[' || c == '{') dots = 0;
      ++at_;
    }
    return std::string_view::npos;
  }

 private:
  void skip_text(char quote) {
    const std::string three(3, quote);
    const bool many_lines = text_.substr(at_, 3) == three;
    at_ += many_lines ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\' && quote == '"') {
        ++at_;
      } else if (many_lines && text_.substr(at_, 3) == three) {
        at_ += 3;
        return;
      } else if (!many_lines && (text_[at_] == quote || text_[at_] == '\n')) {
        ++at_;
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Places of toml++ count characters, ours bytes.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {
    begins_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') begins_.push_back(i + 1);
  }

  std::size_t byte(const toml::source_position& place) {
    if (place.line == 0 || place.line > begins_.size()) return text_.size();
    const std::size_t begin = begins_[place.line - 1];
    if (place.line != line_ || place.column < column_) {
      line_ = place.line;
      column_ = 1;
      at_ = begin;
      if (begin == 0 && text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
    }
    for (; column_ < place.column && at_ < text_.size() && text_[at_] != '\n'; ++column_) {
      ++at_;
      while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xC0) == 0x80) ++at_;
    }
    return at_;
  }

  int line_of(std::size_t at) const {
    return static_cast<int>(std::upper_bound(begins_.begin(), begins_.end(), at) - begins_.begin());
  }
  int column_of(std::size_t at) const {
    return static_cast<int>(at - begins_[static_cast<std::size_t>(line_of(at)) - 1]) + 1;
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> begins_;  // of lines
  toml::source_index line_ = 0, column_ = 1;
  std::size_t at_ = 0;  // the byte of the last place asked for: the next is mostly a little farther
};

class Converter {
 public:
  explicit Converter(std::string_view source) : source_(source), places_(source) {}

  TomlValue value(const toml::node& node) {
    TomlValue result;
    const std::size_t at = places_.byte(node.source().begin);
    result.line = places_.line_of(at);
    result.column = places_.column_of(at);
    if (const toml::table* const table = node.as_table()) {
      read_table(*table, result);
    } else if (const toml::array* const array = node.as_array()) {
      result.kind = TomlValue::Kind::array;
      result.items.reserve(array->size());
      for (const toml::node& item : *array) result.items.push_back(value(item));
    } else if (const auto* const text = node.as_string()) {
      result.kind = TomlValue::Kind::text;
      result.text = text->get();
      place_text(at, result);
    } else if (const auto* const whole = node.as_integer()) {
      result.kind = TomlValue::Kind::whole;
      result.whole = whole->get();
      result.number = static_cast<double>(whole->get());
    } else if (const auto* const number = node.as_floating_point()) {
      result.kind = TomlValue::Kind::number;
      result.number = number->get();
    } else if (const auto* const flag = node.as_boolean()) {
      result.kind = TomlValue::Kind::flag;
      result.flag = flag->get();
    } else {
      result.kind = TomlValue::Kind::date;
    }
    return result;
  }

  Diagnostic problem(const toml::parse_error& error, const std::string& file) {
    const std::size_t at = places_.byte(error.source().begin);
    std::string what(error.description());
    std::string why = "nothing of the file can be read before this is mended";
    constexpr std::string_view kBegin = "Error while parsing ";
    const std::size_t colon = what.find(": ");
    if (what.starts_with(kBegin) && colon != std::string::npos) {
      why = "it was read as a " + what.substr(kBegin.size(), colon - kBegin.size()) + "; " + why;
      what = what.substr(colon + 2);
    }
    return syntax_problem(file, places_.line_of(at), places_.column_of(at), "this is not TOML: " + what, why, "");
  }

 private:
  void read_table(const toml::table& table, TomlValue& result) {
    struct Entry {
      const toml::key* key;
      const toml::node* node;
    };
    std::vector<Entry> entries;
    for (const auto& [key, node] : table) entries.push_back({&key, &node});
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.key->source().begin < b.key->source().begin; });
    result.members.reserve(entries.size());
    for (const Entry& entry : entries) {
      const std::size_t at = places_.byte(entry.key->source().begin);
      TomlMember member;
      member.key = std::string(entry.key->str());
      member.line = places_.line_of(at);
      member.column = places_.column_of(at);
      member.value = value(*entry.node);
      result.members.push_back(std::move(member));
    }
  }

  void place_text(std::size_t at, TomlValue& result) const {
    const bool many_lines = source_.substr(at, 3) == "\"\"\"" || source_.substr(at, 3) == "'''";
    at += many_lines ? 3 : 1;
    if (many_lines && source_.substr(at, 1) == "\r") ++at;
    if (many_lines && source_.substr(at, 1) == "\n") ++at;
    at = std::min(at, source_.size());
    const bool as_written = source_.substr(at, result.text.size()) == result.text;
    result.text_line = places_.line_of(at);
    result.text_column = as_written ? places_.column_of(at) : 0;
  }

  std::string_view source_;
  Places places_;
};

}  // namespace

const TomlValue* TomlValue::find(std::string_view key) const {
  for (const TomlMember& member : members)
    if (member.key == key) return &member.value;
  return nullptr;
}

const char* type_name(TomlValue::Kind kind) {
  switch (kind) {
    case TomlValue::Kind::table:
      return "a table";
    case TomlValue::Kind::array:
      return "an array";
    case TomlValue::Kind::text:
      return "a text";
    case TomlValue::Kind::whole:
      return "a whole number";
    case TomlValue::Kind::number:
      return "a number";
    case TomlValue::Kind::flag:
      return "true or false";
    case TomlValue::Kind::date:
      break;
  }
  return "a date or a time";
}

Result<TomlValue> parse_toml(std::string_view text, const std::string& file) {
  Converter converter(text);
  if (const std::size_t at = DotCounter(text).find(); at != std::string_view::npos) {
    const Places places(text);
    return syntax_problem(file, places.line_of(at), places.column_of(at),
                          "a key has more than " + std::to_string(kMostParts) + " parts", "no key of a scene does", "");
  }
  try {
    const toml::table root = toml::parse(text);
    return converter.value(root);
  } catch (const toml::parse_error& error) {
    return converter.problem(error, file);
  }
}

}  // namespace pintle
