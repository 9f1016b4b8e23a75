// BroadPhase: finds the overlapping pairs among many boxes, so that only near shapes need a narrow-phase test.
#pragma once

#include "pintle/geometry/broad_phase/contact_filter.h"
#include "pintle/geometry/shapes/box_tree.h"

namespace pintle {

/// Two boxes by their indices, first < second.
struct BoxPair {
  int first;
  int second;
};

/// Finds the overlapping pairs of boxes that move a little from call to call. It keeps a tree of them (BoxTree), refits
/// it to the new boxes, and rebuilds it when its boxes have grown by more than a third: n boxes with p pairs cost about
/// n log n + p. Earlier calls do not influence the result. Memory grows only when the number of boxes or pairs reaches
/// a new maximum.
class BroadPhase {
 public:
  /// Returns the pairs of boxes that share a point, in the order of (first, second), valid until the next call. Boxes
  /// are given in one frame, including their margin. A box may be infinite (that of a half-space): it is compared with
  /// all others. A box with a NaN overlaps everything.
  std::span<const BoxPair> pairs(std::span<const BoundingBox> boxes);

  /// Only the pairs that the filter allows to touch. `things[i]` is the index of box i in the filter, so that several
  /// boxes may belong to one object; without `things` the filter's indices are those of the boxes.
  std::span<const BoxPair> pairs(std::span<const BoundingBox> boxes, const ContactFilter& filter,
                                 std::span<const int> things = {});

 private:
  template <class MayTouch>
  std::span<const BoxPair> find(std::span<const BoundingBox> boxes, const MayTouch& may_touch);
  void fit_tree(std::span<const BoundingBox> boxes);
  void sort_pairs(std::size_t boxes);

  BoxTree tree_;
  std::vector<int> finite_;       // the boxes in the tree
  std::vector<int> unbounded_;    // the others, in their order
  std::vector<int> reordered_;    // finite_, in the order of the tree
  std::size_t boxes_ = 0;         // the previous number of boxes
  double size_when_built_ = 0.0;  // of the boxes of the tree
  std::vector<BoxPair> found_;
  std::vector<BoxPair> sorted_;
  std::vector<int> starts_;  // where the pairs of each first box begin
};

}  // namespace pintle
