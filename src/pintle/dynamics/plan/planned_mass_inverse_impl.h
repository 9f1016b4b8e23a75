// M^-1 on a plan: the accelerations for unit efforts on all dofs at once, by the articulated-body recursion; the
// columns of one state side by side (order of the passes after Carpentier 2018).
#pragma once

#include "pintle/dynamics/plan/planned_columns.h"
#include "pintle/dynamics/plan/planned_forward_impl.h"
#include "pintle/dynamics/plan/planned_mass_impl.h"

namespace pintle::inline PINTLE_ISA {

/// Memory of M^-1, besides that of a plan's links.
template <class T>
struct InverseMemory {
  PlannedMemory<T> links;
  T* rows;           ///< row j of M^-1, from its own dof on, begins at rows + j * stride
  int stride;        ///< of rows and columns; packs of columns may begin up to kBefore entries before the first
  T* accelerations;  ///< accelerations of links: six rows per slot
  int* places;       ///< per link: the slot of its accelerations

  PINTLE_INLINE T* row(int j) const { return rows + j * stride; }
  PINTLE_INLINE TwistColumns<T> accelerations_of(int link) const {
    T* const first = accelerations + 6 * places[link] * stride;
    return {first, first + stride, first + 2 * stride, first + 3 * stride, first + 4 * stride, first + 5 * stride};
  }
};

/// The number of links between this one and the root that are not the last child of their parents. The last child
/// reuses its parent's slot, column by column; so a chain needs only one slot.
template <class B>
inline int acceleration_slot(const PlanView<B>& plan, int link) {
  int place = 0;
  for (int i = link; plan.links[i].parent >= 0; i = plan.links[i].parent)
    if (plan.links[i].end_v != plan.links[plan.links[i].parent].end_v) ++place;
  return place;
}

/// Columns that go one by one need no padding before the first, and their rows are those of the result itself.
template <class T>
constexpr int inverse_stride(const PlanView<base_t<T>>& plan) {
  return kSideBySide<T> == 1 ? plan.nv : kBefore + whole_packs(plan.nv);
}

/// Bytes of that memory, a multiple of 64.
template <class T>
inline std::size_t inverse_bytes(const PlanView<base_t<T>>& plan) {
  int places = 0;
  for (int i = 0; i < plan.count; ++i) {
    const int place = acceleration_slot(plan, i) + 1;
    if (place > places) places = place;
  }
  const int own_rows = kSideBySide<T> == 1 ? 0 : plan.nv;
  const std::size_t rows = static_cast<std::size_t>(kBefore + (own_rows + 6 * places) * inverse_stride<T>(plan));
  return planned_bytes<T>(plan) + rows * sizeof(T) +
         (static_cast<std::size_t>(plan.count) * sizeof(int) + 63) / 64 * 64;
}

/// The memory at an address that is a multiple of 64, with inverse_bytes there, for a result in `inverse`.
template <class T>
inline InverseMemory<T> inverse_memory(const PlanView<base_t<T>>& plan, std::byte* at, T* inverse) {
  InverseMemory<T> memory{planned_memory<T>(plan, at), inverse, inverse_stride<T>(plan), nullptr, nullptr};
  at += planned_bytes<T>(plan);
  memory.places = reinterpret_cast<int*>(at);
  at += (static_cast<std::size_t>(plan.count) * sizeof(int) + 63) / 64 * 64;
  memory.accelerations = reinterpret_cast<T*>(at) + kBefore;
  if constexpr (kSideBySide < T >> 1) {
    memory.rows = memory.accelerations;
    memory.accelerations += plan.nv * memory.stride;
  }
  return memory;
}

// ---- the passes

/// Articulated inertias towards the roots and, for every unit effort outboard of a link, its component along the link's
/// joint and the wrench passed on. Columns not visited yet are zero and stay so; packs are counted from the last column
/// of a link's subtree.  [eq. aba-inertia]
template <class T, class C = base_t<T>>
struct InverseInwardPass {
  using P = SideBySide<T>;
  static constexpr int kLanes = kSideBySide<T>;
  const PlanView<C>& plan;
  const T* q;
  InverseMemory<T> memory;
  T& margin;    ///< as in PlannedInertiaPass
  bool& moves;  ///< likewise

