// The links of models side by side, a model in each lane: their memory layout, and a tree of packs made of them.
#pragma once

#include "pintle/dynamics/aligned/aligned_motion.h"

namespace pintle::inline PINTLE_ISA {

template <class T>
struct LinkLanes {
  LinkOf<T>* links;
  T* armature;
  Vec3<T>* gravity;
};

template <class T>
PINTLE_INLINE LinkLanes<T> take_link_lanes(const LinkTree& tree, Arena& memory) {
  return {memory.take<LinkOf<T>>(tree.count), memory.take<T>(tree.nv), memory.take<Vec3<T>>(1)};
}

/// The tree of all lanes; `tree` is that of any one model.
template <class T>
PINTLE_INLINE LinkTreeOf<T> tree_of_lanes(const LinkTree& tree, const std::byte* lanes) {
  Arena cutter(const_cast<std::byte*>(lanes));
  const LinkLanes<T> at = take_link_lanes<T>(tree, cutter);
  return {.links = at.links,
          .count = tree.count,
          .nq = tree.nq,
          .nv = tree.nv,
          .armature = at.armature,
          .gravity = *at.gravity};
}

}  // namespace pintle::inline PINTLE_ISA
