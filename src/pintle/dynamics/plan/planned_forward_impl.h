// Forward dynamics on a plan: the articulated-body algorithm of forward_dynamics_impl.h in fewer operations.
//
// The first pass propagates the accelerations due to gravity and velocities outwards, with their wrenches F. So the
// articulated recursion needs no velocity bias, and the last pass adds the accelerations due to the remaining efforts.
#pragma once

#include "pintle/dynamics/plan/planned_lane_groups.h"
#include "pintle/dynamics/plan/planned_motion.h"
#include "pintle/dynamics/plan/planned_spherical.h"
#include "pintle/dynamics/recursions/articulated_impl.h"

namespace pintle::inline PINTLE_ISA {

/// I^-1 F, by blocks: v = L^-1 (f - C w), (A - C' L^-1 C) w = n - C' L^-1 f.
template <class T>
PINTLE_INLINE Twist<T> solve_with_margin(const ArticulatedInertia<T>& I, const Wrench<T>& F, T& margin) {
  const Factors3<T> L = factor3(I.linear, margin);
  const Vec3<T> c0 = column(I.coupling, 0), c1 = column(I.coupling, 1), c2 = column(I.coupling, 2);
  const Vec3<T> y0 = solve(L, c0), y1 = solve(L, c1), y2 = solve(L, c2), v_f = solve(L, F.force);
  const SymMat3<T> schur =
      I.angular - SymMat3<T>{dot(c0, y0), dot(c0, y1), dot(c0, y2), dot(c1, y1), dot(c1, y2), dot(c2, y2)};
  const Vec3<T> w = solve(factor3(schur, margin), F.torque - transpose_times(I.coupling, v_f));
  return {v_f - (w.x * y0 + w.y * y1 + w.z * y2), w};
}

/// The sum of a link's children and the link itself.
template <class T, class C>
PINTLE_INLINE ArticulatedInertia<T> with_link(const ArticulatedInertia<T>& outer, const PlanParameters<C>& link) {
  return outer + inertia_of<T>(link);
}

/// Calls f(a, b) for the components of two inertias and wrenches: one by one, since g++ copies whole structs through
/// memory.
template <class T, class F>
PINTLE_INLINE void each_component(PlannedSum<T>& sum, const ArticulatedInertia<T>& I, const Wrench<T>& p, F f) {
  const auto symmetric = [&f](SymMat3<T>& a, const SymMat3<T>& b) {
    f(a.xx, b.xx), f(a.xy, b.xy), f(a.xz, b.xz), f(a.yy, b.yy), f(a.yz, b.yz), f(a.zz, b.zz);
  };
  const auto vector = [&f](Vec3<T>& a, const Vec3<T>& b) { f(a.x, b.x), f(a.y, b.y), f(a.z, b.z); };
  Mat3<T>& C = sum.I.coupling;
  const Mat3<T>& K = I.coupling;
  symmetric(sum.I.linear, I.linear);
  f(C.xx, K.xx), f(C.xy, K.xy), f(C.xz, K.xz), f(C.yx, K.yx), f(C.yy, K.yy), f(C.yz, K.yz);
  f(C.zx, K.zx), f(C.zy, K.zy), f(C.zz, K.zz);
  symmetric(sum.I.angular, I.angular);
  vector(sum.p.force, p.force);
  vector(sum.p.torque, p.torque);
}

/// No children.
template <class T>
PINTLE_INLINE void make_empty(PlannedSum<T>& sum) {
  each_component(sum, sum.I, sum.p, [](T& a, const T&) { a = T(0); });
}

/// A joint of one dof with the projected inertia `outer` of the children: computes U, D^-1 and u of its link, and calls
/// add(I, p) with the projected inertia and bias for the parent; for a root, F becomes the wrench of the joint.
/// [eq. aba]
template <PlanKind kKind, bool kBaseParameters, class Joint, class T, class Add>
PINTLE_INLINE void articulate_link(const Joint& across, const PlannedSum<T>& outer, const T& effort,
                                   PlannedLink<T>& here, T& margin, const Add& add) {
  const T armature(across.link.armature);
  const Wrench<T>& U = here.U;
  find_column(across, outer.I, here.U);
  const T D = across.along(U) + armature, D_inverse = T(1) / D;
  const T u = effort - (across.along(here.F) + across.along(outer.p));
  margin = min(fma(T(-64 * kEpsilon<T>), across.max_inertia(outer.I), D), margin);
  here.D_inverse = D_inverse;
  here.u = u;
  const T gained = D_inverse * u;
  const Vec3<T>&f = here.F.force, &n = here.F.torque, &f_o = outer.p.force, &n_o = outer.p.torque;
  Wrench<T> p{
      {fma(gained, U.force.x, f.x + f_o.x), fma(gained, U.force.y, f.y + f_o.y), fma(gained, U.force.z, f.z + f_o.z)},
      {fma(gained, U.torque.x, n.x + n_o.x), fma(gained, U.torque.y, n.y + n_o.y),
       fma(gained, U.torque.z, n.z + n_o.z)}};
  across.put_along(fma(-armature, gained, effort), p);
  if constexpr (kKind.is_root()) {
    here.F = p;
  } else {
    const Wrench<T> p_P = across.inwards(p);
    ArticulatedInertia<T> I_a = projected_inertia<kBaseParameters>(across, outer.I, U, D_inverse);
    across.take_inwards(I_a);
    add(I_a, p_P);
  }
}

/// The same for a joint whose motion is prescribed: it is rigid. `u` becomes the effort S'p without the accelerations
/// due to the remaining efforts.  [eq. aba]
template <PlanKind kKind, class Joint, class T, class Add>
PINTLE_INLINE void lock_link(const Joint& across, const PlannedSum<T>& outer, PlannedLink<T>& here, const Add& add) {
  find_column(across, outer.I, here.U);
  const Wrench<T> p = here.F + outer.p;
  here.u = across.along(p);
  if constexpr (kKind.is_root()) {
    here.F = p;
  } else {
    ArticulatedInertia<T> I_a = with_link(outer.I, across.link);
    across.take_inwards(I_a);
    add(I_a, across.inwards(p));
  }
}

/// Its acceleration due to the remaining efforts; returns the effort of the joint but for its armature.  [eq. aba]
template <PlanKind kKind, class Joint, class T>
PINTLE_INLINE T effort_of_locked(const Joint& across, const PlannedMotion<T>* parent, PlannedLink<T>& here) {
  here.A = zero_twist<T>();
  if constexpr (!kKind.is_root()) here.A = across.outwards(parent->A);
  return here.u + dot(here.A, here.U);
}

/// Adds the accelerations due to the remaining efforts to a link on a joint of one dof, and to vdot.  [eq. aba]
template <PlanKind kKind, class Joint, class T>
PINTLE_INLINE T accelerate_joint(const Joint& across, const PlannedMotion<T>* parent, PlannedLink<T>& here) {
  if constexpr (kKind.is_root()) {
    const T found = here.D_inverse * here.u;
    here.A = across.motion(found);
    return found;
  } else {
    Twist<T> A = across.outwards(parent->A);
    const T found = (here.u - dot(A, here.U)) * here.D_inverse;
    across.add_motion(found, A);
    here.A = A;
    return found;
  }
}

/// Adds the projected inertia and bias of a link to the sum of its parent.
template <class T, class C>
PINTLE_INLINE void add_to_parent(const PlanLink<C>& link, const ArticulatedInertia<T>& I, const Wrench<T>& p,
                                 const PlannedMemory<T>& at) {
  if (link.first_in_sum) {
    each_component(at.sums[link.parent_sum], I, p, [](T& a, const T& b) { a = b; });
  } else {
    each_component(at.sums[link.parent_sum], I, p, [](T& a, const T& b) { a = a + b; });
  }
}

/// A separate function with its own copy of the memory: those of the pass stay in registers.
template <PlanKind kKind, class T, class C>
[[gnu::noinline]] inline void lock_planned_link(const PlanLink<C>& link, const T* q, PlannedMemory<T> at,
                                                PlannedLink<T>& here) {
  lock_link<kKind>(joint_of<kKind>(link, q, at), at.sums[link.sum], here,
                   [&](const ArticulatedInertia<T>& I, const Wrench<T>& p) { add_to_parent(link, I, p, at); });
}

/// Of joints that plans may prescribe as a whole.
constexpr bool has_several_dofs(PlanJoint joint) {
  return joint == PlanJoint::general || joint == PlanJoint::spherical || joint == PlanJoint::cylindrical ||
         joint == PlanJoint::free;
}

/// A column S of a joint of several dofs.
template <PlanKind kKind, class T>
PINTLE_INLINE Twist<T> column_of(const PlannedGeneral<T>& own, int k) {
  const T zero(0);
  if constexpr (kKind.joint == PlanJoint::general) return own.S[k];
  const auto unit = [&](int i) { return Vec3<T>{T(i == 0), T(i == 1), T(i == 2)}; };
  const Vec3<T> nil{zero, zero, zero};
  if constexpr (kKind.joint == PlanJoint::cylindrical) return k == 0 ? Twist<T>{unit(2), nil} : Twist<T>{nil, unit(2)};
  return {nil, unit(k)};
}

/// lock_planned_link for a joint of several dofs. The effort of a free root is its wrench F.
template <PlanKind kKind, class T, class C>
[[gnu::noinline]] inline void lock_planned_block(const PlanLink<C>& link, const T* q, PlannedMemory<T> at,
                                                 PlannedLink<T>& here) {
  const PlannedSum<T>& outer = at.sums[link.sum];
  const Wrench<T> p = here.F + outer.p;
  if constexpr (kKind.joint == PlanJoint::free) {
    here.F = p;
  } else {
    PlannedGeneral<T>& own = at.general[link.general];
    ArticulatedInertia<T> I = with_link(outer.I, link);
    for (int k = 0; k < link.nv; ++k) {
      const Twist<T> S = column_of<kKind>(own, k);
      own.U[k] = I * S;
      own.u[k] = dot(S, p);
    }
    if (link.parent < 0) {
      here.F = p;
    } else if constexpr (kKind.joint != PlanJoint::cylindrical) {
      add_to_parent(link, own.X_PL * I, own.X_PL * p, at);
    } else if constexpr (!kKind.is_root()) {
      const auto across = joint_of<kKind>(link, q, at);
      across.take_inwards(I);
      add_to_parent(link, I, across.inwards(p), at);
    }
  }
}

/// Its acceleration due to the remaining efforts, and its efforts.  [eq. aba]
template <PlanKind kKind, class T, class C>
[[gnu::noinline]] inline void find_efforts_of_block(const PlanView<C>& plan, const PlanLink<C>& link, const T* q,
                                                    const PlannedMemory<T>& at, PlannedLink<T>& here, const T* vdot,
                                                    T* efforts) {
  Twist<T> A = zero_twist<T>();
  if constexpr (kKind.joint == PlanJoint::free) {
    const Wrench<T>& F = here.F;
    const T found[6] = {F.force.x, F.force.y, F.force.z, F.torque.x, F.torque.y, F.torque.z};
    for (int k = 0; k < 6; ++k) efforts[link.v + k] = found[k];
  } else {
    const PlannedGeneral<T>& own = at.general[link.general];
    if constexpr (kKind.joint != PlanJoint::cylindrical) {
      if (link.parent >= 0) A = inverse_times(own.X_PL, at.links[link.parent].A);
    } else if constexpr (!kKind.is_root()) {
      A = joint_of<kKind>(link, q, at).outwards(at.links[link.parent].A);
    }
    for (int k = link.v; k < link.v + link.nv; ++k)
      efforts[k] = fma(constant<T>(plan.armature[k]), vdot[k], own.u[k - link.v] + dot(A, own.U[k - link.v]));
  }
  here.A = A;
}

/// Articulated inertias and bias wrenches, towards the roots; solves for the acceleration of a free root. kGiven: with
/// prescribed dofs.  [eq. aba]
template <class T, class C = base_t<T>, bool kGiven = false>
struct PlannedInertiaPass {
  const PlanView<C>& plan;
  const T* q;
  const T* tau;
  PlannedMemory<T> at;
  T& margin;                             ///< negative: the inertia that some joint moves is nearly singular
  bool& moves;                           ///< likewise for the general joints
  const unsigned char* given = nullptr;  ///< PlannedLoads

