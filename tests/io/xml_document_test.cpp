#include "pintle/io/xml/xml_document.h"

#include <doctest/doctest.h>

#include "pintle/base/random.h"

namespace pintle {
namespace {

std::string nobody(const XmlElement&) {
  return {};
}

Diagnostic problem_of(std::string_view text, const XmlLimits& limits = {}) {
  const Result<XmlDocument> document = parse_xml(text, "a.xml", limits);
  REQUIRE(!document.ok());
  return document.diagnostics().at(0);
}

void check_problem(std::string_view text, const char* code, int line, int column, const char* what) {
  CAPTURE(text);
  const Diagnostic problem = problem_of(text);
  CHECK(problem.code == code);
  CHECK(problem.origin.file == "a.xml");
  CHECK(problem.origin.line == line);
  CHECK(problem.origin.column == column);
  CHECK(problem.what == what);
  CHECK(!problem.fix.empty());
}

TEST_CASE("every element, attribute and text has its place") {
  const XmlDocument document = *parse_xml(
      "\xef\xbb\xbf<?xml version='1.0'?>\r\n<!-- <no> -->\n<robot name=\"a\">\n  <link\n   name = 'b&amp;c' x=\"\"/>\n"
      "  <t> hello <![CDATA[<you>]]> </t>\n</robot>\n",
      "a.xml");
  const XmlElement& root = document.root;
  CHECK(root.name == "robot");
  CHECK(root.line == 3);
  CHECK(root.column == 1);
  CHECK(root.find("name")->value == "a");
  CHECK(root.find("name")->column == 8);
  CHECK(root.find("name")->value_column == 14);
  REQUIRE(root.children.size() == 2);
  const XmlElement& link = root.children[0];
  CHECK(link.line == 4);
  CHECK(link.column == 3);
  CHECK(link.find("name")->value == "b&c");
  CHECK(link.find("name")->line == 5);
  CHECK(link.find("name")->column == 4);
  CHECK(link.find("name")->value_column == 12);
  CHECK(!link.find("name")->plain);
  CHECK(link.find("x")->value.empty());
  CHECK(link.find("x")->value_column == 24);
  CHECK(link.find("x")->plain);
  CHECK(link.find("y") == nullptr);
  CHECK(root.children[1].text == "hello <you>");
  CHECK(root.children[1].text_line == 6);
  CHECK(root.children[1].text_column == 7);
  CHECK(document.value_origin_of(*root.find("name"), 1).column == 15);
}

TEST_CASE("what is not XML is told with its place, its cause and its fix") {
  check_problem("<a>\n <b>\n</a>", "xml-syntax", 3, 1, "</a> appears where <b> must be closed first");
  CHECK(problem_of("<a>\n <b>\n</a>").why == "<b> of line 2 is still open");
  check_problem("<a>\n <b></c></b></a>", "xml-syntax", 2, 5, "</c> closes nothing");
  check_problem("<a>\n <b c=\">\">", "xml-syntax", 2, 2, "<b> is never closed");
  check_problem("<a><b x=1/></a>", "xml-syntax", 1, 9, "this is not an attribute");
  check_problem("<a><!-- </a>", "xml-syntax", 1, 4, "a comment is not closed");
  check_problem("", "xml-syntax", 1, 1, "the file has no element");
  check_problem("solid mesh", "xml-syntax", 1, 1, "the file has no element");
  check_problem("<a/>\n<b/>", "xml-syntax", 2, 1, "there is a second root element beside <a>");
  check_problem("<a/>\nrubbish", "xml-syntax", 2, 1, "there is text outside the root element");
  check_problem("x <a/>", "xml-syntax", 1, 1, "there is text outside the root element");
  check_problem("<a b=\"1\" c=\"2\"\n b=\"3\"/>", "xml-attribute-twice", 2, 2, "<a> has 'b' twice");
  check_problem("<a b=\"x&y;\"/>", "xml-entity", 1, 8, "'&' begins an entity that is not known");
  check_problem("<a>5 & 6</a>", "xml-entity", 1, 6, "'&' begins an entity that is not known");
  check_problem("<a>&#65</a>", "xml-entity", 1, 4, "'&' begins an entity that is not known");
  check_problem("<a b=\"\xe4\"/>", "xml-encoding", 1, 7, "the file is not UTF-8 text");
  check_problem(std::string_view("\xff\xfe<\0a\0/\0>\0", 10), "xml-encoding", 1, 1, "the file is in UTF-16");
  check_problem(std::string_view("<a/>\0", 5), "xml-encoding", 1, 5, "the file is not UTF-8 text");
}

TEST_CASE("no entity is expanded, nothing is fetched") {
  CHECK(problem_of("<!DOCTYPE a [<!ENTITY x \"yyyy\">]>\n<a>&x;</a>").code == "xml-doctype");
  CHECK(problem_of("<!DOCTYPE a SYSTEM 'file:///etc/passwd' [<!ENTITY x SYSTEM 'y'>]>\n<a/>").code == "xml-doctype");
  const auto several = parse_xml("<!DOCTYPE a [<!ENTITY x 'y>'><!ENTITY z \"&x;\">]>\n<a/>", "a.xml");
  CHECK(several.diagnostics().size() == 1);  // what it declares is no text outside of the outermost element
  CHECK(parse_xml("<!DOCTYPE robot>\n<a>&lt;&#65;&#x41;</a>", "a.xml")->root.text == "<AA");
}

TEST_CASE("size, depth and counts are limited") {
  XmlLimits limits;
  limits.depth = 3;
  CHECK(parse_xml("<a><b><c/></b></a>", "a.xml", limits).ok());
  CHECK(problem_of("<a><b><c><d/></c></b></a>", limits).what == "elements are more than 3 deep");
  limits.elements = 2;
  CHECK(problem_of("<a><b/><b/></a>", limits).what == "elements are more than 2");
  limits.attributes = 1;
  CHECK(problem_of("<a b='' c=''/>", limits).what == "there are more than 1 attributes");
  limits.bytes = 3;
  CHECK(problem_of("<a/>", limits).code == "xml-limit");
  // A text as deep as it is long neither overflows a stack nor takes long.
  std::string deep;
  for (int i = 0; i < 300000; ++i) deep += "<a>";
  CHECK(problem_of(deep).code == "xml-syntax");
  for (int i = 0; i < 300000; ++i) deep += "</a>";
  CHECK(problem_of(deep).what == "elements are more than 64 deep");
}

TEST_CASE("the report has every part once, in the order of the file") {
  XmlDocument document = *parse_xml("<r a=''>\n<b c=''/> text\n<d e=''>in<f g=''/></d>\n<h/></r>", "a.xml");
  LossReport report = loss_report(document, nobody);
  REQUIRE(report.entries.size() == 11);
  for (std::size_t i = 1; i < report.entries.size(); ++i) {
    const LossEntry &a = report.entries[i - 1], &b = report.entries[i];
    CHECK((a.line < b.line || (a.line == b.line && a.column < b.column)));
  }
  CHECK(report.entries[0].inside == 10);
  CHECK(report.losses().size() == 1);
  document.root.status = ElementStatus::read;
  document.root.find("a")->status = ElementStatus::idle;
  document.root.children[1].status = ElementStatus::read;
  document.root.children[1].find("e")->status = ElementStatus::approximated;
  report = loss_report(document, nobody);
  CHECK(report.count(ElementStatus::read) == 2);
  CHECK(report.count(ElementStatus::idle) == 1);
  CHECK(report.count(ElementStatus::approximated) == 1);
  CHECK(report.count(ElementStatus::ignored) == 7);
  std::string texts;
  for (const LossEntry& loss : report.losses()) texts += text_of(loss) + " ";
  CHECK(texts == "<b> the text in <r> <d e> the text in <d> <f> <h> ");

  report.mark(Origin("a.xml", 3, 1), ElementStatus::ignored, "for a test");
  texts.clear();
  for (const LossEntry& loss : report.losses()) texts += text_of(loss) + " ";
  CHECK(texts == "<b> the text in <r> <d> <h> ");
  CHECK(report.count(ElementStatus::ignored) == 9);
  report.mark(Origin("a.xml", 3, 2), ElementStatus::read, "nothing begins here");
  CHECK(report.count(ElementStatus::ignored) == 9);
}

TEST_CASE("damaged texts are documents or are refused, with a place of the file") {
  const std::string sound =
      "<?xml version=\"1.0\"?>\n<robot name=\"r\" xmlns:x='y'><!-- c --><link name=\"a&lt;b\"/>\n "
      "<t>text<![CDATA[x]]></t></robot>";
  RandomStream random(7, 0);
  for (int round = 0; round < 3000; ++round) {
    std::string text = sound;
    for (int i = 0; i < 3; ++i) {
      const std::size_t at = static_cast<std::size_t>(random.uniform() * static_cast<double>(text.size()));
      const char with = "<>/\"'&;!- a="[static_cast<int>(random.uniform() * 12)];
      if (random.uniform() < 0.5) {
        text[at] = with;
      } else {
        text.erase(at, 1);
      }
    }
    const Result<XmlDocument> document = parse_xml(text, "a.xml");
    for (const Diagnostic& problem : document.diagnostics()) {
      CAPTURE(text);
      CHECK(problem.origin.line >= 1);
      CHECK(problem.origin.line <= 3);
      CHECK(!problem.fix.empty());
    }
  }
}

}  // namespace
}  // namespace pintle
