#include "pintle/dynamics/solve/inverse_kinematics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "pintle/base/usage_error.h"
#include "pintle/math/elementary.h"
#include "pintle/spatial/exp_log.h"
#include "support/arms.h"
#include "support/random_model.h"

using namespace test;

namespace {

using Outcome = InverseKinematicsOutcome;

constexpr double kInf = std::numeric_limits<double>::infinity();

/// The tip of the last bar.
Place tip(const Model& model, double length) {
  return point_place(model, static_cast<int>(model.bodies().size()) - 1, {length, 0, 0});
}

PoseTarget at_point(const Place& place, Vec3<> p) {
  PoseTarget target{.place = place};
  target.X_WT.translation = p;
  target.orientation_weight = {0, 0, 0};
  return target;
}

struct Solved {
  InverseKinematicsReport report;
  std::vector<double> q;
  std::vector<TargetResidual> residuals;
  std::vector<int> at_limit;
};

Solved solve(const Model& model, const std::vector<PoseTarget>& targets, std::vector<double> q,
             const InverseKinematicsOptions& options = {}) {
  InverseKinematicsWorkspace work(model, targets.size());
  Solved solved;
  solved.report = inverse_kinematics(model, targets, q, work, options);
  solved.q = q;
  solved.residuals.assign(solved.report.targets.begin(), solved.report.targets.end());
  solved.at_limit.assign(solved.report.at_limit.begin(), solved.report.at_limit.end());
  return solved;
}

/// An angle within half a turn.
double wrapped(double angle) {
  return std::remainder(angle, 2.0 * kPi<double>);
}

}  // namespace

TEST_CASE("inverse kinematics: both closed-form solutions of a two-bar arm, each from its side") {
  // Bars of 1 and 0.7 to (x, -z) = (1.1, 0.4), angles down from x: cos b = (r^2 - 1 - 0.49) / 1.4.
  const Model model = compile(bar_chain({1.0, 0.7})).value();
  const Vec3<> goal{1.1, 0.0, -0.4};
  const double r2 = 1.1 * 1.1 + 0.4 * 0.4;
  const double elbow = std::acos((r2 - 1.0 - 0.49) / 1.4);
  for (const double side : {1.0, -1.0}) {
    const double b = side * elbow;
    const double a = std::atan2(0.4, 1.1) - std::atan2(0.7 * std::sin(b), 1.0 + 0.7 * std::cos(b));
    const Solved solved = solve(model, {at_point(tip(model, 0.7), goal)}, {0.2, side * 0.8});
    CHECK(solved.report.converged());
    CHECK(abs(solved.q[0] - a) < 1e-10);
    CHECK(abs(solved.q[1] - b) < 1e-10);
    CHECK(solved.report.length == doctest::Approx(1.7));
    CHECK(solved.residuals[0].position < 2e-10);
    CHECK(solved.residuals[0].orientation == 0.0);  // it does not count
  }
}

TEST_CASE("inverse kinematics: out of reach the arm stretches towards the target and says so") {
  const Model model = compile(bar_chain({1.0, 0.7})).value();
  for (const double far : {1.71, 3.0, 100.0}) {
    CAPTURE(far);
    const Vec3<> goal = far * Vec3<>{0.6, 0.0, -0.8};
    const Solved solved = solve(model, {at_point(tip(model, 0.7), goal)}, {0.3, 0.9});
    CHECK(solved.report.outcome == Outcome::stationary);
    CHECK_FALSE(solved.report.converged());
    // The slope of the cost is known to a rounding of cost and error: sqrt(eps) for 1.71, whose error is 0.01 of the
    // arm.
    CHECK(abs(wrapped(solved.q[0] - std::atan2(0.8, 0.6))) < 1e-7);
    CHECK(abs(wrapped(solved.q[1])) < 1e-7);
    CHECK(solved.residuals[0].position == doctest::Approx(far - 1.7).epsilon(1e-9));
    CHECK(solved.report.iterations < 60);
  }
}