  template <PlanKind kKind, bool kBaseParameters>
  PINTLE_INLINE void step(int i) {
    const PlanLink<C>& link = plan.links[i];
    for (int j = link.v; j < link.v + link.nv; ++j) {
      T* const row = memory.row(j);
      for (int k = link.end_v; k < plan.nv; ++k) row[k] = T(0);
    }
    if constexpr (kKind.joint == PlanJoint::general) {
      general(link);
    } else if constexpr (kKind.joint == PlanJoint::spherical) {
      spherical(link);
    } else if constexpr (kKind.joint == PlanJoint::cylindrical) {
      cylindrical<kKind>(link);
    } else if constexpr (kKind.joint == PlanJoint::free) {
      free_root(link);
    } else {
      one_dof<kKind, kBaseParameters>(link, memory.links.links[i]);
    }
  }

  template <PlanKind kKind, bool kBaseParameters>
  PINTLE_INLINE void one_dof(const PlanLink<C>& link, PlannedLink<T>& here) {
    const PlannedMemory<T>& at = memory.links;
    const ArticulatedInertia<T>& outer = at.sums[link.sum].I;
    const auto across = joint_of<kKind>(link, q, at);
    find_column(across, outer, here.U);
    const T D = across.along(here.U) + T(link.armature);
    margin = min(fma(T(-64 * kEpsilon<T>), across.max_inertia(outer), D), margin);
    here.D_inverse = T(1) / D;
    take_columns<kKind>(link, across, here);
    if constexpr (!kKind.is_root()) {
      ArticulatedInertia<T> I_a = projected_inertia<kBaseParameters>(across, outer, here.U, here.D_inverse);
      across.take_inwards(I_a);
      add(link, I_a);
    }
  }

  template <PlanKind kKind, class Joint>
  PINTLE_INLINE void take_columns(const PlanLink<C>& link, const Joint& across, const PlannedLink<T>& here) {
    const auto side_by_side = in_all_lanes<P>(across);
    const WrenchColumns<T>& c = memory.links.columns;
    const P D_inverse(here.D_inverse);
    const int first = link.v;
    T* const row = memory.row(first);
    for (int k = link.end_v - kLanes; k > first - kLanes; k -= kLanes) {
      Wrench<P> F = load_wrench(c, k);
      const P found = D_inverse * (unit_effort<T>(first, k) - side_by_side.along(F));
      store_columns(found, row + k);
      if constexpr (!kKind.is_root()) {
        const Wrench<P> U = in_all_lanes<P>(here.U);
        F.force = fma(found, U.force, F.force);
        F.torque = fma(found, U.torque, F.torque);
        store_wrench(side_by_side.inwards(F), c, k);
      }
    }
  }

  PINTLE_INLINE void add(const PlanLink<C>& link, const ArticulatedInertia<T>& I) {
    PlannedSum<T>& sum = memory.links.sums[link.parent_sum];
    if (link.first_in_sum) {
      each_component(sum, I, zero_wrench<T>(), [](T& a, const T& b) { a = b; });
    } else {
      each_component(sum, I, zero_wrench<T>(), [](T& a, const T& b) { a = a + b; });
    }
  }

