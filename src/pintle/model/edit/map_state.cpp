#include "pintle/model/edit/map_state.h"

#include <cstdio>
#include <utility>

#include "pintle/base/size.h"
#include "pintle/base/usage_error.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/model/compiled/place.h"
#include "pintle/model/links/joint_coordinates.h"
#include "pintle/model/spec/spec_place.h"

namespace pintle {
namespace {

/// Poses [m, and entries of the rotation] and twists that differ by less, relative to 1 and to their magnitude, are
/// equal.
constexpr double kMapTolerance = 1e-9;

std::vector<double> of_all_joints(std::span<const CoordinateSource> sources, std::span<const double> coordinates) {
  std::vector<double> all;
  for (const CoordinateSource& s : sources) all.push_back(s.ratio * coordinates[size(s.source)] + s.offset);
  return all;
}

/// The pose of one frame relative to another, and its relative motion in its own axes.
struct Motion {
  Pose<> X;
  Twist<> V;
};

/// The motions of the links of a model, each relative to its parent: frames are compared along the links between them,
/// so that the result does not depend on the distance of the mechanism from the world's origin.
class LinkMotions {
 public:
  LinkMotions(const Model& model, std::span<const double> q, std::span<const double> v) : links_(model.links()) {
    joint_q_ = of_all_joints(model.q_sources(), q);
    const std::vector<double> joint_v = of_all_joints(model.v_sources(), v);
    for (const Link& link : links_) {
      Twist<> S[kMaxDofs], V = zero_twist<double>();
      const Pose<> X_PL = link.X_PJ * joint_motion(link, joint_q_.data() + link.q, S);
      for (int k = 0; k < link.nv; ++k) V += S[k] * joint_v[size(link.v + k)];
      across_.push_back({X_PL, V});
    }
  }

  /// The frame `of` seen from the frame `from`.
  Motion between(const Place& from, const Place& of) const {
    Motion to_from{from.X_LF, zero_twist<double>()}, to_of{of.X_LF, zero_twist<double>()};
    int i = from.link, j = of.link;
    while (i != j) {  // a parent has the smaller index
      if (i > j) {
        i = step_inwards(i, to_from);
      } else {
        j = step_inwards(j, to_of);
      }
    }
    const Pose<> X = inverse_times(to_from.X, to_of.X);
    return {X, to_of.V - inverse_times(X, to_from.V)};
  }

  /// Configuration of all joints.
  const std::vector<double>& joint_q() const { return joint_q_; }

 private:
  /// From "relative to the link" to "relative to its parent".
  int step_inwards(int link, Motion& motion) const {
    const Motion& own = across_[size(link)];
    motion.V += inverse_times(motion.X, own.V);
    motion.X = own.X * motion.X;
    return links_[size(link)].parent;
  }

  std::span<const Link> links_;
  std::vector<double> joint_q_;
  std::vector<Motion> across_;
};

class StateMapper {
 public:
  StateMapper(const Model& a, std::span<const double> q, std::span<const double> v, const Model& b)
      : a_(a), b_(b), motions_(a, q, v), q_(size(b.nq())), v_(size(b.nv())) {
    for (const ModelBody& body : b.bodies()) in_a_.push_back(index(a.bodies(), body.name));
  }

  Diagnostics run() {
    Diagnostics problems;
    for (std::size_t i = 0; i < in_a_.size(); ++i) {
      if (in_a_[i] < 0) {
        problems.push_back(
            unknown_name("body", b_.bodies()[i].name, "map_state: the second model", names_of(a_.bodies())));
      }
    }
    if (!problems.empty()) return problems;
    for (const IndependentJoint& joint : b_.independent_joints()) map_joint(joint);
    return check();
  }

  std::span<const double> q() const { return q_; }
  std::span<const double> v() const { return v_; }

 private:
  template <class Elements>
  static int index(const Elements& elements, const std::string& name) {
    for (std::size_t i = 0; i < elements.size(); ++i)
      if (elements[i].name == name) return static_cast<int>(i);
    return -1;
  }

  /// In `a`, the frame of a body of `b`, or the world.
  Place place_in_a(int body_of_b) const {
    if (body_of_b < 0) return {-1, identity_pose<double>()};
    return body_place(a_, in_a_[size(body_of_b)]);
  }
  Place place_in_b(int body_of_b) const {
    if (body_of_b < 0) return {-1, identity_pose<double>()};
    return body_place(b_, body_of_b);
  }

