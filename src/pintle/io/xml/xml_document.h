// XmlDocument: a text of XML as plain data. Every element and attribute knows its place in the file, and what became of
// it (loss_report.h).
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
  int value_line = 0, value_column = 0;  ///< of the first byte behind the quote
  bool plain = true;                     ///< the file has the value byte for byte: no entity, no line break
  ElementStatus status = ElementStatus::ignored;
  std::string how{};
};

struct XmlElement {
  std::string name{};
  std::string text{};                  ///< between its tags, without the spaces around it
  int line = 0, column = 0;            ///< of its `<`
  int text_line = 0, text_column = 0;  ///< of the first byte of `text`
  std::vector<XmlAttribute> attributes{};
  std::vector<XmlElement> children{};
  ElementStatus status = ElementStatus::ignored;
  std::string how{};

  /// The attribute of that name; null when there is none.
  const XmlAttribute* find(std::string_view attribute) const;
  XmlAttribute* find(std::string_view attribute);
};

/// What a file may bring in.
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
  /// Of a byte of its value, counted from 0.
  Origin value_origin_of(const XmlAttribute& attribute, std::size_t at = 0) const;
};

/// Reads a text in UTF-8; `file` stands for it in problems. No entities but the five of XML and characters by number
/// are known, and nothing is expanded or fetched. Comments and processing instructions are passed over.
///
/// Codes: xml-syntax, xml-encoding, xml-entity, xml-doctype, xml-attribute-twice, xml-limit.
Result<XmlDocument> parse_xml(std::string_view text, const std::string& file, const XmlLimits& limits = {});

/// What became of every part of a document. `owner` gives a named element's name in reports ("link 'forearm'"), or an
/// empty text for one that is none.
LossReport loss_report(const XmlDocument& document, std::string (*owner)(const XmlElement&));

}  // namespace pintle
