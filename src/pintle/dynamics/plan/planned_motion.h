// The outward pass of the planned kernels: velocities and accelerations of the links, and the wrenches they require.
#pragma once

#include "pintle/dynamics/plan/planned_cylindrical.h"
#include "pintle/dynamics/plan/planned_memory.h"
#include "pintle/dynamics/plan/planned_prismatic.h"
#include "pintle/dynamics/plan/planned_revolute.h"
#include "pintle/dynamics/plan/planned_runs.h"
#include "pintle/dynamics/plan/planned_screw.h"
#include "pintle/dynamics/plan/planned_spherical.h"
#include "pintle/dynamics/recursions/tree_motion.h"

namespace pintle::inline PINTLE_ISA {

// ---- rotations

/// Sines and cosines of all joints that rotate about an axis. For one state they are computed in packs, with bitwise
/// equal results.
template <class T, class C>
inline void compute_sines_cosines(const PlanView<C>& plan, const T* q, const PlannedMemory<T>& at) {
  if constexpr (BuiltinScalar<T> && !std::is_same_v<T, long double>) {
    using P = NativePack<T>;
    const int last = plan.angle_count - 1;
    for (int i = 0; i <= last; i += P::kLanes) {
      const P angles = lane_by_lane<P>([&](int lane) {  // lanes beyond the last angle are never read
        const PlanAngle<T>& angle = plan.angles[i + lane < last ? i + lane : last];
        return q[angle.q] + angle.offset;
      });
      const SinCos<P> f = sincos(angles);
      store(f.sin, at.sines + i);
      store(f.cos, at.cosines + i);
    }
  } else {
    for (int i = 0; i < plan.angle_count; ++i) {
      const SinCos<T> f = sincos(q[plan.angles[i].q] + T(plan.angles[i].offset));
      at.sines[i] = f.sin;
      at.cosines[i] = f.cos;
    }
  }
}

/// The single-axis joint of a link, at its position.
template <PlanKind kKind, class T, class C>
PINTLE_INLINE auto joint_of(const PlanLink<C>& link, const T* q, const PlannedMemory<T>& at) {
  constexpr PlanPlacement kPlacement = kKind.placement;
  if constexpr (kKind.joint == PlanJoint::prismatic) {
    return PrismaticJoint<T, kPlacement, C>{{{link}, {}, q[link.q] + T(link.d)}};
  } else {
    const AxisRotation<T> rotation{at.cosines[link.angle], at.sines[link.angle]};
    if constexpr (kKind.joint == PlanJoint::screw) {
      return ScrewJoint<T, kPlacement, C>{{{link}, rotation, fma(T(link.pitch), q[link.q], T(link.d))}};
    } else if constexpr (kKind.joint == PlanJoint::cylindrical) {
      return CylindricalJoint<T, kPlacement, C>{{{link}, rotation, q[link.q] + T(link.d)}};
    } else {
      return RevoluteJoint<T, kPlacement, C>{{{link}, rotation, {}}};
    }
  }
}

/// A free root in the world.
template <class T, class C>
PINTLE_INLINE Pose<T> pose_of_free_root(const PlanLink<C>& link, const T* q) {
  const T* const at = q + link.q;
  const Mat3<C>& R = link.rotation;
  const Vec3<C>& p = link.translation;
  const Pose<T> X_WJ{{T(R.xx), T(R.xy), T(R.xz), T(R.yx), T(R.yy), T(R.yz), T(R.zx), T(R.zy), T(R.zz)},
                     {T(p.x), T(p.y), T(p.z)}};
  return X_WJ * Pose<T>{rotation_matrix(Quaternion<T>{at[3], at[4], at[5], at[6]}), {at[0], at[1], at[2]}};
}

/// The armature of a cylindrical joint.
template <class T, class C>
PINTLE_INLINE CylindricalDofs<T> armature_of(const PlanView<C>& plan, const PlanTopology& link) {
  return {constant<T>(plan.armature[link.v]), constant<T>(plan.armature[link.v + 1])};
}

/// The parent of a link; roots have none.
template <PlanKind kKind, class T, class C>
PINTLE_INLINE const PlannedMotion<T>* parent_of(const PlanLink<C>& link, const PlannedMemory<T>& at) {
  return kKind.is_root() ? nullptr : at.links + link.parent;
}

/// Likewise where the kind does not tell whether there is a parent.
template <class T, class C>
PINTLE_INLINE const PlannedMotion<T>* carrier_of(const PlanLink<C>& link, const PlannedMemory<T>& at) {
  return link.parent < 0 ? nullptr : at.links + link.parent;
}

// ---- inertia

template <class T, class C>
PINTLE_INLINE SpatialInertia<T> inertia_of(const PlanParameters<C>& link) {
  const auto& h = link.inertia.first_moment;
  const auto& I = link.inertia.inertia;
  return {T(link.inertia.mass), {T(h.x), T(h.y), T(h.z)}, {T(I.xx), T(I.xy), T(I.xz), T(I.yy), T(I.yz), T(I.zz)}};
}

/// I A + V x* I V, with e = a + w x v the acceleration of the origin: f = m e + wdot x h + w x (w x h), n = I wdot + w
/// x I w + h x e. In base parameters a link has neither m nor h_z nor I_yy.  [eq. rnea]
template <bool kBaseParameters, class T, class C>
PINTLE_INLINE Wrench<T> needed_wrench(const PlanParameters<C>& link, const Twist<T>& V, const Twist<T>& A) {
  const Vec3<T>&w = V.angular, &wdot = A.angular;
  const auto& I = link.inertia.inertia;
  const Vec3<T> e = A.linear + cross(w, V.linear);
  if constexpr (kBaseParameters) {
    const T xx(I.xx), xy(I.xy), xz(I.xz), yz(I.yz), zz(I.zz), hx(link.inertia.first_moment.x),
        hy(link.inertia.first_moment.y);
    const auto times = [&](const Vec3<T>& a) {
      return Vec3<T>{fma(xx, a.x, fma(xy, a.y, xz * a.z)), fma(xy, a.x, yz * a.z),
                     fma(xz, a.x, fma(yz, a.y, zz * a.z))};
    };
    const Vec3<T> wh{-(w.z * hy), w.z * hx, fma(w.x, hy, -(w.y * hx))};
    const Vec3<T> f = cross(w, wh), n = times(wdot) + cross(w, times(w));
    return {{fma(-wdot.z, hy, f.x), fma(wdot.z, hx, f.y), fma(wdot.x, hy, fma(-wdot.y, hx, f.z))},
            {fma(hy, e.z, n.x), fma(-hx, e.z, n.y), fma(hx, e.y, fma(-hy, e.x, n.z))}};
  } else {
    const SpatialInertia<T> body = inertia_of<T>(link);
    const Vec3<T>& h = body.first_moment;
    return {fma(body.mass, e, cross(wdot, h) + cross(w, cross(w, h))),
            body.inertia * wdot + cross(w, body.inertia * w) + cross(h, e)};
  }
}

template <bool kBaseParameters, PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE Wrench<T> needed_wrench(const AxisJoint<T, kPlacement, C>& across, const Twist<T>& V, const Twist<T>& A) {
  return needed_wrench<false>(across.link, V, A);
}
template <bool kBaseParameters, PlanPlacement kPlacement, class T, class C>
PINTLE_INLINE Wrench<T> needed_wrench(const RevoluteJoint<T, kPlacement, C>& across, const Twist<T>& V,
                                      const Twist<T>& A) {
  return needed_wrench<kBaseParameters>(across.link, V, A);
}

// ---- the pass

/// The motion of a root link, without its own vdot.
template <class Joint, class Rate, class T>
PINTLE_INLINE void move_on_root(const Joint& across, const Rate& rate, Twist<T>& V, Twist<T>& A) {
  const T zero(0);
  const auto& minus_gravity = across.link.minus_gravity;
  V = across.motion(rate);
  A = {across.rotate_outwards(Vec3<T>{T(minus_gravity.x), T(minus_gravity.y), T(minus_gravity.z)}), {zero, zero, zero}};
}

/// V and A of a link on a single-axis joint whose parent has the motion `parent` (null: the world at rest), without its
/// own vdot.  [eq. tree-velocity]
template <PlanKind kKind, class Joint, class T, class Rate>
PINTLE_INLINE void move_on_joint(const Joint& across, const PlannedMotion<T>* parent, const Rate& rate, Twist<T>& V,
                                 Twist<T>& A) {
  if constexpr (kKind.is_root())
    if (parent == nullptr) return move_on_root(across, rate, V, A);
  V = across.outwards(parent->V);
  A = across.outwards(parent->A);
  across.add_motion(rate, V);
  add_bias(across, V, rate, A);
}

/// V, A and F of every link, after compute_sines_cosines; A and F include vdot, unless vdot is null (kVdot false): then
/// they are due to gravity and velocities alone. kWorld: the world may move.  [eq. tree-velocity]
template <class T, bool kVdot, class C = base_t<T>, bool kWorld = false>
struct PlannedMotionPass {
  const PlanView<C>& plan;
  const T* q;
  const T* v;
  const T* vdot;
  PlannedMemory<T> at;
  const PlannedMotion<T>* world = nullptr;  ///< null: at rest