  template <PlanKind kKind, bool kBaseParameters>
  PINTLE_INLINE void step(int i) {
    const PlanLink<C>& link = plan.links[i];
    if constexpr (kGiven && has_several_dofs(kKind.joint))
      if (given[link.v] != 0) return lock_planned_block<kKind>(link, q, at, at.links[i]);
    if constexpr (kKind.joint == PlanJoint::general) {
      general(link, at.links[i]);
    } else if constexpr (kKind.joint == PlanJoint::spherical) {
      const PlannedSum<T>& outer = at.sums[link.sum];
      Wrench<T> p = at.links[i].F + outer.p;
      articulate_spherical(with_link(outer.I, link), p, tau + link.v, link.parent < 0, at.general[link.general], margin,
                           [&](const ArticulatedInertia<T>& I, const Wrench<T>& p_P) { add(link, I, p_P); });
      if (link.parent < 0) at.links[i].F = p;
    } else if constexpr (kKind.joint == PlanJoint::cylindrical) {
      const PlannedSum<T>& outer = at.sums[link.sum];
      Wrench<T> p = at.links[i].F + outer.p;
      articulate_cylindrical(joint_of<kKind>(link, q, at), outer.I, p, dofs_at<kKind.joint>(tau + link.v),
                             armature_of<T>(plan, link), at.general[link.general], margin,
                             [&](const ArticulatedInertia<T>& I, const Wrench<T>& p_P) { add(link, I, p_P); });
      if constexpr (kKind.is_root()) at.links[i].F = p;
    } else if constexpr (kKind.joint == PlanJoint::free) {
      free_root(link, at.links[i]);
    } else {
      if constexpr (kGiven)
        if (given[link.v] != 0) return lock_planned_link<kKind>(link, q, at, at.links[i]);
      articulate_link<kKind, kBaseParameters>(
          joint_of<kKind>(link, q, at), at.sums[link.sum], tau[link.v], at.links[i], margin,
          [&](const ArticulatedInertia<T>& I, const Wrench<T>& p) { add(link, I, p); });
    }
  }

