// The recursion of seeds 000 and 001, equation by equation, in world coordinates at one common origin: a second
// implementation of forward dynamics that shares with the engine only vector algebra. For trees of bodies on revolute,
// prismatic and screw joints; reads a ModelSpec, knows no Model. Good near the origin only, as the seeds are.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "properties/body_motion.h"

namespace test {

/// [linear; angular] of a motion, [force; torque] of a force.
template <class T>
using Six = std::array<T, 6>;
template <class T>
using SixBySix = std::array<Six<T>, 6>;

template <class T>
Six<T> six(const Vec3<T>& upper, const Vec3<T>& lower) {
  return {upper.x, upper.y, upper.z, lower.x, lower.y, lower.z};
}
template <class T>
Vec3<T> upper(const Six<T>& a) {
  return {a[0], a[1], a[2]};
}
template <class T>
Vec3<T> lower(const Six<T>& a) {
  return {a[3], a[4], a[5]};
}
template <class T>
Six<T> sum(const Six<T>& a, const Six<T>& b) {
  Six<T> c;
  for (std::size_t i = 0; i < 6; ++i) c[i] = a[i] + b[i];
  return c;
}
template <class T>
Six<T> times(const Six<T>& a, const T& s) {
  Six<T> c;
  for (std::size_t i = 0; i < 6; ++i) c[i] = a[i] * s;
  return c;
}
template <class T>
T product(const Six<T>& a, const Six<T>& b) {
  T c(0);
  for (std::size_t i = 0; i < 6; ++i) c += a[i] * b[i];
  return c;
}
template <class T>
Six<T> times(const SixBySix<T>& A, const Six<T>& b) {
  Six<T> c;
  for (std::size_t i = 0; i < 6; ++i) c[i] = product(A[i], b);
  return c;
}
template <class T>
SixBySix<T> times(const SixBySix<T>& A, const SixBySix<T>& B) {
  SixBySix<T> C{};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      for (std::size_t k = 0; k < 6; ++k) C[i][j] += A[i][k] * B[k][j];
  return C;
}
template <class T>
SixBySix<T> sum(const SixBySix<T>& A, const SixBySix<T>& B) {
  SixBySix<T> C;
  for (std::size_t i = 0; i < 6; ++i) C[i] = sum(A[i], B[i]);
  return C;
}

/// [w x, v x; 0, w x] b: the cross product of seed 001 with a motion.
template <class T>
Six<T> cross_motion(const Six<T>& v, const Six<T>& b) {
  return six(cross(lower(v), upper(b)) + cross(upper(v), lower(b)), cross(lower(v), lower(b)));
}
/// [w x, 0; v x, w x] b: with a force.
template <class T>
Six<T> cross_force(const Six<T>& v, const Six<T>& b) {
  return six(cross(lower(v), upper(b)), cross(upper(v), upper(b)) + cross(lower(v), lower(b)));
}

/// [m, -m [r x]; m [r x], I - m [r x][r x]] with the inertia I about the centre of mass at r.
template <class T>
SixBySix<T> inertia_matrix(const T& m, const Vec3<T>& r, const Mat3<T>& I) {
  const Mat3<T> rx = skew(r), corner = I - m * (rx * rx);
  SixBySix<T> result{};
  for (std::size_t i = 0; i < 3; ++i) {
    result[i][i] = m;
    for (std::size_t j = 0; j < 3; ++j) {
      const T entry = m * to_array(rx)[3 * i + j];
      result[i][3 + j] = -entry;
      result[3 + i][j] = entry;
      result[3 + i][3 + j] = to_array(corner)[3 * i + j];
    }
  }
  return result;
}

/// One body of the recursion; every name is the seeds' own.
template <class T>
struct WorldBody {
  int parent;          // i - 1, or -1 for the ground
  Vec3<T> r, cg;       // a point of the joint's axis; centre of mass
  Mat3<T> R;           // orientation of the body
  Six<T> s, v, kappa;  // joint axis, velocity, bias acceleration
  SixBySix<T> I;       // spatial inertia
  Six<T> p, w;         // bias force less weight (seed 000), weight
  SixBySix<T> A, Phi;  // articulated inertia, reaction space
  Six<T> d, T_;        // articulated bias force; the percussion axis T
  T Q, qdd;            // joint effort and acceleration
  Six<T> a, f;         // acceleration, joint force
};

/// Solves for qdd of every body. Bodies are those of the spec, in its order, which must name parents first; q, qd, Q
/// likewise, one number per body.
template <class T>
std::vector<WorldBody<T>> world_recursion(const ModelSpec& spec, const std::vector<double>& q,
                                          const std::vector<double>& qd, const std::vector<double>& Q) {
  const Six<T> nothing{};
  std::vector<WorldBody<T>> bodies(spec.joints.size());
  std::vector<Pose<T>> X_WB(bodies.size());
  std::map<std::string, int> number{{kWorld, -1}};

  // 1. Kinematics, from the ground to the tips.
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const JointSpec& joint = spec.joints[i];
    WorldBody<T>& b = bodies[i];
    b.parent = number.at(joint.parent);
    number[joint.child] = static_cast<int>(i);
    const Pose<T> X_PJ = as<T>(joint.X_PJ);
    const Pose<T> X_WJ = b.parent < 0 ? X_PJ : X_WB[static_cast<std::size_t>(b.parent)] * X_PJ;
    const Vec3<T> z = X_WJ.rotation * normalized(as<T>(joint.axis));
    const T angle(q[i]);
    X_WB[i] = X_WJ * across(joint, &angle) * inverse(as<T>(joint.X_CJ));
    b.r = X_WJ.translation;
    b.R = X_WB[i].rotation;
    const SpatialInertia<>& own = spec.bodies[i].inertia;
    const T m(own.mass);
    const Vec3<T> c = as<T>(own.first_moment) / m;
    const SymMat3<>& o = own.inertia;
    const Mat3<T> I_o{T(o.xx), T(o.xy), T(o.xz), T(o.xy), T(o.yy), T(o.yz), T(o.xz), T(o.yz), T(o.zz)};
    const Mat3<T> I_c = I_o + m * (skew(c) * skew(c));
    b.cg = transform_point(X_WB[i], c);
    b.I = inertia_matrix(m, b.cg, b.R * I_c * transpose(b.R));
    const T h(joint.kind == JointKind::screw ? joint.pitch_m_per_rad : 0.0);
    const Vec3<T> nil{T(0), T(0), T(0)};
    b.s = joint.kind == JointKind::prismatic ? six(z, nil) : six(cross(b.r, z) + h * z, z);
    const Six<T> v_before = b.parent < 0 ? nothing : bodies[static_cast<std::size_t>(b.parent)].v;
    b.v = sum(v_before, times(b.s, T(qd[i])));
    b.kappa = cross_motion(b.v, times(b.s, T(qd[i])));
    const Vec3<T> weight = m * as<T>(spec.gravity);
    b.w = six(weight, cross(b.cg, weight));
    b.p = sum(cross_force(b.v, times(b.I, b.v)), times(b.w, T(-1)));
    b.Q = T(Q[i]);
  }

