#include "pintle/model/links/joint_motion.h"

#include <array>

#include "pintle/model/compiled/model.h"
#include "pintle/model/links/configuration_impl.h"
#include "support/law.h"
#include "support/random_model.h"

using namespace test;

namespace {

/// A link on its own, its joint of the given kind. Universal: the child-side axis turned arbitrarily.
Link lone_link(JointKind kind, RandomStream& stream) {
  return {.parent = -1,
          .kind = kind,
          .q = 0,
          .v = 0,
          .nv = facts(kind).nv,
          .pitch = kind == JointKind::screw ? stream.uniform(-2.0, 2.0) : 0.0,
          .X_PJ = identity_pose<double>(),
          .axis_rotation = rotation_matrix(uniform_rotation(stream)),
          .inertia = zero_inertia<double>()};
}

/// A configuration that moves with the velocity v: dq/dt as the derivative of the duals. For joints with a quaternion
/// dq/dt follows from the convention that v is in the child's axes.
template <class T>
std::array<Dual<T, 1>, 7> moving_configuration(JointKind kind, Sampler<T>& sampler, const T* v) {
  std::array<Dual<T, 1>, 7> q;
  for (int i = 0; i < facts(kind).nq; ++i) {
    q[static_cast<std::size_t>(i)].value = sampler.number(-3.0, 3.0);
    q[static_cast<std::size_t>(i)].derivative[0] = v[i < facts(kind).nv ? i : 0];
  }
  const int place = quaternion_place(kind);
  if (place < 0) return q;
  const Quaternion<T> r = sampler.unit_quaternion();
  const Quaternion<T> rate = rate_from_body(r, Vec3<T>{v[place], v[place + 1], v[place + 2]});
  for (std::size_t i = 0; i < 4; ++i) {
    q[static_cast<std::size_t>(place) + i].value = to_array(r)[i];
    q[static_cast<std::size_t>(place) + i].derivative[0] = to_array(rate)[i];
  }
  if (kind == JointKind::free) {
    const Vec3<T> p_dot = rotate(r, Vec3<T>{v[0], v[1], v[2]});
    for (std::size_t i = 0; i < 3; ++i) q[i].derivative[0] = to_array(p_dot)[i];
  }
  return q;
}

template <class T, std::size_t N>
std::array<T, N> values(const std::array<Dual<T, 1>, N>& a) {
  std::array<T, N> b;
  for (std::size_t i = 0; i < N; ++i) b[i] = a[i].value;
  return b;
}

template <class T, std::size_t N>
std::array<T, N> derivatives(const std::array<Dual<T, 1>, N>& a) {
  std::array<T, N> b;
  for (std::size_t i = 0; i < N; ++i) b[i] = a[i].derivative[0];
  return b;
}

template <class Law>
void for_every_kind(Law law) {
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    for (std::uint64_t run = 0; run < 50; ++run) law(fact.kind, RandomStream(31, run));
  }
}

/// The pose of the one body of a model whose joint stands at the world's origin.
struct OneJoint {
  explicit OneJoint(JointKind kind, double pitch = 0.0, const Vec3<>& axis = {0, 0, 1},
                    const Vec3<>& second_axis = {1, 0, 0})
      : model(compile(spec_of(kind, pitch, axis, second_axis)).value()) {}

  static ModelSpec spec_of(JointKind kind, double pitch, const Vec3<>& axis, const Vec3<>& second_axis) {
    ModelSpec spec;
    BodySpec body;
    body.name = "body";
    body.inertia = spatial_inertia(1.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{1, 1, 1}));
    spec.bodies.push_back(body);
    JointSpec joint;
    joint.name = "joint";
    joint.kind = kind;
    joint.parent = kWorld;
    joint.child = "body";
    joint.pitch_m_per_rad = pitch;
    joint.axis = axis;
    joint.second_axis = second_axis;
    spec.joints.push_back(joint);
    return spec;
  }

  Pose<> pose(const std::vector<double>& q) {
    REQUIRE(q.size() == static_cast<std::size_t>(model.nq()));
    const Link& link = model.links()[0];
    return link.X_PJ * joint_motion(link, q.data(), S) * model.bodies()[0].X_LB;
  }

  /// The velocity of the body in its own axes.
  Twist<> twist(const std::vector<double>& q, const std::vector<double>& v) {
    REQUIRE(v.size() == static_cast<std::size_t>(model.nv()));
    pose(q);
    Twist<> V_L = zero_twist<double>();
    for (std::size_t k = 0; k < v.size(); ++k) V_L += S[k] * v[k];
    return inverse_times(model.bodies()[0].X_LB, V_L);
  }

  Model model;
  Twist<> S[kMaxDofs];
};

