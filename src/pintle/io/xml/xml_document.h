// XmlDocument: an XML text as plain data. Every element and attribute has its place in the file and its status
// (loss_report.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/io/diagnostics/loss_report.h"

namespace pintle {

struct XmlAttribute {
  std::string name{}, value{};
  int line = 0, column = 0;              ///< of its name
  int value_line = 0, value_column = 0;  ///< of the first byte after the quote
  bool plain = true;                     ///< the file has the value byte for byte: no entity, no line break
  ElementStatus status = ElementStatus::ignored;
  std::string how{};
};

struct XmlElement {
  std::string name{};
  std::string text{};                  ///< between its tags, without surrounding spaces
  int line = 0, column = 0;            ///< of its `<`
  int text_line = 0, text_column = 0;  ///< of the first byte of `text`
  std::vector<XmlAttribute> attributes{};
  std::vector<XmlElement> children{};
  ElementStatus status = ElementStatus::ignored;
  std::string how{};

  /// The attribute of that name; null if it does not exist.
  const XmlAttribute* find(std::string_view attribute) const;
  XmlAttribute* find(std::string_view attribute);
};

/// Limits on what a file may contain.
struct XmlLimits {
  std::size_t bytes = 16 << 20;
  int depth = 64;
  std::size_t elements = 200000;
  std::size_t attributes = 1000000;
};

struct XmlDocument {
  std::string file{};
  XmlElement root{};

  Origin origin_of(const XmlElement& element) const;
  Origin origin_of(const XmlAttribute& attribute) const;  ///< of its name
  /// The place of a byte of its value, counted from 0.
  Origin value_origin_of(const XmlAttribute& attribute, std::size_t at = 0) const;
};

/// Reads a UTF-8 text; `file` names it in problems. Only the five XML entities and numeric character references are
/// known, and nothing is expanded or fetched. Comments and processing instructions are skipped.
///
/// Codes: xml-syntax, xml-encoding, xml-entity, xml-doctype, xml-attribute-twice, xml-limit.
Result<XmlDocument> parse_xml(std::string_view text, const std::string& file, const XmlLimits& limits = {});

/// The status of every part of a document. `owner` gives the name of a named element for reports ("link 'forearm'"), or
/// an empty text for any other.
LossReport loss_report(const XmlDocument& document, std::string (*owner)(const XmlElement&));

}  // namespace pintle
