// Which hinges of similar lane groups stand side by side in SIMD lanes.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace pintle {

/// Lane groups side by side: as many doubles as a register of AVX2 has. With wider registers as many: most machines
/// have four lane groups or fewer.
inline constexpr int kLaneGroupLanes = 4;

/// What the schedule asks of a link.
struct LaneGroupLink {
  int parent;  ///< an earlier link, or -1
  int group;   ///< links of one group may stand side by side; -1: never
};

/// Links side by side; -1: an empty lane.
using LaneGroupRow = std::array<int, kLaneGroupLanes>;

/// Rows of links, outwards: nothing depends on a later row. A link that is in none is carried by none either. A link
/// stands in the lane of the one that carries it, if that lane is free.
std::vector<LaneGroupRow> schedule_lane_groups(std::span<const LaneGroupLink> links);

}  // namespace pintle
