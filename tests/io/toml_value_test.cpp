#include "pintle/io/toml/toml_value.h"

#include <doctest/doctest.h>

namespace pintle {
namespace {

std::string place(const TomlValue& value) {
  return std::to_string(value.line) + ":" + std::to_string(value.column);
}

std::string text_place(const TomlValue& value) {
  return std::to_string(value.text_line) + ":" + std::to_string(value.text_column);
}

TEST_CASE("values keep their places, in bytes of their lines") {
  const TomlValue root = *parse_toml(
      "\xEF\xBB\xBF"
      "a = 1\n# \xC3\xB6\nb = [ '\xC3\xB6\xC3\xB6', 2.5, true ]\n[[c]]\nd.e = \"x\"\n",
      "f");
  CHECK(place(*root.find("a")) == "1:8");  // behind the byte order mark
  const TomlValue& b = *root.find("b");
  CHECK(place(b.items.at(0)) == "3:7");
  CHECK(b.items.at(0).text == "\xC3\xB6\xC3\xB6");
  CHECK(place(b.items.at(1)) == "3:15");
  CHECK(b.items.at(1).number == 2.5);
  CHECK(b.items.at(2).flag);
  const TomlValue& c = root.find("c")->items.at(0);
  CHECK(place(c) == "4:1");
  CHECK(c.members.at(0).column == 1);
  CHECK(c.find("d")->members.at(0).column == 3);
  CHECK(root.find("z") == nullptr);
}

TEST_CASE("members are in the order of the file") {
  const TomlValue root = *parse_toml("z = 1\na = { y = 1, b = 2 }\nm = 3\n", "f");
  CHECK(root.members.at(0).key == "z");
  CHECK(root.members.at(1).value.members.at(0).key == "y");
  CHECK(root.members.at(2).key == "m");
}

TEST_CASE("within a text as it is written everything can be pointed at") {
  const TomlValue root =
      *parse_toml("a = \"x\"\nb = 'x'\nc = \"\"\"\r\nx\ny\"\"\"\nd = '''x'''\ne = \"\\u0041x\"\n", "f");
  CHECK(text_place(*root.find("a")) == "1:6");
  CHECK(text_place(*root.find("b")) == "2:6");
  CHECK(text_place(*root.find("c")) == "4:1");
  CHECK(text_place(*root.find("d")) == "6:8");
  CHECK(text_place(*root.find("e")) == "7:0");
}

TEST_CASE("dates are values too, and no scene wants one") {
  CHECK(parse_toml("a = 2020-01-01\n", "f")->find("a")->kind == TomlValue::Kind::date);
}

TEST_CASE("what is nested without end is refused and not followed") {
  const auto repeated = [](const std::string& text, int n) {
    std::string all;
    for (int i = 0; i < n; ++i) all += text;
    return all;
  };
  for (const std::string& text :
       {repeated("a.", 300000) + "a = 1", "[" + repeated("a.", 300000) + "a]",
        "[[" + repeated("'=' . ", 300000) + "a]]", "x = " + repeated("[", 300000), "x = " + repeated("{ a = ", 300000),
        "x = " + repeated("{ a.b.c.d.e.f = ", 300000), "x = " + repeated("[{ a = ", 300000)}) {
    const Result<TomlValue> root = parse_toml(text, "f");
    CHECK(!root.ok());
    CHECK(root.diagnostics().size() == 1);
  }
  CHECK(parse_toml("x = [" + repeated("1.5, ", 1000) + "]", "f").ok());
  CHECK(parse_toml("x = \"" + repeated("a.", 1000) + "\" # " + repeated("a.", 1000), "f").ok());
}

}  // namespace
}  // namespace pintle
