// Text in lines of a width.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pintle {

/// Parts side by side, separated by `gap`, in lines of at most `width` characters; all lines but the first are
/// indented. A part is never split: one that is too long stands alone in its line. Ends with a line feed.
std::string wrapped(std::span<const std::string> parts, std::size_t indent, int width, std::string_view gap = " ");

/// The words of a text.
std::vector<std::string> words_of(std::string_view text);

}  // namespace pintle