  void free_root(const PlanLink<C>& link) {
    const ArticulatedInertia<T> I_A = with_link(memory.links.sums[link.sum].I, link);
    const SymMat3<T>&L = I_A.linear, &A = I_A.angular;
    const Mat3<T>& K = I_A.coupling;
    JointBlock<T> D{{{L.xx},
                     {L.xy, L.yy},
                     {L.xz, L.yz, L.zz},
                     {K.xx, K.yx, K.zx, A.xx},
                     {K.xy, K.yy, K.zy, A.xy, A.yy},
                     {K.xz, K.yz, K.zz, A.xz, A.yz, A.zz}}};
    if (!factor_block(D, 6)) moves = false;
    const WrenchColumns<T>& c = memory.links.columns;
    T* const needed[] = {c.fx, c.fy, c.fz, c.nx, c.ny, c.nz};
    solve_columns(
        link, D, [&](int j, int k) { return load_columns(component_at(needed[j], c.fx, j, k)); }, [](int, const P*) {});
  }

  void general(const PlanLink<C>& link) {
    const LinkOf<general_t<C>>& joint = plan.general[link.general];
    auto& own = memory.links.general[link.general];
    const general_t<C>* const armature = plan.armature + joint.v;
    const ArticulatedInertia<T> I_A = with_link(memory.links.sums[link.sum].I, link);
    if (!articulate_joint<T>(joint, armature, nullptr, own.S, I_A, own.U, own.D)) moves = false;
    take_columns(link, own);
    if (link.parent < 0) return;
    add(link, own.X_PL * projected_inertia<T>(joint, armature, nullptr, own.S, I_A, own.U, own.D));
  }

  void spherical(const PlanLink<C>& link) {
    const T zero(0), none[] = {zero, zero, zero};
    auto& own = memory.links.general[link.general];
    Wrench<T> p = zero_wrench<T>();
    articulate_spherical(with_link(memory.links.sums[link.sum].I, link), p, none, link.parent < 0, own, margin,
                         [&](const ArticulatedInertia<T>& I, const Wrench<T>&) { add(link, I); });
    take_columns(link, own);
  }

  template <PlanKind kKind>
  PINTLE_INLINE void cylindrical(const PlanLink<C>& link) {
    const auto across = joint_of<kKind>(link, q, memory.links);
    auto& own = memory.links.general[link.general];
    Wrench<T> p = zero_wrench<T>();
    articulate_cylindrical(across, memory.links.sums[link.sum].I, p, {T(0), T(0)}, armature_of<T>(plan, link), own,
                           margin,
                           [&](const ArticulatedInertia<T>& I, const Wrench<T>&) { add(link, I); });
    const auto side_by_side = in_all_lanes<P>(across);
    const WrenchColumns<T>& c = memory.links.columns;
    const auto needed = [&](int j, int k) {
      return load_columns(j == 0 ? component_at(c.fz, c.fx, 2, k) : component_at(c.nz, c.fx, 5, k));
    };
    solve_columns(link, own.D, needed, [&](int k, const P* found) {
      if constexpr (!kKind.is_root()) {
        Wrench<P> F = load_wrench(c, k);
        F += in_all_lanes<P>(own.U[0]) * found[0] + in_all_lanes<P>(own.U[1]) * found[1];
        store_wrench(side_by_side.inwards(F), c, k);
      }
    });
  }

  void take_columns(const PlanLink<C>& link, const PlannedGeneral<T>& own) {
    const WrenchColumns<T>& c = memory.links.columns;
    const auto needed = [&](int j, int k) { return dot(in_all_lanes<P>(own.S[j]), load_wrench(c, k)); };
    if (link.parent < 0) return solve_columns(link, own.D, needed, [](int, const P*) {});
    const Pose<P> X = in_all_lanes<P>(own.X_PL);
    solve_columns(link, own.D, needed, [&](int k, const P* found) {
      Wrench<P> F = load_wrench(c, k);
      for (int j = 0; j < link.nv; ++j) F += in_all_lanes<P>(own.U[j]) * found[j];
      store_wrench(X * F, c, k);
    });
  }

