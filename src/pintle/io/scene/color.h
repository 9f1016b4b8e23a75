// Colors of a scene file: "#rrggbb", or names as in CSS.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pintle {

/// "#rrggbb" of a text: itself, or that of a color's name ("orange", as in CSS); empty if it is neither.
std::string color_of(std::string_view text);

/// The names of colors.
std::vector<std::string> color_names();

}  // namespace pintle
