#include "pintle/geometry/broad_phase/broad_phase.h"

#include <cmath>
#include <limits>
#include <utility>

#include "geometry/solids.h"
#include "pintle/base/usage_error.h"

using namespace test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

using Pairs = std::vector<std::pair<int, int>>;

Pairs list(std::span<const BoxPair> pairs) {
  Pairs all;
  for (const BoxPair& pair : pairs) all.emplace_back(pair.first, pair.second);
  return all;
}

/// Every pair looked at.
Pairs overlapping(const std::vector<BoundingBox>& boxes) {
  Pairs all;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      const BoundingBox &a = boxes[i], &b = boxes[j];
      const bool apart = a.max.x < b.min.x || b.max.x < a.min.x || a.max.y < b.min.y || b.max.y < a.min.y ||
                         a.max.z < b.min.z || b.max.z < a.min.z;
      if (!apart) all.emplace_back(static_cast<int>(i), static_cast<int>(j));
    }
  return all;
}

/// Boxes in a cube of side 3, of sizes that differ by a factor of up to a thousand.
std::vector<BoundingBox> random_boxes(RandomStream& stream, std::size_t n) {
  std::vector<BoundingBox> boxes;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3<> middle = random_vector(stream, 1.5);
    const double size = std::pow(10.0, stream.uniform(-3.0, 0.0));
    const Vec3<> half{size * stream.uniform(), size * stream.uniform(), size * stream.uniform()};
    boxes.push_back({middle - half, middle + half});
  }
  return boxes;
}

}  // namespace

TEST_CASE("broad phase: the pairs of moving boxes are those that brute force finds, in order") {
  RandomStream stream(1);
  BroadPhase broad_phase;
  std::size_t found = 0;
  for (const std::size_t n : {0u, 1u, 2u, 3u, 10u, 100u, 400u, 37u}) {
    std::vector<BoundingBox> boxes = random_boxes(stream, n);
    for (int step = 0; step < 20; ++step) {
      for (BoundingBox& box : boxes) {
        const Vec3<> move = random_vector(stream, step == 10 ? 5.0 : 0.1);
        box = {box.min + move, box.max + move};
      }
      const Pairs pairs = list(broad_phase.pairs(boxes));
      found += pairs.size();
      CHECK(pairs == overlapping(boxes));
    }
  }
  CHECK(found > 1000);
}

TEST_CASE("broad phase: boxes that just touch overlap, equal and flat ones too") {
  BroadPhase broad_phase;
  const std::vector<BoundingBox> boxes{{{0, 0, 0}, {1, 1, 1}},
                                       {{1, 0, 0}, {2, 1, 1}},
                                       {{3, 3, 3}, {3, 3, 3}},
                                       {{3, 3, 3}, {3, 3, 3}},
                                       {{0, 0, 1}, {9, 9, 1}}};
  CHECK(list(broad_phase.pairs(boxes)) == Pairs{{0, 1}, {0, 4}, {1, 4}, {2, 3}});
}

TEST_CASE("broad phase: infinite boxes, and boxes that come and go") {
  RandomStream stream(2);
  BroadPhase broad_phase;
  std::vector<BoundingBox> boxes = random_boxes(stream, 60);
  boxes[7] = {{-kInf, -kInf, -kInf}, {kInf, kInf, 0.0}};
  boxes[31] = {{-kInf, -1.0, -kInf}, {kInf, kInf, kInf}};
  CHECK(list(broad_phase.pairs(boxes)) == overlapping(boxes));
  std::swap(boxes[7], boxes[8]);
  CHECK(list(broad_phase.pairs(boxes)) == overlapping(boxes));
  boxes.pop_back();
  CHECK(list(broad_phase.pairs(boxes)) == overlapping(boxes));
  boxes[8] = boxes[9];
  CHECK(list(broad_phase.pairs(boxes)) == overlapping(boxes));
}

TEST_CASE("broad phase: a box with a NaN is not lost") {
  BroadPhase broad_phase;
  const std::vector<BoundingBox> boxes{
      {{0, 0, 0}, {1, 1, 1}}, {{kNan, kNan, kNan}, {kNan, kNan, kNan}}, {{5, 5, 5}, {6, 6, 6}}};
  CHECK(list(broad_phase.pairs(boxes)) == Pairs{{0, 1}, {1, 2}});
}

TEST_CASE("broad phase: the filter leaves out pairs of boxes and of the things they belong to") {
  BroadPhase broad_phase;
  const std::vector<BoundingBox> boxes(4, {{0, 0, 0}, {1, 1, 1}});
  ContactFilter filter;
  set_pair(filter, 2, 0, false);
  CHECK(list(broad_phase.pairs(boxes, filter)) == Pairs{{0, 1}, {0, 3}, {1, 2}, {1, 3}, {2, 3}});
  // Boxes 0 and 1 are thing 0, box 2 thing 1 and box 3 thing 2.
  const std::vector<int> things{0, 0, 1, 2};
  CHECK(list(broad_phase.pairs(boxes, filter, things)) == Pairs{{0, 2}, {1, 2}, {2, 3}});
  CHECK_THROWS_AS(broad_phase.pairs(boxes, filter, std::span(things).first(3)), UsageError);
}

TEST_CASE("box tree: holds every box once, and no leaf is deep") {
  RandomStream stream(3);
  for (const std::size_t n : {1u, 2u, 3u, 255u, 1000u}) {
    const std::vector<BoundingBox> boxes = random_boxes(stream, n);
    std::vector<int> items(n);
    for (std::size_t i = 0; i < n; ++i) items[i] = static_cast<int>(i);
    BoxTree tree;
    build(tree, boxes, items);
    REQUIRE(tree.nodes.size() == 2 * n - 1);
    std::vector<int> seen(n), depth(tree.nodes.size());
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      const BoxTreeNode& node = tree.nodes[i];
      CHECK(static_cast<double>(depth[i]) <= std::log2(static_cast<double>(n)) + 1.0);
      if (node.item >= 0) {
        CHECK(node.next == static_cast<int>(i) + 1);
        ++seen[static_cast<std::size_t>(node.item)];
        continue;
      }
      for (const int child : {static_cast<int>(i) + 1, tree.nodes[i + 1].next}) {
        const auto c = static_cast<std::size_t>(child);
        depth[c] = depth[i] + 1;
        const BoundingBox both = enclosing(node.box, tree.nodes[c].box);
        CHECK((norm(both.min - node.box.min) == 0.0 && norm(both.max - node.box.max) == 0.0));
      }
    }
    CHECK(seen == std::vector<int>(n, 1));
  }
}
