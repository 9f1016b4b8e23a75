// Similar limbs of one state in SIMD lanes (lane groups): a lane does what the kernels do link by link, in the same
// order, so that results are bitwise equal. The remainder goes link by link, first outwards and last inwards.
#pragma once

#include "pintle/dynamics/plan/planned_motion.h"

namespace pintle::inline PINTLE_ISA {

/// Whether a register has a lane for each lane group.
template <class T>
inline constexpr bool kHasLaneGroups = std::is_same_v<T, double>&& PINTLE_VECTOR_BYTES >= kLaneGroupLanes * 8;

// ---- values of a state

/// The values of the links of a pack.
PINTLE_INLINE LaneGroupScalar gathered(const double* values, const int (&at)[kLaneGroupLanes]) {
  return LaneGroupScalar(LaneGroupScalar::Native{values[at[0]], values[at[1]], values[at[2]], values[at[3]]});
}
PINTLE_INLINE void scatter(LaneGroupScalar x, const LaneGroupPack& pack, double* values) {
  for (int lane = 0; lane < kLaneGroupLanes; ++lane)
    if (pack.links[lane] >= 0) values[pack.v[lane]] = x[lane];
}

/// The values of a struct of packs, lane after lane; of a struct of doubles, one after the other.
template <class Struct>
PINTLE_INLINE double* values_of(Struct& s) {
  return reinterpret_cast<double*>(&s);
}
template <class Struct>
PINTLE_INLINE const double* values_of(const Struct& s) {
  return reinterpret_cast<const double*>(&s);
}

// ---- passes

template <class Pass>
PINTLE_INLINE void lane_groups_outwards(const PlanLaneGroups& lane_groups, const Pass& pass) {
  for (int r = 0; r < lane_groups.run_count; ++r) over_joints<true>(lane_groups.runs[r], pass);
}
template <class Pass>
PINTLE_INLINE void lane_groups_inwards(const PlanLaneGroups& lane_groups, const Pass& pass) {
  for (int r = lane_groups.run_count - 1; r >= 0; --r) over_joints<false>(lane_groups.runs[r], pass);
}
template <class Pass>
PINTLE_INLINE void remainder_outwards(const PlanLaneGroups& lane_groups, const Pass& pass) {
  for (int r = 0; r < lane_groups.remainder_count; ++r) over_joints<true>(lane_groups.remainder[r], pass);
}
/// Calls add(link) for the innermost links of the lane groups, in the order of the pass.
template <class Pass, class Add>
PINTLE_INLINE void remainder_inwards(const PlanLaneGroups& lane_groups, const Pass& pass, const Add& add) {
  for (int r = lane_groups.remainder_count - 1; r >= 0; --r) {
    const PlanRun& run = lane_groups.remainder[r];
    if (run.kind.joint == PlanJoint::lane_group) {
      for (int i = run.first + run.count - 1; i >= run.first; --i) add(lane_groups.roots[i]);
    } else {
      over_joints<false>(run, pass);
    }
  }
}

// ---- outwards: the parents of a pack

/// A range of values of a PlannedLink.
struct LinkValues {
  int first, count;
};
inline constexpr LinkValues kMotion = {0, 12}, kAcceleration = {6, 6};
inline constexpr int kWrenchValues = 6;

/// Broadcasts the values of the parents to all lanes.
inline void carry(const PlanLaneGroups& lane_groups, const LinkValues& which, const PlannedMemory<double>& at) {
  for (int c = 0; c < lane_groups.carrier_count; ++c) {
    const double* const from = values_of(at.links[lane_groups.carriers[c]]);
    double* const to = values_of(at.lane_groups.links[lane_groups.count + c]);
    for (int k = which.first; k < which.first + which.count; ++k)
      store(LaneGroupScalar(from[k]), to + k * kLaneGroupLanes);
  }
}

/// The values of the parents of the links of a pack, lane by lane.
inline void bring_together(const LaneGroupPack& pack, const LinkValues& which, const LaneGroupMemory& at,
                           PlannedLink<LaneGroupScalar>& room) {
  const double* from[kLaneGroupLanes];
  for (int lane = 0; lane < kLaneGroupLanes; ++lane)
    from[lane] = values_of(at.links[pack.parent[lane]]) + pack.parent_lane[lane];
  double* const to = values_of(room);
  const int first = which.first * kLaneGroupLanes, end = first + which.count * kLaneGroupLanes;
  for (int k = first; k < end; k += kLaneGroupLanes)
    store(LaneGroupScalar(LaneGroupScalar::Native{from[0][k], from[1][k], from[2][k], from[3][k]}), to + k);
}

/// The parents of pack k.
template <PlanKind kKind>
PINTLE_INLINE const PlannedMotion<LaneGroupScalar>* lane_group_parent(const PlanLaneGroups& lane_groups, int k,
                                                                      const LinkValues& which,
                                                                      const LaneGroupMemory& at) {
  if constexpr (kKind.is_root()) {
    return nullptr;
  } else {
    const LaneGroupPack& pack = lane_groups.packs[k];
    if (pack.only_parent >= 0) return at.links + pack.only_parent;
    PlannedLink<LaneGroupScalar>& room = at.links[lane_groups.count + lane_groups.carrier_count];
    bring_together(pack, which, at, room);
    return &room;
  }
}

template <PlanKind kKind>
PINTLE_INLINE auto lane_group_revolute(const PlanLaneGroups& lane_groups, int k, const LaneGroupMemory& at) {
  using Scalar = LaneGroupScalar;
  const auto& link = reinterpret_cast<const PlanParameters<Scalar>*>(lane_groups.parameters)[k];
  const AxisRotation<Scalar> rotation{load<Scalar>(at.cosines + k * kLaneGroupLanes),
                                      load<Scalar>(at.sines + k * kLaneGroupLanes)};
  return RevoluteJoint<Scalar, kKind.placement, Scalar>{{{link}, rotation, {}}};
}

/// V, A and F of every pack, as in PlannedMotionPass.
template <bool kVdot>
struct LaneGroupMotionPass {
  const PlanLaneGroups& lane_groups;
  const double* v;
  const double* vdot;
  LaneGroupMemory at;
  const PlannedMotion<LaneGroupScalar>* world;  ///< null: at rest

