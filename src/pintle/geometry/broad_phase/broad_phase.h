// BroadPhase: of many boxes, the pairs that overlap; what is not near need not be looked at closely.
#pragma once

#include "pintle/geometry/broad_phase/contact_filter.h"
#include "pintle/geometry/shapes/box_tree.h"

namespace pintle {

/// Two boxes by their indices, first < second.
struct BoxPair {
  int first;
  int second;
};

/// Finds the overlapping pairs of boxes that move a little from call to call. It keeps a tree of them (BoxTree), fits
/// it to the new boxes, and makes it anew when its boxes have grown by more than a third: n boxes with p pairs cost
/// about n log n + p. What was asked before has no influence on the answer. Memory grows at a new largest number of
/// boxes or pairs only.
class BroadPhase {
 public:
  /// The pairs of boxes that share a point, in the order of (first, second), until the next call. Boxes are given in
  /// one frame, with the margin they need. A box may be infinite (that of a half-space): it is compared with all
  /// others. A box with a NaN overlaps everything.
  std::span<const BoxPair> pairs(std::span<const BoundingBox> boxes);

  /// Only those pairs the filter lets touch. `things[i]` is the number of box i in the filter, so that several boxes
  /// may be one thing; without them the filter's numbers are those of the boxes.
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
  std::vector<int> reordered_;    // finite_, as the tree took them apart
  std::size_t boxes_ = 0;         // how many there were
  double size_when_built_ = 0.0;  // of the boxes of the tree
  std::vector<BoxPair> found_;
  std::vector<BoxPair> sorted_;
  std::vector<int> starts_;  // where the pairs of each first box begin
};

}  // namespace pintle