  /// The rows of a joint of several dofs, from its factors D and from the required efforts for the columns at k and
  /// after it; `pass_on` receives the result.
  template <class Needed, class PassOn>
  PINTLE_INLINE void solve_columns(const PlanLink<C>& link, const JointBlock<T>& D, Needed needed, PassOn pass_on) {
    JointBlock<P> factors;
    in_all_lanes(D, link.nv, factors);
    for (int k = link.end_v - kLanes; k > link.v - kLanes; k -= kLanes) {
      P found[kMaxDofs];
      for (int j = 0; j < link.nv; ++j) found[j] = unit_effort<T>(link.v + j, k) - needed(j, k);
      solve_block(factors, link.nv, found, found);
      for (int j = 0; j < link.nv; ++j) store_columns(found[j], memory.row(link.v + j) + k);
      pass_on(k, found);
    }
  }
};

/// Propagates the accelerations from parents to children: the rest of every row, from its own dof to the last one.
/// [eq. response]
template <class T, class C = base_t<T>>
struct InverseOutwardPass {
  using P = SideBySide<T>;
  static constexpr int kLanes = kSideBySide<T>;
  const PlanView<C>& plan;
  const T* q;
  InverseMemory<T> memory;

  template <PlanKind kKind, bool kBaseParameters>
  PINTLE_INLINE void step(int i) {
    const PlanLink<C>& link = plan.links[i];
    const TwistColumns<T> here = memory.accelerations_of(i);
    if constexpr (kKind.joint == PlanJoint::free) {
      T* const rows[] = {here.vx, here.vy, here.vz, here.wx, here.wy, here.wz};
      for (int j = 0; j < 6; ++j)
        for (int k = plan.nv - kLanes; k > link.v - kLanes; k -= kLanes)
          store_columns(load_columns(memory.row(link.v + j) + k), component_at(rows[j], here.vx, j, k));
    } else if constexpr (kKind.joint == PlanJoint::general || kKind.joint == PlanJoint::spherical) {
      general(link, here);
    } else if constexpr (kKind.joint == PlanJoint::cylindrical) {
      cylindrical<kKind>(link, here);
    } else if constexpr (kKind.is_root()) {
      const auto side_by_side = in_all_lanes<P>(joint_of<kKind>(link, q, memory.links));
      for (int k = plan.nv - kLanes; k > link.v - kLanes; k -= kLanes)
        store_twist<T>(side_by_side.motion(load_columns(memory.row(link.v) + k)), here, k);
    } else {
      one_dof<kKind>(link, memory.links.links[i], here);
    }
  }

  template <PlanKind kKind>
  PINTLE_INLINE void one_dof(const PlanLink<C>& link, const PlannedLink<T>& own, const TwistColumns<T>& here) {
    const auto side_by_side = in_all_lanes<P>(joint_of<kKind>(link, q, memory.links));
    const TwistColumns<T> parent = memory.accelerations_of(link.parent);
    const Wrench<P> U = in_all_lanes<P>(own.U);
    const P minus_D_inverse(-own.D_inverse);
    T* const row = memory.row(link.v);
    const bool tip = link.sum == 0;
    for (int k = plan.nv - kLanes; k > link.v - kLanes; k -= kLanes) {
      Twist<P> A = side_by_side.outwards(load_twist(parent, k));
      const P vdot = fma(minus_D_inverse, dot(A, U), load_columns(row + k));
      store_columns(vdot, row + k);
      if (tip) continue;
      side_by_side.add_motion(vdot, A);
      store_twist(A, here, k);
    }
  }

