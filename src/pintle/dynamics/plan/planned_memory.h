// Intermediate results of the planned kernels for the links of one state, or of as many states as T has lanes.
#pragma once

#include "pintle/dynamics/plan/planned_loads.h"
#include "pintle/dynamics/recursions/buffers.h"
#include "pintle/math/pack.h"
#include "pintle/model/plan/plan.h"

namespace pintle::inline PINTLE_ISA {

/// Per link. Not every kernel uses all of it.
template <class T>
struct PlannedLink : PlannedMotion<T> {
  Wrench<T> F;  ///< wrench required by its motion; of a root finally the wrench of its joint
  Wrench<T> U;  ///< of a joint of one dof: I_A S
  T D_inverse;  ///< likewise: 1 / (S' I_A S + armature)
  T u;          ///< likewise: tau - S' F
};

/// Additionally for a link of the kinds `general`, `spherical` and `cylindrical`.
template <class T>
struct PlannedGeneral {
  Pose<T> X_PL;
  Twist<T> S[kMaxDofs];
  Wrench<T> U[kMaxDofs];
  JointBlock<T> D;
  T u[kMaxDofs];
};

/// Mass and first moment of a link and those that it carries, in its frame.
template <class T>
struct MassMoment {
  T mass;
  Vec3<T> first_moment;
};

/// The sum over the children of a link, in its frame.
template <class T>
struct PlannedSum {
  ArticulatedInertia<T> I;
  Wrench<T> p;
};

/// Wrenches, one per dof: the forces along x, those along y, ...
template <class T>
struct WrenchColumns {
  T *fx, *fy, *fz, *nx, *ny, *nz;
};

/// A scalar of every lane group side by side.
using LaneGroupScalar = Pack<double, kLaneGroupLanes>;

/// Memory of the lane groups of one state.
struct LaneGroupMemory {
  PlannedLink<LaneGroupScalar>* links;  ///< of the packs, of the parents broadcast to all lanes, and space for one more
  PlannedSum<LaneGroupScalar>*
      sums;             ///< projected inertias and biases of the packs; the empty sum, and space for one more
  const double* sines;  ///< of the packs, lane after lane
  const double* cosines;
};

template <class T>
struct PlannedMemory {
  PlannedLink<T>* links;
  PlannedGeneral<T>* general;
  PlannedSum<T>* sums;
  SpatialInertia<T>* composites;  ///< of the subtree rooted at the link
  T* sines;                       ///< of the angles
  T* cosines;
  WrenchColumns<T> columns;     ///< wrenches for unit accelerations of the dofs
  LaneGroupMemory lane_groups;  ///< where T is double and the plan has lane groups
};

/// The number of links and sums that lane groups need.
template <class T>
constexpr int lane_group_links(const PlanLaneGroups& lane_groups) {
  return std::is_same_v<T, double> && lane_groups.count > 0 ? lane_groups.count + lane_groups.carrier_count + 1 : 0;
}
template <class T>
constexpr int lane_group_sums(const PlanLaneGroups& lane_groups) {
  return std::is_same_v<T, double> && lane_groups.count > 0 ? lane_groups.count + 2 : 0;
}

/// Rounds up to a multiple of the lanes of the widest pack: space for the sines and cosines of the revolute joints,
/// computed pack by pack.
constexpr int whole_packs(int count) {
  return (count + 15) / 16 * 16;
}

/// Padding before the first column of wrenches, where packs may begin.
inline constexpr int kBefore = 16;

/// Bytes of what PlannedMemory points to, a multiple of 64.
template <class T, class C>
inline std::size_t pass_bytes(const PlanView<C>& plan) {
  const auto room = [](int count, std::size_t bytes) {
    return (static_cast<std::size_t>(count) * bytes + 63) / 64 * 64;
  };
  return room(plan.count, sizeof(PlannedLink<T>)) + room(plan.general_count, sizeof(PlannedGeneral<T>)) +
         room(plan.sums, sizeof(PlannedSum<T>)) + room(plan.count, sizeof(SpatialInertia<T>)) +
         2 * room(whole_packs(plan.angle_count), sizeof(T)) + 6 * room(kBefore + plan.nv, sizeof(T)) +
         room(lane_group_links<T>(plan.lane_groups), sizeof(PlannedLink<LaneGroupScalar>)) +
         room(lane_group_sums<T>(plan.lane_groups), sizeof(PlannedSum<LaneGroupScalar>));
}

/// Bytes of the memory of a kernel, a multiple of 64: the mass moments come last.
template <class T, class C>
inline std::size_t planned_bytes(const PlanView<C>& plan) {
  const std::size_t moments = static_cast<std::size_t>(plan.count + 1) * sizeof(MassMoment<T>);
  return pass_bytes<T>(plan) + (moments + 63) / 64 * 64;
}

/// The mass moments of the world and the links, in that memory.
template <class T, class C>
inline MassMoment<T>* planned_moments(const PlanView<C>& plan, std::byte* at) {
  return reinterpret_cast<MassMoment<T>*>(at + pass_bytes<T>(plan));
}

/// The memory at an address that is a multiple of 64, with planned_bytes there.
template <class T, class C>
inline PlannedMemory<T> planned_memory(const PlanView<C>& plan, std::byte* at) {
  const auto take = [&at]<class Entry>(Entry*, int count) {
    Entry* const entries = reinterpret_cast<Entry*>(at);
    at += (static_cast<std::size_t>(count) * sizeof(Entry) + 63) / 64 * 64;
    return entries;
  };
  PlannedMemory<T> memory{};
  memory.links = take(memory.links, plan.count);
  memory.general = take(memory.general, plan.general_count);
  memory.sums = take(memory.sums, plan.sums);
  memory.composites = take(memory.composites, plan.count);
  memory.sines = take(memory.sines, whole_packs(plan.angle_count));
  memory.cosines = take(memory.cosines, whole_packs(plan.angle_count));
  auto& [fx, fy, fz, nx, ny, nz] = memory.columns;
  for (T** const row : {&fx, &fy, &fz, &nx, &ny, &nz}) *row = take(*row, kBefore + plan.nv) + kBefore;
  if constexpr (std::is_same_v<T, double>) {
    memory.lane_groups.links = take(memory.lane_groups.links, lane_group_links<T>(plan.lane_groups));
    memory.lane_groups.sums = take(memory.lane_groups.sums, lane_group_sums<T>(plan.lane_groups));
    memory.lane_groups.sines = memory.sines;
    memory.lane_groups.cosines = memory.cosines;
  }
  return memory;
}

}  // namespace pintle::inline PINTLE_ISA
