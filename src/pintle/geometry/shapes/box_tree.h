// BoxTree: a binary tree of bounding boxes, so that a query need not test them all.
#pragma once

#include <span>
#include <vector>

#include "pintle/geometry/shapes/bounding_box.h"

namespace pintle {

/// A node of a BoxTree. Nodes are stored in depth-first order: a node, its first child with its subtree, its second
/// child with its subtree.
struct BoxTreeNode {
  BoundingBox box;  ///< around all boxes below
  int next;         ///< the node after the subtree of this one; the second child of node i is nodes[i + 1].next
  int item;         ///< the index of the box of a leaf; -1 for a node with two children
};

/// A tree over n boxes: 2n - 1 nodes, the root first, no leaf deeper than log2(n) + 1 below it.
struct BoxTree {
  std::vector<BoxTreeNode> nodes;
};

/// An upper bound of the depth of the largest tree: the size of a stack to walk one.
inline constexpr int kBoxTreeDepth = 48;

/// Builds the tree over the boxes listed in `items`: at each node a median split of their centres along the axis of
/// largest spread. Reorders `items` and reuses the memory of the tree. The boxes must be finite.
void build(BoxTree& tree, std::span<const BoundingBox> boxes, std::span<int> items);

/// Updates the boxes after they have moved; the topology of the tree stays the same.
void refit(BoxTree& tree, std::span<const BoundingBox> boxes);

/// The sum of the sides of all boxes of the tree [m]: a measure of the cost of a query.
double size_of_boxes(const BoxTree& tree);

/// Whether two boxes share a point. A NaN counts as sharing, so that nothing is missed.
inline bool overlap(const BoundingBox& a, const BoundingBox& b) {
  return !(a.min.x > b.max.x) && !(b.min.x > a.max.x) && !(a.min.y > b.max.y) && !(b.min.y > a.max.y) &&
         !(a.min.z > b.max.z) && !(b.min.z > a.max.z);
}

/// Calls `visit(item)` for every box of the tree that may share a point with `box`, in the order of the tree.
template <class Visit>
void for_each_overlap(const BoxTree& tree, const BoundingBox& box, const Visit& visit) {
  const int end = static_cast<int>(tree.nodes.size());
  for (int i = 0; i < end;) {
    const BoxTreeNode& node = tree.nodes[static_cast<std::size_t>(i)];
    const bool near = overlap(node.box, box);
    if (near && node.item >= 0) visit(node.item);
    i = near ? i + 1 : node.next;
  }
}

}  // namespace pintle