  template <PlanKind kKind>
  PINTLE_INLINE void cylindrical(const PlanLink<C>& link, const TwistColumns<T>& here) {
    const auto side_by_side = in_all_lanes<P>(joint_of<kKind>(link, q, memory.links));
    const PlannedGeneral<T>& own = memory.links.general[link.general];
    JointBlock<P> factors;
    in_all_lanes(own.D, 2, factors);
    T *const translations = memory.row(link.v), *const rotations = memory.row(link.v + 1);
    for (int k = plan.nv - kLanes; k > link.v - kLanes; k -= kLanes) {
      Twist<P> A = zero_twist<P>();
      CylindricalDofs<P> vdot{load_columns(translations + k), load_columns(rotations + k)};
      if constexpr (!kKind.is_root()) {
        A = side_by_side.outwards(load_twist(memory.accelerations_of(link.parent), k));
        const CylindricalDofs<P> taken = solve_cylindrical(
            factors, CylindricalDofs<P>{dot(A, in_all_lanes<P>(own.U[0])), dot(A, in_all_lanes<P>(own.U[1]))});
        vdot = {vdot.translation - taken.translation, vdot.rotation - taken.rotation};
        store_columns(vdot.translation, translations + k);
        store_columns(vdot.rotation, rotations + k);
      }
      side_by_side.add_motion(vdot, A);
      store_twist(A, here, k);
    }
  }

  void general(const PlanLink<C>& link, const TwistColumns<T>& here) {
    const auto& [X_PL, S, U, D, u] = memory.links.general[link.general];
    const Pose<P> X = in_all_lanes<P>(X_PL);
    JointBlock<P> factors;
    in_all_lanes(D, link.nv, factors);
    for (int k = plan.nv - kLanes; k > link.v - kLanes; k -= kLanes) {
      Twist<P> A = zero_twist<P>();
      if (link.parent >= 0) A = inverse_times(X, load_twist(memory.accelerations_of(link.parent), k));
      P taken[kMaxDofs];
      for (int j = 0; j < link.nv; ++j) taken[j] = dot(A, in_all_lanes<P>(U[j]));
      solve_block(factors, link.nv, taken, taken);
      for (int j = 0; j < link.nv; ++j) {
        T* const row = memory.row(link.v + j);
        const P vdot = load_columns(row + k) - taken[j];
        store_columns(vdot, row + k);
        A += in_all_lanes<P>(S[j]) * vdot;
      }
      store_twist(A, here, k);
    }
  }
};

/// M(q)^-1, nv x nv, row-major, bitwise symmetric. False when the inertia that a joint moves is nearly singular: the
/// plain kernel tells which.  [eq. response]
template <class T, class C>
inline bool planned_mass_matrix_inverse(const PlanView<C>& plan, const T* q, const InverseMemory<T>& memory,
                                        T* inverse) {
  T margin(1);
  bool moves = true;
  const PlannedMemory<T>& at = memory.links;
  const int n = plan.nv;
  for (int i = 0; i < plan.count; ++i) {
    const PlanLink<C>& link = plan.links[i];
    const bool last = link.parent < 0 || link.end_v == plan.links[link.parent].end_v;
    memory.places[i] = (link.parent < 0 ? 0 : memory.places[link.parent]) + (last ? 0 : 1);
  }
  const auto& [fx, fy, fz, nx, ny, nz] = at.columns;
  if constexpr (kSideBySide<T> == 1) {
    for (int k = 0; k < 6 * n; ++k) fx[k] = T(0);
  } else {
    for (T* const row : {fx, fy, fz, nx, ny, nz})
      for (int k = -kBefore; k < n; ++k) row[k] = T(0);
  }
  make_empty(at.sums[0]);
  compute_sines_cosines(plan, q, at);
  outwards(plan, PlannedPosePass<T, C>{plan, q, at});
  inwards(plan, InverseInwardPass<T, C>{plan, q, memory, margin, moves});
  outwards(plan, InverseOutwardPass<T, C>{plan, q, memory});
  for (int j = 0; j < n; ++j) {
    const T* const row = memory.row(j);
    for (int k = j; k < n; ++k) inverse[j * n + k] = inverse[k * n + j] = row[k];
  }
  return moves && all(margin > T(0));
}

}  // namespace pintle::inline PINTLE_ISA
