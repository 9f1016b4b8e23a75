// The centroidal momentum matrix directly from q, in aligned axes (aligned_motion.h).
#pragma once

#include "pintle/dynamics/aligned/aligned_motion.h"

namespace pintle::inline PINTLE_ISA {

template <class T>
struct AlignedCentroidalMemory {
  AlignedTree<T> tree;
  SpatialInertia<T>* I_C;  ///< of the subtree rooted at the link
  Vec3<T>* r;              ///< origin of each link from that of the first link
};

template <class T>
inline AlignedCentroidalMemory<T> take_centroidal_memory(const LinkTree& tree, Arena& memory) {
  return {take_aligned_tree<T>(tree, memory), memory.take<SpatialInertia<T>>(tree.count),
          memory.take<Vec3<T>>(tree.count)};
}

/// The momentum of unit velocities of all dofs, in six rows, in world axes about the centre of mass. Returns the mass,
/// the centre of mass in the world (in first_moment, but not multiplied by the mass) and the inertia about it. If the
/// mass is zero, all else is meaningless.  [eq. centroidal-momentum]
template <class T, class C>
inline SpatialInertia<T> aligned_centroidal(const LinkTreeOf<C>& tree, const T* q, const AlignedCentroidalMemory<T>& at,
                                            T* A_G) {
  const auto& [aligned, I_C, r] = at;
  aligned_poses(tree, {tree.count}, q, aligned);
  const Vec3<T> first = aligned.links[0].d;
  for (int i = 0; i < tree.count; ++i) {
    const int parent = tree.links[i].parent;
    I_C[i] = aligned_inertia<T>(tree.links[i], aligned.links[i].R);
    r[i] = parent < 0 ? aligned.links[i].d - first : r[parent] + aligned.links[i].d;
  }
  SpatialInertia<T> whole = zero_inertia<T>();  // about the first link's origin
  for (int i = tree.count - 1; i >= 0; --i) {
    const int parent = tree.links[i].parent;
    if (parent < 0) {
      add_shifted(whole, I_C[i], r[i]);
    } else {
      add_shifted(I_C[parent], I_C[i], aligned.links[i].d);
    }
  }
  const Vec3<T> center = whole.first_moment / whole.mass;
  SpatialInertia<T> about_center = zero_inertia<T>();
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<C>& link = tree.links[i];
    const Vec3<T> from_center = r[i] - center;
    if (link.parent < 0) add_shifted(about_center, I_C[i], from_center);
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const Wrench<T> F = I_C[i] * aligned.S[k];
      put_column(F.force, F.torque + cross(from_center, F.force), A_G + k, tree.nv);
    }
  }
  return {whole.mass, first + center, about_center.inertia};
}

}  // namespace pintle::inline PINTLE_ISA
