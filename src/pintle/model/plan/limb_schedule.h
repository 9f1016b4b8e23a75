// Which hinges of similar limbs stand side by side in SIMD lanes.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace pintle {

/// Limbs side by side: as many doubles as a register of AVX2 has. With wider registers as many: most machines have four
/// limbs or fewer.
inline constexpr int kLimbLanes = 4;

/// What the schedule asks of a link.
struct LimbLink {
  int parent;  ///< an earlier link, or -1
  int group;   ///< links of one group may stand side by side; -1: never
};

/// Links side by side; -1: an empty lane.
using LimbRow = std::array<int, kLimbLanes>;

/// Rows of links, outwards: nothing depends on a later row. A link that is in none is carried by none either. A link
/// stands in the lane of the one that carries it, if that lane is free.
std::vector<LimbRow> schedule_limbs(std::span<const LimbLink> links);

}  // namespace pintle
