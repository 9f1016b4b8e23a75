// The pages of the manual that are texts within the program.
#pragma once

#include <span>
#include <string_view>

namespace pintle::cli {

struct EmbeddedPage {
  std::string_view topic;  ///< "expressions"
  std::string_view text;   ///< Markdown
};

std::span<const EmbeddedPage> embedded_pages();

}  // namespace pintle::cli
