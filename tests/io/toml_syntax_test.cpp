// Files that are not TOML: one problem, said in the words of those who write scenes.
#include "pintle/io/toml/toml_syntax.h"

#include <doctest/doctest.h>

#include "pintle/io/toml/toml_value.h"

namespace pintle {
namespace {

TEST_CASE("the usual mistakes are told apart, with their places and fixes") {
  const struct {
    const char* text;
    int line, column;
    const char* what;
    const char* fix;  ///< a part of it
  } mistakes[] = {
      {"a = \n", 1, 5, "a value is missing", "a text in quotes"},
      {"a =", 1, 4, "a value is missing", "a text in quotes"},
      {"[run\nduration = 1\n", 1, 5, "the header of a table is not closed", "[run]"},
      {"[[body]\nname = \"x\"\n", 1, 8, "the header of a table is not closed", "[[body]]"},
      {"[ [body]]\n", 1, 3, "the two brackets of a header are apart", "[[body]]"},
      {"[run]\nduration = \"1 s\nstep = 1\n", 2, 16, "a text is not closed on its line", "closing quote"},
      {"name = \"x", 1, 10, "a text is not closed before the file ends", "closing quote"},
      {"a = \"\\q\"\n", 1, 7, "a backslash in a text", "single quotes"},
      {"name = 'x'\nname = 'y'\n", 2, 8, "the key 'name' is given twice", "keep one"},
      {"[run]\nstep = 1\n[run]\nrows = 5\n", 3, 1, "the table 'run' is given twice", "[[body]]"},
      {"[[body]]\nname = nut\n", 2, 8, "a text is not in quotes", "\"nut\""},
      {"[[body]]\nname = link_1.a\n", 2, 8, "a text is not in quotes", "\"link_1.a\""},
      {"include = [parts]\n", 1, 12, "a text is not in quotes", "\"parts\""},
      {"a = { type = fixed }\n", 1, 14, "a text is not in quotes", "\"fixed\""},
      {"x = 1 mm\n", 1, 7, "a number with a unit is not in quotes", "\"1 mm\""},
      {"x = -2.5e-3 kg/m^3\n", 1, 13, "a number with a unit is not in quotes", "\"-2.5e-3 kg/m^3\""},
      {"x = 20mm\n", 1, 5, "a number with a unit is not in quotes", "\"20 mm\""},
      {"x = [0, 0, 9 m]\n", 1, 14, "a number with a unit is not in quotes", "\"9 m\""},
      {"x = [0, 0 -9.81]\n", 1, 11, "a comma or the closing ] of an array is missing", "commas"},
      {"x = [0, 0, -9.81\n[run]\n", 2, 1, "a comma or the closing ] of an array is missing", "close the array"},
      {"x = [1, 2", 1, 10, "an array is not closed before the file ends", "]"},
      {"x = [1,, 2]\n", 1, 8, "a value is missing before this comma", "one of the commas"},
      {"x = { a = 1 b = 2 }\n", 1, 13, "a comma or the closing } of a table is missing", "commas"},
      {"x = { a = 1, }\n", 1, 14, "a key is missing behind the last comma", "before the }"},
      {"x = { a = 1\n}\n", 1, 12, "a table in braces goes on in the next line", "[body.joint]"},
      {"x = {\n a = 1 }\n", 1, 6, "a table in braces goes on in the next line", "[body.joint]"},
      {"x = { a = 1", 1, 12, "a table in braces is not closed before the file ends", "}"},
      {"name \"x\"\n", 1, 6, "a '=' is missing between a key and its value", "key = value"},
      {"a = 1 = 2\n", 1, 7, "something follows the value on its line", "a line of its own"},
      {"a = 1.\n", 1, 7, "a digit is missing in a number", "1.0"},
      {"a = 05\n", 1, 7, "a number begins with a zero", "5"},
      {"a = 1__0\n", 1, 7, "an underscore in a number", "1_000"},
      {"a = 1,5\n", 1, 6, "a number has a comma", "1.5"},
      {"a = { b = 1,5 }\n", 1, 12, "a number has a comma", "1.5"},
      {"a = [1e999, 2]\n", 1, 6, "no number of 64 bits can hold this one", "exponent"},
      {"a = 99999999999999999999\n", 1, 5, "no number of 64 bits can hold this one", "digits"},
      {"a = True\n", 1, 5, "true and false have small letters", "write true"},
      {"a = \u201cx\u201d\n", 1, 5, "this is no value", "plain quotes"},
      {"a == 1\n", 1, 4, "this is no value", "a number"},
      {"a = 1\rb = 2\r", 1, 7, "a line ends with a carriage return alone", "line ends"},
      {"[]\n", 1, 2, "", ""},
      {"%\n", 1, 1, "no line of a scene begins like this", "key = value"},
      {"x = \"\xFF\"\n", 1, 5, "this is not TOML", "UTF-8"},
  };
  for (const auto& mistake : mistakes) {
    const std::string text = mistake.text;
    CAPTURE(text);
    const Result<TomlValue> value = parse_toml(text, "f");
    REQUIRE(!value.ok());
    REQUIRE(value.diagnostics().size() == 1);
    const Diagnostic& problem = value.diagnostics()[0];
    const std::string shown = format(problem, text);
    CHECK_MESSAGE(problem.code == "toml-syntax", shown);
    CHECK_MESSAGE(problem.what.starts_with(mistake.what), shown);
    CHECK_MESSAGE(problem.fix.find(mistake.fix) != std::string::npos, shown);
    CHECK_MESSAGE(!problem.fix.empty(), shown);
    CHECK_MESSAGE(problem.origin.line == mistake.line, shown);
    CHECK_MESSAGE(problem.origin.column == mistake.column, shown);
  }
}

TEST_CASE("letters beyond ASCII are no white space, wherever white space may stand") {
  const std::string letters[] = {"\xC2\xA1", "\xC3\xA4", "\xD0\xB6", "\xD2\x98", "\xE1\x9A\x81", "\xE2\x81\xA1"};
  for (const std::string& letter : letters)
    for (const std::string& text : {"a = [1," + letter + "2]\n", "a = " + letter + "1\n", letter + "a = 1\n",
                                    "a = 1 " + letter + "\n", "[a]" + letter + "\n", "a = {" + letter + "}\n"})
      CHECK_MESSAGE(!parse_toml(text, "f").ok(), text);
  CHECK(parse_toml("a = \"\xC3\xA4\" # \xD0\xB6\n", "f").ok());
}

}  // namespace
}  // namespace pintle
