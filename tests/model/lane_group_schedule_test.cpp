#include "pintle/model/plan/lane_group_schedule.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "pintle/model/plan/plan.h"
#include "support/random_model.h"

using namespace test;

namespace {

/// Four lane groups of three links each on a trunk of one link that may not stand side by side.
std::vector<LaneGroupLink> quadruped() {
  std::vector<LaneGroupLink> links = {{-1, -1}};
  for (int lane_group = 0; lane_group < 4; ++lane_group)
    for (int i = 0; i < 3; ++i) links.push_back({i == 0 ? 0 : static_cast<int>(links.size()) - 1, 1});
  return links;
}

Model model_of_revolute_joints(int links, double branching, std::uint64_t run) {
  RandomStream stream(75, run);
  ModelSpec spec = random_spec(stream, {.links = links, .branching = branching});
  for (JointSpec& joint : spec.joints) joint.kind = JointKind::revolute;
  return compile(spec).value();
}

}  // namespace

TEST_CASE("lane group schedule: the lane groups of a quadruped, each in a lane") {
  const std::vector<LaneGroupRow> rows = schedule_lane_groups(quadruped());
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == LaneGroupRow{1, 4, 7, 10});
  CHECK(rows[1] == LaneGroupRow{2, 5, 8, 11});
  CHECK(rows[2] == LaneGroupRow{3, 6, 9, 12});
}

TEST_CASE(
    "lane group schedule: what carries a link of the trunk is of the trunk, and so is what stands alone before all") {
  std::vector<LaneGroupLink> links = quadruped();
  links[6].group = -1;  // the tip of the second lane group
  const std::vector<LaneGroupRow> rows = schedule_lane_groups(links);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == LaneGroupRow{1, 7, 10, -1});
  CHECK(schedule_lane_groups(std::vector<LaneGroupLink>{{-1, 1}, {0, 1}, {1, 1}}).empty());
}

TEST_CASE("lane group schedule: links come after what carries them, once, with their like") {
  for (std::uint64_t run = 0; run < 200; ++run) {
    RandomStream stream(76, run);
    std::vector<LaneGroupLink> links;
    for (int i = 0; i < 30; ++i) {
      const int parent =
          stream.uniform() < 0.5 ? i - 1 : static_cast<int>(stream.below(static_cast<std::uint64_t>(i) + 1)) - 1;
      links.push_back({parent, stream.uniform() < 0.1 ? -1 : static_cast<int>(stream.below(2))});
    }
    const std::vector<LaneGroupRow> rows = schedule_lane_groups(links);
    std::vector<int> row_of(links.size(), -1);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const int like = *std::ranges::max_element(rows[r]);
      for (const int link : rows[r]) {
        if (link < 0) continue;
        CHECK(links[static_cast<std::size_t>(link)].group >= 0);
        CHECK(links[static_cast<std::size_t>(link)].group == links[static_cast<std::size_t>(like)].group);
        CHECK(row_of[static_cast<std::size_t>(link)] == -1);
        row_of[static_cast<std::size_t>(link)] = static_cast<int>(r);
      }
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (links[i].parent < 0) continue;
      const int of_parent = row_of[static_cast<std::size_t>(links[i].parent)];
      CHECK((of_parent < 0 || of_parent < row_of[i]));
    }
  }
}

TEST_CASE("plan: lane groups go side by side where they fill the lanes") {
  int side_by_side = 0;
  for (std::uint64_t run = 0; run < 50; ++run) {
    const Model model = model_of_revolute_joints(24, 0.9, run);
    const PlanLaneGroups lane_groups = model.plan().view<double>().lane_groups;
    int links = 0;
    for (int k = 0; k < lane_groups.count; ++k)
      for (const int link : lane_groups.packs[k].links) links += link >= 0 ? 1 : 0;
    CHECK(links >= 2.75 * lane_groups.count);
    side_by_side += model.plan().layout() == KernelLayout::side_by_side ? 1 : 0;
    CHECK(Plan(model.tree(), KernelLayout::one_by_one).layout() == KernelLayout::one_by_one);
    CHECK(Plan(model.tree(), KernelLayout::side_by_side).layout() == KernelLayout::side_by_side);
  }
  CHECK(side_by_side > 25);
}
