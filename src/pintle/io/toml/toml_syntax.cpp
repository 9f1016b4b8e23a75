#include "pintle/io/toml/toml_syntax.h"

namespace pintle {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || c == '/' || c == '^';
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// The bytes around a position.
struct Surroundings {
  Surroundings(std::string_view text, std::size_t place) : source(text), at(place < text.size() ? place : text.size()) {
    begin = end = at;
    while (begin > 0 && is_word(source[begin - 1])) --begin;
    while (end < source.size() && is_word(source[end])) ++end;
    before = begin;
    while (before > 0 && is_blank(source[before - 1])) --before;
  }

  std::string word() const { return std::string(source.substr(begin, end - begin)); }
  /// The last non-blank byte before the word; 0 at the beginning.
  char last() const { return before > 0 ? source[before - 1] : '\0'; }
  bool at_line_end() const { return at >= source.size() || source[at] == '\n' || source[at] == '\r'; }

  bool is_key() const {
    std::size_t next = end;
    while (next < source.size() && is_blank(source[next])) ++next;
    return next < source.size() && source[next] == '=';
  }

  /// "1" of "1 mm", if the word is the unit; empty if no number precedes it.
  std::string number_before() const {
    std::size_t first = before;
    while (first > 0 && (is_word(source[first - 1]) || source[first - 1] == '+')) --first;
    const std::string_view number = source.substr(first, before - first);
    return number.empty() || is_letter(number[0]) || !is_digit(number.back()) ? std::string() : std::string(number);
  }

  std::string_view source;
  std::size_t at, begin, end, before;
};

/// The parser's message, by the words it begins with, and our explanation.
struct Phrase {
  std::string_view kind, begins;  ///< empty: any
  const char* what;
  const char* fix;
};

constexpr Phrase kPhrases[] = {
    {"string", "unescaped control", "a text is not closed on its line",
     "put the closing quote; a text of several lines stands between \"\"\" and \"\"\""},
    {"string", "encountered end-of-file", "a text is not closed before the file ends", "put the closing quote"},
    {"string", "unknown escape", "a backslash in a text is followed by a letter that means nothing",
     "write \\\\ for a backslash, or put the text in single quotes: 'a\\b'"},
    {"string", "escape sequence", "a backslash in a text is followed by a letter that means nothing",
     "write \\\\ for a backslash, or put the text in single quotes: 'a\\b'"},
    {"", "expected value, saw", "a value is missing",
     "write a number, a text in quotes, true or false, an array [1, 2] or a table { a = 1 }"},
    {"key-value pair", "encountered end-of-file", "a value is missing: the file ends here",
     "write a number, a text in quotes, true or false, an array [1, 2] or a table { a = 1 }"},
    {"", "expected value or closing ']', saw comma", "a value is missing before this comma",
     "leave out one of the commas"},
    {"", "expected comma or closing ']'", "a comma or the closing ] of an array is missing before this",
     "separate values by commas, and close the array: [0, 0, -9.81]"},
    {"array", "encountered end-of-file", "an array is not closed before the file ends", "put the closing ]"},
    {"", "expected comma or closing '}'", "a comma or the closing } of a table is missing before this",
     "separate keys by commas, and close the table: { radius = 1, length = 2 }"},
    {"", "expected key-value pair, saw closing '}'", "a key is missing behind the last comma",
     "leave out the comma before the }"},
    {"", "expected key-value pair or closing '}', saw comma", "a key is missing before this comma",
     "leave out one of the commas"},
    {"inline table", "encountered end-of-file", "a table in braces is not closed before the file ends",
     "put the closing }"},
    {"", "expected key or closing '}'", "a key or the closing } of a table is missing",
     "write keys without quotes: { radius = 1, length = 2 }"},
    {"table header", "expected ']'", "the header of a table is not closed", "close it: [run], or [[body]]"},
    {"table header", "encountered end-of-file", "the header of a table is not closed", "close it: [run], or [[body]]"},
    {"", "[[array-of-table]]", "the two brackets of a header are apart", "write [[body]] without spaces between them"},
    {"", "tables with blank bare keys", "the header of a table has no name", "name it: [run], or [[body]]"},
    {"", "expected '=', saw", "a '=' is missing between a key and its value", "write key = value"},
    {"", "expected a comment or whitespace", "something follows the value on its line",
     "give each key a line of its own; a comment begins with #"},
    {"", "leading zeroes", "a number begins with a zero", "leave out the zero: 5, not 05"},
    {"floating-point", "expected decimal digit", "a digit is missing in a number",
     "write digits on both sides of the point: 1.0, 0.5"},
    {"", "hexadecimal floating-point", "a number is hexadecimal", "write it in decimal digits"},
    {"", "missing exponent", "the exponent of a number is missing", "write it, as in 1e-3"},
    {"", "underscores", "an underscore in a number is not between digits", "write 1000, or 1_000"},
    {"", "exceeded maximum nested value depth", "arrays or tables are too deep within each other: more than 256",
     "nothing in a scene needs more than a few"},
    {"", "could not determine value type", "this is no value",
     "write a number, a text in plain quotes (\"), true or false, an array [1, 2] or a table { a = 1 }"},
    {"", "expected '\\n' after '\\r'", "a line ends with a carriage return alone",
     "save the file with line ends of Unix or Windows"},
    {"", "expected keys, tables, whitespace or comments", "no line of a scene begins like this",
     "a line is a key = value, a [header] or a # comment"},
    {"", "expected bare key starting character", "a key is missing, or begins with a character that cannot be in one",
     "keys are made of letters, digits, _ and -; others go in quotes"},
};

bool is_unquoted_text(const Surroundings& around, std::string_view kind, std::string_view what) {
  const char last = around.last();
  const bool in_value = last == '=' || ((last == '[' || last == ',') && kind != "table header" && kind != "key" &&
                                        !what.starts_with("expected '"));
  return in_value && around.begin < around.end && is_letter(around.source[around.begin]) && around.word() != "true" &&
         around.word() != "false";
}

/// "1 mm" of 1 mm or 1mm without quotes; empty if there is none.
std::string unquoted_quantity(const Surroundings& around) {
  const std::string word = around.word();
  if (word.empty() || around.is_key()) return {};
  if (is_letter(word[0])) {
    const std::string number = around.last() == '=' ? std::string() : around.number_before();
    return number.empty() ? number : number + " " + word;
  }
  std::size_t unit = 0;
  while (unit < word.size() && !is_letter(word[unit])) ++unit;
  const bool exponent =
      unit + 1 < word.size() && (word[unit] == 'e' || word[unit] == 'E') && !is_letter(word[unit + 1]);
  const bool number = unit < word.size() && !exponent && is_digit(word[unit - 1]) && word.substr(0, unit) != "0";
  return number ? word.substr(0, unit) + " " + word.substr(unit) : std::string();
}

/// The comma of 1,5 at or before a position; npos if there is none.
std::size_t decimal_comma(const Surroundings& around) {
  const std::string_view source = around.source;
  const auto digit = [&](std::size_t i) { return i < source.size() && is_digit(source[i]); };
  std::size_t comma = around.at;
  if (comma < source.size() && source[comma] != ',') {
    while (comma > 0 && is_blank(source[comma - 1])) --comma;
    while (comma > 0 && is_digit(source[comma - 1])) --comma;
    if (comma > 0) --comma;
  }
  const bool found = comma > 0 && comma < source.size() && source[comma] == ',' && digit(comma - 1) && digit(comma + 1);
  return found ? comma : std::string_view::npos;
}

/// "True" and similar words as TOML writes them; empty for all other words.
std::string truth(std::string word) {
  for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return word == "true" || word == "false" ? word : std::string();
}

/// "cannot redefine existing KIND 'KEY'".
TomlMistake given_twice(std::size_t at, std::string_view what) {
  const std::size_t quote = what.find('\'');
  const std::string key(quote == std::string_view::npos ? std::string_view("'it'") : what.substr(quote));
  if (what.find("existing table") == std::string_view::npos && what.find("existing array") == std::string_view::npos)
    return {at, "the key " + key + " is given twice", "", "keep one of the two"};
  return {at, "the table " + key + " is given twice", "",
          "put all its keys under one header; several of a kind stand under double brackets, [[body]]"};
}

}  // namespace

