// Assigns the revolute joints of similar limbs to SIMD lanes.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace pintle {

/// The number of lanes of a lane group: the doubles of an AVX2 register. The same with wider registers: most machines
/// have four limbs or fewer.
inline constexpr int kLaneGroupLanes = 4;

/// The input of the schedule for one link.
struct LaneGroupLink {
  int parent;  ///< an earlier link, or -1
  int group;   ///< links of the same group may share a pack; -1: never
};

/// The links of one pack; -1: an empty lane.
using LaneGroupRow = std::array<int, kLaneGroupLanes>;

/// Returns rows of links, outwards: no row depends on a later one. A link in no row has no ancestor in one either. A
/// link takes the lane of its parent if that lane is free.
std::vector<LaneGroupRow> schedule_lane_groups(std::span<const LaneGroupLink> links);

}  // namespace pintle
