#include "pintle/geometry/shapes/box_tree.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace pintle {
namespace {

Vec3<> twice_center(const BoundingBox& box) {
  return box.min + box.max;
}

// A contiguous range of the items, and the position of the node over them.
struct Part {
  int begin, end, node;
};

// Twice the centre of a box.
double along(const Vec3<>& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// The axis of the largest spread of the centres of the boxes.
int widest_axis(std::span<const BoundingBox> boxes, std::span<const int> items) {
  BoundingBox middles{twice_center(boxes[static_cast<std::size_t>(items[0])]),
                      twice_center(boxes[static_cast<std::size_t>(items[0])])};
  for (const int item : items) {
    const Vec3<> m = twice_center(boxes[static_cast<std::size_t>(item)]);
    middles = enclosing(middles, {m, m});
  }
  const Vec3<> size = middles.max - middles.min;
  if (size.x >= size.y && size.x >= size.z) return 0;
  return size.y >= size.z ? 1 : 2;
}

}  // namespace

void build(BoxTree& tree, std::span<const BoundingBox> boxes, std::span<int> items) {
  tree.nodes.clear();
  if (items.empty()) return;
  tree.nodes.resize(2 * items.size() - 1);
  std::array<Part, kBoxTreeDepth> waiting;
  std::size_t count = 0;
  waiting[count++] = {0, static_cast<int>(items.size()), 0};
  while (count > 0) {
    const Part part = waiting[--count];
    BoxTreeNode& node = tree.nodes[static_cast<std::size_t>(part.node)];
    const int size = part.end - part.begin;
    node.next = part.node + 2 * size - 1;
    node.item = size == 1 ? items[static_cast<std::size_t>(part.begin)] : -1;
    if (size == 1) continue;
    const auto first = items.begin() + part.begin, last = items.begin() + part.end, half = first + size / 2;
    const int axis = widest_axis(boxes, std::span<const int>(first, last));
    std::nth_element(first, half, last, [&](int a, int b) {
      const double place_a = along(twice_center(boxes[static_cast<std::size_t>(a)]), axis);
      const double place_b = along(twice_center(boxes[static_cast<std::size_t>(b)]), axis);
      return place_a != place_b ? place_a < place_b : a < b;
    });
    const int cut = part.begin + size / 2;
    waiting[count++] = {cut, part.end, part.node + 2 * (size / 2)};
    waiting[count++] = {part.begin, cut, part.node + 1};
  }
  refit(tree, boxes);
}

void refit(BoxTree& tree, std::span<const BoundingBox> boxes) {
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    BoxTreeNode& node = tree.nodes[i];
    if (node.item >= 0) {
      node.box = boxes[static_cast<std::size_t>(node.item)];
    } else {
      const BoxTreeNode& first = tree.nodes[i + 1];
      node.box = enclosing(first.box, tree.nodes[static_cast<std::size_t>(first.next)].box);
    }
  }
}

double size_of_boxes(const BoxTree& tree) {
  double sum = 0.0;
  for (const BoxTreeNode& node : tree.nodes) {
    const Vec3<> size = node.box.max - node.box.min;
    sum += size.x + size.y + size.z;
  }
  return sum;
}

}  // namespace pintle