  PINTLE_INLINE void add(const PlanLink<C>& link, const ArticulatedInertia<T>& I, const Wrench<T>& p) {
    add_to_parent(link, I, p, at);
  }

  PINTLE_INLINE void free_root(const PlanLink<C>& link, PlannedLink<T>& here) {
    const PlannedSum<T>& outer = at.sums[link.sum];
    const T* const effort = tau + link.v;
    const Wrench<T> left{Vec3<T>{effort[0], effort[1], effort[2]} - (here.F.force + outer.p.force),
                         Vec3<T>{effort[3], effort[4], effort[5]} - (here.F.torque + outer.p.torque)};
    here.A = solve_with_margin(with_link(outer.I, link), left, margin);
    here.F = {{effort[0], effort[1], effort[2]}, {effort[3], effort[4], effort[5]}};
  }

  void general(const PlanLink<C>& link, PlannedLink<T>& here) {
    const LinkOf<general_t<C>>& joint = plan.general[link.general];
    auto& [X_PL, S, U, D, u] = at.general[link.general];
    const general_t<C>* const armature = plan.armature + joint.v;
    const PlannedSum<T>& outer = at.sums[link.sum];
    const ArticulatedInertia<T> I_A = with_link(outer.I, link);
    Wrench<T> p = here.F + outer.p;
    if (!articulate_joint<T>(joint, armature, nullptr, S, I_A, U, D)) moves = false;
    for (int k = 0; k < joint.nv; ++k) u[k] = tau[joint.v + k] - dot(S[k], p);
    T gained[kMaxDofs];
    solve_block(D, joint.nv, u, gained);
    for (int k = 0; k < joint.nv; ++k) p += U[k] * gained[k];
    if (link.parent < 0) {
      here.F = p;
      return;
    }
    add(link, X_PL * projected_inertia<T>(joint, armature, nullptr, S, I_A, U, D), X_PL * p);
  }
};

/// Adds the accelerations due to the remaining efforts, outwards.  [eq. aba]
template <class T, class C = base_t<T>, bool kGiven = false>
struct PlannedAccelerationPass {
  const PlanView<C>& plan;
  const T* q;
  PlannedMemory<T> at;
  T* vdot;
  const unsigned char* given = nullptr;  ///< PlannedLoads
  T* given_efforts = nullptr;

