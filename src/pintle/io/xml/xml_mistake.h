// Explains the syntax errors of a text that is not XML to an author of robots. For xml_document.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pintle {

/// XML white space.
inline constexpr std::string_view kXmlSpaces = " \t\r\n";

struct XmlMistake {
  std::size_t at = 0;  ///< the byte to point at
  std::string what{}, why{}, fix{};
};

/// The first tag that does not match the others before `end`: one that closes nothing, one that closes another element
/// than the open one, or an element that is never closed. `what` is empty if all of them match.
XmlMistake find_wrong_tag(std::string_view text, std::size_t end);

/// The first byte outside the outermost element that is neither white space nor part of a comment, an instruction or a
/// document type; npos if there is none. The tags must match.
std::size_t find_stray_text(std::string_view text);

/// The line and column of a byte, both from 1.
struct TextPlace {
  int line = 1, column = 1;
};
TextPlace place_in(std::string_view text, std::size_t at);

}  // namespace pintle