TomlMistake explain_toml_mistake(std::string_view source, std::size_t at, std::string description) {
  constexpr std::string_view kBegin = "Error while parsing ";
  std::string_view what = description, kind;
  const std::size_t colon = what.find(": ");
  if (what.starts_with(kBegin) && colon != std::string_view::npos) {
    kind = what.substr(kBegin.size(), colon - kBegin.size());
    what = what.substr(colon + 2);
  }
  const Surroundings around(source, at);
  const bool in_text = kind.find("string") != std::string_view::npos || kind == "comment";
  const std::string quantity = in_text ? std::string() : unquoted_quantity(around);
  if (!quantity.empty())
    return {around.begin, "a number with a unit is not in quotes", "TOML has numbers, but no units",
            "write \"" + quantity + "\""};
  if (!in_text && is_unquoted_text(around, kind, what)) {
    const std::string flag = truth(around.word());
    return {around.begin, flag.empty() ? "a text is not in quotes" : "true and false have small letters",
            flag.empty() ? "only numbers, true and false stand without" : "",
            flag.empty() ? "write \"" + around.word() + "\"" : "write " + flag};
  }
  if (what.find("could not be interpreted as a value") != std::string_view::npos ||
      what.find("is not representable in 64 bits") != std::string_view::npos)
    return {around.begin, "no number of 64 bits can hold this one", "", "check its digits and its exponent"};
  const bool misses_key = what.starts_with("expected '='");
  const std::size_t comma = decimal_comma(around);
  if (comma != std::string_view::npos && (misses_key || what.starts_with("expected a comment or whitespace")))
    return {comma, "a number has a comma", "", "write a decimal point: 1.5"};
  if (what.starts_with("cannot redefine")) return given_twice(at, what);
  if (around.at_line_end() && (kind == "inline table" || what.find("closing '}'") != std::string_view::npos) &&
      at < source.size())
    return {at, "a table in braces goes on in the next line", "TOML wants { ... } on one line",
            "close it by } on this line, or write it under a header of its own: [body.joint]"};
  for (const Phrase& phrase : kPhrases)
    if ((phrase.kind.empty() || phrase.kind == kind) && what.starts_with(phrase.begins))
      return {at, phrase.what, "", phrase.fix};
  const bool is_utf8 = what.find("UTF-8") != std::string_view::npos || what.find("utf-8") != std::string_view::npos;
  return {at, "this is not TOML: " + std::string(what), "",
          is_utf8 ? "save the file as UTF-8" : "compare it with an example: pintle scenes NAME prints one"};
}

}  // namespace pintle