  template <PlanKind kKind, bool kBaseParameters>
  PINTLE_INLINE void step(int i) {
    const PlanLink<C>& link = plan.links[i];
    PlannedLink<T>& here = at.links[i];
    if constexpr (kGiven && has_several_dofs(kKind.joint))
      if (given[link.v] != 0) return find_efforts_of_block<kKind>(plan, link, q, at, here, vdot, given_efforts);
    if constexpr (kKind.joint == PlanJoint::free) {
      const Twist<T>& A = here.A;
      T* const out = vdot + link.v;
      out[0] = A.linear.x;
      out[1] = A.linear.y;
      out[2] = A.linear.z;
      out[3] = A.angular.x;
      out[4] = A.angular.y;
      out[5] = A.angular.z;
    } else if constexpr (kKind.joint == PlanJoint::general) {
      general(link, here);
    } else if constexpr (kKind.joint == PlanJoint::spherical) {
      accelerate_spherical(carrier_of(link, at), at.general[link.general], here, vdot + link.v);
    } else if constexpr (kKind.joint == PlanJoint::cylindrical) {
      accelerate_cylindrical(joint_of<kKind>(link, q, at), parent_of<kKind>(link, at), at.general[link.general], here,
                             vdot + link.v);
    } else {
      if constexpr (kGiven) {
        if (given[link.v] != 0) {
          const T effort = effort_of_locked<kKind>(joint_of<kKind>(link, q, at), parent_of<kKind>(link, at), here);
          given_efforts[link.v] = fma(T(link.armature), vdot[link.v], effort);
          return;
        }
      }
      vdot[link.v] = accelerate_joint<kKind>(joint_of<kKind>(link, q, at), parent_of<kKind>(link, at), here);
    }
  }

