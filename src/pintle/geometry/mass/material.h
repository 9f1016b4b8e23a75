// Material: what a body is made of.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pintle/base/result.h"

namespace pintle {

/// A homogeneous material: `density` in kg/m^3.
struct Material {
  std::string name;
  double density;
};

/// Common materials with typical densities from engineering handbooks, rounded: alloys, woods and plastics vary by
/// several per cent, so give the density itself where it matters.
std::span<const Material> materials();

/// Returns the material with this name. The error `unknown-material` names the nearest one, or lists all of them.
Result<Material> find_material(std::string_view name);

}  // namespace pintle
