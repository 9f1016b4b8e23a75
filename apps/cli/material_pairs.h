// The pairs of materials of a scene that can touch, and their contact parameters.
#pragma once

#include <string>
#include <vector>

#include "pintle/simulation/scene/scene.h"

namespace pintle::cli {

struct MaterialPair {
  std::string first, second;  ///< empty: none
  Surface surface;
  std::string rule;  ///< the source of its parameters: "given", "its own", "geometric mean" or "no parameters"
  int shapes = 0;    ///< number of pairs of shapes with these materials
};

/// Each pair of materials of shapes that can touch, in their order.
std::vector<MaterialPair> material_pairs(const Scene& scene);

}  // namespace pintle::cli
