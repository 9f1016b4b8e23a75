#include "pintle/geometry/shapes/height_field.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "pintle/base/usage_error.h"
#include "pintle/geometry/shapes/surface_features.h"
#include "pintle/math/number_text.h"

namespace pintle {
namespace {

Diagnostics check_heights(const HeightField& field) {
  Diagnostics problems;
  const bool enough = field.nx >= 2 && field.ny >= 2;
  if (!enough || field.nx > std::numeric_limits<int>::max() / 3 / field.ny ||
      field.heights.size() != static_cast<std::size_t>(field.nx) * static_cast<std::size_t>(field.ny)) {
    problems.push_back(make_error("height-field-size", {},
                                  "a height field of " + std::to_string(field.nx) + " by " + std::to_string(field.ny) +
                                      " points has " + std::to_string(field.heights.size()) + " heights",
                                  "it needs at least two points per side, and one height per point",
                                  "give nx times ny heights, row by row"));
  }
  if (!(std::isfinite(field.spacing) && field.spacing > 0.0)) {
    problems.push_back(make_error("height-field-spacing", {},
                                  "the spacing of the height field is " + number_text(field.spacing) + " m",
                                  "the points of a grid must be distinct", "give a finite, positive length"));
  }
  const auto wrong =
      std::find_if_not(field.heights.begin(), field.heights.end(), [](double height) { return std::isfinite(height); });
  if (wrong != field.heights.end()) {
    problems.push_back(make_error(
        "height-field-not-finite", {}, "height " + std::to_string(wrong - field.heights.begin()) + " is not finite",
        "every result that depends on it would be meaningless", "check where it was computed or read"));
  }
  return problems;
}

}  // namespace

Result<HeightField> height_field(int nx, int ny, double spacing, std::vector<double> heights) {
  HeightField field{.nx = nx, .ny = ny, .spacing = spacing, .heights = std::move(heights), .faces = {}, .pointed = {}};
  const Diagnostics problems = check_heights(field);
  if (has_errors(problems)) return problems;
  find_features(field);
  return field;
}

BoundingBox bounding_box(const HeightField& field) {
  require(!field.heights.empty(), "bounding_box", "field", "it has no heights");
  const auto [low, high] = std::minmax_element(field.heights.begin(), field.heights.end());
  return {{0.0, 0.0, *low}, {field.spacing * (field.nx - 1), field.spacing * (field.ny - 1), *high}};
}

Diagnostics check(const HeightField& field) {
  Diagnostics problems = check_heights(field);
  if (has_errors(problems)) return problems;
  if (field.faces.size() != at(triangle_count(field)) || field.pointed.size() != at(vertex_count(field))) {
    problems.push_back(make_error("height-field-not-made", {}, "the arrays of the height field are inconsistent",
                                  "they define which triangles form one face", "construct it with height_field(...)"));
  }
  return problems;
}

}  // namespace pintle
