#include "pintle/model/compiled/check_moved_inertia.h"

#include <doctest/doctest.h>

#include <utility>

#include "support/random_model.h"

using namespace test;

namespace {

const SymMat3<> kNone{0, 0, 0, 0, 0, 0};

/// One body on one joint at the world's origin.
ModelSpec one(JointKind kind, const SpatialInertia<>& inertia) {
  ModelSpec spec;
  BodySpec body;
  body.name = "body";
  body.inertia = inertia;
  spec.bodies.push_back(body);
  JointSpec joint;
  joint.name = "joint";
  joint.kind = kind;
  joint.parent = kWorld;
  joint.child = "body";
  joint.origin = Origin("arm.toml", 7, 3);
  spec.joints.push_back(joint);
  return spec;
}

void hang(ModelSpec& spec, const char* body, JointKind kind, const SpatialInertia<>& inertia) {
  ModelSpec more = one(kind, inertia);
  more.bodies[0].name = body;
  more.joints[0].name = std::string("joint of ") + body;
  more.joints[0].parent = spec.bodies.back().name;
  more.joints[0].child = body;
  spec.bodies.push_back(more.bodies[0]);
  spec.joints.push_back(more.joints[0]);
}

}  // namespace

TEST_CASE("moved inertia: a massless body on a moving joint is refused, with the joint and its place") {
  for (const JointFacts& fact : kJointFacts) {
    if (fact.nv == 0) continue;
    CAPTURE(fact.name);
    const Result<Model> model = compile(one(fact.kind, zero_inertia()));
    REQUIRE_FALSE(model.ok());
    CHECK(model.diagnostics().size() == static_cast<std::size_t>(fact.nv));
    const Diagnostic& problem = model.diagnostics().front();
    CHECK(problem.code == "joint-without-inertia");
    CHECK(problem.what.find("'joint'") != std::string::npos);
    CHECK(problem.origin.line == 7);
    CHECK(problem.fix.find("prescribe") != std::string::npos);
  }
}

TEST_CASE("moved inertia: a rotor, a prescribed motion or a body further out make it good") {
  ModelSpec rotor = one(JointKind::revolute, zero_inertia());
  rotor.joints[0].passive = {JointPassive{.armature = 0.01}};
  CHECK(compile(rotor).ok());
  ModelSpec driven = one(JointKind::revolute, zero_inertia());
  driven.joints[0].prescribed = true;
  CHECK(compile(driven).ok());
  ModelSpec gimbal = one(JointKind::revolute, zero_inertia());
  hang(gimbal, "ring", JointKind::revolute, zero_inertia());
  hang(gimbal, "ball", JointKind::spherical, spatial_inertia(1.0, Vec3{0.1, 0.2, 0.3}, diagonal(Vec3{1, 1, 1})));
  CHECK(compile(gimbal).ok());
}

TEST_CASE("moved inertia: a point mass resists sliding and turning about other lines, not turning on its own axis") {
  const SpatialInertia<> on_axis = spatial_inertia(1.0, Vec3{0.0, 0.0, 0.5}, kNone);
  const SpatialInertia<> off_axis = spatial_inertia(1.0, Vec3{0.1, 0.0, 0.5}, kNone);
  CHECK(compile(one(JointKind::prismatic, on_axis)).ok());
  CHECK(compile(one(JointKind::revolute, off_axis)).ok());
  CHECK_FALSE(compile(one(JointKind::revolute, on_axis)).ok());
  // A thin rod along z on a pin about z.
  CHECK_FALSE(
      compile(one(JointKind::revolute, spatial_inertia(1.0, Vec3{0, 0, 0}, diagonal(Vec3{1.0, 1.0, 0.0})))).ok());
  CHECK(compile(one(JointKind::translational, on_axis)).ok());
}