  template <PlanKind kKind, bool kBaseParameters>
  PINTLE_INLINE void step(int i) {
    const PlanLink<C>& link = plan.links[i];
    if constexpr (kKind.joint == PlanJoint::free) {
      free_root(link, at.links[i]);
    } else if constexpr (kKind.joint == PlanJoint::general) {
      general(link, at.links[i]);
    } else if constexpr (kKind.joint == PlanJoint::spherical) {
      spherical(link, at.links[i]);
    } else {
      const auto across = joint_of<kKind>(link, q, at);
      on_joint<kKind>(across, link, at.links[i]);
      at.links[i].F = needed_wrench<kBaseParameters>(across, at.links[i].V, at.links[i].A);
      return;
    }
    at.links[i].F = needed_wrench<kBaseParameters>(link, at.links[i].V, at.links[i].A);
  }

  template <PlanKind kKind, class Joint>
  PINTLE_INLINE void on_joint(const Joint& across, const PlanLink<C>& link, PlannedLink<T>& here) {
    Twist<T> V, A;
    const PlannedMotion<T>* const mover = kKind.is_root() ? motion_of_world() : parent_of<kKind>(link, at);
    move_on_joint<kKind>(across, mover, dofs_at<kKind.joint>(v + link.v), V, A);
    if constexpr (kVdot) across.add_motion(dofs_at<kKind.joint>(vdot + link.v), A);
    here.V = V;
    here.A = A;
  }