const double kHalf = kPi<double> / 2.0;

}  // namespace

TEST_CASE("joint facts: every kind in its place, with its numbers") {
  const struct {
    JointKind kind;
    const char* name;
    int nq, nv;
  } expected[] = {{JointKind::fixed, "fixed", 0, 0},
                  {JointKind::revolute, "revolute", 1, 1},
                  {JointKind::prismatic, "prismatic", 1, 1},
                  {JointKind::screw, "screw", 1, 1},
                  {JointKind::cylindrical, "cylindrical", 2, 2},
                  {JointKind::universal, "universal", 2, 2},
                  {JointKind::planar, "planar", 3, 3},
                  {JointKind::spherical, "spherical", 4, 3},
                  {JointKind::translational, "translational", 3, 3},
                  {JointKind::free, "free", 7, 6}};
  static_assert(std::size(expected) == kJointKinds);
  for (const auto& e : expected) {
    CHECK(facts(e.kind).kind == e.kind);
    CHECK(facts(e.kind).name == e.name);
    CHECK(facts(e.kind).nq == e.nq);
    CHECK(facts(e.kind).nv == e.nv);
    CHECK(e.nv <= kMaxDofs);
  }
}

// The derivative of X_JL by time along v is the body-fixed twist of the columns: dR/dt = R [w x], dp/dt = R v. Every
// entry is a sum of at most three products of numbers of size 1 to 2; the bounds are three times the worst seen.
TEST_CASE_TEMPLATE("joint motion: the columns are the derivative of the pose", T, double, float, Pack<double, 2>) {
  for_every_kind([](JointKind kind, RandomStream stream) {
    const Link link = lone_link(kind, stream);
    Sampler<T> sampler{stream};
    T v[kMaxDofs];
    for (T& x : v) x = sampler.number();
    const auto q = moving_configuration(kind, sampler, v);
    Twist<Dual<T, 1>> S_moving[kMaxDofs];
    const Pose<Dual<T, 1>> X = joint_motion(link, q.data(), S_moving);
    Twist<T> S[kMaxDofs];
    const auto q_now = values(q);
    const Pose<T> X_now = joint_motion(link, q_now.data(), S);
    Twist<T> V = zero_twist<T>();
    for (int k = 0; k < link.nv; ++k) V += S[k] * v[k];
    CHECK(distance(values(to_array(X.rotation)), to_array(X_now.rotation)) == 0);
    CHECK(distance(values(to_array(X.translation)), to_array(X_now.translation)) == 0);
    check_close<T>(derivatives(to_array(X.rotation)), to_array(X_now.rotation * skew(V.angular)), 9);
    check_close<T>(derivatives(to_array(X.translation)), to_array(X_now.rotation * V.linear), 6);
  });
}

TEST_CASE_TEMPLATE("joint motion: column rates are the derivatives of the columns, the bias their sum", T, double,
                   float, Pack<double, 2>) {
  for_every_kind([](JointKind kind, RandomStream stream) {
    const Link link = lone_link(kind, stream);
    Sampler<T> sampler{stream};
    T v[kMaxDofs];
    for (T& x : v) x = sampler.number();
    const auto q = moving_configuration(kind, sampler, v);
    Twist<Dual<T, 1>> S_moving[kMaxDofs];
    joint_motion(link, q.data(), S_moving);
    Twist<T> S[kMaxDofs];
    const auto q_now = values(q);
    joint_motion(link, q_now.data(), S);
    Twist<T> expected = zero_twist<T>();
    for (int k = 0; k < link.nv; ++k) {
      const Twist<T> rate = twist_from_array(derivatives(to_array(S_moving[k])));
      check_close<T>(column_rate(link, S, v, k), rate, 3);
      expected += rate * v[k];
    }
    check_close<T>(joint_bias(link, S, v), expected, 3);
  });
}

