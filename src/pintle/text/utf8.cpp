#include "pintle/text/utf8.h"

namespace pintle {
namespace {

constexpr char32_t kNone = 0xfffd;

/// The number of bytes after the first of a character; -1 when the byte is not a first one.
int following(unsigned char lead) {
  if (lead < 0x80) return 0;
  if (lead >= 0xc2 && lead < 0xe0) return 1;
  if (lead >= 0xe0 && lead < 0xf0) return 2;
  if (lead >= 0xf0 && lead < 0xf5) return 3;
  return -1;
}

bool is_character(char32_t c, int more) {
  constexpr char32_t kMin[] = {0, 0x80, 0x800, 0x10000};
  return more >= 0 && c >= kMin[more] && c <= 0x10ffff && !(c >= 0xd800 && c < 0xe000);
}

void append(std::string& text, char32_t c) {
  const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6);
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3f));
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

}  // namespace

std::u32string characters_of(std::string_view text) {
  std::u32string result;
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char lead = static_cast<unsigned char>(text[i++]);
    const int more = following(lead);
    char32_t c = more <= 0 ? lead : lead & (0x3fu >> more);
    int read = 0;
    for (; read < more && i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80; ++read, ++i)
      c = c << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
    result += read == more && is_character(c, more) ? c : kNone;
  }
  return result;
}

std::string valid_utf8(std::string_view text) {
  std::string result;
  for (const char32_t c : characters_of(text)) append(result, c);
  return result;
}

std::size_t count_characters(std::string_view text) {
  return characters_of(text).size();
}

std::string shortened(std::string_view text, std::size_t max_characters) {
  const std::u32string all = characters_of(text);
  if (all.size() <= max_characters) return valid_utf8(text);
  std::string result;
  for (std::size_t i = 0; i + 1 < max_characters; ++i) append(result, all[i]);
  return max_characters == 0 ? result : result + "…";
}

}  // namespace pintle
