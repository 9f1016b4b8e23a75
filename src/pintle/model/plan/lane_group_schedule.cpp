#include "pintle/model/plan/lane_group_schedule.h"

#include <algorithm>

#include "pintle/base/size.h"

namespace pintle {
namespace {

/// Fills rows from the roots outwards: limbs of the last row continue, then the longest ones.
class LaneGroupScheduler {
 public:
  explicit LaneGroupScheduler(std::span<const LaneGroupLink> links)
      : links_(links), waits_(links.size()), height_(links.size(), 0), row_(links.size(), -1), lane_(links.size(), -1) {
    for (std::size_t i = 0; i < links.size(); ++i) waits_[i] = links[i].group >= 0;
    for (std::size_t i = links.size(); i-- > 0;) {  // the parent of a link of the remainder belongs to the remainder
      if (links[i].parent < 0) continue;
      const std::size_t parent = size(links[i].parent);
      waits_[parent] = waits_[parent] && waits_[i];
      height_[parent] = std::max(height_[parent], height_[i] + 1);
    }
  }

  std::vector<LaneGroupRow> rows() {
    std::vector<LaneGroupRow> rows;
    for (std::vector<int> ready = ready_links(0); !ready.empty(); ready = ready_links(static_cast<int>(rows.size()))) {
      // A link that would be alone in the first row costs less in the remainder.
      if (rows.empty() && ready.size() == 1) {
        waits_[size(ready[0])] = false;
      } else {
        rows.push_back(row_of(ready, static_cast<int>(rows.size())));
      }
    }
    return rows;
  }

 private:
  /// Up to a row of links of one group that can be placed in `row`.
  std::vector<int> ready_links(int row) const {
    std::vector<int> ready;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const int parent = links_[i].parent;
      if (waits_[i] && row_[i] < 0 && (parent < 0 || !waits_[size(parent)] || row_[size(parent)] >= 0))
        ready.push_back(static_cast<int>(i));
    }
    const auto goes_on = [&](int i) {
      return row > 0 && links_[size(i)].parent >= 0 && row_[size(links_[size(i)].parent)] == row - 1;
    };
    std::ranges::stable_sort(ready, [&](int a, int b) {
      return goes_on(a) != goes_on(b) ? goes_on(a) : height_[size(a)] > height_[size(b)];
    });
    if (!ready.empty()) {
      const int group = links_[size(ready[0])].group;
      std::erase_if(ready, [&](int i) { return links_[size(i)].group != group; });
    }
    ready.resize(std::min(ready.size(), size(kLaneGroupLanes)));
    return ready;
  }

  LaneGroupRow row_of(const std::vector<int>& ready, int row) {
    LaneGroupRow lanes;
    lanes.fill(-1);
    for (const int i : ready) {
      const int parent = links_[size(i)].parent, lane = parent < 0 ? -1 : lane_[size(parent)];
      if (lane >= 0 && lanes[size(lane)] < 0) put(i, row, lane, lanes);
    }
    for (const int i : ready)
      if (row_[size(i)] < 0) put(i, row, static_cast<int>(std::ranges::find(lanes, -1) - lanes.begin()), lanes);
    return lanes;
  }

  void put(int link, int row, int lane, LaneGroupRow& lanes) {
    lanes[size(lane)] = link;
    row_[size(link)] = row;
    lane_[size(link)] = lane;
  }

  std::span<const LaneGroupLink> links_;
  std::vector<bool> waits_;  // not of the remainder
  std::vector<int> height_;  // of the longest branch on it
  std::vector<int> row_, lane_;
};

}  // namespace

std::vector<LaneGroupRow> schedule_lane_groups(std::span<const LaneGroupLink> links) {
  return LaneGroupScheduler(links).rows();
}

}  // namespace pintle
