// Characters of UTF-8 texts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pintle {

/// Decodes a text; U+FFFD for each run of invalid bytes.
std::u32string characters_of(std::string_view text);

/// The text with invalid bytes replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

/// The number of characters of a text.
std::size_t count_characters(std::string_view text);

/// The first characters of a text, with "…" for the rest when it has more than `most`.
std::string shortened(std::string_view text, std::size_t max_characters);

}  // namespace pintle
