// How the bodies of a spec move, by composing poses and differentiating them with dual numbers: shares nothing with the
// recursions of the engine but the meaning of the coordinates.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pintle/math/dual.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/model/compiled/model.h"

namespace test {

using namespace pintle;

/// A number with its rate; and with its second rate too.
using Rate = Dual<double, 1>;
using Jet = Dual<Rate, 1>;

inline Jet jet(double x, double rate, double second) {
  Jet t;
  t.value.value = x;
  t.value.derivative[0] = t.derivative[0].value = rate;
  t.derivative[0].derivative[0] = second;
  return t;
}

template <class T>
Vec3<T> as(const Vec3<>& a) {
  return {T(a.x), T(a.y), T(a.z)};
}
template <class T>
Pose<T> as(const Pose<>& X) {
  return {from_rows(as<T>(row(X.rotation, 0)), as<T>(row(X.rotation, 1)), as<T>(row(X.rotation, 2))),
          as<T>(X.translation)};
}

template <class T>
SpatialInertia<T> as(const SpatialInertia<>& I) {
  const SymMat3<>& S = I.inertia;
  return {T(I.mass), as<T>(I.first_moment), {T(S.xx), T(S.xy), T(S.xz), T(S.yy), T(S.yz), T(S.zz)}};
}

/// Rodrigues' rotation by an angle about a unit vector.
template <class T>
Mat3<T> rotation_about(const Vec3<T>& a, const T& angle) {
  const SinCos<T> f = sincos(angle);
  return f.cos * identity3<T>() + f.sin * skew(a) + (T(1) - f.cos) * outer(a, a);
}

template <class T>
Mat3<T> rotation_of(const Quaternion<T>& q) {
  const T zero(0), one(1);
  return from_columns(rotate(q, Vec3<T>{one, zero, zero}), rotate(q, Vec3<T>{zero, one, zero}),
                      rotate(q, Vec3<T>{zero, zero, one}));
}

/// The pose of the joint's frame on the child's side in that on the parent's side, in the axes of the spec.
template <class T>
Pose<T> across(const JointSpec& joint, const T* q) {
  const Vec3<T> nil = as<T>(Vec3<>{0, 0, 0}), a = as<T>(normalized(joint.axis));
  const Mat3<T> upright = identity3<T>();
  switch (joint.kind) {
    case JointKind::fixed:
      return {upright, nil};
    case JointKind::revolute:
      return {rotation_about(a, q[0]), nil};
    case JointKind::prismatic:
      return {upright, q[0] * a};
    case JointKind::screw:
      return {rotation_about(a, q[0]), (T(joint.pitch_m_per_rad) * q[0]) * a};
    case JointKind::cylindrical:
      return {rotation_about(a, q[1]), q[0] * a};
    case JointKind::universal:
      return {rotation_about(a, q[0]) * rotation_about(as<T>(normalized(joint.second_axis)), q[1]), nil};
    case JointKind::planar: {
      const Vec3<T> b = as<T>(joint.second_axis);
      const Vec3<T> x = normalized(b - dot(a, b) * a), y = cross(a, x);
      return {rotation_about(a, q[2]), q[0] * x + q[1] * y};
    }
    case JointKind::spherical:
      return {rotation_of(Quaternion<T>{q[0], q[1], q[2], q[3]}), nil};
    case JointKind::translational:
      return {upright, {q[0], q[1], q[2]}};
    case JointKind::free:
      return {rotation_of(Quaternion<T>{q[3], q[4], q[5], q[6]}), {q[0], q[1], q[2]}};
  }
  return {upright, nil};
}

/// The joints of a spec from the world outwards.
struct SpecTree {
  struct Entry {
    const JointSpec* joint;
    std::size_t body;
    int parent;  ///< body, -1 for the world
    int q;       ///< first number among those of all joints
  };

  SpecTree(const ModelSpec& spec, const Model& model) {
    std::map<std::string, int> reached{{kWorld, -1}};
    while (entries.size() < spec.joints.size()) {
      for (const JointSpec& joint : spec.joints) {
        if (reached.count(joint.child) > 0 || reached.count(joint.parent) == 0) continue;
        const int body = model.body(joint.child);
        const int q = model.joints()[static_cast<std::size_t>(model.joint(joint.name))].q;
        entries.push_back({&joint, static_cast<std::size_t>(body), reached.at(joint.parent), q});
        reached[joint.child] = body;
      }
    }
  }

  /// X_WB of every body; q are numbers of all joints.
  template <class T>
  std::vector<Pose<T>> poses(const std::vector<T>& q) const {
    std::vector<Pose<T>> X_WB(entries.size());
    for (const Entry& entry : entries) {
      const T* const joint_q = entry.joint->kind == JointKind::fixed ? nullptr : q.data() + entry.q;
      const Pose<T> X_PB = as<T>(entry.joint->X_PJ) * across(*entry.joint, joint_q) * inverse(as<T>(entry.joint->X_CJ));
      X_WB[entry.body] = entry.parent < 0 ? X_PB : X_WB[static_cast<std::size_t>(entry.parent)] * X_PB;
    }
    return X_WB;
  }