  void general(const PlanLink<C>& link, PlannedLink<T>& here) {
    const auto& [X_PL, S, U, D, u] = at.general[link.general];
    const Twist<T> A = link.parent < 0 ? zero_twist<T>() : inverse_times(X_PL, at.links[link.parent].A);
    T found[kMaxDofs];
    for (int k = 0; k < link.nv; ++k) found[k] = u[k] - dot(A, U[k]);
    solve_block(D, link.nv, found, found);
    here.A = A + combine(S, found, link.nv);
    for (int k = 0; k < link.nv; ++k) vdot[link.v + k] = found[k];
  }
};

/// Likewise for the lane groups, from the tips to the remainder.
struct LaneGroupInertiaPass {
  const PlanLaneGroups& lane_groups;
  const double* tau;
  LaneGroupMemory at;
  LaneGroupScalar& margin;

  template <PlanKind kKind, bool kBaseParameters>
  requires(kKind.joint == PlanJoint::revolute) PINTLE_INLINE void step(int k) {
    const LaneGroupPack& pack = lane_groups.packs[k];
    articulate_link<kKind, kBaseParameters>(
        lane_group_revolute<kKind>(lane_groups, k, at), sum_of_children(lane_groups, pack, at), gathered(tau, pack.v),
        at.links[k], margin, [&](const ArticulatedInertia<LaneGroupScalar>& I, const Wrench<LaneGroupScalar>& p) {
          each_component(at.sums[k], I, p, [](LaneGroupScalar& a, LaneGroupScalar b) { a = b; });
        });
  }
};

/// Likewise for the lane groups, from the remainder to the tips.
struct LaneGroupAccelerationPass {
  const PlanLaneGroups& lane_groups;
  LaneGroupMemory at;
  double* vdot;