TEST_CASE("inverse kinematics: too near to reach, the arm folds") {
  const Model model = compile(bar_chain({1.0, 0.7})).value();
  const Solved solved = solve(model, {at_point(tip(model, 0.7), {0.1, 0.0, 0.0})}, {0.3, 2.0});
  CHECK(solved.report.outcome == Outcome::stationary);
  CHECK(solved.residuals[0].position == doctest::Approx(0.2));
  CHECK(abs(abs(wrapped(solved.q[1])) - kPi<double>) < 1e-7);
}

TEST_CASE("inverse kinematics: at a limit the others do the best that is left") {
  // The elbow may bend to 0.5 only; the tip's distance from the shoulder is then fixed and the shoulder aims.
  ModelSpec spec = bar_chain({1.0, 0.7});
  spec.joints[1].limits = {between(-0.2, 0.5)};
  const Model model = compile(spec).value();
  const Vec3<> goal{0.6, 0.0, -0.9};
  for (const double start : {0.0, 0.5, 2.0}) {  // the last outside the limits
    const Solved solved = solve(model, {at_point(tip(model, 0.7), goal)}, {0.0, start});
    CHECK(solved.report.outcome == Outcome::stationary);
    CHECK(solved.q[1] == 0.5);
    CHECK(solved.at_limit == std::vector<int>{0, 1});
    const double aim = std::atan2(0.9, 0.6) - std::atan2(0.7 * std::sin(0.5), 1.0 + 0.7 * std::cos(0.5));
    CHECK(abs(solved.q[0] - aim) < 1e-9);
    const double radius = std::sqrt(1.0 + 0.49 + 1.4 * std::cos(0.5));
    CHECK(solved.residuals[0].position == doctest::Approx(radius - std::sqrt(1.17)));
  }
  // From the other side it ends at the other limit, on the other branch of solutions.
  CHECK(solve(model, {at_point(tip(model, 0.7), goal)}, {0.0, -3.0}).q[1] == -0.2);

  // The shoulder at its limit: the elbow points as well as it can.
  spec.joints[0].limits = {between(1.2, 1.3)};
  spec.joints[1].limits = {between(-3.0, 3.0)};
  const Model narrow = compile(spec).value();
  const Solved solved = solve(narrow, {at_point(tip(narrow, 0.7), {1.0, 0.0, 0.5})}, {1.25, 0.1});
  CHECK(solved.report.outcome == Outcome::stationary);
  CHECK(solved.at_limit == std::vector<int>{-1, 0});
  CHECK(solved.q[0] == 1.2);
  // The second bar points from the elbow to the target.
  const double x = 1.0 - std::cos(1.2), down = -0.5 - std::sin(1.2);
  CHECK(abs(wrapped(solved.q[1] - (std::atan2(down, x) - 1.2))) < 1e-8);
}

TEST_CASE("inverse kinematics: near the solution the number of right digits doubles with every step") {
  RandomStream stream(81);
  int worst = 0;
  for (int run = 0; run < 50; ++run) {
    ModelSpec spec{.name = "arm"};
    for (int i = 0; i < 6; ++i) add_bar(spec, 0.3, 0.2, 1.0, uniform_direction(stream));
    const Model model = compile(spec).value();
    std::vector<double> q(6);
    random_configuration(model, stream, q);
    KinematicsWorkspace work(model);
    const std::vector<double> zero(6);
    kinematics(model, q, zero, zero, work);
    PoseTarget target{.place = tip(model, 0.2)};
    target.X_WT = pose_of(work, target.place);
    for (double& x : q) x += stream.uniform(-1e-3, 1e-3);
    // From 1e-3 three steps lead to 1e-24 where the arm is far from a singular position.
    const Solved solved = solve(model, {target}, q, {.tolerance = 1e-12});
    CHECK(solved.report.converged());
    if (solved.report.iterations > worst) worst = solved.report.iterations;
  }
  CHECK(worst <= 5);  // 4 seen
}