  PINTLE_INLINE const PlannedMotion<T>* motion_of_world() const {
    if constexpr (kWorld) return world;
    return nullptr;
  }

  /// What moves a link: its parent, or the world if that moves.
  PINTLE_INLINE const PlannedMotion<T>* mover_of(const PlanLink<C>& link) const {
    if (link.parent < 0) return motion_of_world();
    return at.links + link.parent;
  }

  PINTLE_INLINE void free_root(const PlanLink<C>& link, PlannedLink<T>& here) {
    const T *Q = q + link.q + 3, *rate = v + link.v, zero(0);
    const Twist<T> V_WL{{rate[0], rate[1], rate[2]}, {rate[3], rate[4], rate[5]}};
    if (motion_of_world() == nullptr) {
      const Mat3<T> R = rotation_matrix(Quaternion<T>{Q[0], Q[1], Q[2], Q[3]});
      here.V = V_WL;
      here.A = {transpose_times(R, Vec3<T>{T(link.minus_gravity.x), T(link.minus_gravity.y), T(link.minus_gravity.z)}),
                {zero, zero, zero}};
    } else {
      const Pose<T> X_WL = pose_of_free_root(link, q);
      here.V = inverse_times(X_WL, world->V) + V_WL;
      here.A = inverse_times(X_WL, world->A) + cross(here.V, V_WL);
    }
    if constexpr (kVdot) {
      const T* const more = vdot + link.v;
      here.A.linear += Vec3<T>{more[0], more[1], more[2]};
      here.A.angular += Vec3<T>{more[3], more[4], more[5]};
    }
  }

  PINTLE_INLINE void spherical(const PlanLink<C>& link, PlannedLink<T>& here) {
    const Twist<T> A_W = translation(constant<T>(-plan.gravity));
    move_on_spherical(plan.general[link.general], q, v, mover_of(link), A_W, at.general[link.general], here);
    if constexpr (kVdot) here.A.angular += vector_at(vdot + link.v);
  }

  void general(const PlanLink<C>& link, PlannedLink<T>& here) {
    const LinkOf<general_t<C>>& joint = plan.general[link.general];
    auto& [X_PL, S, U, D, u] = at.general[link.general];
    X_PL = constant<T>(joint.X_PJ) * joint_motion(joint, q + joint.q, S);
    const PlannedMotion<T>* const parent = mover_of(link);
    const Twist<T> V_P = parent == nullptr ? zero_twist<T>() : parent->V;
    const Twist<T> A_P = parent == nullptr ? translation(constant<T>(-plan.gravity)) : parent->A;
    const Twist<T> V_PL = combine(S, v + joint.v, joint.nv);
    here.V = inverse_times(X_PL, V_P) + V_PL;
    here.A = inverse_times(X_PL, A_P) + (cross(here.V, V_PL) + joint_bias(joint, S, v + joint.v));
    if constexpr (kVdot) here.A += combine(S, vdot + joint.v, joint.nv);
  }
};

/// Subtracts the external wrenches from the wrenches that the motion of the links requires.  [eq. rnea]
template <class T>
inline void subtract_external(const PlanRun& run, const Wrench<T>* external, const PlannedMemory<T>& at) {
  for (int i = run.first; i < run.first + run.count; ++i) at.links[i].F -= external[i];
}
template <class T, class C>
inline void subtract_external(const PlanView<C>& plan, const Wrench<T>* external, const PlannedMemory<T>& at) {
  for (int r = 0; r < plan.run_count; ++r) subtract_external(plan.runs[r], external, at);
}

}  // namespace pintle::inline PINTLE_ISA
