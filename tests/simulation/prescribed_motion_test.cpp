#include "pintle/simulation/elements/prescribed_motion.h"

#include "base/count_allocations.h"
#include "pintle/base/usage_error.h"
#include "simulation/element_bench.h"

using namespace test;

namespace {

PrescribedMotionSpec motion(MotionKind kind, const char* formula, const char* joint = "joint") {
  PrescribedMotionSpec spec;
  spec.name = "sweep";
  spec.joint = joint;
  spec.kind = kind;
  if (kind == MotionKind::acceleration) spec.acceleration = command_expression(formula).value();
  if (kind != MotionKind::acceleration) spec.drive = expression_drive(formula).value();
  return spec;
}

Result<std::vector<PrescribedMotion>> compiled(const Model& model, const PrescribedMotionSpec& spec) {
  return prescribed_motions(model, std::vector<PrescribedMotionSpec>{spec}, 0.0, 2.0);
}

}  // namespace

TEST_CASE("prescribed motion: each kind gives what it gives, and takes the rest") {
  const Model model = compile(one_joint(JointKind::cylindrical)).value();
  PrescribedMotionSpec spec = motion(MotionKind::position, "2*t^3");
  spec.dof = 1;
  const PrescribedMotion by_position = compiled(model, spec).value().front();
  CHECK(by_position.joint == 0);
  CHECK(by_position.dof == 1);
  CHECK(by_position.q == 1);
  const CoordinateMotion p = evaluate(by_position, 0.5, 7, 8);
  CHECK(p.q == 0.25);
  CHECK(p.v == 1.5);
  CHECK(p.vdot == 6.0);
  const CoordinateMotion v =
      evaluate(compiled(model, motion(MotionKind::velocity, "2*t^3")).value().front(), 0.5, 7, 8);
  CHECK(v.q == 7.0);
  CHECK(v.v == 0.25);
  CHECK(v.vdot == 1.5);
  const PrescribedMotion by_law =
      compiled(model, motion(MotionKind::acceleration, "100*t + 10*q + qd")).value().front();
  const std::size_t before = count_allocations();
  const CoordinateMotion a = evaluate(by_law, 0.5, 7, 8);
  (void)evaluate(by_position, 0.5, 7, 8);
  CHECK(count_allocations() == before);
  CHECK(a.q == 7.0);
  CHECK(a.v == 8.0);
  CHECK(a.vdot == 128.0);
}

TEST_CASE("prescribed motion: numbers are those of the independent dofs") {
  for (std::uint64_t run = 0; run < 40; ++run) {
    RandomStream stream(431, run);
    const Model model = compile(random_spec(stream, variety(run, 10))).value();
    for (const IndependentJoint& joint : model.independent_joints()) {
      const int nv = facts(joint.kind).nv;
      PrescribedMotionSpec spec = motion(MotionKind::velocity, "t");
      spec.joint = model.joints()[size(joint.joint)].name;
      spec.dof = nv - 1;
      const PrescribedMotion found = compiled(model, spec).value().front();
      CHECK(found.joint == joint.joint);
      CHECK(found.dof == joint.v + nv - 1);
      CHECK(found.q == (facts(joint.kind).nq == nv ? joint.q + nv - 1 : -1));
    }
  }
}

TEST_CASE("prescribed motion: a drive that is not smooth is refused with the time of its jump") {
  const Model model = compile(one_joint(JointKind::revolute)).value();
  const auto failed = compiled(model, motion(MotionKind::position, "1 + 2*step(t - 0.5)"));
  REQUIRE(codes(failed) == "drive-jump");
  CHECK(failed.diagnostics()[0].what == "motion 'sweep': the drive jumps at t = 0.5 s from 1 to 3");
  CHECK(failed.diagnostics()[0].origin.column == 7);
  CHECK(codes(compiled(model, motion(MotionKind::velocity, "abs(t - 1)"))) == "drive-kink");
  CHECK(compiled(model, motion(MotionKind::position, "step(t - 3)")).ok());  // after the end
  CHECK_THROWS_AS((void)prescribed_motions(model, std::vector{motion(MotionKind::position, "t")}, 1.0, 0.0),
                  UsageError);
}

TEST_CASE("prescribed motion: what a joint cannot do is refused") {
  const Model ball = compile(one_joint(JointKind::spherical)).value();
  CHECK(codes(compiled(ball, motion(MotionKind::position, "t"))) == "dof-without-position");
  CHECK(codes(compiled(ball, motion(MotionKind::acceleration, "q"))) == "dof-without-position");
  CHECK(compiled(ball, motion(MotionKind::velocity, "t")).ok());
  CHECK(compiled(ball, motion(MotionKind::acceleration, "t - qd")).ok());

  const Model geared = compile(with_follower(2.0, 0.0)).value();
  const auto coupled = compiled(geared, motion(MotionKind::position, "t", "follower"));
  REQUIRE(codes(coupled) == "motion-coupled");
  CHECK(coupled.diagnostics()[0].what == "motion 'sweep': joint 'follower' is driven by 'joint'");
  CHECK(coupled.diagnostics()[0].fix == "prescribe the motion of 'joint'");

  const std::vector<PrescribedMotionSpec> twice = {motion(MotionKind::position, "t"),
                                                   motion(MotionKind::velocity, "t")};
  CHECK(codes(prescribed_motions(geared, twice, 0.0, 1.0)) == "motion-double");
  CHECK(codes(compiled(geared, motion(MotionKind::position, "t", "joints"))) == "joint-unknown");
  PrescribedMotionSpec spec = motion(MotionKind::position, "t");
  spec.dof = 1;
  spec.name = "";
  CHECK(codes(compiled(geared, spec)) == "name-missing dof-unknown");
}
