#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "pintle/base/usage_error.h"
#include "pintle/model/joint_motion.h"
#include "pintle/model/model.h"
#include "support/law.h"
#include "support/random_model.h"

using namespace test;

namespace {

BodySpec body(const std::string& name, const SpatialInertia<>& inertia) {
  BodySpec spec;
  spec.name = name;
  spec.inertia = inertia;
  return spec;
}

SpatialInertia<> ball(double mass = 1.0) {
  return spatial_inertia(mass, Vec3<>{0, 0, 0}, mass * diagonal(Vec3<>{0.1, 0.1, 0.1}));
}

JointSpec joint(const std::string& name, const std::string& parent, const std::string& child,
                JointKind kind = JointKind::revolute) {
  JointSpec spec;
  spec.name = name;
  spec.kind = kind;
  spec.parent = parent;
  spec.child = child;
  return spec;
}

CouplingSpec coupling(const std::string& joint, const std::string& driver, double ratio, double offset) {
  CouplingSpec spec;
  spec.joint = joint;
  spec.driver = driver;
  spec.ratio = ratio;
  spec.offset = offset;
  return spec;
}

// Tolerances are about three times the worst seen. A pose takes some three roundings a joint of the size of its reach,
// which add up along the chain; the product of six exponentials about axes far from the bodies takes more.

// ---- the poses of all bodies, twice: from the compiled links, and from the words of the spec

std::vector<double> all_joints(const Model& model, const std::vector<double>& q) {
  std::vector<double> all;
  for (const CoordinateSource& s : model.q_sources())
    all.push_back(s.ratio * q[static_cast<std::size_t>(s.source)] + s.offset);
  return all;
}

std::vector<Pose<>> poses_by_links(const Model& model, const std::vector<double>& q) {
  const std::vector<double> all = all_joints(model, q);
  std::vector<Pose<>> X_WL;
  for (const Link& link : model.links()) {
    Twist<> S[kMostFreedoms];
    const Pose<> X_WP = link.parent < 0 ? identity_pose<double>() : X_WL[static_cast<std::size_t>(link.parent)];
    X_WL.push_back(X_WP * link.X_PJ * joint_motion(link, all.data() + link.q, S));
  }
  std::vector<Pose<>> X_WB;
  for (const ModelBody& b : model.bodies())
    X_WB.push_back(b.link < 0 ? b.X_LB : X_WL[static_cast<std::size_t>(b.link)] * b.X_LB);
  return X_WB;
}

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

// ---- what the spec says

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

// ---- the order of links

TEST_CASE("compile: links are in depth-first order, children in the order of their joints") {
  ModelSpec spec;
  for (const char* name : {"e", "d", "c", "b", "a"}) spec.bodies.push_back(body(name, ball()));
  spec.joints = {joint("to_c", "b", "c", JointKind::free), joint("to_a", "world", "a", JointKind::spherical),
                 joint("to_b", "a", "b", JointKind::planar), joint("to_d", "a", "d"),
                 joint("to_e", "world", "e", JointKind::cylindrical)};
  const Model model = compile(spec).value();
  const char* const order[] = {"a", "b", "c", "d", "e"};
  const int parents[] = {-1, 0, 1, 0, -1};
  const int q[] = {0, 4, 7, 14, 15}, v[] = {0, 3, 6, 12, 13};
  REQUIRE(model.links().size() == 5);
  for (std::size_t i = 0; i < 5; ++i) {
    const Link& link = model.links()[i];
    const ModelBody& b = model.bodies()[static_cast<std::size_t>(model.body(order[i]))];
    const ModelJoint& j = model.joints()[static_cast<std::size_t>(b.joint)];
    CHECK(b.link == static_cast<int>(i));
    CHECK(j.link == static_cast<int>(i));
    CHECK(j.name == std::string("to_") + order[i]);
    CHECK(link.kind == j.kind);
    CHECK(link.parent == parents[i]);
    CHECK(link.q == q[i]);
    CHECK(link.v == v[i]);
    CHECK(link.nv == facts(link.kind).nv);
    CHECK(j.q == q[i]);
    CHECK(j.v == v[i]);
  }
  CHECK(model.nq() == 17);
  CHECK(model.nv() == 15);
  // Bodies and joints keep the order of the spec.
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(model.bodies()[i].name == spec.bodies[i].name);
    CHECK(model.joints()[i].name == spec.joints[i].name);
    CHECK(model.body(spec.bodies[i].name) == static_cast<int>(i));
    CHECK(model.joint(spec.joints[i].name) == static_cast<int>(i));
  }
}