TEST_CASE("joint motion: at zero every joint leaves its frames together") {
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    if (fact.kind == JointKind::fixed) continue;
    OneJoint joint(fact.kind, 0.3, {0.2, -0.5, 0.7}, {0.4, 0.4, -0.1});
    std::vector<double> q(static_cast<std::size_t>(fact.nq));
    neutral(joint.model, q);
    check_close<double>(joint.pose(q), identity_pose<double>(), 3);
  }
}

TEST_CASE("conventions: revolute q is the angle about the axis, prismatic q the travel along it") {
  OneJoint revolute(JointKind::revolute);
  check_close<double>(revolute.pose({kHalf}), Pose<>{Mat3<>{0, -1, 0, 1, 0, 0, 0, 0, 1}, Vec3<>{0, 0, 0}}, 2);
  check_close<double>(revolute.twist({0.4}, {3.0}), Twist<>{{0, 0, 0}, {0, 0, 3}}, 2);
  OneJoint prismatic(JointKind::prismatic, 0.0, {0, 5, 0});
  check_close<double>(prismatic.pose({0.7}), Pose<>{identity3<double>(), Vec3<>{0, 0.7, 0}}, 2);
  check_close<double>(prismatic.twist({0.7}, {-2.0}), Twist<>{{0, -2, 0}, {0, 0, 0}}, 2);
}

TEST_CASE("conventions: screw q is the angle, the travel is pitch times q") {
  OneJoint screw(JointKind::screw, 0.3);
  check_close<double>(screw.pose({kHalf}), Pose<>{Mat3<>{0, -1, 0, 1, 0, 0, 0, 0, 1}, Vec3<>{0, 0, 0.3 * kHalf}}, 2);
  check_close<double>(screw.twist({1.0}, {2.0}), Twist<>{{0, 0, 0.6}, {0, 0, 2}}, 2);
  // One turn of a lead of 5 mm.
  OneJoint spindle(JointKind::screw, pitch_from_lead(0.005));
  CHECK(abs(spindle.pose({2.0 * kPi<double>}).translation.z - 0.005) <= kEpsilon<double>);
}

TEST_CASE("conventions: cylindrical q is [travel, angle]") {
  OneJoint joint(JointKind::cylindrical);
  check_close<double>(joint.pose({0.2, kHalf}), Pose<>{Mat3<>{0, -1, 0, 1, 0, 0, 0, 0, 1}, Vec3<>{0, 0, 0.2}}, 2);
  check_close<double>(joint.twist({0.2, kHalf}, {5.0, 7.0}), Twist<>{{0, 0, 5}, {0, 0, 7}}, 2);
}

TEST_CASE("conventions: universal q is [angle about the parent-side axis, angle about the child-side axis]") {
  OneJoint joint(JointKind::universal, 0.0, {0, 0, 1}, {1, 0, 0});
  // First a quarter turn about the child's x, then one about the parent's z: the child's z points along the parent's x.
  const Pose<> X = joint.pose({kHalf, kHalf});
  check_close<double>(column(X.rotation, 2), Vec3<>{1, 0, 0}, 2);
  check_close<double>(column(X.rotation, 0), Vec3<>{0, 1, 0}, 2);
  check_close<double>(X.translation, Vec3<>{0, 0, 0}, 2);
  // The parent-side axis stays with the parent, the child-side axis with the child.
  const std::vector<double> q{0.6, -1.1};
  const Mat3<> R = joint.pose(q).rotation;
  check_close<double>(R * joint.twist(q, {1.0, 0.0}).angular, Vec3<>{0, 0, 1}, 4);
  check_close<double>(joint.twist(q, {0.0, 1.0}).angular, Vec3<>{1, 0, 0}, 4);
}