TEST_CASE("inverse kinematics: an arm of three bars to a point, with a posture for the dof to spare") {
  const Model model = compile(bar_chain({1.0, 0.8, 0.5})).value();
  const std::vector<PoseTarget> targets = {at_point(tip(model, 0.5), {1.2, 0.0, -0.9})};
  const Solved without = solve(model, targets, {0.3, 0.5, 0.4});
  CHECK(without.report.converged());
  for (const double elbow : {0.8, -0.8}) {
    const std::vector<double> posture = {0.5, elbow, 0.2};
    const Solved solved = solve(model, targets, {0.5, 0.5 * elbow, 0.2}, {.posture = posture});
    CHECK(solved.report.converged());
    CHECK(solved.q[1] * elbow > 0.0);
    // Along the dof to spare the distance to the posture is least: its slope there is some times the weight
    // squared, 1e-4. The dof's direction is the cross product of the two rows of the Jacobian.
    KinematicsWorkspace work(model);
    const std::vector<double> zero(3);
    kinematics(model, solved.q, zero, zero, work);
    std::vector<double> J(18);
    jacobian(model, work, targets[0].place, Axes::local_world_aligned, J);
    const Vec3<> spare = normalized(cross(Vec3<>{J[0], J[1], J[2]}, Vec3<>{J[6], J[7], J[8]}));
    const Vec3<> away{solved.q[0] - posture[0], solved.q[1] - posture[1], solved.q[2] - posture[2]};
    CHECK(norm(away) > 0.1);
    CHECK(abs(dot(spare, away)) < 3e-3);
  }
}

TEST_CASE("inverse kinematics: a stretched start is no trap") {
  const Model model = compile(bar_chain({1.0, 0.7})).value();
  for (const Vec3<>& goal :
       {Vec3<>{1.0, 0.0, 0.0}, Vec3<>{0.5, 0.0, 0.3}, Vec3<>{-1.0, 0.0, 0.0}, Vec3<>{0, 0, -1.5}}) {
    CAPTURE(goal.x);
    const Solved solved = solve(model, {at_point(tip(model, 0.7), goal)}, {0.0, 0.0});
    CHECK(solved.report.converged());
    CHECK(solved.report.iterations < 40);
  }
}

TEST_CASE("inverse kinematics: single axes count alone") {
  RandomStream stream(82);
  ModelSpec spec{.name = "arm"};
  for (int i = 0; i < 5; ++i) add_bar(spec, 0.3, 0.2, 1.0, uniform_direction(stream));
  const Model model = compile(spec).value();
  KinematicsWorkspace work(model);
  const std::vector<double> zero(5);
  std::vector<double> q(5);
  int converged = 0;
  for (int run = 0; run < 50; ++run) {
    random_configuration(model, stream, q);
    kinematics(model, q, zero, zero, work);
    // Point and direction: five conditions on five dofs; the spin about z is whatever it is.
    PoseTarget target{.place = tip(model, 0.2)};
    target.X_WT = pose_of(work, target.place);
    target.X_WT.rotation = target.X_WT.rotation * rotation_z(pintle::cos(1.0), pintle::sin(1.0));
    target.orientation_weight = {1, 1, 0};
    for (double& x : q) x += stream.uniform(-0.1, 0.1);
    const Solved solved = solve(model, {target}, q);
    if (!solved.report.converged()) continue;
    ++converged;
    kinematics(model, solved.q, zero, zero, work);
    const Pose<> X = pose_of(work, target.place);
    CHECK(norm(column(X.rotation, 2) - column(target.X_WT.rotation, 2)) < 1e-9);
    CHECK(norm(X.translation - target.X_WT.translation) < 1e-9);
  }
  CHECK(converged >= 48);
  // One coordinate only: height.
  PoseTarget height = at_point(tip(model, 0.2), {50.0, 50.0, 0.2});
  height.position_weight = {0, 0, 1};
  CHECK(solve(model, {height}, q).report.converged());
}