TEST_CASE("compile: random trees, their joints in any order: parents before children, subtrees in one piece") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    RandomStream stream(45, run);
    RandomModelOptions options;
    options.links = 30;
    options.welds = true;
    ModelSpec spec = random_spec(stream, options);
    for (std::size_t i = spec.joints.size() - 1; i > 0; --i)
      std::swap(spec.joints[i], spec.joints[stream.below(i + 1)]);
    const Model model = compile(spec).value();
    const int n = static_cast<int>(model.links().size());
    CHECK(n == 30);
    std::vector<int> open{-1};  // the links from the world to the last one
    for (int i = 0; i < n; ++i) {
      const int parent = model.links()[static_cast<std::size_t>(i)].parent;
      CHECK(parent < i);
      while (open.back() > parent) open.pop_back();
      CHECK(open.back() == parent);  // else the subtree of a link between them was left and entered again
      open.push_back(i);
    }
  }
}

TEST_CASE("compile: a chain of 1000 links") {
  RandomStream stream(46);
  RandomModelOptions options;
  options.links = 1000;
  options.branching = 0.0;
  const Model model = compile(random_spec(stream, options)).value();
  REQUIRE(model.links().size() == 1000);
  for (int i = 0; i < 1000; ++i) CHECK(model.links()[static_cast<std::size_t>(i)].parent == i - 1);
}

// ---- welds

TEST_CASE("compile: welded bodies are one link, in which each keeps its place and its name") {
  ModelSpec spec;
  const SpatialInertia<> point = spatial_inertia(1.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{0, 0, 0}));
  spec.bodies = {body("rod", spatial_inertia(2.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{0, 0.5, 0.5}))), body("left", point),
                 body("right", point), body("tip", point)};
  spec.joints = {joint("hinge", "world", "rod"), joint("left_weld", "rod", "left", JointKind::fixed),
                 joint("right_weld", "rod", "right", JointKind::fixed),
                 joint("tip_weld", "right", "tip", JointKind::fixed)};
  spec.joints[1].X_PJ.translation = {-1, 0, 0};
  spec.joints[2].X_CJ.translation = {-1, 0, 0};
  spec.joints[3].X_PJ.translation = {0, 3, 0};
  const Model model = compile(spec).value();
  REQUIRE(model.links().size() == 1);
  CHECK(model.nq() == 1);
  const Vec3<> places[] = {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {1, 3, 0}};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(model.bodies()[i].link == 0);
    CHECK(model.bodies()[i].joint == static_cast<int>(i));
    check_close<double>(model.bodies()[i].X_LB, Pose<>{identity3<double>(), places[i]}, 1);
  }
  for (std::size_t i = 1; i < 4; ++i) CHECK(model.joints()[i].link == -1);
  const SpatialInertia<>& I = model.links()[0].inertia;
  CHECK(I.mass == 5.0);
  check_close<double>(I.first_moment, Vec3<>{1, 3, 0}, 2);
  // Rod 0.5, and m r^2 of the points: 1, 1 and 10.
  check_close<double>(I.inertia.zz, 12.5, 4);
  check_close<double>(I.inertia.xx, 9.0, 4);
  check_close<double>(I.inertia.xy, -3.0, 4);
}

TEST_CASE("compile: the momentum of a link is the sum of those of its bodies") {
  for (std::uint64_t run = 0; run < 50; ++run) {
    RandomStream stream(47, run);
    RandomModelOptions options;
    options.welds = true;
    const Model model = compile(random_spec(stream, options)).value();
    for (std::size_t i = 0; i < model.links().size(); ++i) {
      const Link& link = model.links()[i];
      Sampler<double> sampler{stream};
      const Twist<> V_L = sampler.twist();
      Wrench<> sum{{0, 0, 0}, {0, 0, 0}};
      for (const ModelBody& b : model.bodies()) {
        if (b.link != static_cast<int>(i)) continue;
        sum = sum + b.X_LB * (b.inertia * inverse_times(b.X_LB, V_L));
      }
      check_close<double>(link.inertia * V_L, sum, 20, link.inertia.mass);
    }
  }
}

TEST_CASE("compile: a body welded to the world is part of no link, and may carry joints") {
  ModelSpec spec;
  spec.bodies = {body("base", ball()), body("pillar", ball()), body("arm", ball())};
  spec.joints = {joint("bolt", "world", "base", JointKind::fixed), joint("weld", "base", "pillar", JointKind::fixed),
                 joint("hinge", "pillar", "arm")};
  spec.joints[0].X_PJ.translation = {1, 0, 0};
  spec.joints[1].X_PJ.translation = {0, 2, 0};
  spec.joints[2].X_PJ.translation = {0, 0, 3};
  const Model model = compile(spec).value();
  REQUIRE(model.links().size() == 1);
  CHECK(model.bodies()[0].link == -1);
  CHECK(model.bodies()[1].link == -1);
  check_close<double>(model.bodies()[1].X_LB, Pose<>{identity3<double>(), Vec3<>{1, 2, 0}}, 1);
  CHECK(model.links()[0].parent == -1);
  check_close<double>(model.links()[0].X_PJ, Pose<>{identity3<double>(), Vec3<>{1, 2, 3}}, 1);
  CHECK(model.links()[0].inertia.mass == 1.0);
  spec.joints[2].kind = JointKind::fixed;
  const Model rigid = compile(spec).value();
  CHECK(rigid.links().empty());
  CHECK(rigid.nq() == 0);
  CHECK(rigid.tree().count == 0);
}