  std::vector<Entry> entries;
};

/// q(t) of all joints for dq/dt = v and dv/dt = vdot (numbers of all joints, too).
inline std::vector<Jet> path(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                             const std::vector<double>& vdot) {
  std::vector<Jet> result(q.size());
  const auto turn = [](const double* r, const double* w, const double* wdot, Jet* to) {
    const Quaternion<> r0{r[0], r[1], r[2], r[3]};
    const Vec3<> omega{w[0], w[1], w[2]};
    const Quaternion<> r1 = rate_from_body(r0, omega);
    const Quaternion<> r2 = rate_from_body(r1, omega) + rate_from_body(r0, Vec3<>{wdot[0], wdot[1], wdot[2]});
    for (std::size_t i = 0; i < 4; ++i) to[i] = jet(to_array(r0)[i], to_array(r1)[i], to_array(r2)[i]);
  };
  for (const Link& link : model.links()) {
    const std::size_t at = static_cast<std::size_t>(link.q), from = static_cast<std::size_t>(link.v);
    if (link.kind == JointKind::spherical) {
      turn(&q[at], &v[from], &vdot[from], &result[at]);
    } else if (link.kind == JointKind::free) {
      turn(&q[at + 3], &v[from + 3], &vdot[from + 3], &result[at + 3]);
      const Quaternion<> r{q[at + 3], q[at + 4], q[at + 5], q[at + 6]};
      const Vec3<> u{v[from], v[from + 1], v[from + 2]}, w{v[from + 3], v[from + 4], v[from + 5]};
      const Vec3<> p1 = rotate(r, u);
      const Vec3<> p2 = rotate(r, Vec3<>{vdot[from], vdot[from + 1], vdot[from + 2]} + cross(w, u));
      for (std::size_t i = 0; i < 3; ++i) result[at + i] = jet(q[at + i], to_array(p1)[i], to_array(p2)[i]);
    } else {
      for (std::size_t i = 0; i < static_cast<std::size_t>(link.nv); ++i)
        result[at + i] = jet(q[at + i], v[from + i], vdot[from + i]);
    }
  }
  return result;
}

/// q(t, s) of all joints: dq/dt = v, and dq/ds = w from every point of that path (numbers of all joints). Its
/// body_motions have J w for a velocity, and dJ/dt w for an acceleration.
inline std::vector<Jet> sideways(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                                 const std::vector<double>& w) {
  std::vector<Jet> result = path(model, q, v, std::vector<double>(v.size()));
  const auto three = [](const double* a) { return as<Rate>(Vec3<>{a[0], a[1], a[2]}); };
  const auto set = [](Jet* to, const auto& derivatives) {
    for (const Rate& rate : derivatives) (to++)->derivative[0] = rate;
  };
  for (const Link& link : model.links()) {
    const double* const along = w.data() + link.v;
    const int turn = link.kind == JointKind::spherical ? 0 : link.kind == JointKind::free ? 3 : -1;
    Jet* const at = result.data() + link.q;
    for (int i = 0; i < link.nv && turn < 0; ++i) at[i].derivative[0] = Rate(along[i]);
    if (turn < 0) continue;
    const Quaternion<Rate> r{at[turn].value, at[turn + 1].value, at[turn + 2].value, at[turn + 3].value};
    if (turn > 0) set(at, to_array(rotate(r, three(along))));
    set(at + turn, to_array(rate_from_body(r, three(along + turn))));
  }
  return result;
}

/// Where a body is and how it moves, in its own axes at its own origin, with the rates of both.
struct BodyMotion {
  Pose<Rate> X_WB;
  Twist<Rate> V;

  Pose<> pose() const {
    const auto value = [](const Vec3<Rate>& a) { return Vec3<>{a.x.value, a.y.value, a.z.value}; };
    const Mat3<Rate>& R = X_WB.rotation;
    return {from_rows(value(row(R, 0)), value(row(R, 1)), value(row(R, 2))), value(X_WB.translation)};
  }
  Twist<> velocity() const {
    return {{V.linear.x.value, V.linear.y.value, V.linear.z.value},
            {V.angular.x.value, V.angular.y.value, V.angular.z.value}};
  }
  /// The rate of the twist's numbers, which is the acceleration: V x V = 0.
  Twist<> acceleration() const {
    const auto rate = [](const Vec3<Rate>& a) {
      return Vec3<>{a.x.derivative[0], a.y.derivative[0], a.z.derivative[0]};
    };
    return {rate(V.linear), rate(V.angular)};
  }
};

/// R'dR/dt = [w x] and R'dp/dt, of every body.
inline std::vector<BodyMotion> body_motions(const SpecTree& tree, const std::vector<Jet>& q) {
  const auto value = [](const Vec3<Jet>& a) { return Vec3<Rate>{a.x.value, a.y.value, a.z.value}; };
  const auto rate = [](const Vec3<Jet>& a) {
    return Vec3<Rate>{a.x.derivative[0], a.y.derivative[0], a.z.derivative[0]};
  };
  std::vector<BodyMotion> motions;
  for (const Pose<Jet>& X : tree.poses(q)) {
    const Mat3<Jet>& J = X.rotation;
    const Mat3<Rate> R = from_rows(value(row(J, 0)), value(row(J, 1)), value(row(J, 2)));
    const Mat3<Rate> R_rate = from_rows(rate(row(J, 0)), rate(row(J, 1)), rate(row(J, 2)));
    motions.push_back(
        {{R, value(X.translation)}, {transpose_times(R, rate(X.translation)), skew_part(transpose_times(R, R_rate))}});
  }
  return motions;
}

}  // namespace test
