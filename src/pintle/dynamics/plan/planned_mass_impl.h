// The mass matrix on a plan: the composite-rigid-body algorithm of mass_matrix_impl.h in fewer operations.
#pragma once

#include "pintle/dynamics/plan/planned_columns.h"
#include "pintle/dynamics/plan/planned_motion.h"

namespace pintle::inline PINTLE_ISA {

/// The poses of links on general and spherical joints.
template <class T, class C = base_t<T>>
struct PlannedPosePass {
  const PlanView<C>& plan;
  const T* q;
  PlannedMemory<T> at;

  template <PlanKind kKind, bool kBaseParameters>
  PINTLE_INLINE void step(int i) {
    if constexpr (kKind.joint == PlanJoint::general || kKind.joint == PlanJoint::spherical) {
      const PlanLink<C>& link = plan.links[i];
      const LinkOf<general_t<C>>& joint = plan.general[link.general];
      PlannedGeneral<T>& here = at.general[link.general];
      here.X_PL = constant<T>(joint.X_PJ) * joint_motion(joint, q + joint.q, here.S);
    }
  }
};

/// Columns side by side: no more than AVX2 has lanes, since lane groups are short and rows begin anywhere.
template <class T>
using ColumnPack = Pack<T, (PINTLE_VECTOR_BYTES < 32 ? PINTLE_VECTOR_BYTES : 32) / static_cast<int>(sizeof(T))>;

/// A link with a full pose: transforms wrenches to its parent's frame.
template <class T>
struct PosedLink {
  Pose<T> X_PL;

  PINTLE_INLINE Wrench<T> inwards(const Wrench<T>& F) const { return X_PL * F; }
};
template <class P, class T>
PINTLE_INLINE PosedLink<P> in_all_lanes(const PosedLink<T>& link) {
  return {in_all_lanes<P>(link.X_PL)};
}

/// Composite inertias towards the roots, together with the wrenches for unit accelerations of the outboard dofs; their
/// components along a joint's dof are the entries of M.  [eq. crba]
template <class T, class C = base_t<T>>
struct PlannedCompositePass {
  const PlanView<C>& plan;
  const T* q;
  PlannedMemory<T> at;
  T* M;

  template <PlanKind kKind, bool kBaseParameters>
  PINTLE_INLINE void step(int i) {
    const PlanLink<C>& link = plan.links[i];
    if (link.sum == 0)
      at.composites[i] = inertia_of<T>(link);  // of a tip; the others already have those of their children
    if constexpr (kKind.joint == PlanJoint::free) {
      free_root(link, at.composites[i]);
    } else if constexpr (kKind.joint == PlanJoint::general) {
      general(link, at.composites[i]);
    } else if constexpr (kKind.joint == PlanJoint::spherical) {
      spherical(link, at.composites[i]);
    } else if constexpr (kKind.joint == PlanJoint::cylindrical) {
      cylindrical<kKind>(link, at.composites[i]);
    } else {
      const SpatialInertia<T>& I_C = at.composites[i];
      const auto across = joint_of<kKind>(link, q, at);
      const Wrench<T> own = unit_wrench(across, I_C);
      M[link.v * (plan.nv + 1)] = across.along(own) + T(link.armature);
      for (int k = link.v + 1; k < link.end_v; ++k) enter(k, link.v, across.along(at.columns, k));
      if constexpr (!kKind.is_root()) {
        take_columns_inwards(link, across, own);
        SpatialInertia<T> I_P = I_C;
        across.take_inwards(I_P);
        add(link, I_P);
      }
    }
  }

  /// Adds to the parent's composite, which starts with the parent's own inertia.
  PINTLE_INLINE void add(const PlanLink<C>& link, const SpatialInertia<T>& I) {
    SpatialInertia<T>& sum = at.composites[link.parent];
    sum = (link.first_in_sum ? inertia_of<T>(plan.links[link.parent]) : sum) + I;
  }

  PINTLE_INLINE void enter(int k, int j, const T& entry) { M[k * plan.nv + j] = M[j * plan.nv + k] = entry; }

  PINTLE_INLINE Wrench<T> column(int k) const {
    const WrenchColumns<T>& c = at.columns;
    return {{c.fx[k], c.fy[k], c.fz[k]}, {c.nx[k], c.ny[k], c.nz[k]}};
  }
  PINTLE_INLINE void put(int k, const Wrench<T>& F) {
    const WrenchColumns<T>& c = at.columns;
    c.fx[k] = F.force.x;
    c.fy[k] = F.force.y;
    c.fz[k] = F.force.z;
    c.nx[k] = F.torque.x;
    c.ny[k] = F.torque.y;
    c.nz[k] = F.torque.z;
  }

