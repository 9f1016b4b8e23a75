#include "terminal_style.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace pintle::cli {
namespace {

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && value[0] != '\0';
}

bool is_block(std::string_view text, std::size_t at) {
  return text.substr(at, 2) == "\xE2\x96" && at + 2 < text.size() && static_cast<unsigned char>(text[at + 2]) >= 0x81 &&
         static_cast<unsigned char>(text[at + 2]) <= 0x88;
}

}  // namespace

bool is_terminal(std::FILE* stream) {
  return isatty(fileno(stream)) != 0;
}

int terminal_width(std::FILE* stream) {
  constexpr int kNarrowest = 40, kUsual = 80;
  winsize size{};
  const bool known = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  if (!known) return kUsual;
  return size.ws_col < kNarrowest ? kNarrowest : size.ws_col;
}

Colors::Colors(std::FILE* stream) {
  const char* const kind = std::getenv("TERM");
  wanted_ = is_terminal(stream) && !is_set("NO_COLOR") && kind != nullptr && std::string_view(kind) != "dumb";
}

std::string Colors::around(const char* code, std::string_view text) const {
  if (!wanted_ || text.empty()) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

std::string Colors::sparklines(std::string_view text) const {
  if (!wanted_) return std::string(text);
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (is_block(text, end)) end += 3;
    if (end > at) {
      result += line(text.substr(at, end - at));
      at = end;
    } else {
      result += text[at++];
    }
  }
  return result;
}

}  // namespace pintle::cli
