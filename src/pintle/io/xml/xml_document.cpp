#include "pintle/io/xml/xml_document.h"

#include <algorithm>
#include <iterator>
#include <pugixml.hpp>

#include "pintle/io/xml/xml_mistake.h"
#include "pintle/text/utf8.h"

namespace pintle {
namespace {

Origin origin_at(std::string_view text, const std::string& file, std::size_t at) {
  const TextPlace place = place_in(text, at);
  return {file, place.line, place.column};
}

/// Explanations of the parser's status codes.
struct Status {
  pugi::xml_parse_status status;
  const char *what, *fix;
  const char* from = nullptr;  ///< the opening of the unclosed part
};
constexpr Status kStatuses[] = {
    {pugi::status_unrecognized_tag, "there is no name after '<'", "write &lt; for the character itself"},
    {pugi::status_bad_pi, "a processing instruction is not closed", "end it with ?>", "<?"},
    {pugi::status_bad_comment, "a comment is not closed", "end it with -->", "<!--"},
    {pugi::status_bad_cdata, "a CDATA section is not closed", "end it with ]]>", "<![CDATA["},
    {pugi::status_bad_doctype, "the document type is not closed", "leave it out"},
    {pugi::status_bad_pcdata, "a text is truncated", "close the element that contains it"},
    {pugi::status_bad_start_element, "a tag is not closed", "end it with > or />"},
    {pugi::status_bad_attribute, "this is not an attribute", "write name=\"value\", in quotes, with a space before it"},
    {pugi::status_bad_end_element, "a closing tag is truncated", "end it with >"},
    {pugi::status_no_document_element, "the file has no element", "name a file that holds XML", ""},
};

/// The problem of a text that the parser refused.
Diagnostic syntax_problem(std::string_view text, const std::string& file, const pugi::xml_parse_result& result) {
  const std::size_t at = std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)), text.size());
  if (result.status == pugi::status_end_element_mismatch) {
    const XmlMistake mistake = find_wrong_tag(text, at);
    if (!mistake.what.empty()) {
      return make_error("xml-syntax", origin_at(text, file, mistake.at), mistake.what, mistake.why, mistake.fix);
    }
  }
  Status status{result.status, "the tags do not match", "close every element in the reverse order of opening"};
  for (const Status& known : kStatuses)
    if (known.status == result.status) status = known;
  std::size_t begin = at;
  if (status.from != nullptr) begin = *status.from == 0 ? 0 : text.substr(0, at + 1).rfind(status.from);
  return make_error("xml-syntax", origin_at(text, file, begin == std::string_view::npos ? at : begin), status.what,
                    "the file is not valid XML from here on", status.fix);
}

/// What the parser does not detect: bytes that are not text.
Diagnostics check_bytes(std::string_view text, const std::string& file, const XmlLimits& limits) {
  if (text.size() > limits.bytes) {
    return {make_error(
        "xml-limit", origin_at(text, file, 0), "the file has more than " + std::to_string(limits.bytes) + " bytes",
        "larger files are not read, so that a wrong file name does no harm", "check that it is the right file")};
  }
  const bool wide = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
  const std::size_t nul = text.find('\0');
  std::size_t wrong = wide ? 0 : nul;
  if (wrong == std::string_view::npos) {
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (std::all_of(text.begin(), text.end(), is_ascii)) return {};
    const std::string valid = valid_utf8(text);
    if (valid == text) return {};
    const auto differs = std::mismatch(text.begin(), text.end(), valid.begin(), valid.end());
    wrong = static_cast<std::size_t>(differs.first - text.begin());
  }
  return {make_error("xml-encoding", origin_at(text, file, wrong),
                     wide ? "the file is in UTF-16" : "the file is not UTF-8 text", "only UTF-8 is read",
                     "save it as UTF-8")};
}

/// Converts the parser's result to plain data.
class DocumentMaker {
 public:
  /// The parser modified `parsed`, a copy of `text`; positions are the same in both.
  DocumentMaker(std::string_view text, const std::string& file, const std::string& parsed, const XmlLimits& limits)
      : text_(text), file_(file), begin_(parsed.data()), limits_(limits) {
    lines_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') lines_.push_back(i + 1);
  }

  Result<XmlDocument> make(const pugi::xml_document& parsed) {
    XmlDocument document;
    document.file = file_;
    int roots = 0;
    for (const pugi::xml_node node : parsed.children()) {
      if (node.type() == pugi::node_doctype) check_doctype(node);
      if (node.type() != pugi::node_element) continue;
      if (++roots == 1) {
        add_element(document.root, node, 1);
      } else {
        add(at(node.name()) - 1, "xml-syntax", "there is a second root element beside <" + document.root.name + ">",
            "a file has one root element", "put it into <" + document.root.name + ">, or remove it");
      }
    }
    if (roots == 1) check_around();
    if (!problems_.empty()) return std::move(problems_);
    return document;
  }

 private:
  std::size_t at(const char* pointer) const { return static_cast<std::size_t>(pointer - begin_); }

