// Energies directly from a state, in aligned axes (aligned_motion.h).
#pragma once

#include "pintle/dynamics/aligned/aligned_motion.h"

namespace pintle::inline PINTLE_ISA {

template <class T>
struct AlignedEnergiesMemory {
  AlignedTree<T> tree;
  Twist<T>* V;
};

template <class T>
inline AlignedEnergiesMemory<T> take_energies_memory(const LinkTree& tree, Arena& memory) {
  return {take_aligned_tree<T>(tree, memory), memory.take<Twist<T>>(tree.count)};
}

/// The kinetic energy of all links and rotors, and the potential energy of the links' weights, in this order. The world
/// must be at rest.  [eq. energy]
template <class T, class C>
inline void aligned_energies(const LinkTreeOf<C>& tree, const T* q, const T* v, const AlignedEnergiesMemory<T>& at,
                             T* energies) {
  aligned_poses(tree, {tree.count}, q, at.tree);
  aligned_velocities(tree, v, at.tree, at.V);
  const T half(base_t<T>(0.5)), zero(0);
  T kinetic = zero;
  Vec3<T> moment{zero, zero, zero};  // of all masses about the world's origin
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<C>& link = tree.links[i];
    const SpatialInertia<T> I = constant<T>(link.inertia);
    Vec3<T>& p = at.tree.links[i].d;  // from the world's origin, from here on
    if (link.parent >= 0) p += at.tree.links[link.parent].d;
    const Mat3<T>& R = at.tree.links[i].R;
    const Vec3<T>&u = at.V[i].linear, h = R * I.first_moment, w = transpose_times(R, at.V[i].angular);
    moment = fma(I.mass, p, moment + h);
    // V' I V / 2 with the angular part in the link's own axes, where its inertia is constant
    const T rotational = fma(half, dot(w, I.inertia * w), dot(u, cross(at.V[i].angular, h)));
    kinetic = kinetic + fma(half * I.mass, dot(u, u), rotational);
  }
  for (int k = 0; k < tree.nv; ++k) kinetic = fma(half * constant<T>(tree.armature[k]), v[k] * v[k], kinetic);
  energies[0] = kinetic;
  energies[1] = -dot(constant<T>(tree.gravity), moment);
}

}  // namespace pintle::inline PINTLE_ISA