  /// Transforms the columns of a link's subtree, and its own, to its parent's frame; for one state in packs. Packs are
  /// counted from the last column, so that they are loaded as they were stored one link outboard, and the link's own
  /// column is inserted in a register: store forwarding fails for a load of several smaller stores. The first pack may
  /// also hold columns of earlier dofs, which are not computed yet.
  template <class Joint>
  PINTLE_INLINE void take_columns_inwards(const PlanLink<C>& link, const Joint& across, const Wrench<T>& own) {
    const WrenchColumns<T>& c = at.columns;
    const int first = link.v, end = link.end_v;
    if constexpr (BuiltinScalar<T> && !std::is_same_v<T, long double>) {
      using P = ColumnPack<T>;
      static constexpr T kPlaces[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
      const auto side_by_side = in_all_lanes<P>(across);
      for (int k = end - P::kLanes; k > first - P::kLanes; k -= P::kLanes) {
        const auto is_own = load<P>(kPlaces) == P(static_cast<T>(first - k));
        const auto with_own = [&](const T* row, const T& value) { return select(is_own, P(value), load<P>(row + k)); };
        store_columns(
            k, side_by_side.inwards(
                   {{with_own(c.fx, own.force.x), with_own(c.fy, own.force.y), with_own(c.fz, own.force.z)},
                    {with_own(c.nx, own.torque.x), with_own(c.ny, own.torque.y), with_own(c.nz, own.torque.z)}}));
      }
    } else {
      put(first, across.inwards(own));
      for (int k = first + 1; k < end; ++k) put(k, across.inwards(column(k)));
    }
  }

  /// The columns of a link that exist already and of its subtree; in packs likewise.
  template <class Joint>
  PINTLE_INLINE void take_columns_inwards(const PlanLink<C>& link, const Joint& across) {
    const WrenchColumns<T>& c = at.columns;
    if constexpr (BuiltinScalar<T> && !std::is_same_v<T, long double>) {
      using P = ColumnPack<T>;
      const auto side_by_side = in_all_lanes<P>(across);
      for (int k = link.end_v - P::kLanes; k > link.v - P::kLanes; k -= P::kLanes)
        store_columns(k, side_by_side.inwards({{load<P>(c.fx + k), load<P>(c.fy + k), load<P>(c.fz + k)},
                                               {load<P>(c.nx + k), load<P>(c.ny + k), load<P>(c.nz + k)}}));
    } else {
      for (int k = link.v; k < link.end_v; ++k) put(k, across.inwards(column(k)));
    }
  }

  template <class P>
  PINTLE_INLINE void store_columns(int k, const Wrench<P>& F) {
    const WrenchColumns<T>& c = at.columns;
    store(F.force.x, c.fx + k);
    store(F.force.y, c.fy + k);
    store(F.force.z, c.fz + k);
    store(F.torque.x, c.nx + k);
    store(F.torque.y, c.ny + k);
    store(F.torque.z, c.nz + k);
  }

  PINTLE_INLINE void free_root(const PlanLink<C>& link, const SpatialInertia<T>& I_C) {
    const T zero(0), m = I_C.mass;
    const Vec3<T>& h = I_C.first_moment;
    put(link.v, {{m, zero, zero}, {zero, h.z, -h.y}});
    put(link.v + 1, {{zero, m, zero}, {-h.z, zero, h.x}});
    put(link.v + 2, {{zero, zero, m}, {h.y, -h.x, zero}});
    put_angular_columns(link.v + 3, I_C);
    const WrenchColumns<T>& c = at.columns;
    const T* const rows[] = {c.fx, c.fy, c.fz, c.nx, c.ny, c.nz};
    for (int j = 0; j < 6; ++j)
      for (int k = link.v + j; k < link.end_v; ++k) enter(k, link.v + j, rows[j][k]);
  }

  PINTLE_INLINE void spherical(const PlanLink<C>& link, const SpatialInertia<T>& I_C) {
    put_angular_columns(link.v, I_C);
    const WrenchColumns<T>& c = at.columns;
    const T* const rows[] = {c.nx, c.ny, c.nz};
    for (int j = 0; j < 3; ++j)
      for (int k = link.v + j; k < link.end_v; ++k) enter(k, link.v + j, rows[j][k]);
    if (link.parent < 0) return;
    const Pose<T>& X_PL = at.general[link.general].X_PL;
    take_columns_inwards(link, PosedLink<T>{X_PL});
    add(link, X_PL * I_C);
  }

  template <PlanKind kKind>
  PINTLE_INLINE void cylindrical(const PlanLink<C>& link, const SpatialInertia<T>& I_C) {
    const T zero(0);
    const Vec3<T>& h = I_C.first_moment;
    put(link.v, {{zero, zero, I_C.mass}, {h.y, -h.x, zero}});
    put(link.v + 1, {{-h.y, h.x, zero}, {I_C.inertia.xz, I_C.inertia.yz, I_C.inertia.zz}});
    for (int k = link.v; k < link.end_v; ++k) enter(k, link.v, at.columns.fz[k]);
    for (int k = link.v + 1; k < link.end_v; ++k) enter(k, link.v + 1, at.columns.nz[k]);
    const auto [translation, rotation] = armature_of<T>(plan, link);
    M[link.v * (plan.nv + 1)] += translation;
    M[(link.v + 1) * (plan.nv + 1)] += rotation;
    if constexpr (!kKind.is_root()) {
      const auto across = joint_of<kKind>(link, q, at);
      take_columns_inwards(link, across);
      SpatialInertia<T> I_P = I_C;
      across.take_inwards(I_P);
      add(link, I_P);
    }
  }

  /// Wrenches for unit angular accelerations about x, y and z.
  PINTLE_INLINE void put_angular_columns(int first, const SpatialInertia<T>& I_C) {
    const T zero(0);
    const Vec3<T>& h = I_C.first_moment;
    const SymMat3<T>& J = I_C.inertia;
    put(first, {{zero, -h.z, h.y}, {J.xx, J.xy, J.xz}});
    put(first + 1, {{h.z, zero, -h.x}, {J.xy, J.yy, J.yz}});
    put(first + 2, {{-h.y, h.x, zero}, {J.xz, J.yz, J.zz}});
  }

  void general(const PlanLink<C>& link, const SpatialInertia<T>& I_C) {
    const PlannedGeneral<T>& joint = at.general[link.general];
    for (int j = 0; j < link.nv; ++j) put(link.v + j, I_C * joint.S[j]);
    for (int k = link.v; k < link.end_v; ++k) {
      const Wrench<T> F = column(k);
      for (int j = 0; j < link.nv && link.v + j <= k; ++j) enter(k, link.v + j, dot(joint.S[j], F));
      if (k < link.v + link.nv) M[k * (plan.nv + 1)] += constant<T>(plan.armature[k]);
    }
    if (link.parent < 0) return;
    take_columns_inwards(link, PosedLink<T>{joint.X_PL});
    add(link, joint.X_PL * I_C);
  }
};

/// Zeroes the entries of M between branches. For one state all of M, which is cheaper than scattered entries.
template <class T, class C>
PINTLE_INLINE void write_zeros(const PlanView<C>& plan, T* M) {
  const int n = plan.nv;
  if constexpr (BuiltinScalar<T>) {
    if (plan.gap_count == 0) return;
    int k = 0;
    if constexpr (!std::is_same_v<T, long double>) {
      const NativePack<T> zeros(T(0));
      for (; k + zeros.kLanes <= n * n; k += zeros.kLanes) store(zeros, M + k);
    }
    for (; k < n * n; ++k) M[k] = T(0);
  } else {
    for (const PlanGap* gap = plan.gaps; gap < plan.gaps + plan.gap_count; ++gap)
      for (int j = gap->first; j < gap->end; ++j) M[gap->row * n + j] = M[j * n + gap->row] = T(0);
  }
}

/// M(q), nv x nv, row-major; entries of dofs on different branches are zero.  [eq. crba]
template <class T, class C>
inline void planned_mass_matrix(const PlanView<C>& plan, const T* q, const PlannedMemory<T>& memory, T* M) {
  write_zeros(plan, M);
  compute_sines_cosines(plan, q, memory);
  outwards(plan, PlannedPosePass<T, C>{plan, q, memory});
  inwards(plan, PlannedCompositePass<T, C>{plan, q, memory, M});
}

}  // namespace pintle::inline PINTLE_ISA
