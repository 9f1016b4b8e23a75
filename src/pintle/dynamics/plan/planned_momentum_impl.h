// What the world exerts on the links of a plan through the root joints, and their first moment of mass, after forward
// or inverse dynamics: from what these leave in the memory.
#pragma once

#include "pintle/dynamics/plan/planned_lane_groups.h"
#include "pintle/dynamics/plan/planned_motion.h"

namespace pintle::inline PINTLE_ISA {

/// Of a link alone.
template <class T, class C>
PINTLE_INLINE MassMoment<T> mass_moment_of(const PlanParameters<C>& link) {
  const auto& h = link.inertia.first_moment;
  return {T(link.inertia.mass), {T(h.x), T(h.y), T(h.z)}};
}
template <class T>
PINTLE_INLINE MassMoment<T> operator+(const MassMoment<T>& a, const MassMoment<T>& b) {
  return {a.mass + b.mass, a.first_moment + b.first_moment};
}

/// Of `count` links alone from `first` on; `moments` has an entry for the world before those of the links.
template <class T, class C>
PINTLE_INLINE void start_moments(const PlanView<C>& plan, int first, int count, MassMoment<T>* moments) {
  for (int i = first; i < first + count; ++i) {
    if constexpr (std::is_same_v<T, double> && std::is_same_v<C, double>) {
      // Mass and first moment at once: g++ makes four loops of four components.
      static_assert(sizeof(MassMoment<double>) == sizeof(Pack<double, 4>));
      store(load<Pack<double, 4>>(values_of(plan.links[i].inertia)), values_of(moments[i + 1]));
    } else {
      moments[i + 1] = mass_moment_of<T>(plan.links[i]);
    }
  }
}

/// Sums the wrenches of the root joints in the world.  [eq. root-wrench]
template <class T, class C = base_t<T>>
struct PlannedSupportPass {
  const PlanView<C>& plan;
  const T* q;
  const PlannedMemory<T>& at;
  Wrench<T>& supports;

  template <PlanKind kKind, bool kBaseParameters>
  PINTLE_INLINE void step(int i) {
    const PlanLink<C>& link = plan.links[i];
    if constexpr (kKind.joint == PlanJoint::free) {
      supports += pose_of_free_root(link, q) * at.links[i].F;
    } else if constexpr (kKind.joint == PlanJoint::general || kKind.joint == PlanJoint::spherical) {
      if (link.parent < 0) supports += at.general[link.general].X_PL * at.links[i].F;
    } else if constexpr (kKind.is_root()) {
      supports += joint_of<kKind>(link, q, at).inwards(at.links[i].F);
    }
  }
};

/// Likewise for the lane groups.
struct LaneGroupSupportPass {
  const PlanLaneGroups& lane_groups;
  const LaneGroupMemory& at;
  Wrench<double>& supports;

  template <PlanKind kKind, bool kBaseParameters>
  requires(kKind.joint == PlanJoint::revolute) PINTLE_INLINE void step(int k) {
    if constexpr (kKind.is_root()) {
      const Wrench<LaneGroupScalar> F = lane_group_revolute<kKind>(lane_groups, k, at).inwards(at.links[k].F);
      for (int lane = 0; lane < kLaneGroupLanes; ++lane)
        if (lane_groups.packs[k].links[lane] >= 0) supports += wrench_in_lane(F, lane);
    }
  }
};

/// Whether links of a run may be on the world.
inline bool has_roots(const PlanRun& run) {
  return run.kind.is_root() || run.kind.joint == PlanJoint::general || run.kind.joint == PlanJoint::spherical;
}

/// What the world exerts on the links through all root joints, about its origin in its axes, after
/// planned_inverse_dynamics or planned_forward_dynamics at q with this memory.  [eq. root-wrench]
template <class T, class C>
inline Wrench<T> planned_supports(const PlanView<C>& plan, const T* q, const PlannedCall& call,
                                  const PlannedMemory<T>& memory) {
  Wrench<T> supports = zero_wrench<T>();
  const PlannedSupportPass<T, C> pass{plan, q, memory, supports};
  if constexpr (kHasLaneGroups<T>) {
    const PlanLaneGroups& lane_groups = plan.lane_groups;
    if (lane_groups.count > 0 && !call.given) {
      for (int r = lane_groups.run_count - 1; r >= 0; --r)
        if (has_roots(lane_groups.runs[r]))
          over_joints<false>(lane_groups.runs[r], LaneGroupSupportPass{lane_groups, memory.lane_groups, supports});
      for (int r = lane_groups.remainder_count - 1; r >= 0; --r)
        if (has_roots(lane_groups.remainder[r])) over_joints<false>(lane_groups.remainder[r], pass);
      return supports;
    }
  }
  for (int r = plan.run_count - 1; r >= 0; --r)
    if (has_roots(plan.runs[r])) over_joints<false>(plan.runs[r], pass);
  return supports;
}

/// Sums mass moments towards the world.  [eq. total-weight]
template <class T, class C = base_t<T>>
struct PlannedMomentPass {
  const PlanView<C>& plan;
  const T* q;
  const PlannedMemory<T>& at;
  MassMoment<T>* moments;  ///< of the world and the links

