#include <doctest/doctest.h>

#include <cmath>

#include "spec_parts.h"
#include "support/law.h"
#include "support/random_model.h"

using namespace test;

// Tolerances are about three times the worst seen. A pose takes some three roundings a joint of the size of its reach,
// which add up along the chain; the product of six exponentials about axes far from the bodies takes more.

namespace {

/// The rotation by an angle about an axis of any length, by Rodrigues' formula for each unit vector.
Mat3<> turn(const Vec3<>& axis, double angle) {
  const double length = std::hypot(axis.x, axis.y, axis.z);
  const Vec3<> a{axis.x / length, axis.y / length, axis.z / length};
  const double c = std::cos(angle), s = std::sin(angle);
  const auto turned = [&](const Vec3<>& e) { return c * e + s * cross(a, e) + (1.0 - c) * dot(a, e) * a; };
  return from_columns(turned({1, 0, 0}), turned({0, 1, 0}), turned({0, 0, 1}));
}

/// The pose across a joint as docs/joints.md says it, in the joint's own frame.
Pose<> motion(const JointSpec& joint, const double* q) {
  const Vec3<> nil{0, 0, 0};
  const Mat3<> upright = identity3<double>();
  const double length = std::hypot(joint.axis.x, joint.axis.y, joint.axis.z);
  const Vec3<> a{joint.axis.x / length, joint.axis.y / length, joint.axis.z / length};
  switch (joint.kind) {
    case JointKind::fixed:
      return {upright, nil};
    case JointKind::revolute:
      return {turn(a, q[0]), nil};
    case JointKind::prismatic:
      return {upright, q[0] * a};
    case JointKind::screw:
      return {turn(a, q[0]), (joint.pitch_m_per_rad * q[0]) * a};
    case JointKind::cylindrical:
      return {turn(a, q[1]), q[0] * a};
    case JointKind::universal:
      return {turn(joint.axis, q[0]) * turn(joint.second_axis, q[1]), nil};
    case JointKind::planar: {
      const Vec3<> y = normalized(cross(a, joint.second_axis)), x = cross(y, a);
      return {turn(a, q[2]), q[0] * x + q[1] * y};
    }
    case JointKind::spherical:
      return {rotation_matrix(Quaternion<>{q[0], q[1], q[2], q[3]}), nil};
    case JointKind::translational:
      return {upright, {q[0], q[1], q[2]}};
    case JointKind::free:
      return {rotation_matrix(Quaternion<>{q[3], q[4], q[5], q[6]}), {q[0], q[1], q[2]}};
  }
  return {upright, nil};
}

Pose<> pose_by_spec(const ModelSpec& spec, const Model& model, const std::vector<double>& all,
                    const std::string& body_name) {
  if (body_name == kWorld) return identity_pose<double>();
  for (const JointSpec& j : spec.joints) {
    if (j.child != body_name) continue;
    const ModelJoint& compiled = model.joints()[static_cast<std::size_t>(model.joint(j.name))];
    const double* const q = j.kind == JointKind::fixed ? nullptr : all.data() + compiled.q;
    return pose_by_spec(spec, model, all, j.parent) * j.X_PJ * motion(j, q) * inverse(j.X_CJ);
  }
  FAIL("no joint carries " << body_name);
  return identity_pose<double>();
}

/// Checks every body of a spec in a random configuration, within k roundings per body of the chain and metre.
void check_poses(const ModelSpec& spec, RandomStream& stream, double k) {
  const Model model = compile(spec).value();
  const RandomState state(model, stream);
  const std::vector<double> all = all_joints(model, state.q);
  const std::vector<Pose<>> X_WB = poses_by_links(model, state.q);
  double reach = 1.0;
  for (const Pose<>& X : X_WB) reach = max(reach, norm(X.translation));
  for (std::size_t i = 0; i < X_WB.size(); ++i) {
    CAPTURE(spec.bodies[i].name);
    check_close<double>(X_WB[i], pose_by_spec(spec, model, all, spec.bodies[i].name), k,
                        reach * static_cast<double>(spec.joints.size()));
  }
}

/// Axes that are easy to get wrong.
const Vec3<> kAxes[] = {{0, 0, 1},     {0, 0, -1},    {0, 0, 7},      {0, 0, -1e-3},  {1, 0, 0},          {-1, 0, 0},
                        {0, 1, 0},     {0, -1, 0},    {1e-9, 0, -1},  {0, 1e-9, 1},   {1, 1, -1e-17},     {3, -4, 12},
                        {1e200, 0, 0}, {0, 0, 1e200}, {0, 1e-200, 0}, {5e-324, 0, 0}, {0, -1e300, -1e300}};

}  // namespace

