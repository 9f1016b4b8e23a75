// Poses, velocities and accelerations of all links in one pass outwards, in the links' own frames.
#pragma once

#include "pintle/dynamics/lanes/side_by_side.h"
#include "pintle/dynamics/recursions/tree_motion.h"

namespace pintle::inline PINTLE_ISA {

/// Results of the pass, per link.
template <class T>
struct KinematicsBuffers {
  TreeMotion<T> motion;
  Pose<T>* X_WL;
  Twist<T>* A;
};

/// Which of them to compute.
enum class KinematicsExtent : unsigned char {
  all,
  first_order,  ///< poses and velocities: X_WL, and of `motion` X_PL and V
  links,        ///< only link quantities: of `motion` only V
  velocities,   ///< likewise without A
};

/// Whether it needs vdot.
constexpr bool has_accelerations(KinematicsExtent extent) {
  return extent == KinematicsExtent::all || extent == KinematicsExtent::links;
}

/// A link on a revolute joint: tree_motion, bitwise equal, without the terms that are zero.
template <KinematicsExtent kExtent, class T, class C>
PINTLE_INLINE void move_revolute(const LinkOf<C>& link, const SinCos<T>& f, const T& rate, const T& rate_dot, int i,
                                 const Twist<T>& V_P, const Twist<T>& A_P, const KinematicsBuffers<T>& out) {
  const T zero(0), one(1);
  const Mat3<T> R_PJ = constant<T>(link.X_PJ.rotation);
  const Vec3<T> x = column(R_PJ, 0), y = column(R_PJ, 1), z = column(R_PJ, 2);
  const Pose<T> X_PL{from_columns(fma(f.cos, x, f.sin * y), fma(-f.sin, x, f.cos * y), z),
                     constant<T>(link.X_PJ.translation)};
  out.X_WL[i] = link.parent < 0 ? X_PL : out.X_WL[link.parent] * X_PL;
  Twist<T> V = inverse_times(X_PL, V_P);
  V.angular.z = V.angular.z + rate;
  out.motion.V[i] = V;
  if constexpr (kExtent == KinematicsExtent::first_order) out.motion.X_PL[i] = X_PL;
  if constexpr (!has_accelerations(kExtent)) return;
  const Twist<T> c{{V.linear.y * rate, -(V.linear.x * rate), zero}, {V.angular.y * rate, -(V.angular.x * rate), zero}};
  Twist<T> A = inverse_times(X_PL, A_P);
  A.linear.x = A.linear.x + c.linear.x;
  A.linear.y = A.linear.y + c.linear.y;
  A.angular.x = A.angular.x + c.angular.x;
  A.angular.y = A.angular.y + c.angular.y;
  A.angular.z = A.angular.z + rate_dot;
  out.A[i] = A;
  if constexpr (kExtent == KinematicsExtent::links) return;
  out.motion.X_PL[i] = X_PL;
  out.motion.S[link.v] = {{zero, zero, zero}, {zero, zero, one}};
  out.motion.c[i] = c;
}

/// A link that its joint moves by V_PL = S v in its own axes, S constant, and by A_PL = S vdot: the remaining steps
/// once X_PL is known. `all` leaves S to the caller.
template <KinematicsExtent kExtent, class T, class C>
PINTLE_INLINE void move_link(const LinkOf<C>& link, const Pose<T>& X_PL, const Twist<T>& V, const Twist<T>& c,
                             const Twist<T>& A_PL, int i, const Twist<T>& A_P, const KinematicsBuffers<T>& out) {
  out.X_WL[i] = link.parent < 0 ? X_PL : out.X_WL[link.parent] * X_PL;
  out.motion.V[i] = V;
  if constexpr (kExtent == KinematicsExtent::first_order) out.motion.X_PL[i] = X_PL;
  if constexpr (!has_accelerations(kExtent)) return;
  out.A[i] = c + inverse_times(X_PL, A_P) + A_PL;
  if constexpr (kExtent == KinematicsExtent::links) return;
  out.motion.X_PL[i] = X_PL;
  out.motion.c[i] = c;
}

/// Likewise on a prismatic joint, and on a spherical one. Separate functions, which leave the registers to revolute
/// joints.
template <KinematicsExtent kExtent, class T, class C>
[[gnu::noinline]] inline void move_prismatic(const LinkOf<C>& link, const T& translation, const T& rate,
                                             const T& rate_dot, int i, const Twist<T>& V_P, const Twist<T>& A_P,
                                             const KinematicsBuffers<T>& out) {
  const T zero(0), one(1);
  const Vec3<T> nil{zero, zero, zero};
  const Mat3<T> R = constant<T>(link.X_PJ.rotation);
  const Pose<T> X_PL{R, translation * column(R, 2) + constant<T>(link.X_PJ.translation)};
  Twist<T> V = inverse_times(X_PL, V_P);
  V.linear.z = V.linear.z + rate;
  if constexpr (kExtent == KinematicsExtent::all) out.motion.S[link.v] = {{zero, zero, one}, nil};
  move_link<kExtent, T>(link, X_PL, V, {{V.angular.y * rate, -(V.angular.x * rate), zero}, nil},
                        {{zero, zero, rate_dot}, nil}, i, A_P, out);
}
template <KinematicsExtent kExtent, class T, class C>
[[gnu::noinline]] inline void move_spherical(const LinkOf<C>& link, const T* q, const T* v, const T* vdot, int i,
                                             const Twist<T>& V_P, const Twist<T>& A_P,
                                             const KinematicsBuffers<T>& out) {
  const T zero(0), one(1);
  const Vec3<T> nil{zero, zero, zero}, rate{v[0], v[1], v[2]}, rate_dot{vdot[0], vdot[1], vdot[2]};
  const Pose<T> X_PL{constant<T>(link.X_PJ.rotation) * rotation_matrix(Quaternion<T>{q[0], q[1], q[2], q[3]}),
                     constant<T>(link.X_PJ.translation)};
  Twist<T> V = inverse_times(X_PL, V_P);
  V.angular += rate;
  if constexpr (kExtent == KinematicsExtent::all) {
    out.motion.S[link.v] = {nil, {one, zero, zero}};
    out.motion.S[link.v + 1] = {nil, {zero, one, zero}};
    out.motion.S[link.v + 2] = {nil, {zero, zero, one}};
  }
  move_link<kExtent, T>(link, X_PL, V, {cross(V.linear, rate), cross(V.angular, rate)}, {nil, rate_dot}, i, A_P, out);
}

/// Any other joint.
template <KinematicsExtent kExtent, class T, class C>
inline void move_joint(const LinkOf<C>& link, const T* q, const T* v, const T* vdot, int i, const Twist<T>& V_P,
                       const Twist<T>& A_P, const KinematicsBuffers<T>& out) {
  Twist<T> own[kMaxDofs];
  Twist<T>* const S = kExtent == KinematicsExtent::all ? out.motion.S + link.v : own;
  const Pose<T> X_PL = constant<T>(link.X_PJ) * joint_motion(link, q, S);
  const Twist<T> V_PL = combine(S, v, link.nv), V = inverse_times(X_PL, V_P) + V_PL;
  out.X_WL[i] = link.parent < 0 ? X_PL : out.X_WL[link.parent] * X_PL;
  out.motion.V[i] = V;
  if constexpr (kExtent == KinematicsExtent::first_order) out.motion.X_PL[i] = X_PL;
  if constexpr (!has_accelerations(kExtent)) return;
  const Twist<T> c = cross(V, V_PL) + joint_bias(link, S, v);
  out.A[i] = c + inverse_times(X_PL, A_P) + combine(S, vdot, link.nv);
  if constexpr (kExtent == KinematicsExtent::links) return;
  out.motion.X_PL[i] = X_PL;
  out.motion.c[i] = c;
}

/// From the roots outwards; ignores the tree's gravity. Without accelerations vdot is not read.  [eq. tree-velocity]
template <class T, KinematicsExtent kExtent = KinematicsExtent::all, class C>
inline void kinematics_kernel(const LinkTreeOf<C>& tree, const T* q, const T* v, const T* vdot,
                              const KinematicsBuffers<T>& out) {
  constexpr int kLanes = kSideBySide<T>;
  constexpr int kTogether = 32;  // links whose sines and cosines are computed at a time
  const Twist<T> V_W = constant<T>(tree.root.velocity), A_W = root_acceleration<T>(tree);
  for (int first = 0; first < tree.count; first += kTogether) {
    const int end = first + kTogether < tree.count ? first + kTogether : tree.count;
    T sines[kTogether], cosines[kTogether];
    for (int i = first; i < end; ++i)
      cosines[i - first] = tree.links[i].kind == JointKind::revolute ? q[tree.links[i].q] : T(0);
    for (int k = end - first; k % kLanes != 0; ++k) cosines[k] = T(0);
    for (int k = 0; k < end - first; k += kLanes) {
      const SinCos<SideBySide<T>> f = sincos(load_columns<T>(cosines + k));
      store_columns<T>(f.sin, sines + k);
      store_columns<T>(f.cos, cosines + k);
    }
    for (int i = first; i < end; ++i) {
      const LinkOf<C>& link = tree.links[i];
      const Twist<T>& V_P = link.parent < 0 ? V_W : out.motion.V[link.parent];
      constexpr bool kWithA = has_accelerations(kExtent);
      const Twist<T>& A_P = link.parent < 0 || !kWithA ? A_W : out.A[link.parent];
      const T* const rate_dot = kWithA ? vdot + link.v : v + link.v;
      if (link.kind == JointKind::revolute) {
        move_revolute<kExtent, T>(link, {sines[i - first], cosines[i - first]}, v[link.v], *rate_dot, i, V_P, A_P, out);
      } else if (link.kind == JointKind::prismatic) {
        move_prismatic<kExtent, T>(link, q[link.q], v[link.v], *rate_dot, i, V_P, A_P, out);
      } else if (link.kind == JointKind::spherical) {
        move_spherical<kExtent, T>(link, q + link.q, v + link.v, rate_dot, i, V_P, A_P, out);
      } else {
        move_joint<kExtent>(link, q + link.q, v + link.v, rate_dot, i, V_P, A_P, out);
      }
    }
  }
}

}  // namespace pintle::inline PINTLE_ISA