  /// A frame of `b` fixed to a body there, as a frame in `a`; X_LF as seen from the body's link in `b`.
  Place carried_over(int body_of_b, const Pose<>& X_LF) const {
    const Place in_a = place_in_a(body_of_b);
    return {in_a.link, in_a.X_LF * inverse_times(place_in_b(body_of_b).X_LF, X_LF)};
  }

  void map_joint(const IndependentJoint& independent) {
    const ModelJoint& joint = b_.joints()[size(independent.joint)];
    const Link& link = b_.links()[size(joint.link)];
    const Place from = carried_over(joint.parent_body, link.X_PJ);
    const Place of = carried_over(joint.child_body, identity_pose<double>());
    const Motion motion = motions_.between(from, of);
    double* const q = q_.data() + independent.q;
    joint_coordinates(link, motion.X, q);
    choose_revolutions(joint, q);
    Twist<> S[kMaxDofs];
    joint_motion(link, q, S);
    joint_derivatives(link, S, motion.V, v_.data() + independent.v);
  }

  /// Poses determine angles modulo 2 pi; the joint of the same name in `a` determines the multiple.
  void choose_revolutions(const ModelJoint& joint, double* q) const {
    const int number = index(a_.joints(), joint.name);
    if (number < 0) return;
    const ModelJoint& other = a_.joints()[size(number)];
    if (other.kind != joint.kind) return;
    const bool reversed = other.child_body != in_a_[size(joint.child_body)];
    for (int i = 0; i < facts(joint.kind).nv; ++i) {
      if (!is_angle(joint.kind, i)) continue;
      const int place = reversed ? reversed_dof(joint.kind, i).place : i;
      q[i] = unwrapped_angle(q[i], motions_.joint_q()[size(other.q + place)]);
    }
  }

  /// Checks that the bodies of every joint of `b` now move relative to each other as they do in `a`.
  Diagnostics check() const {
    Diagnostics problems;
    const LinkMotions result(b_, q_, v_);
    for (const ModelJoint& joint : b_.joints()) {
      const Motion wanted = motions_.between(place_in_a(joint.parent_body), place_in_a(joint.child_body));
      const Motion got = result.between(place_in_b(joint.parent_body), place_in_b(joint.child_body));
      const double pose_scale = 1.0 + norm(wanted.X.translation);
      const double twist_scale = pose_scale * (1.0 + norm(wanted.V.linear) + norm(wanted.V.angular));
      const double errors[] = {norm(got.X.translation - wanted.X.translation) / pose_scale,
                               norm(log_so3(transpose_times(got.X.rotation, wanted.X.rotation))),
                               norm(got.V.linear - wanted.V.linear) / twist_scale,
                               norm(got.V.angular - wanted.V.angular) / twist_scale};
      const char* const names[] = {"position", "orientation", "velocity", "angular velocity"};
      for (int i = 0; i < 4; ++i) {
        if (errors[i] <= kMapTolerance) continue;
        problems.push_back(cannot_follow(joint, names[i], errors[i]));
        break;
      }
    }
    return problems;
  }

  static Diagnostic cannot_follow(const ModelJoint& joint, const char* what, double error) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", error);
    return make_error("state-out-of-reach", {},
                      "map_state: joint '" + joint.name + "' (" + std::string(facts(joint.kind).name) +
                          ") of the second model cannot give its body the " + what + " it has in the first; off by " +
                          text,
                      "its dofs, its lock or its coupling do not allow that motion",
                      "start from a state in which the two models agree");
  }

  const Model& a_;
  const Model& b_;
  LinkMotions motions_;
  std::vector<int> in_a_;  // the index in `a` of each body of `b`
  std::vector<double> q_, v_;
};

}  // namespace

Result<void> map_state(const Model& a, std::span<const double> q_a, std::span<const double> v_a, const Model& b,
                       std::span<double> q_b, std::span<double> v_b) {
  require_size("map_state", "q_a", q_a.size(), size(a.nq()));
  require_size("map_state", "v_a", v_a.size(), size(a.nv()));
  require_size("map_state", "q_b", q_b.size(), size(b.nq()));
  require_size("map_state", "v_b", v_b.size(), size(b.nv()));
  StateMapper mapper(a, q_a, v_a, b);
  Diagnostics problems = mapper.run();
  if (has_errors(problems)) return problems;
  for (std::size_t i = 0; i < q_b.size(); ++i) q_b[i] = mapper.q()[i];
  for (std::size_t i = 0; i < v_b.size(); ++i) v_b[i] = mapper.v()[i];
  return {};
}

}  // namespace pintle