  template <PlanKind kKind, bool kBaseParameters>
  requires(kKind.joint == PlanJoint::revolute) PINTLE_INLINE void step(int k) {
    const PlannedMotion<LaneGroupScalar>* const parent = lane_group_parent<kKind>(lane_groups, k, kAcceleration, at);
    scatter(accelerate_joint<kKind>(lane_group_revolute<kKind>(lane_groups, k, at), parent, at.links[k]),
            lane_groups.packs[k], vdot);
  }
};

/// planned_forward_dynamics with lane groups, bitwise equal.
inline bool forward_dynamics_of_lane_groups(const PlanView<double>& plan, const double* q, const double* v,
                                            const double* tau, const PlannedLoads<double>& loads,
                                            const PlannedMemory<double>& memory, double* vdot) {
  const PlanLaneGroups& lane_groups = plan.lane_groups;
  double margin = 1.0;
  LaneGroupScalar lane_group_margin(1.0);
  bool moves = true;
  PlannedMotion<LaneGroupScalar> room;
  make_empty(memory.lane_groups.sums[lane_groups.count]);
  compute_sines_cosines(plan, q, memory);
  if (loads.world == nullptr) {
    remainder_outwards(lane_groups, PlannedMotionPass<double, false>{plan, q, v, nullptr, memory});
  } else {
    remainder_outwards(lane_groups,
                       PlannedMotionPass<double, false, double, true>{plan, q, v, nullptr, memory, loads.world});
  }
  carry(lane_groups, kMotion, memory);
  lane_groups_outwards(lane_groups, LaneGroupMotionPass<false>{lane_groups, v, nullptr, memory.lane_groups,
                                                               world_in_lanes(loads.world, room)});
  if (loads.external != nullptr) subtract_external_from_lane_groups(plan, loads.external, memory);
  lane_groups_inwards(lane_groups, LaneGroupInertiaPass{lane_groups, tau, memory.lane_groups, lane_group_margin});
  remainder_inwards(lane_groups, PlannedInertiaPass<double>{plan, q, tau, memory, margin, moves},
                    [&](int link) { add_lane_group(plan.links[link], memory); });
  remainder_outwards(lane_groups, PlannedAccelerationPass<double>{plan, q, memory, vdot});
  carry(lane_groups, kAcceleration, memory);
  lane_groups_outwards(lane_groups, LaneGroupAccelerationPass{lane_groups, memory.lane_groups, vdot});
  return moves && margin > 0.0 && all(lane_group_margin > LaneGroupScalar(0.0));
}

/// planned_forward_dynamics link after link where the world moves or dofs are prescribed, whose motion the first pass
/// includes. A function of its own: the passes of other calls have no branches for either.
template <class T, class C>
[[gnu::noinline]] inline bool forward_dynamics_under_loads(const PlanView<C>& plan, const T* q, const T* v,
                                                           const T* tau, const PlannedLoads<T>& loads,
                                                           const PlannedMemory<T>& memory, T* vdot) {
  T margin(1);
  bool moves = true;
  compute_sines_cosines(plan, q, memory);
  if (loads.given == nullptr) {
    outwards(plan, PlannedMotionPass<T, false, C, true>{plan, q, v, nullptr, memory, loads.world});
  } else {
    outwards(plan, PlannedMotionPass<T, true, C, true>{plan, q, v, vdot, memory, loads.world});
  }
  if (loads.external != nullptr) subtract_external(plan, loads.external, memory);
  if (loads.given == nullptr) {
    inwards(plan, PlannedInertiaPass<T, C>{plan, q, tau, memory, margin, moves});
    outwards(plan, PlannedAccelerationPass<T, C>{plan, q, memory, vdot});
  } else {
    inwards(plan, PlannedInertiaPass<T, C, true>{plan, q, tau, memory, margin, moves, loads.given});
    outwards(plan, PlannedAccelerationPass<T, C, true>{plan, q, memory, vdot, loads.given, loads.given_efforts});
  }
  return moves && all(margin > T(0));
}

/// vdot of (q, v) under tau, gravity and the loads, which are of one state in double alone. Leaves the wrenches of the
/// root joints in F. False when the inertia that a joint moves is nearly singular, in any lane: the plain kernel tells
/// which.  [eq. aba]
template <class T, class C>
inline bool planned_forward_dynamics(const PlanView<C>& plan, const T* q, const T* v, const T* tau,
                                     const PlannedMemory<T>& memory, T* vdot, const PlannedLoads<T>& loads = {}) {
  T margin(1);
  bool moves = true;
  make_empty(memory.sums[0]);
  if constexpr (kHasLaneGroups<T>)
    if (plan.lane_groups.count > 0 && loads.given == nullptr)
      return forward_dynamics_of_lane_groups(plan, q, v, tau, loads, memory, vdot);
  if constexpr (std::is_same_v<T, double>)
    if (loads.world != nullptr || loads.given != nullptr)
      return forward_dynamics_under_loads(plan, q, v, tau, loads, memory, vdot);
  compute_sines_cosines(plan, q, memory);
  outwards(plan, PlannedMotionPass<T, false, C>{plan, q, v, nullptr, memory});
  if constexpr (std::is_same_v<T, double>)
    if (loads.external != nullptr) subtract_external(plan, loads.external, memory);
  inwards(plan, PlannedInertiaPass<T, C>{plan, q, tau, memory, margin, moves});
  outwards(plan, PlannedAccelerationPass<T, C>{plan, q, memory, vdot});
  return moves && all(margin > T(0));
}

}  // namespace pintle::inline PINTLE_ISA
