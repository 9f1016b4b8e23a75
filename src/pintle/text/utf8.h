// Texts in UTF-8: what is a character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pintle {

/// The characters of a text; U+FFFD for each run of bytes that is none.
std::u32string characters_of(std::string_view text);

/// The text with such bytes replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

/// How many characters a text has.
std::size_t count_characters(std::string_view text);

/// The first characters of a text, with "…" for those left out when it has more than `most`.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace pintle
