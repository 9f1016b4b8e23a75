#include "pintle/geometry/broad_phase/broad_phase.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "pintle/base/usage_error.h"

namespace pintle {
namespace {

// A tree whose boxes have grown by this factor is rebuilt.
constexpr double kGrowth = 4.0 / 3.0;

bool is_finite(const BoundingBox& box) {
  const Vec3<> sum = box.max - box.min;  // not finite if any coordinate is not
  return std::isfinite(sum.x) && std::isfinite(sum.y) && std::isfinite(sum.z);
}

}  // namespace

std::span<const BoxPair> BroadPhase::pairs(std::span<const BoundingBox> boxes) {
  return find(boxes, [](int, int) { return true; });
}

std::span<const BoxPair> BroadPhase::pairs(std::span<const BoundingBox> boxes, const ContactFilter& filter,
                                           std::span<const int> things) {
  if (things.empty()) return find(boxes, [&](int a, int b) { return may_touch(filter, a, b); });
  require_size("BroadPhase::pairs", "things", things.size(), boxes.size());
  return find(boxes, [&](int a, int b) {
    return may_touch(filter, things[static_cast<std::size_t>(a)], things[static_cast<std::size_t>(b)]);
  });
}

template <class MayTouch>
std::span<const BoxPair> BroadPhase::find(std::span<const BoundingBox> boxes, const MayTouch& may_touch) {
  fit_tree(boxes);
  found_.clear();
  const auto add = [&](int a, int b) {
    if (may_touch(a, b)) found_.push_back({std::min(a, b), std::max(a, b)});
  };
  // Every leaf is tested against the leaves after it.
  const int end = static_cast<int>(tree_.nodes.size());
  for (int leaf = 0; leaf < end; ++leaf) {
    const BoxTreeNode& one = tree_.nodes[static_cast<std::size_t>(leaf)];
    if (one.item < 0) continue;
    for (int i = leaf + 1; i < end;) {
      const BoxTreeNode& node = tree_.nodes[static_cast<std::size_t>(i)];
      const bool near = overlap(node.box, one.box);
      if (near && node.item >= 0) add(one.item, node.item);
      i = near ? i + 1 : node.next;
    }
  }
  for (std::size_t k = 0; k < unbounded_.size(); ++k) {
    const BoundingBox& box = boxes[static_cast<std::size_t>(unbounded_[k])];
    for_each_overlap(tree_, box, [&](int item) { add(unbounded_[k], item); });
    for (std::size_t l = k + 1; l < unbounded_.size(); ++l)
      if (overlap(box, boxes[static_cast<std::size_t>(unbounded_[l])])) add(unbounded_[k], unbounded_[l]);
  }
  sort_pairs(boxes.size());
  return sorted_;
}

void BroadPhase::fit_tree(std::span<const BoundingBox> boxes) {
  const std::size_t in_tree = finite_.size();
  bool same = boxes.size() == boxes_;
  boxes_ = boxes.size();
  finite_.reserve(boxes.size());
  unbounded_.reserve(boxes.size());
  unbounded_.clear();
  std::size_t k = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const int item = static_cast<int>(i);
    if (!is_finite(boxes[i])) {
      unbounded_.push_back(item);
      continue;
    }
    same = same && k < in_tree && finite_[k] == item;
    if (k < finite_.size()) {
      finite_[k] = item;
    } else {
      finite_.push_back(item);
    }
    ++k;
  }
  same = same && k == in_tree;
  finite_.resize(k);
  if (same) {
    refit(tree_, boxes);
    if (size_of_boxes(tree_) <= kGrowth * size_when_built_) return;
  }
  reordered_.assign(finite_.begin(), finite_.end());
  build(tree_, boxes, reordered_);
  size_when_built_ = size_of_boxes(tree_);
}

// Counting sort by the first box, then sorts the few pairs of each box by the second.
void BroadPhase::sort_pairs(std::size_t boxes) {
  starts_.assign(boxes + 1, 0);
  for (const BoxPair& pair : found_) ++starts_[static_cast<std::size_t>(pair.first) + 1];
  for (std::size_t i = 0; i < boxes; ++i) starts_[i + 1] += starts_[i];
  sorted_.resize(found_.size());
  for (const BoxPair& pair : found_) {
    int& place = starts_[static_cast<std::size_t>(pair.first)];
    sorted_[static_cast<std::size_t>(place++)] = pair;
  }
  // Now starts_[i] is where the pairs of box i end.
  const auto by_second = [](const BoxPair& a, const BoxPair& b) { return a.second < b.second; };
  int begin = 0;
  for (std::size_t i = 0; i < boxes; ++i) {
    std::sort(sorted_.begin() + begin, sorted_.begin() + starts_[i], by_second);
    begin = starts_[i];
  }
}

}  // namespace pintle
