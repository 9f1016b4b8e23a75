#include "help_text.h"

#include <sstream>

namespace pintle::cli {

std::string HelpText::make_option_desc(const CLI::Option* option) const {
  constexpr std::size_t kWidth = 80;
  const std::size_t room = kWidth - get_column_width();
  std::istringstream words(CLI::Formatter::make_option_desc(option));
  std::string text;
  std::size_t used = 0;
  for (std::string word; words >> word; used += word.size()) {
    const bool fits = used + 1 + word.size() <= room;
    if (!text.empty()) text += fits ? ' ' : '\n';
    used = text.empty() || !fits ? 0 : used + 1;
    text += word;
  }
  return text;
}

}  // namespace pintle::cli
