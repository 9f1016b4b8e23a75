// Inverse dynamics on a plan: the recursive Newton-Euler algorithm of inverse_dynamics_impl.h in fewer operations.
#pragma once

#include "pintle/dynamics/plan/planned_limbs.h"
#include "pintle/dynamics/plan/planned_motion.h"

namespace pintle::inline PINTLE_ISA {

/// Gathers the wrenches towards the roots.  [eq. rnea]
template <class T, class C = base_t<T>>
struct PlannedEffortPass {
  const PlanView<C>& plan;
  const T* q;
  const T* vdot;
  PlannedMemory<T> at;
  T* tau;

  template <PlanKind kKind, bool kSlender>
  PINTLE_INLINE void step(int i) {
    const PlanLink<C>& link = plan.links[i];
    const Wrench<T>& F = at.links[i].F;
    if constexpr (kKind == PlanKind::free_root) {
      T* const out = tau + link.v;
      out[0] = F.force.x;
      out[1] = F.force.y;
      out[2] = F.force.z;
      out[3] = F.torque.x;
      out[4] = F.torque.y;
      out[5] = F.torque.z;
    } else if constexpr (kKind == PlanKind::general) {
      general(link, F);
    } else if constexpr (kKind == PlanKind::ball) {
      put_three_numbers(F.torque, tau + link.v);
      if (link.parent >= 0) at.links[link.parent].F += at.general[link.general].X_PL * F;
    } else if constexpr (is_cylinder(kKind)) {
      const auto armature = armature_of<T>(plan, link);
      tau[link.v] = fma(armature.travel, vdot[link.v], F.force.z);
      tau[link.v + 1] = fma(armature.turn, vdot[link.v + 1], F.torque.z);
      if constexpr (!is_root(kKind)) at.links[link.parent].F += joint_of<kKind>(link, q, at).inwards(F);
    } else {
      const auto across = joint_of<kKind>(link, q, at);
      tau[link.v] = fma(T(link.armature), vdot[link.v], across.along(F));
      if constexpr (!is_root(kKind)) at.links[link.parent].F += across.inwards(F);
    }
  }

  void general(const PlanLink<C>& link, const Wrench<T>& F) {
    const PlannedGeneral<T>& joint = at.general[link.general];
    for (int k = 0; k < link.nv; ++k) {
      tau[link.v + k] = fma(constant<T>(plan.armature[link.v + k]), vdot[link.v + k], dot(joint.S[k], F));
    }
    if (link.parent >= 0) at.links[link.parent].F += joint.X_PL * F;
  }
};

/// Likewise of the limbs, from the tips to the trunk.  [eq. rnea]
struct LimbEffortPass {
  const PlanLimbs& limbs;
  const double* vdot;
  LimbMemory at;
  double* tau;

  template <PlanKind kKind, bool kSlender>
  requires(is_hinge(kKind)) PINTLE_INLINE void step(int k) {
    const LimbPack& pack = limbs.packs[k];
    const Hinge<LimbNumber, kKind, LimbNumber> across = limb_hinge<kKind>(limbs, k, at);
    const Wrench<LimbNumber> F = with_children(limbs, pack, at.links[k].F, at);
    scatter(fma(across.link.armature, gathered(vdot, pack.v), F.torque.z), pack, tau);
    if constexpr (kKind != PlanKind::root_hinge) at.sums[k].p = across.inwards(F);
  }
};

/// What planned_inverse_dynamics does, to the same bits.
inline void inverse_dynamics_of_limbs(const PlanView<double>& plan, const double* q, const double* v,
                                      const double* vdot, const PlannedMemory<double>& memory, double* tau) {
  const PlanLimbs& limbs = plan.limbs;
  find_turns(plan, q, memory);
  trunk_outwards(limbs, PlannedMotionPass<double, true>{plan, q, v, vdot, memory});
  carry(limbs, kMotion, memory);
  limbs_outwards(limbs, LimbMotionPass<true>{limbs, v, vdot, memory.limbs});
  limbs_inwards(limbs, LimbEffortPass{limbs, vdot, memory.limbs, tau});
  trunk_inwards(limbs, PlannedEffortPass<double>{plan, q, vdot, memory, tau},
                [&](int link) { memory.links[plan.links[link].parent].F += wrench_of_limb(plan.links[link], memory); });
}

/// tau that gives vdot at (q, v) under gravity.  [eq. rnea]
template <class T, class C>
inline void planned_inverse_dynamics(const PlanView<C>& plan, const T* q, const T* v, const T* vdot,
                                     const PlannedMemory<T>& memory, T* tau) {
  if constexpr (kHasLimbs<T>)
    if (plan.limbs.count > 0) return inverse_dynamics_of_limbs(plan, q, v, vdot, memory, tau);
  find_turns(plan, q, memory);
  outwards(plan, PlannedMotionPass<T, true, C>{plan, q, v, vdot, memory});
  inwards(plan, PlannedEffortPass<T, C>{plan, q, vdot, memory, tau});
}

}  // namespace pintle::inline PINTLE_ISA