TEST_CASE("inverse kinematics: coupled joints move together, and the follower's limits hold to the bit") {
  // Both joints turn alike: q1 = q0, so the tip is at (cos a + 0.7 cos 2a, -(sin a + 0.7 sin 2a)).
  ModelSpec spec = bar_chain({1.0, 0.7});
  spec.couplings.push_back({.joint = "joint1", .driver = "joint0", .ratio = 1.0, .offset = 0.0});
  const Model model = compile(spec).value();
  const double a = 0.8;
  const Vec3<> goal{std::cos(a) + 0.7 * std::cos(2 * a), 0.0, -std::sin(a) - 0.7 * std::sin(2 * a)};
  const Solved solved = solve(model, {at_point(tip(model, 0.7), goal)}, {0.1});
  CHECK(solved.report.converged());
  CHECK(abs(solved.q[0] - a) < 1e-10);

  spec.couplings[0].ratio = 0.3;
  spec.couplings[0].offset = 0.1;
  spec.joints[1].limits = {between(-0.2, 0.23)};
  const Model limited = compile(spec).value();
  const Solved held = solve(limited, {at_point(tip(limited, 0.7), {0.0, 0.0, -2.0})}, {0.0});
  CHECK(held.report.outcome == Outcome::stationary);
  CHECK(held.at_limit == std::vector<int>{1});
  const double follower = 0.3 * held.q[0] + 0.1;
  CHECK(follower <= 0.23);
  CHECK(follower > 0.23 - 1e-15);
}

TEST_CASE("inverse kinematics: a hundred kilometres away as good as here") {
  for (const double away : {0.0, 1e5}) {
    ModelSpec spec{.name = "far"};
    RandomStream stream(83);
    for (int i = 0; i < 6; ++i) add_bar(spec, 0.3, 0.2, 1.0, uniform_direction(stream));
    spec.joints[0].X_PJ.translation += Vec3<>{away, -away, away};
    const Model model = compile(spec).value();
    std::vector<double> q(6);
    random_configuration(model, stream, q);
    KinematicsWorkspace work(model);
    const std::vector<double> zero(6);
    kinematics(model, q, zero, zero, work);
    PoseTarget target{.place = tip(model, 0.2)};
    target.X_WT = pose_of(work, target.place);
    const std::vector<double> wanted = q;
    for (double& x : q) x += stream.uniform(-0.05, 0.05);
    const Solved solved = solve(model, {target}, q, {.tolerance = 1e-14});
    // The errors are formed from the root joint outwards: the target as it was given is met to 1e-14, though its own
    // numbers are rounded to 1.5e-11 and with them the joints' angles.
    CHECK(solved.report.converged());
    CHECK(solved.residuals[0].position < 1e-13);
    for (std::size_t i = 0; i < 6; ++i) CHECK(abs(solved.q[i] - wanted[i]) < (away > 0.0 ? 1e-8 : 1e-11));
  }
}

TEST_CASE("inverse kinematics: the answer does not depend on the unit of length") {
  // Metres and millimetres, a target out of reach in position and orientation: the compromise is the same.
  std::vector<double> answers[2];
  for (int i = 0; i < 2; ++i) {
    const double unit = i == 0 ? 1.0 : 1000.0;
    ModelSpec spec{.name = "units"};
    RandomStream stream(84);
    for (int k = 0; k < 4; ++k) add_bar(spec, 0.3 * unit, 0.2 * unit, 1.0, uniform_direction(stream));
    add_bar(spec, 0.2 * unit, 0.1 * unit, 1.0, {1, 0, 0}, JointKind::prismatic);
    spec.joints[4].limits = {between(-0.1 * unit, 0.1 * unit)};
    const Model model = compile(spec).value();
    PoseTarget target{.place = tip(model, 0.1 * unit)};
    target.X_WT.translation = unit * Vec3<>{0.5, 0.4, 0.3};
    Solved solved = solve(model, {target}, {0.1, 0.2, 0.3, 0.4, 0.0});
    CHECK(solved.report.outcome == Outcome::stationary);
    solved.q[4] /= unit;
    answers[i] = solved.q;
  }
  for (std::size_t k = 0; k < 5; ++k) CHECK(abs(answers[0][k] - answers[1][k]) < 1e-7);
}