  TextPlace place(std::size_t byte) const {
    const auto next = std::upper_bound(lines_.begin(), lines_.end(), byte);
    const std::size_t line = static_cast<std::size_t>(next - lines_.begin());
    return {static_cast<int>(line), static_cast<int>(byte - lines_[line - 1]) + 1};
  }

  void add(std::size_t byte, const char* code, std::string what, std::string why, std::string fix) {
    constexpr std::size_t kMaxProblems = 20;
    if (problems_.size() >= kMaxProblems) return;
    const TextPlace where = place(byte);
    problems_.push_back(
        make_error(code, Origin(file_, where.line, where.column), std::move(what), std::move(why), std::move(fix)));
  }

  /// A document type may only repeat what is there anyway.
  void check_doctype(const pugi::xml_node& node) {
    if (std::string_view(node.value()).find('[') == std::string_view::npos) return;
    add(at(node.value()), "xml-doctype", "the document type declares something",
        "entities are not expanded, so that a file cannot grow or fetch others", "leave out the <!DOCTYPE ...>");
  }

  /// Only comments and similar parts may surround the outermost element, and the parser ignores them.
  void check_around() {
    const std::size_t stray = find_stray_text(text_);
    if (stray != std::string_view::npos)
      add(stray, "xml-syntax", "there is text outside the root element", "", "remove it");
  }

  /// Finds references to unknown entities.
  void check_entities(std::size_t from, std::size_t to) {
    const std::string_view part = text_.substr(from, to - from);
    for (std::size_t i = part.find('&'); i != std::string_view::npos; i = part.find('&', i + 1)) {
      const std::string_view rest = part.substr(i + 1);
      bool known = false;
      for (const std::string_view name : {"amp;", "lt;", "gt;", "quot;", "apos;"}) known |= rest.starts_with(name);
      if (rest.starts_with("#")) {
        const bool hex = rest.starts_with("#x");
        const std::size_t digits = hex ? 2 : 1;
        const std::size_t end = rest.find_first_not_of(hex ? "0123456789abcdefABCDEF" : "0123456789", digits);
        known = end != std::string_view::npos && end > digits && rest[end] == ';';
      }
      if (known) continue;
      add(from + i, "xml-entity", "'&' begins an entity that is not known",
          "only &amp; &lt; &gt; &quot; &apos; and characters by number are", "write &amp; for the character itself");
    }
  }

  void add_element(XmlElement& element, const pugi::xml_node& node, int depth) {
    const std::size_t begin = at(node.name()) - 1;
    element.name = node.name();
    const TextPlace where = place(begin);
    element.line = where.line;
    element.column = where.column;
    if (depth > limits_.depth || ++elements_ > limits_.elements) {
      const bool deep = depth > limits_.depth;
      const std::string limit = deep ? std::to_string(limits_.depth) + " deep" : std::to_string(limits_.elements);
      if (!full_) add(begin, "xml-limit", "elements are more than " + limit, "", "check that it is the right file");
      full_ = true;
      return;
    }
    const auto attributes = node.attributes();
    element.attributes.reserve(static_cast<std::size_t>(std::distance(attributes.begin(), attributes.end())));
    for (const pugi::xml_attribute attribute : attributes) add_attribute(element, attribute);
    if (element.attributes.size() > 1) check_twice(element);
    std::size_t count = 0;
    for (const pugi::xml_node child : node.children()) count += child.type() == pugi::node_element ? 1 : 0;
    element.children.reserve(count);
    for (const pugi::xml_node child : node.children()) {
      if (full_) return;
      if (child.type() == pugi::node_element) {
        add_element(element.children.emplace_back(), child, depth + 1);
      } else if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
        add_text(element, child);
      }
    }
  }

  void add_attribute(XmlElement& element, const pugi::xml_attribute& given) {
    const std::size_t begin = at(given.name());
    if (++attributes_ > limits_.attributes) {
      if (!full_)
        add(begin, "xml-limit", "there are more than " + std::to_string(limits_.attributes) + " attributes", "",
            "check that it is the right file");
      full_ = true;
      return;
    }
    XmlAttribute& attribute = element.attributes.emplace_back();
    attribute.name = given.name();
    attribute.value = given.value();
    const std::size_t value = at(given.value());
    const TextPlace of_name = place(begin), of_value = place(value);
    attribute.line = of_name.line;
    attribute.column = of_name.column;
    attribute.value_line = of_value.line;
    attribute.value_column = of_value.column;
    attribute.plain = text_.substr(value, attribute.value.size()) == attribute.value;
    check_entities(value, std::min(text_.find(text_[value - 1], value), text_.size()));
  }

  void check_twice(const XmlElement& element) {
    std::vector<const XmlAttribute*> sorted;
    for (const XmlAttribute& attribute : element.attributes) sorted.push_back(&attribute);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const XmlAttribute* a, const XmlAttribute* b) { return a->name < b->name; });
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i]->name != sorted[i - 1]->name) continue;
      const std::size_t byte =
          lines_[static_cast<std::size_t>(sorted[i]->line) - 1] + static_cast<std::size_t>(sorted[i]->column) - 1;
      add(byte, "xml-attribute-twice", "<" + element.name + "> has '" + sorted[i]->name + "' twice",
          "an attribute has one value", "leave one out");
    }
  }

  void add_text(XmlElement& element, const pugi::xml_node& node) {
    const std::string_view value = node.value();
    const std::size_t first = value.find_first_not_of(kXmlSpaces);
    if (first == std::string_view::npos) return;
    const std::size_t begin = at(node.value());
    if (node.type() == pugi::node_pcdata) check_entities(begin, std::min(text_.find('<', begin), text_.size()));
    const std::string_view trimmed = value.substr(first, value.find_last_not_of(kXmlSpaces) + 1 - first);
    if (element.text.empty()) {
      const TextPlace where = place(text_.find_first_not_of(kXmlSpaces, begin));
      element.text_line = where.line;
      element.text_column = where.column;
    } else {
      element.text += ' ';
    }
    element.text += trimmed;
  }

  std::string_view text_;
  const std::string& file_;
  const char* begin_;
  const XmlLimits& limits_;
  std::vector<std::size_t> lines_;  // where each begins
  std::size_t elements_ = 0, attributes_ = 0;
  bool full_ = false;
  Diagnostics problems_;
};

