// Inverse dynamics on a plan: the recursive Newton-Euler algorithm of inverse_dynamics_impl.h in fewer operations.
#pragma once

#include "pintle/dynamics/plan/planned_lane_groups.h"
#include "pintle/dynamics/plan/planned_motion.h"

namespace pintle::inline PINTLE_ISA {

/// Sums the wrenches towards the roots.  [eq. rnea]
template <class T, class C = base_t<T>>
struct PlannedEffortPass {
  const PlanView<C>& plan;
  const T* q;
  const T* vdot;
  PlannedMemory<T> at;
  T* tau;

  template <PlanKind kKind, bool kBaseParameters>
  PINTLE_INLINE void step(int i) {
    const PlanLink<C>& link = plan.links[i];
    const Wrench<T>& F = at.links[i].F;
    if constexpr (kKind.joint == PlanJoint::free) {
      T* const out = tau + link.v;
      out[0] = F.force.x;
      out[1] = F.force.y;
      out[2] = F.force.z;
      out[3] = F.torque.x;
      out[4] = F.torque.y;
      out[5] = F.torque.z;
    } else if constexpr (kKind.joint == PlanJoint::general) {
      general(link, F);
    } else if constexpr (kKind.joint == PlanJoint::spherical) {
      put_vector(F.torque, tau + link.v);
      if (link.parent >= 0) at.links[link.parent].F += at.general[link.general].X_PL * F;
    } else if constexpr (kKind.joint == PlanJoint::cylindrical) {
      const auto armature = armature_of<T>(plan, link);
      tau[link.v] = fma(armature.translation, vdot[link.v], F.force.z);
      tau[link.v + 1] = fma(armature.rotation, vdot[link.v + 1], F.torque.z);
      if constexpr (!kKind.is_root()) at.links[link.parent].F += joint_of<kKind>(link, q, at).inwards(F);
    } else {
      const auto across = joint_of<kKind>(link, q, at);
      tau[link.v] = fma(T(link.armature), vdot[link.v], across.along(F));
      if constexpr (!kKind.is_root()) at.links[link.parent].F += across.inwards(F);
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

/// Likewise for the lane groups, from the tips to the remainder.  [eq. rnea]
struct LaneGroupEffortPass {
  const PlanLaneGroups& lane_groups;
  const double* vdot;
  LaneGroupMemory at;
  double* tau;

  template <PlanKind kKind, bool kBaseParameters>
  requires(kKind.joint == PlanJoint::revolute) PINTLE_INLINE void step(int k) {
    const LaneGroupPack& pack = lane_groups.packs[k];
    const auto across = lane_group_revolute<kKind>(lane_groups, k, at);
    const Wrench<LaneGroupScalar> F = with_children(lane_groups, pack, at.links[k].F, at);
    scatter(fma(across.link.armature, gathered(vdot, pack.v), F.torque.z), pack, tau);
    if constexpr (kKind.is_root()) {
      at.links[k].F = F;
    } else {
      at.sums[k].p = across.inwards(F);
    }
  }
};

/// planned_inverse_dynamics with lane groups, bitwise equal.
inline void inverse_dynamics_of_lane_groups(const PlanView<double>& plan, const double* q, const double* v,
                                            const double* vdot, const PlannedLoads<double>& loads,
                                            const PlannedMemory<double>& memory, double* tau) {
  const PlanLaneGroups& lane_groups = plan.lane_groups;
  PlannedMotion<LaneGroupScalar> room;
  compute_sines_cosines(plan, q, memory);
  if (loads.world == nullptr) {
    remainder_outwards(lane_groups, PlannedMotionPass<double, true>{plan, q, v, vdot, memory});
  } else {
    remainder_outwards(lane_groups,
                       PlannedMotionPass<double, true, double, true>{plan, q, v, vdot, memory, loads.world});
  }
  carry(lane_groups, kMotion, memory);
  lane_groups_outwards(lane_groups, LaneGroupMotionPass<true>{lane_groups, v, vdot, memory.lane_groups,
                                                              world_in_lanes(loads.world, room)});
  if (loads.external != nullptr) subtract_external_from_lane_groups(plan, loads.external, memory);
  lane_groups_inwards(lane_groups, LaneGroupEffortPass{lane_groups, vdot, memory.lane_groups, tau});
  remainder_inwards(lane_groups, PlannedEffortPass<double>{plan, q, vdot, memory, tau}, [&](int link) {
    memory.links[plan.links[link].parent].F += wrench_of_lane_group(plan.links[link], memory);
  });
}

/// tau that gives vdot at (q, v) under gravity and the loads, which are of one state in double alone. Leaves the
/// wrenches of the root joints in F.  [eq. rnea]
template <class T, class C>
inline void planned_inverse_dynamics(const PlanView<C>& plan, const T* q, const T* v, const T* vdot,
                                     const PlannedMemory<T>& memory, T* tau, const PlannedLoads<T>& loads = {}) {
  if constexpr (kHasLaneGroups<T>)
    if (plan.lane_groups.count > 0) return inverse_dynamics_of_lane_groups(plan, q, v, vdot, loads, memory, tau);
  compute_sines_cosines(plan, q, memory);
  if constexpr (std::is_same_v<T, double>) {
    if (loads.world == nullptr) {
      outwards(plan, PlannedMotionPass<T, true, C>{plan, q, v, vdot, memory});
    } else {
      outwards(plan, PlannedMotionPass<T, true, C, true>{plan, q, v, vdot, memory, loads.world});
    }
    if (loads.external != nullptr) subtract_external(plan, loads.external, memory);
  } else {
    outwards(plan, PlannedMotionPass<T, true, C>{plan, q, v, vdot, memory});
  }
  inwards(plan, PlannedEffortPass<T, C>{plan, q, vdot, memory, tau});
}

}  // namespace pintle::inline PINTLE_ISA