  // 2. Articulated inertia, from the tips to the ground.
  for (WorldBody<T>& b : bodies) {
    b.A = b.I;
    b.d = b.p;
  }
  for (std::size_t i = bodies.size(); i-- > 0;) {
    WorldBody<T>& b = bodies[i];
    const Six<T> As = times(b.A, b.s);
    b.T_ = times(As, T(1) / product(b.s, As));
    for (std::size_t j = 0; j < 6; ++j)
      for (std::size_t k = 0; k < 6; ++k) b.Phi[j][k] = T(j == k ? 1 : 0) - b.T_[j] * b.s[k];
    if (b.parent < 0) continue;
    WorldBody<T>& before = bodies[static_cast<std::size_t>(b.parent)];
    before.A = sum(before.A, times(b.Phi, b.A));
    before.d = sum(before.d, sum(times(b.T_, b.Q), times(b.Phi, sum(times(b.A, b.kappa), b.d))));
  }

  // 3. Accelerations and joint forces, from the ground to the tips.
  for (WorldBody<T>& b : bodies) {
    const Six<T> a_before = b.parent < 0 ? nothing : bodies[static_cast<std::size_t>(b.parent)].a;
    const Six<T> given = sum(a_before, b.kappa);
    b.qdd = (b.Q - product(b.s, sum(times(b.A, given), b.d))) / product(b.s, times(b.A, b.s));
    b.a = sum(given, times(b.s, b.qdd));
    b.f = sum(times(b.A, b.a), b.d);
  }
  return bodies;
}

/// The seeds' check, f_i = I_i a_i + p_i + sum of the children's f: the largest difference over all bodies, and the
/// largest |f| to compare it with.
struct ForceBalance {
  double residual, largest_force;
};

template <class T>
ForceBalance force_balance(const std::vector<WorldBody<T>>& bodies) {
  std::vector<Six<T>> rest;
  for (const WorldBody<T>& b : bodies) rest.push_back(sum(b.f, times(sum(times(b.I, b.a), b.p), T(-1))));
  for (const WorldBody<T>& b : bodies) {
    if (b.parent < 0) continue;
    Six<T>& before = rest[static_cast<std::size_t>(b.parent)];
    before = sum(before, times(b.f, T(-1)));
  }
  ForceBalance balance{0.0, 0.0};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t k = 0; k < 6; ++k) {
      balance.residual = max(balance.residual, static_cast<double>(abs(rest[i][k])));
      balance.largest_force = max(balance.largest_force, static_cast<double>(abs(bodies[i].f[k])));
    }
  }
  return balance;
}

}  // namespace test