TEST_CASE("moved inertia: a driver moves what the joints coupled to it move") {
  const SpatialInertia<> heavy = spatial_inertia(1.0, Vec3{0.1, 0.2, 0.3}, diagonal(Vec3{1, 1, 1}));
  const auto pair = [](const SpatialInertia<>& first, const SpatialInertia<>& second) {
    ModelSpec spec = one(JointKind::revolute, first);
    hang(spec, "slide", JointKind::prismatic, second);
    spec.joints[1].parent = kWorld;
    CouplingSpec rack;
    rack.joint = "joint of slide";
    rack.driver = "joint";
    rack.ratio = 0.05;
    spec.couplings.push_back(rack);
    return spec;
  };
  CHECK(compile(pair(heavy, zero_inertia())).ok());
  CHECK(compile(pair(zero_inertia(), heavy)).ok());
  const Result<Model> none = compile(pair(zero_inertia(), zero_inertia()));
  REQUIRE_FALSE(none.ok());
  REQUIRE(none.diagnostics().size() == 1);
  CHECK(none.diagnostics()[0].what == "joint 'joint' and the joints coupled to it move nothing that has inertia");
  CHECK(none.diagnostics()[0].origin.line == 7);
  for (const std::size_t given : {0u, 1u}) {
    ModelSpec spec = pair(zero_inertia(), zero_inertia());
    spec.joints[given].prescribed = true;
    CHECK(compile(spec).ok());
  }
  for (const std::size_t geared : {0u, 1u}) {
    ModelSpec spec = pair(zero_inertia(), zero_inertia());
    spec.joints[geared].passive = {JointPassive{.armature = 0.01}};
    CHECK(compile(spec).ok());
  }
}

TEST_CASE("moved inertia: a thin rod at any angle has no inertia about its own axis") {
  RandomStream stream(62);
  for (int run = 0; run < 1000; ++run) {
    CAPTURE(run);
    const Mat3<> R = rotation_matrix(uniform_rotation(stream));
    const double length = stream.uniform(0.1, 2.0), square = length * length / 12.0;
    // Its middle anywhere on the line for a ball joint at the origin, anywhere at all for a free joint.
    const Vec3<> along = stream.uniform(-2.0, 2.0) * (R * Vec3<>{0, 0, 1}), anywhere = 3.0 * uniform_direction(stream);
    const SpatialInertia<> on_ball = spatial_inertia(1.0, along, congruence(R, square * diagonal(Vec3{1, 1, 0})));
    const SpatialInertia<> floating = spatial_inertia(1.0, anywhere, congruence(R, square * diagonal(Vec3{1, 1, 0})));
    for (const auto& each : {std::pair{JointKind::spherical, on_ball}, std::pair{JointKind::free, on_ball},
                             std::pair{JointKind::free, floating}}) {
      const JointKind kind = each.first;
      CAPTURE(facts(kind).name);
      ModelSpec spec = one(kind, each.second);
      spec.joints[0].X_CJ.rotation = rotation_matrix(uniform_rotation(stream));
      spec.joints[0].X_PJ = random_pose(stream);
      const Result<Model> rod = compile(spec);
      REQUIRE_FALSE(rod.ok());
      REQUIRE(rod.diagnostics().size() == 1);
      CHECK(rod.diagnostics()[0].code == "joint-without-inertia");
      CHECK(rod.diagnostics()[0].what == "joint 'joint' moves nothing that has inertia along a combination of its " +
                                             std::to_string(facts(kind).nv) + " dofs");
      CHECK(rod.diagnostics()[0].origin.line == 7);
      spec.joints[0].prescribed = true;
      CHECK(compile(spec).ok());
      spec.joints[0].prescribed = false;
      spec.joints[0].passive = {JointPassive{.armature = 1e-3}};
      CHECK(compile(spec).ok());
    }
    // A wire a ten-thousandth as thick as long has inertia.
    const SymMat3<> wire = congruence(R, square * diagonal(Vec3{1.0, 1.0, 1e-8}));
    CHECK(compile(one(JointKind::spherical, spatial_inertia(1.0, along, wire))).ok());
    CHECK(compile(one(JointKind::free, spatial_inertia(1.0, anywhere, wire))).ok());
  }
}