  template <PlanKind kKind, bool kBaseParameters>
  PINTLE_INLINE void step(int i) {
    const PlanLink<C>& link = plan.links[i];
    if constexpr (kKind.joint == PlanJoint::free) {
      add(i, pose_of_free_root(link, q));
    } else if constexpr (kKind.joint == PlanJoint::general || kKind.joint == PlanJoint::spherical) {
      add(i, at.general[link.general].X_PL);
    } else {
      const auto across = joint_of<kKind>(link, q, at);
      MassMoment<T> I = moments[i + 1];
      across.take_inwards(I);
      moments[link.parent + 1] = moments[link.parent + 1] + I;
    }
  }

  PINTLE_INLINE void add(int i, const Pose<T>& X) {
    MassMoment<T>& carrier = moments[plan.links[i].parent + 1];
    carrier = carrier + X * moments[i + 1];
  }
};

/// Sums of the packs have the first moment as the force of p and the mass in its torque.
PINTLE_INLINE MassMoment<double> moment_in_lane(const Wrench<LaneGroupScalar>& sum, int lane) {
  const Wrench<double> values = wrench_in_lane(sum, lane);
  return {values.torque.x, values.force};
}

/// Likewise for the lane groups.
struct LaneGroupMomentPass {
  const PlanLaneGroups& lane_groups;
  const LaneGroupMemory& at;
  MassMoment<double>& world;

  template <PlanKind kKind, bool kBaseParameters>
  requires(kKind.joint == PlanJoint::revolute) PINTLE_INLINE void step(int k) {
    const LaneGroupPack& pack = lane_groups.packs[k];
    const auto across = lane_group_revolute<kKind>(lane_groups, k, at);
    const MassMoment<LaneGroupScalar> own = mass_moment_of<LaneGroupScalar>(across.link);
    const LaneGroupScalar zero(0.0);
    const Wrench<LaneGroupScalar> alone{own.first_moment, {own.mass, zero, zero}};
    const Wrench<LaneGroupScalar> sum = with_children(lane_groups, pack, alone, at);
    MassMoment<LaneGroupScalar> I{sum.torque.x, sum.force};
    across.take_inwards(I);
    at.sums[k].p = {I.first_moment, {I.mass, zero, zero}};
    if constexpr (kKind.is_root())
      for (int lane = 0; lane < kLaneGroupLanes; ++lane)
        if (pack.links[lane] >= 0) world = world + moment_in_lane(at.sums[k].p, lane);
  }
};

inline void sum_moments_of_lane_groups(const PlanView<double>& plan, const double* q,
                                       const PlannedMemory<double>& memory, MassMoment<double>* moments) {
  const PlanLaneGroups& lane_groups = plan.lane_groups;
  for (int r = 0; r < lane_groups.remainder_count; ++r) {
    const PlanRun& run = lane_groups.remainder[r];
    if (run.kind.joint != PlanJoint::lane_group) start_moments(plan, run.first, run.count, moments);
  }
  lane_groups_inwards(lane_groups, LaneGroupMomentPass{lane_groups, memory.lane_groups, moments[0]});
  remainder_inwards(lane_groups, PlannedMomentPass<double>{plan, q, memory, moments}, [&](int i) {
    const PlanLink<double>& root = plan.links[i];
    const Wrench<LaneGroupScalar>& sum = memory.lane_groups.sums[root.angle / kLaneGroupLanes].p;
    MassMoment<double>& carrier = moments[root.parent + 1];
    carrier = carrier + moment_in_lane(sum, root.angle % kLaneGroupLanes);
  });
}

/// The first moment of mass of the links in base parameters, likewise; `moments` has an entry for the world and one per
/// link.  [eq. total-weight]
template <class T, class C>
inline Vec3<T> planned_first_moment(const PlanView<C>& plan, const T* q, const PlannedCall& call,
                                    const PlannedMemory<T>& memory, MassMoment<T>* moments) {
  moments[0] = {T(0), {T(0), T(0), T(0)}};
  if constexpr (kHasLaneGroups<T>) {
    if (plan.lane_groups.count > 0 && !call.given) {
      sum_moments_of_lane_groups(plan, q, memory, moments);
      return moments[0].first_moment;
    }
  }
  start_moments(plan, 0, plan.count, moments);
  inwards(plan, PlannedMomentPass<T, C>{plan, q, memory, moments});
  return moments[0].first_moment;
}

}  // namespace pintle::inline PINTLE_ISA