TEST_CASE("inverse kinematics: targets on the world and mechanisms without dofs are judged as they stand") {
  ModelSpec spec{.name = "post"};
  add_bar(spec, 0.0, 1.0, 1.0, {0, 0, 1}, JointKind::fixed);
  const Model model = compile(spec).value();
  CHECK(solve(model, {at_point(tip(model, 1.0), {1, 0, 0})}, {}).report.converged());
  const Solved off = solve(model, {at_point(tip(model, 1.0), {1, 2, 0})}, {});
  CHECK(off.report.outcome == Outcome::stationary);
  CHECK(off.residuals[0].position == 2.0);
  CHECK(solve(model, {}, {}).report.converged());
}

TEST_CASE("inverse kinematics: an iteration limit is reported, and so is the state it left") {
  const Model model = compile(bar_chain({1.0, 0.7})).value();
  const Solved solved = solve(model, {at_point(tip(model, 0.7), {-1.0, 0.0, -0.4})}, {0.2, 0.8}, {.max_iterations = 1});
  CHECK(solved.report.outcome == Outcome::iteration_limit);
  CHECK(solved.report.iterations == 1);
  CHECK(solved.residuals[0].position > 1e-3);
}

TEST_CASE("inverse kinematics: numbers that are lost on the way are reported, and q stays") {
  const Model model = compile(bar_chain({1.0, 0.7})).value();
  PoseTarget target = at_point(tip(model, 0.7), {1, 0, 0});
  target.place.X_LF.translation.x = std::nan("");
  const Solved solved = solve(model, {target}, {0.1, 0.2});
  CHECK(solved.report.outcome == Outcome::stalled);
  CHECK(solved.q == std::vector<double>{0.1, 0.2});
}

TEST_CASE("inverse kinematics: wrong calls are refused") {
  const Model model = compile(bar_chain({1.0, 0.7})).value();
  InverseKinematicsWorkspace work(model, 1);
  std::vector<double> q = {0.1, 0.2}, wrong(3), broken = {0.1, kInf};
  std::vector<PoseTarget> targets = {at_point(tip(model, 0.7), {1, 0, 0})};
  CHECK_THROWS_WITH_AS(inverse_kinematics(model, targets, wrong, work),
                       "inverse_kinematics: argument 'q' has size 3, expected 2", UsageError);
  CHECK_THROWS_AS(inverse_kinematics(model, targets, broken, work), UsageError);
  targets[0].X_WT.translation.x = std::nan("");
  CHECK_THROWS_AS(inverse_kinematics(model, targets, q, work), UsageError);
  targets[0] = at_point(tip(model, 0.7), {1, 0, 0});
  targets[0].X_WT.rotation = 2.0 * identity3();
  CHECK_THROWS_AS(inverse_kinematics(model, targets, q, work), UsageError);
  targets[0] = at_point(tip(model, 0.7), {1, 0, 0});
  targets[0].position_weight.y = -1.0;
  CHECK_THROWS_AS(inverse_kinematics(model, targets, q, work), UsageError);
  targets[0] = at_point(tip(model, 0.7), {1, 0, 0});
  targets[0].place.link = 2;
  CHECK_THROWS_AS(inverse_kinematics(model, targets, q, work), UsageError);
  targets = {at_point(tip(model, 0.7), {1, 0, 0}), at_point(tip(model, 0.7), {1, 0, 0})};
  CHECK_THROWS_AS(inverse_kinematics(model, targets, q, work), UsageError);
  CHECK(q == std::vector<double>{0.1, 0.2});
}
