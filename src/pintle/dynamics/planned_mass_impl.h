// The mass matrix on a plan: the composite-rigid-body algorithm of mass_matrix_impl.h in fewer operations.
#pragma once

#include "pintle/dynamics/planned_motion.h"

namespace pintle::inline PINTLE_ISA {

/// Where the links stand, and their own inertias.
template <class T>
struct PlannedPosePass {
  const PlanView<base_t<T>>& plan;
  const T* q;
  PlannedMemory<T> at;

  template <PlanKind kKind, bool kSlender>
  PINTLE_INLINE void step(int i) {
    const PlanLink<base_t<T>>& link = plan.links[i];
    at.composites[i] = inertia_of<T>(link);
    if constexpr (kKind == PlanKind::general) {
      const Link& joint = plan.general[link.general];
      PlannedGeneral<T>& here = at.general[link.general];
      here.X_PL = constant<T>(joint.X_PJ) * joint_motion(joint, q + joint.q, here.S);
    }
  }
};

/// Composite inertias towards the roots, and the rows of M that belong to a link.  [eq. crba]
template <class T>
struct PlannedCompositePass {
  const PlanView<base_t<T>>& plan;
  PlannedMemory<T> at;
  T* M;

  template <PlanKind kKind, bool kSlender>
  PINTLE_INLINE void step(int i) {
    const PlanLink<base_t<T>>& link = plan.links[i];
    const SpatialInertia<T>& I_C = at.composites[i];
    if constexpr (kKind == PlanKind::free_root) {
      const Mat3<T> K = -skew(I_C.first_moment);
      const T zero(0), m = I_C.mass;
      const SymMat3<T>& J = I_C.inertia;
      const T block[6][6] = {{m, zero, zero, K.xx, K.xy, K.xz},    {zero, m, zero, K.yx, K.yy, K.yz},
                             {zero, zero, m, K.zx, K.zy, K.zz},    {K.xx, K.yx, K.zx, J.xx, J.xy, J.xz},
                             {K.xy, K.yy, K.zy, J.xy, J.yy, J.yz}, {K.xz, K.yz, K.zz, J.xz, J.yz, J.zz}};
      for (int k = 0; k < 6; ++k)
        for (int j = 0; j < 6; ++j) M[(link.v + k) * plan.nv + link.v + j] = block[k][j];
    } else if constexpr (kKind == PlanKind::general) {
      general(i);
    } else {
      const Vec3<T>& h = I_C.first_moment;
      const Wrench<T> F{{-h.y, h.x, T(0)}, {I_C.inertia.xz, I_C.inertia.yz, I_C.inertia.zz}};
      M[link.v * plan.nv + link.v] = I_C.inertia.zz + T(link.armature);
      if constexpr (kKind != PlanKind::root_hinge) {
        const Hinge<T, kKind> across = hinge_of<kKind>(link, at);
        along_branch(link.parent, link.v, across.inwards(F));
        SpatialInertia<T> I_P = I_C;
        across.take_inwards(I_P);
        at.composites[link.parent] = at.composites[link.parent] + I_P;
      }
    }
  }

  void general(int i) {
    const PlanLink<base_t<T>>& link = plan.links[i];
    const PlannedGeneral<T>& joint = at.general[link.general];
    for (int k = 0; k < link.nv; ++k) {
      const Wrench<T> F = at.composites[i] * joint.S[k];
      for (int j = 0; j <= k; ++j) enter(link.v + k, link.v + j, dot(joint.S[j], F));
      M[(link.v + k) * (plan.nv + 1)] += constant<T>(plan.armature[link.v + k]);
      if (link.parent >= 0) along_branch(link.parent, link.v + k, joint.X_PL * F);
    }
    if (link.parent >= 0) at.composites[link.parent] = at.composites[link.parent] + joint.X_PL * at.composites[i];
  }

  PINTLE_INLINE void enter(int k, int j, const T& entry) { M[k * plan.nv + j] = M[j * plan.nv + k] = entry; }

  /// The entries of freedom k with those of link i and of all that carry it; F is given in the frame of link i.
  PINTLE_INLINE void along_branch(int i, int k, Wrench<T> F) {
    for (; i >= 0; i = plan.links[i].parent) {
      const PlanLink<base_t<T>>& link = plan.links[i];
      switch (link.kind) {
        case PlanKind::root_hinge:
          enter(k, link.v, F.torque.z);
          break;
        case PlanKind::hinge:
          enter(k, link.v, F.torque.z);
          F = hinge_of<PlanKind::hinge>(link, at).inwards(F);
          break;
        case PlanKind::turned_hinge:
          enter(k, link.v, F.torque.z);
          F = hinge_of<PlanKind::turned_hinge>(link, at).inwards(F);
          break;
        case PlanKind::posed_hinge:
          enter(k, link.v, F.torque.z);
          F = hinge_of<PlanKind::posed_hinge>(link, at).inwards(F);
          break;
        case PlanKind::free_root:
          enter(k, link.v, F.force.x);
          enter(k, link.v + 1, F.force.y);
          enter(k, link.v + 2, F.force.z);
          enter(k, link.v + 3, F.torque.x);
          enter(k, link.v + 4, F.torque.y);
          enter(k, link.v + 5, F.torque.z);
          break;
        case PlanKind::general: {
          const PlannedGeneral<T>& general = at.general[link.general];
          for (int j = 0; j < link.nv; ++j) enter(k, link.v + j, dot(general.S[j], F));
          F = general.X_PL * F;
          break;
        }
      }
    }
  }
};

/// M(q), nv rows of nv numbers; freedoms on different branches have a zero.  [eq. crba]
template <class T>
inline void planned_mass_matrix(const PlanView<base_t<T>>& plan, const T* q, const PlannedMemory<T>& memory, T* M) {
  for (int k = 0; k < plan.nv * plan.nv; ++k) M[k] = T(0);
  find_turns(plan, q, memory);
  outwards(plan, PlannedPosePass<T>{plan, q, memory});
  inwards(plan, PlannedCompositePass<T>{plan, memory, M});
}

}  // namespace pintle::inline PINTLE_ISA