  template <PlanKind kKind, bool kBaseParameters>
  requires(kKind.joint == PlanJoint::revolute) PINTLE_INLINE void step(int k) {
    const LaneGroupPack& pack = lane_groups.packs[k];
    const auto across = lane_group_revolute<kKind>(lane_groups, k, at);
    const PlannedMotion<LaneGroupScalar>* const parent =
        kKind.is_root() ? world : lane_group_parent<kKind>(lane_groups, k, kMotion, at);
    PlannedLink<LaneGroupScalar>& here = at.links[k];
    Twist<LaneGroupScalar> V, A;
    move_on_joint<kKind>(across, parent, gathered(v, pack.v), V, A);
    if constexpr (kVdot) A.angular.z = A.angular.z + gathered(vdot, pack.v);
    here.V = V;
    here.A = A;
    here.F = needed_wrench<kBaseParameters>(across.link, V, A);
  }
};

/// The motion of the world in all lanes, in `room`; null: at rest.
PINTLE_INLINE const PlannedMotion<LaneGroupScalar>* world_in_lanes(const PlannedMotion<double>* world,
                                                                   PlannedMotion<LaneGroupScalar>& room) {
  if (world == nullptr) return nullptr;
  for (int k = 0; k < kMotion.count; ++k)
    store(LaneGroupScalar(values_of(*world)[k]), values_of(room) + k * kLaneGroupLanes);
  return &room;
}

/// subtract_external for the links in lanes and for the remainder.
inline void subtract_external_from_lane_groups(const PlanView<double>& plan, const Wrench<double>* external,
                                               const PlannedMemory<double>& at) {
  const PlanLaneGroups& lane_groups = plan.lane_groups;
  for (int r = 0; r < lane_groups.remainder_count; ++r) {
    const PlanRun& run = lane_groups.remainder[r];
    if (run.kind.joint != PlanJoint::lane_group) subtract_external(run, external, at);
  }
  for (int k = 0; k < lane_groups.count; ++k) {
    const LaneGroupPack& pack = lane_groups.packs[k];
    for (int lane = 0; lane < kLaneGroupLanes; ++lane) {
      if (pack.links[lane] < 0) continue;
      const double* const from = values_of(external[pack.links[lane]]);
      double* const to = values_of(at.lane_groups.links[k].F) + lane;
      for (int j = 0; j < kWrenchValues; ++j) to[j * kLaneGroupLanes] -= from[j];
    }
  }
}

// ---- inwards: the children of a pack

/// Adds `count` values of the children of the links of a pack to those at `sum`; where `replaces`, the first child in a
/// lane overwrites them.
inline void add_inlets(const PlanLaneGroups& lane_groups, const LaneGroupPack& pack, int first, int count,
                       bool replaces, const LaneGroupMemory& at, double* sum) {
  for (int i = pack.first_inlet; i < pack.first_inlet + pack.inlet_count; ++i) {
    const LaneGroupInlet& inlet = lane_groups.inlets[i];
    const double* const from = values_of(at.sums[inlet.child]) + first * kLaneGroupLanes + inlet.child_lane;
    double* const to = sum + inlet.lane;
    if (replaces && inlet.first) {
      for (int k = 0; k < count * kLaneGroupLanes; k += kLaneGroupLanes) to[k] = from[k];
    } else {
      for (int k = 0; k < count * kLaneGroupLanes; k += kLaneGroupLanes) to[k] = to[k] + from[k];
    }
  }
}

inline constexpr int kSumValues = sizeof(PlannedSum<double>) / sizeof(double);

/// The sum over the children of the links of a pack.
PINTLE_INLINE const PlannedSum<LaneGroupScalar>& sum_of_children(const PlanLaneGroups& lane_groups,
                                                                 const LaneGroupPack& pack, const LaneGroupMemory& at) {
  PlannedSum<LaneGroupScalar>&empty = at.sums[lane_groups.count], &room = at.sums[lane_groups.count + 1];
  if (pack.children == LaneGroupChildren::none) return empty;
  if (pack.children == LaneGroupChildren::straight) return at.sums[pack.child];
  const double *const zeros = values_of(empty), *const from = values_of(at.sums[pack.child]);
  double* const to = values_of(room);
  const auto has_child = load<LaneGroupScalar>(pack.has_child.lanes) != LaneGroupScalar(0.0);
  for (int k = 0; k < kSumValues * kLaneGroupLanes; k += kLaneGroupLanes)
    store(select(has_child, load<LaneGroupScalar>(from + k), load<LaneGroupScalar>(zeros + k)), to + k);
  if (pack.children == LaneGroupChildren::scattered) add_inlets(lane_groups, pack, 0, kSumValues, true, at, to);
  return room;
}

/// F of a pack and of its children.
PINTLE_INLINE Wrench<LaneGroupScalar> with_children(const PlanLaneGroups& lane_groups, const LaneGroupPack& pack,
                                                    const Wrench<LaneGroupScalar>& F, const LaneGroupMemory& at) {
  if (pack.children == LaneGroupChildren::none) return F;
  if (pack.children == LaneGroupChildren::straight) return F + at.sums[pack.child].p;
  Wrench<LaneGroupScalar>& room = at.sums[lane_groups.count + 1].p;
  room = F;
  if (pack.children == LaneGroupChildren::scattered) {
    add_inlets(lane_groups, pack, kSumValues - kWrenchValues, kWrenchValues, false, at, values_of(room));
    return room;
  }
  const auto has_child = load<LaneGroupScalar>(pack.has_child.lanes) != LaneGroupScalar(0.0);
  const Wrench<LaneGroupScalar> sum = F + at.sums[pack.child].p;
  const auto where = [&](const Vec3<LaneGroupScalar>& a, const Vec3<LaneGroupScalar>& b) {
    return Vec3<LaneGroupScalar>{select(has_child, a.x, b.x), select(has_child, a.y, b.y), select(has_child, a.z, b.z)};
  };
  return {where(sum.force, F.force), where(sum.torque, F.torque)};
}

/// Adds the projected inertia and bias of a lane group to the sum of its parent in the remainder.
inline void add_lane_group(const PlanLink<double>& root, const PlannedMemory<double>& at) {
  const double* const from =
      values_of(at.lane_groups.sums[root.angle / kLaneGroupLanes]) + root.angle % kLaneGroupLanes;
  double* const to = values_of(at.sums[root.parent_sum]);
  if (root.first_in_sum) {
#pragma GCC unroll 27
    for (int k = 0; k < kSumValues; ++k) to[k] = from[k * kLaneGroupLanes];
  } else {
#pragma GCC unroll 27
    for (int k = 0; k < kSumValues; ++k) to[k] = to[k] + from[k * kLaneGroupLanes];
  }
}

PINTLE_INLINE Wrench<double> wrench_in_lane(const Wrench<LaneGroupScalar>& F, int lane) {
  const double* const p = values_of(F) + lane;
  return {{p[0], p[kLaneGroupLanes], p[2 * kLaneGroupLanes]},
          {p[3 * kLaneGroupLanes], p[4 * kLaneGroupLanes], p[5 * kLaneGroupLanes]}};
}

/// The wrench of a lane group on the remainder.
inline Wrench<double> wrench_of_lane_group(const PlanLink<double>& root, const PlannedMemory<double>& at) {
  return wrench_in_lane(at.lane_groups.sums[root.angle / kLaneGroupLanes].p, root.angle % kLaneGroupLanes);
}

}  // namespace pintle::inline PINTLE_ISA