TEST_CASE("moved inertia: a thin rod along an axis names the dof") {
  const SpatialInertia<> rod = spatial_inertia(1.0, Vec3{0.0, 0.3, 0.0}, diagonal(Vec3{1.0, 0.0, 1.0}));
  for (const auto& [kind, dof] :
       {std::pair{JointKind::spherical, "dof 2 of 3"}, std::pair{JointKind::free, "dof 5 of 6"}}) {
    const Result<Model> model = compile(one(kind, rod));
    REQUIRE_FALSE(model.ok());
    REQUIRE(model.diagnostics().size() == 1);
    CHECK(model.diagnostics()[0].what.find(dof) != std::string::npos);
  }
}

TEST_CASE("moved inertia: random mechanisms with mass have nothing to complain about") {
  for (std::uint64_t run = 0; run < 200; ++run) {
    RandomStream stream(61, run);
    CHECK(compile(random_spec(stream, {.links = 12, .mass_ratio = 1e6, .armature = false, .couplings = true})).ok());
  }
}

TEST_CASE("moved inertia: a floating body without mass, and joints that let it move by itself") {
  const SpatialInertia<> ball = spatial_inertia(1.0, Vec3{0.1, 0.2, 0.3}, diagonal(Vec3{1, 1, 1}));
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::screw, JointKind::spherical}) {
    CAPTURE(facts(kind).name);
    ModelSpec spec = one(JointKind::free, zero_inertia());
    hang(spec, "ball", kind, ball);
    const Result<Model> model = compile(spec);
    REQUIRE_FALSE(model.ok());
    REQUIRE(model.diagnostics().size() == 1);
    const Diagnostic& problem = model.diagnostics()[0];
    CHECK(problem.code == "joint-without-inertia");
    CHECK(problem.what ==
          "joint 'joint' leaves the massless body 'body' free, and joint 'joint of ball' lets it move while "
          "everything with mass is at rest");
    CHECK(problem.origin.line == 7);
    CHECK(problem.fix.find("give 'body' mass and inertia") != std::string::npos);

    ModelSpec with_mass = spec;
    with_mass.bodies[0].inertia = ball;
    CHECK(compile(with_mass).ok());
    ModelSpec with_rotor = spec;
    with_rotor.joints[1].passive = {JointPassive{.armature = 1e-3}};
    CHECK(compile(with_rotor).ok());
    ModelSpec held = spec;
    held.joints[0].kind = JointKind::fixed;
    CHECK(compile(held).ok());
  }
}

TEST_CASE("moved inertia: two joints hold a floating body without mass unless they are along one screw") {
  const SpatialInertia<> ball = spatial_inertia(1.0, Vec3{0.1, 0.2, 0.3}, diagonal(Vec3{1, 1, 1}));
  RandomStream stream(62, 0);
  ModelSpec spec = one(JointKind::free, zero_inertia());
  hang(spec, "left", JointKind::revolute, ball);
  hang(spec, "right", JointKind::revolute, ball);
  spec.joints[2].parent = "body";
  for (int run = 0; run < 20; ++run) {
    const Pose<> X = random_pose(stream);
    spec.joints[1].X_PJ = X;
    spec.joints[2].X_PJ = X * Pose<>{identity3<double>(), {0.0, 0.0, 0.7}};  // two wheels on one axle
    CHECK_FALSE(compile(spec).ok());
    spec.joints[2].axis = {0.0, 0.0, -2.0};
    CHECK_FALSE(compile(spec).ok());
    spec.joints[2].axis = {0.0, 0.0, 1.0};
    spec.joints[2].X_PJ = X * Pose<>{identity3<double>(), {1e-3, 0.0, 0.7}};  // on two axles
    CHECK(compile(spec).ok());
    spec.joints[2].X_PJ = X;
    spec.joints[2].kind = JointKind::prismatic;
    CHECK(compile(spec).ok());
    spec.joints[2].kind = JointKind::revolute;
  }
}