// ---- names, frames, freedoms

TEST_CASE("compile: frames keep their body and place; the world may have some") {
  RandomStream stream(48);
  ModelSpec spec;
  spec.bodies = {body("a", ball())};
  spec.joints = {joint("j", "world", "a")};
  spec.frames.resize(2);
  spec.frames[0].name = "tool";
  spec.frames[0].body = "a";
  spec.frames[0].X_BF = random_pose(stream);
  spec.frames[1].name = "table";
  spec.frames[1].body = "world";
  const Model model = compile(spec).value();
  REQUIRE(model.frames().size() == 2);
  CHECK(model.frames()[0].name == "tool");
  CHECK(model.frames()[0].body == 0);
  check_close<double>(model.frames()[0].X_BF, spec.frames[0].X_BF, 3);
  CHECK(model.frame("table") == 1);
  CHECK(model.frames()[1].body == -1);
}

TEST_CASE("model: a name that is not there is a wrong call, answered with the nearest one") {
  ModelSpec spec;
  spec.bodies = {body("forearm", ball())};
  spec.joints = {joint("elbow", "world", "forearm")};
  spec.frames.resize(1);
  spec.frames[0].name = "gripper";
  spec.frames[0].body = "forearm";
  const Model model = compile(spec).value();
  CHECK_THROWS_WITH_AS(model.body("forarm"), "Model::body: there is no body 'forarm'; did you mean 'forearm'?",
                       UsageError);
  CHECK_THROWS_WITH_AS(model.joint("Elbow"), "Model::joint: there is no joint 'Elbow'; did you mean 'elbow'?",
                       UsageError);
  CHECK_THROWS_WITH_AS(model.frame("griper"), "Model::frame: there is no frame 'griper'; did you mean 'gripper'?",
                       UsageError);
  CHECK_THROWS_WITH_AS(model.body("propeller"), "Model::body: there is no body 'propeller'", UsageError);
}

TEST_CASE("compile: the name, gravity, and the freedoms with one entry for all or one for each") {
  ModelSpec spec;
  spec.name = "cart";
  spec.gravity = {1, 2, 3};
  spec.bodies = {body("a", ball()), body("b", ball()), body("c", ball())};
  spec.joints = {joint("to_a", "world", "a", JointKind::planar), joint("to_b", "a", "b", JointKind::cylindrical),
                 joint("to_c", "b", "c")};
  spec.joints[0].passive.resize(1);
  spec.joints[0].passive[0].armature = 0.5;
  spec.joints[0].limits.resize(3);
  for (std::size_t i = 0; i < 3; ++i) spec.joints[0].limits[i].lower = -1.0 - static_cast<double>(i);
  spec.joints[1].passive.resize(2);
  spec.joints[1].passive[0].armature = 0.25;
  spec.joints[1].passive[1].damping = 4.0;
  const Model model = compile(spec).value();
  CHECK(model.name() == "cart");
  CHECK(distance(model.gravity(), spec.gravity) == 0);
  REQUIRE(model.freedoms().size() == 6);
  const int joints[] = {0, 0, 0, 1, 1, 2}, indices[] = {0, 1, 2, 0, 1, 0};
  const double armatures[] = {0.5, 0.5, 0.5, 0.25, 0.0, 0.0}, dampings[] = {0, 0, 0, 0, 4.0, 0};
  const LinkTree tree = model.tree();
  CHECK(tree.count == 3);
  CHECK(tree.nq == 6);
  CHECK(tree.nv == 6);
  CHECK(distance(tree.gravity, spec.gravity) == 0);
  for (std::size_t i = 0; i < 6; ++i) {
    const ModelFreedom& freedom = model.freedoms()[i];
    CHECK(freedom.joint == joints[i]);
    CHECK(freedom.index == indices[i]);
    CHECK(freedom.passive.armature == armatures[i]);
    CHECK(tree.armature[i] == armatures[i]);
    CHECK(freedom.passive.damping == dampings[i]);
    CHECK(freedom.limits.lower == (i < 3 ? -1.0 - static_cast<double>(i) : JointLimits{}.lower));
  }
}

TEST_CASE("compile: the pitch is the screw's alone") {
  ModelSpec spec;
  spec.bodies = {body("a", ball()), body("b", ball())};
  spec.joints = {joint("to_a", "world", "a", JointKind::screw), joint("to_b", "a", "b")};
  for (JointSpec& j : spec.joints) j.pitch_m_per_rad = 0.25;
  const Model model = compile(spec).value();
  CHECK(model.links()[0].pitch == 0.25);
  CHECK(model.links()[1].pitch == 0.0);
}

