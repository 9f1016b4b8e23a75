// The materials of a scene that can meet, and how.
#pragma once

#include <string>
#include <vector>

#include "pintle/simulation/scene/scene.h"

namespace pintle::cli {

struct MaterialPair {
  std::string first, second;  ///< empty: none
  Surface surface;
  std::string rule;  ///< where its numbers come from: "given", "its own", "geometric mean" or "no numbers"
  int shapes = 0;    ///< how many pairs of shapes are of these materials
};

/// Each pair of materials that shapes which may touch are made of, in their order.
std::vector<MaterialPair> material_pairs(const Scene& scene);

}  // namespace pintle::cli