TEST_CASE("compile: every joint with every awkward axis moves its body as the spec says") {
  RandomStream stream(41);
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    for (const Vec3<>& axis : kAxes) {
      for (const Vec3<>& second_axis : kAxes) {
        ModelSpec spec;
        spec.bodies = {body("a", ball())};
        JointSpec j = joint("j", "world", "a", fact.kind);
        j.X_PJ = random_pose(stream);
        j.X_CJ = random_pose(stream);
        j.axis = axis;
        j.second_axis = second_axis;
        j.pitch_m_per_rad = stream.uniform(-0.5, 0.5);
        const bool two_axes = fact.kind == JointKind::universal || fact.kind == JointKind::planar;
        const Vec3<> a = normalized(axis / max(abs(axis.x), max(abs(axis.y), abs(axis.z))));
        const Vec3<> b = normalized(second_axis / max(abs(second_axis.x), max(abs(second_axis.y), abs(second_axis.z))));
        // Nearly parallel axes are tested below: there the direction of a planar joint's x is lost to cancellation.
        if (two_axes && norm(cross(a, b)) < 1e-3) continue;
        if (fact.kind == JointKind::planar) j.second_axis = b;  // the formula here squares it
        spec.joints = {j};
        check_poses(spec, stream, 20);
      }
    }
  }
}

TEST_CASE("compile: every body of random trees is where the spec says, with welds and couplings") {
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    RandomStream stream(42, run);
    RandomModelOptions options;
    options.links = 1 + static_cast<int>(run % 20);
    options.welds = run % 2 == 0;
    options.couplings = run % 3 == 0;
    ModelSpec spec = random_spec(stream, options);
    for (JointSpec& j : spec.joints) j.axis = pow(10.0, stream.uniform(-3.0, 3.0)) * j.axis;
    check_poses(spec, stream, 20);
  }
}

TEST_CASE("compile: a chain of screws is the product of exponentials of their world-frame twists at zero") {
  for (std::uint64_t run = 0; run < 50; ++run) {
    RandomStream stream(43, run);
    RandomModelOptions options;
    options.links = 6;
    options.branching = 0.0;
    ModelSpec spec = random_spec(stream, options);
    for (JointSpec& j : spec.joints) {
      const JointKind kinds[] = {JointKind::revolute, JointKind::prismatic, JointKind::screw};
      j.kind = kinds[stream.below(3)];
    }
    const Model model = compile(spec).value();
    const RandomState state(model, stream);
    // Where the joints are at zero.
    Pose<> X_WP = identity_pose<double>(), product = identity_pose<double>();
    for (std::size_t i = 0; i < 6; ++i) {
      const JointSpec& j = spec.joints[i];
      const Pose<> X_WJ = X_WP * j.X_PJ;
      const Vec3<> axis = X_WJ.rotation * normalized(j.axis), point = X_WJ.translation;
      const double pitch = j.kind == JointKind::screw ? j.pitch_m_per_rad : 0.0;
      const Twist<> S = j.kind == JointKind::prismatic ? translation(axis) : twist(axis, point, pitch);
      product = product * exp(S * state.q[i]);
      X_WP = X_WJ * inverse(j.X_CJ);
    }
    check_close<double>(poses_by_links(model, state.q)[5], product * X_WP, 50);
  }
}

TEST_CASE("compile: an axis along z needs no turn, exactly") {
  ModelSpec spec;
  spec.bodies = {body("a", ball())};
  spec.joints = {joint("j", "world", "a")};
  spec.joints[0].axis = {0, 0, 3};
  const Model model = compile(spec).value();
  CHECK(distance(model.links()[0].X_PJ, identity_pose<double>()) == 0);
  CHECK(distance(model.bodies()[0].X_LB, identity_pose<double>()) == 0);
}

TEST_CASE("compile: frames of joints are rotations to rounding, also from few digits or nearly parallel axes") {
  RandomStream stream(44);
  for (int i = 0; i < 100; ++i) {
    ModelSpec spec;
    spec.bodies = {body("a", ball())};
    JointSpec j = joint("j", "world", "a", JointKind::planar);
    j.axis = uniform_direction(stream);
    j.second_axis = j.axis + 3e-6 * uniform_direction(stream);
    j.X_PJ = random_pose(stream);
    auto digits = to_array(j.X_PJ.rotation);
    for (double& entry : digits) entry = std::round(entry * 1e8) / 1e8;
    j.X_PJ.rotation = mat3_from_array(digits);
    spec.joints = {j};
    const Result<Model> model = compile(spec);
    if (norm(cross(j.axis, normalized(j.second_axis))) < 1e-6) {
      CHECK(!model.ok());
      continue;
    }
    const Mat3<> R = model->links()[0].X_PJ.rotation;
    check_close<double>(transpose_times(R, R), identity3<double>(), 16);
    check_close<double>(determinant(R), 1.0, 18);
    const Mat3<> R_LB = model->bodies()[0].X_LB.rotation;
    check_close<double>(transpose_times(R_LB, R_LB), identity3<double>(), 6);
  }
}