TEST_CASE("conventions: planar q is [x, y, angle], v in the parent's axes") {
  OneJoint joint(JointKind::planar);
  const std::vector<double> q{0.3, -0.4, kHalf};
  const Pose<> X = joint.pose(q);
  check_close<double>(X, Pose<>{Mat3<>{0, -1, 0, 1, 0, 0, 0, 0, 1}, Vec3<>{0.3, -0.4, 0}}, 2);
  const Twist<> V = joint.twist(q, {1.0, 2.0, 3.0});
  check_close<double>(X.rotation * V.linear, Vec3<>{1, 2, 0}, 4);
  check_close<double>(V.linear, Vec3<>{2, -1, 0}, 4);
  check_close<double>(V.angular, Vec3<>{0, 0, 3}, 2);
  // Normal y and x along z: the plane's own y is along x.
  OneJoint floor(JointKind::planar, 0.0, {0, 2, 0}, {0, 0, 3});
  check_close<double>(floor.pose({0.3, -0.4, 0.0}).translation, Vec3<>{-0.4, 0, 0.3}, 2);
  // Only the part of the second axis across the normal counts.
  OneJoint skewed(JointKind::planar, 0.0, {0, 2, 0}, {0, -7, 3});
  check_close<double>(skewed.pose({0.3, -0.4, 0.9}), floor.pose({0.3, -0.4, 0.9}), 4);
}

TEST_CASE("conventions: spherical q is a quaternion xyzw, v the angular velocity in the child's axes") {
  OneJoint joint(JointKind::spherical);
  const double s = sqrt(0.5);
  const std::vector<double> q{0, 0, s, s};
  check_close<double>(joint.pose(q), Pose<>{Mat3<>{0, -1, 0, 1, 0, 0, 0, 0, 1}, Vec3<>{0, 0, 0}}, 3);
  check_close<double>(joint.twist(q, {1.0, 2.0, 3.0}), Twist<>{{0, 0, 0}, {1, 2, 3}}, 2);
}

TEST_CASE("conventions: translational q is [x, y, z]") {
  OneJoint joint(JointKind::translational);
  check_close<double>(joint.pose({1, 2, 3}), Pose<>{identity3<double>(), Vec3<>{1, 2, 3}}, 1);
  check_close<double>(joint.twist({1, 2, 3}, {4, 5, 6}), Twist<>{{4, 5, 6}, {0, 0, 0}}, 1);
}

TEST_CASE("conventions: free q is [position, quaternion xyzw], v is [linear, angular] in the child's axes") {
  OneJoint joint(JointKind::free);
  const double s = sqrt(0.5);
  const std::vector<double> q{1, 2, 3, 0, 0, s, s};
  check_close<double>(joint.pose(q), Pose<>{Mat3<>{0, -1, 0, 1, 0, 0, 0, 0, 1}, Vec3<>{1, 2, 3}}, 3);
  check_close<double>(joint.twist(q, {1, 2, 3, 4, 5, 6}), Twist<>{{1, 2, 3}, {4, 5, 6}}, 2);
}

TEST_CASE("joint motion: a screw without pitch is a revolute joint, number for number") {
  RandomStream stream(32);
  Link screw = lone_link(JointKind::screw, stream), revolute = screw;
  screw.pitch = 0.0;
  revolute.kind = JointKind::revolute;
  for (int i = 0; i < 100; ++i) {
    const double q = stream.uniform(-10.0, 10.0);
    Twist<> S_screw[1], S_revolute[1];
    const Pose<> X_screw = joint_motion(screw, &q, S_screw), X_revolute = joint_motion(revolute, &q, S_revolute);
    CHECK(distance(X_screw, X_revolute) == 0);
    CHECK(distance(S_screw[0], S_revolute[0]) == 0);
  }
}

TEST_CASE("joint motion: a screw of growing pitch with its travel held tends to the prismatic joint") {
  RandomStream stream(33);
  Link screw = lone_link(JointKind::screw, stream), prismatic = screw;
  prismatic.kind = JointKind::prismatic;
  const double travel = 0.8;
  Twist<> S_prismatic[1], S_screw[1];
  const Pose<> X_prismatic = joint_motion(prismatic, &travel, S_prismatic);
  for (double pitch = 1.0; pitch < 1e20; pitch *= 100.0) {
    CAPTURE(pitch);
    screw.pitch = pitch;
    const double angle = travel / pitch;
    const Pose<> X_screw = joint_motion(screw, &angle, S_screw);
    // What is left is the angle itself, and per metre of travel 1/pitch radians; pitch * (travel / pitch) rounds twice.
    const double bound = 1.0 / pitch + 2.0 * kEpsilon<double>;
    CHECK(distance(X_screw, X_prismatic) <= static_cast<long double>(bound));
    CHECK(distance(S_screw[0] / pitch, S_prismatic[0]) <= static_cast<long double>(bound));
  }
}
