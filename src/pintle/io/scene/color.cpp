#include "pintle/io/scene/color.h"

namespace pintle {
namespace {

struct NamedColor {
  std::string_view name, value;
};

// The basic colors of CSS, and some more of its names.
constexpr NamedColor kColors[] = {
    {"black", "#000000"},   {"white", "#ffffff"},  {"gray", "#808080"},     {"grey", "#808080"},
    {"silver", "#c0c0c0"},  {"red", "#ff0000"},    {"maroon", "#800000"},   {"orange", "#ffa500"},
    {"yellow", "#ffff00"},  {"olive", "#808000"},  {"lime", "#00ff00"},     {"green", "#008000"},
    {"aqua", "#00ffff"},    {"cyan", "#00ffff"},   {"teal", "#008080"},     {"blue", "#0000ff"},
    {"navy", "#000080"},    {"purple", "#800080"}, {"fuchsia", "#ff00ff"},  {"magenta", "#ff00ff"},
    {"brown", "#a52a2a"},   {"pink", "#ffc0cb"},   {"gold", "#ffd700"},     {"beige", "#f5f5dc"},
    {"coral", "#ff7f50"},   {"crimson", "#dc143c"}, {"indigo", "#4b0082"},  {"violet", "#ee82ee"},
    {"turquoise", "#40e0d0"}, {"tan", "#d2b48c"},  {"steelblue", "#4682b4"}, {"skyblue", "#87ceeb"},
    {"darkgray", "#a9a9a9"}, {"lightgray", "#d3d3d3"}, {"darkgreen", "#006400"}, {"darkblue", "#00008b"},
};

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

std::string color_of(std::string_view text) {
  bool ok = text.size() == 7 && text[0] == '#';
  for (std::size_t i = 1; ok && i < text.size(); ++i) ok = is_hex(text[i]);
  if (ok) return std::string(text);
  for (const NamedColor& color : kColors)
    if (color.name == text) return std::string(color.value);
  return {};
}

std::vector<std::string> color_names() {
  std::vector<std::string> names;
  for (const NamedColor& color : kColors) names.emplace_back(color.name);
  return names;
}

}  // namespace pintle