/// The number of report entries of an element with all its parts.
std::size_t parts_of(const XmlElement& element) {
  std::size_t parts = 1 + element.attributes.size() + (element.text.empty() ? 0 : 1);
  for (const XmlElement& child : element.children) parts += parts_of(child);
  return parts;
}

/// Adds an element and all its parts to a report.
class ReportMaker {
 public:
  ReportMaker(LossReport& report, std::string (*owner)(const XmlElement&)) : report_(report), owner_(owner) {}

  void add(const XmlElement& element, const std::string& outer, bool within) {
    const std::size_t number = report_.entries.size();
    const std::string own = owner_(element);
    const std::string& owner = own.empty() ? outer : own;
    put({.element = element.name,
         .owner = owner,
         .line = element.line,
         .column = element.column,
         .status = element.status,
         .how = element.how,
         .within = within});
    const bool lost = within || element.status == ElementStatus::ignored;
    for (const XmlAttribute& attribute : element.attributes) {
      put({.element = element.name,
           .attribute = attribute.name,
           .owner = owner,
           .line = attribute.line,
           .column = attribute.column,
           .value_line = attribute.value_line,
           .value_column = attribute.value_column,
           .status = attribute.status,
           .how = attribute.how,
           .within = lost});
    }
    bool reported = element.text.empty();
    const auto tell = [&] {
      reported = true;
      put({.element = element.name,
           .attribute = "text()",
           .owner = owner,
           .line = element.text_line,
           .column = element.text_column,
           .within = lost});
    };
    for (const XmlElement& child : element.children) {
      if (!reported && std::pair(element.text_line, element.text_column) < std::pair(child.line, child.column)) tell();
      add(child, owner, lost);
    }
    if (!reported) tell();
    report_.entries[number].inside = report_.entries.size() - number - 1;
  }

 private:
  void put(LossEntry entry) {
    if (entry.within) entry.status = ElementStatus::ignored;
    report_.entries.push_back(std::move(entry));
  }

  LossReport& report_;
  std::string (*owner_)(const XmlElement&);
};

}  // namespace

const XmlAttribute* XmlElement::find(std::string_view attribute) const {
  for (const XmlAttribute& one : attributes)
    if (one.name == attribute) return &one;
  return nullptr;
}

XmlAttribute* XmlElement::find(std::string_view attribute) {
  for (XmlAttribute& one : attributes)
    if (one.name == attribute) return &one;
  return nullptr;
}

Origin XmlDocument::origin_of(const XmlElement& element) const {
  return Origin(file, element.line, element.column);
}

Origin XmlDocument::origin_of(const XmlAttribute& attribute) const {
  return Origin(file, attribute.line, attribute.column);
}

Origin XmlDocument::value_origin_of(const XmlAttribute& attribute, std::size_t at) const {
  return Origin(file, attribute.value_line, attribute.value_column + (attribute.plain ? static_cast<int>(at) : 0));
}

Result<XmlDocument> parse_xml(std::string_view text, const std::string& file, const XmlLimits& limits) {
  Diagnostics wrong = check_bytes(text, file, limits);
  if (!wrong.empty()) return wrong;
  std::string buffer(text);
  pugi::xml_document parsed;
  const unsigned flags = pugi::parse_default | pugi::parse_doctype;
  const pugi::xml_parse_result result =
      parsed.load_buffer_inplace(buffer.data(), buffer.size(), flags, pugi::encoding_utf8);
  if (!result) return syntax_problem(text, file, result);
  return DocumentMaker(text, file, buffer, limits).make(parsed);
}

LossReport loss_report(const XmlDocument& document, std::string (*owner)(const XmlElement&)) {
  LossReport report;
  report.file = document.file;
  report.entries.reserve(parts_of(document.root));
  ReportMaker(report, owner).add(document.root, "", false);
  return report;
}

}  // namespace pintle
