#include "pintle/text/first_comment.h"

#include <algorithm>

namespace pintle {

std::string first_comment(std::string_view text) {
  std::string line;
  while (text.starts_with("#")) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view part = text.substr(1, end - 1);
    while (part.starts_with(" ")) part.remove_prefix(1);
    if (!part.starts_with(":schema")) line += (line.empty() ? "" : " ") + std::string(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return line;
}

}  // namespace pintle