// ---- couplings

TEST_CASE("compile: without couplings every number is its own source") {
  RandomStream stream(49);
  const Model model = compile(random_spec(stream)).value();
  CHECK(model.nq() == model.joint_nq());
  CHECK(model.nv() == model.joint_nv());
  const auto check_own = [](std::span<const CoordinateSource> sources) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      CHECK(sources[i].source == static_cast<int>(i));
      CHECK(sources[i].ratio == 1.0);
      CHECK(sources[i].offset == 0.0);
    }
  };
  check_own(model.q_sources());
  check_own(model.v_sources());
}

TEST_CASE("compile: coupled joints take their numbers from the driver; chains of couplings are composed") {
  ModelSpec spec;
  for (const char* name : {"base", "a", "b", "c", "d"}) spec.bodies.push_back(body(name, ball()));
  spec.joints = {joint("to_base", "world", "base", JointKind::free), joint("to_a", "base", "a"),
                 joint("to_b", "a", "b", JointKind::prismatic), joint("to_c", "b", "c", JointKind::screw),
                 joint("to_d", "c", "d")};
  // d follows b, b follows c, which comes later in the tree: q_d = 2 (-3 q_c + 0.25) + 0.5 = -6 q_c + 1.
  spec.couplings = {coupling("to_d", "to_b", 2.0, 0.5), coupling("to_b", "to_c", -3.0, 0.25)};
  const Model model = compile(spec).value();
  CHECK(model.joint_nq() == 11);
  CHECK(model.joint_nv() == 10);
  CHECK(model.nq() == 9);
  CHECK(model.nv() == 8);
  CHECK(model.tree().nq == 11);
  CHECK(model.tree().nv == 10);

  REQUIRE(model.couplings().size() == 2);
  const ModelCoupling& d = model.couplings()[0];
  CHECK(d.joint == model.joint("to_d"));
  CHECK(d.driver == model.joint("to_c"));
  CHECK(d.ratio == -6.0);
  CHECK(d.offset == 1.0);
  const ModelCoupling& b = model.couplings()[1];
  CHECK(b.joint == model.joint("to_b"));
  CHECK(b.driver == model.joint("to_c"));
  CHECK(b.ratio == -3.0);
  CHECK(b.offset == 0.25);

  REQUIRE(model.independent_joints().size() == 3);
  const int joints[] = {0, 1, 3}, q[] = {0, 7, 8}, v[] = {0, 6, 7};
  for (std::size_t i = 0; i < 3; ++i) {
    const IndependentJoint& j = model.independent_joints()[i];
    CHECK(j.joint == joints[i]);
    CHECK(j.kind == spec.joints[static_cast<std::size_t>(joints[i])].kind);
    CHECK(j.q == q[i]);
    CHECK(j.v == v[i]);
  }
  const auto check_source = [](const CoordinateSource& s, int source, double ratio, double offset) {
    CHECK(s.source == source);
    CHECK(s.ratio == ratio);
    CHECK(s.offset == offset);
  };
  for (int i = 0; i < 8; ++i) check_source(model.q_sources()[static_cast<std::size_t>(i)], i, 1.0, 0.0);
  check_source(model.q_sources()[8], 8, -3.0, 0.25);
  check_source(model.q_sources()[9], 8, 1.0, 0.0);
  check_source(model.q_sources()[10], 8, -6.0, 1.0);
  for (int i = 0; i < 7; ++i) check_source(model.v_sources()[static_cast<std::size_t>(i)], i, 1.0, 0.0);
  check_source(model.v_sources()[7], 7, -3.0, 0.0);
  check_source(model.v_sources()[8], 7, 1.0, 0.0);
  check_source(model.v_sources()[9], 7, -6.0, 0.0);
}

// ---- copies

TEST_CASE("model: a copy lives on without its original") {
  RandomStream stream(50);
  RandomModelOptions options;
  options.couplings = true;
  options.welds = true;
  const ModelSpec spec = random_spec(stream, options);
  auto original = std::make_unique<Model>(compile(spec).value());
  const RandomState state(*original, stream);
  const std::vector<Pose<>> before = poses_by_links(*original, state.q);
  const Model copy = *original;
  CHECK(copy.tree().links == original->tree().links);  // shared: nothing in a model ever changes
  original.reset();
  const std::vector<Pose<>> after = poses_by_links(copy, state.q);
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(distance(before[i], after[i]) == 0);
  CHECK(copy.tree().armature[0] == copy.freedoms()[0].passive.armature);
  CHECK(copy.bodies()[0].name == spec.bodies[0].name);
}
