#include "pintle/text/wrapped.h"

#include "pintle/text/utf8.h"

namespace pintle {

std::string wrapped(std::span<const std::string> parts, std::size_t indent, int width, std::string_view gap) {
  std::string text, line;
  for (const std::string& part : parts) {
    std::string longer = line;
    if (!line.empty()) longer += gap;
    longer += part;
    if (!line.empty() && count_characters(longer) > static_cast<std::size_t>(width)) {
      text += line + "\n";
      line = std::string(indent, ' ') + part;
    } else {
      line = std::move(longer);
    }
  }
  return text + line + "\n";
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

}  // namespace pintle
