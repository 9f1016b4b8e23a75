// Slips that begin and end, against closed forms, with fixed steps of many lengths.
#include <doctest/doctest.h>

#include <cmath>

#include "pintle/simulation/run/simulation.h"
#include "support/free_body.h"

using namespace pintle;

namespace {

constexpr double kG = 9.81;

/// A plane with friction mu and, on it, a body of mass 1 kg with the shape of a ball.
SceneSpec ball_on_plane(double mu, double radius, JointKind joint) {
  SceneSpec scene;
  scene.model.gravity = {0, 0, -kG};
  scene.contact.surfaces.push_back({"stuff", {0.0, mu, mu}, {}});
  const double I = 0.4 * radius * radius;
  test::add_free_body(scene, "ball", {1.0, {0, 0, 0}, {I, 0, 0, I, 0, I}}).kind = joint;
  scene.model.joints[0].X_PJ.translation = {0, 0, radius};
  test::add_shape(scene, std::string(kWorld), HalfSpace{}, "stuff", identity_pose<double>());
  test::add_shape(scene, "ball", Sphere{radius}, "stuff", identity_pose<double>());
  ContactRuleSpec rule;
  rule.first = std::string(kWorld);
  rule.second = "ball";
  rule.may_touch = true;
  scene.contact.rules.push_back(rule);
  return scene;
}

/// A puck that cannot rotate, with friction mu, under a force [N] in the plane.
SceneSpec puck(double mu, const char* force_x, const char* force_y) {
  SceneSpec scene = ball_on_plane(mu, 0.05, JointKind::translational);
  BodyForceSpec force;
  force.name = "push";
  force.at.on = "ball";
  force.force[0] = expression_drive(force_x).value();
  force.force[1] = expression_drive(force_y).value();
  scene.body_forces.push_back(force);
  return scene;
}

void start_with(SceneSpec& scene, const std::vector<double>& v) {
  InitialSpec initial;
  initial.joint = "ball";
  initial.v = v;
  scene.initial.push_back(initial);
}

/// Counts the parts of all steps.
class PartCount final : public StepHandler {
 public:
  bool after_step(std::int64_t, double, const MotionState&) override { return ++parts > 0; }
  bool within_step(double) override { return ++parts > 0; }
  std::int64_t parts = 0;
};

struct Run {
  MemoryRecording recording;
  std::vector<double> q, v;
  std::int64_t steps = 0, parts = 0;
  double certificate = 0.0, time_stepped = 0.0;
  Vec3<> linear{}, angular{};  ///< of the ball's centre, in world axes
};

Run run(SceneSpec scene, double duration) {
  scene.run.duration = duration;
  const Result<Scene> compiled = compile(scene);
  REQUIRE(compiled.ok());
  Simulation simulation(*compiled);
  Run result;
  PartCount count;
  const RunReport report = simulation.run({.sink = &result.recording, .handler = &count});
  REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
  result.q = simulation.state().q;
  result.v = simulation.state().v;
  result.steps = report.steps;
  result.parts = count.parts;
  result.certificate = simulation.contact_record().residuals.worst();
  result.time_stepped = simulation.contact_record().time_stepped;
  KinematicsWorkspace places(compiled->model());
  const std::vector<double> none(result.v.size());
  kinematics(compiled->model(), result.q, result.v, none, places);
  const Twist<> V = velocity_of(places, {0, identity_pose<double>()}, Axes::local_world_aligned);
  result.linear = V.linear;
  result.angular = V.angular;
  return result;
}

/// The only event of a run, which has a name; its time.
double only_event(const Run& run, std::string_view name) {
  REQUIRE(run.recording.events().size() == 1);
  REQUIRE(run.recording.impacts().empty());
  CHECK(facts(run.recording.events()[0].event.kind).name == name);
  return run.recording.events()[0].event.t;
}

}  // namespace

TEST_CASE("a ball with side spin slides straight until 2 |u|/(7 mu g), then rolls at v - 2/7 u, at any step") {
  const double r = 0.028575, mu = 0.2;
  const Vec3<> v0{2.0, 0.3, 0.0};
  for (const double spin : {0.0, 200.0}) {
    const Vec3<> w0{20.0, -30.0, spin};
    const Vec3<> u = v0 + cross(w0, Vec3<>{0, 0, -r});
    const double end = 2.0 * norm(u) / (7.0 * mu * kG);
    for (const double h : {2e-5, 1e-4, 3e-4, 1e-3, 2.3e-3, 5e-3}) {
      SceneSpec scene = ball_on_plane(mu, r, JointKind::free);
      scene.run.step = h;
      start_with(scene, {v0.x, v0.y, v0.z, w0.x, w0.y, w0.z});
      const Run rolled = run(scene, end + 0.1);
      CAPTURE(spin);
      CAPTURE(h);
      // The error of the method: the axes in which it integrates the angular velocity rotate by |w| h in a step.
      const double turn = norm(w0) * h, method = 3e-3 * turn * turn * turn * turn;
      CHECK(std::abs(only_event(rolled, "contact-stick") - end) <= 1e-11 + method);
      CHECK(norm(rolled.linear - (v0 - (2.0 / 7) * u)) <= 1e-11 + 10 * method);
      CHECK(std::abs(rolled.angular.z - spin) <= 1e-10 + 100 * method);
      CHECK(rolled.parts <= rolled.steps + 12);
      CHECK(rolled.certificate <= 1e-12);
    }
  }
}

TEST_CASE("a puck pushed ever harder slips from F = mu m g on, with v = F' t^2/(2 m)") {
  const double mu = 0.5;
  for (const double h : {1e-4, 1e-3, 5e-3}) {
    SceneSpec scene = puck(mu, "3*(0.3+t)", "4*(0.3+t)");  // 5 N (0.3 + t)
    scene.run.step = h;
    const double begin = mu * kG / 5.0 - 0.3;
    const Run slid = run(scene, begin + 0.5);
    CAPTURE(h);
    CHECK(std::abs(only_event(slid, "contact-slip") - begin) <= 1e-11);
    CHECK(std::abs(slid.v[0] - 3.0 * 0.125) <= 1e-11);
    CHECK(std::abs(slid.v[1] - 4.0 * 0.125) <= 1e-11);
    CHECK(slid.parts <= slid.steps + 12);
    CHECK(slid.certificate <= 1e-12);
  }
}

TEST_CASE("a ball pulled at its contact point slips from F = mu m g on: u' = 7/2 F' t/m, v' = F' t/m") {
  const double mu = 0.5, r = 0.05, rate = 10.0;
  SceneSpec scene = ball_on_plane(mu, r, JointKind::free);
  BodyForceSpec force;
  force.name = "pull";
  force.at.on = "ball";
  force.force[0] = expression_drive("10*t").value();
  force.torque[1] = expression_drive("-0.5*t").value();  // at r below the centre
  scene.body_forces.push_back(force);
  for (const double h : {1e-4, 1e-3, 5e-3}) {
    scene.run.step = h;
    const double begin = mu * kG / rate;
    const Run slid = run(scene, begin + 0.5);
    CAPTURE(h);
    CHECK(std::abs(only_event(slid, "contact-slip") - begin) <= 1e-11);
    CHECK(std::abs(slid.linear.x - 0.5 * rate * 0.25) <= 1e-9);
    CHECK(std::abs(slid.angular.y * r + 2.5 * 0.5 * rate * 0.25) <= 1e-9);
    CHECK(slid.parts <= slid.steps + 12);
  }
}

TEST_CASE("a slip that begins under a load that turns has the direction of error-controlled steps, to order 2") {
  const double mu = 0.5;
  SceneSpec scene = puck(mu, "5*(0.7+t)*cos(3*t)", "5*(0.7+t)*sin(3*t)");
  scene.run.method = Method::dormand_prince;
  scene.run.tolerances = {1e-12, 1e-12};
  const Run exact = run(scene, 0.8);
  scene.run.method = Method::rk4;
  for (const double h : {4e-3, 2e-3, 1e-3, 5e-4}) {
    scene.run.step = h;
    const Run slid = run(scene, 0.8);
    CAPTURE(h);
    CHECK(std::abs(only_event(slid, "contact-slip") - only_event(exact, "contact-slip")) <= 1e-11);
    const double off = std::hypot(slid.v[0] - exact.v[0], slid.v[1] - exact.v[1]);
    CHECK(off <= 1.5 * h * h);  // seen: 1e-5 to 9e-8, order 2.5
    CHECK(slid.parts <= slid.steps + 12);
  }
}

TEST_CASE("a slip that is straight where a step begins is not held if the load turns within it") {
  // At t = 0 the load is along the slip.
  SceneSpec scene = puck(0.5, "3*cos(2*t)", "3*sin(2*t)");
  start_with(scene, {1.0, 0.0, 0.0});
  scene.run.step = 1e-4;
  const Run fine = run(scene, 0.2);
  scene.run.step = 1e-2;
  const Run coarse = run(scene, 0.2);
  CHECK(std::hypot(coarse.v[0] - fine.v[0], coarse.v[1] - fine.v[1]) <= 1e-7);
  scene.run.method = Method::dormand_prince;
  scene.run.tolerances = {1e-9, 1e-9};
  scene.run.step = 0.1;
  const Run controlled = run(scene, 0.2);
  CHECK(std::hypot(controlled.v[0] - fine.v[0], controlled.v[1] - fine.v[1]) <= 1e-8);
}

TEST_CASE("a slip ends under a load across it after (mu g u + a u cos)/((mu g)^2 - a^2)") {
  // d/dt (S |u| + a u_x) = a^2 - S^2 along u' = a e_x - S u/|u|.
  const double mu = 0.5, S = mu * kG;
  for (const double a : {0.5, 3.0, 4.5}) {
    SceneSpec scene = puck(mu, std::to_string(a).c_str(), "0");
    start_with(scene, {0.3, 0.4, 0.0});
    const double end = (S * 0.5 + a * 0.3) / (S * S - a * a);
    for (const double h : {1e-4, 1e-3, 5e-3}) {
      scene.run.step = h;
      const Run slid = run(scene, end + 0.1);
      CAPTURE(a);
      CAPTURE(h);
      CHECK(std::abs(only_event(slid, "contact-stick") - end) <= 2e-3 * h);  // seen: 1e-15 to 9e-7
      CHECK(slid.parts <= slid.steps + 40);
      CHECK(slid.v[0] == 0.0);
      CHECK(slid.v[1] == 0.0);
    }
    scene.run.method = Method::dormand_prince;
    scene.run.tolerances = {1e-10, 1e-10};
    const Run slid = run(scene, end + 0.1);
    CHECK(std::abs(only_event(slid, "contact-stick") - end) <= 1e-8);
  }
}

TEST_CASE("a brick on a slope: at any fraction of the friction angle below 1 it rests, above 1 it slides") {
  const double angle = 0.6;
  const Quaternion<> turn{0, std::sin(angle / 2), 0, std::cos(angle / 2)};
  for (const double part : {0.99, 0.999, 1 - 1e-6, 1 - 1e-10, 1 + 1e-4, 1.01}) {
    const double mu = std::tan(angle) / part;
    SceneSpec scene;
    scene.model.gravity = {0, 0, -kG};
    scene.contact.surfaces.push_back({"stuff", {0.0, mu, mu}, {}});
    test::add_free_body(scene, "ball", {1.0, {0, 0, 0}, {0.1 / 12, 0, 0, 0.05 / 12, 0, 0.13 / 12}});
    scene.model.joints[0].X_PJ = {rotation_matrix(turn), rotation_matrix(turn) * Vec3<>{0, 0, 0.05}};
    test::add_shape(scene, std::string(kWorld), HalfSpace{}, "stuff", {rotation_matrix(turn), {0, 0, 0}});
    test::add_shape(scene, "ball", Box{{0.2, 0.3, 0.1}}, "stuff", identity_pose<double>());
    scene.run.step = 1e-3;
    const Run moved = run(scene, 0.1);
    CAPTURE(part);
    const double a = part < 1 ? 0.0 : kG * (std::sin(angle) - mu * std::cos(angle));
    CHECK(std::abs(moved.v[0] - a * 0.1) <= (part < 1 ? 1e-15 : 1e-9));
    CHECK(std::abs(moved.v[1]) + std::abs(moved.v[5]) <= (part < 1 ? 1e-15 : 1e-9));
    CHECK(moved.recording.events().empty());
    CHECK(moved.parts <= moved.steps + 12);
    CHECK(moved.certificate <= 1e-10);
  }
}

TEST_CASE("a box on a turntable begins to slip where r sqrt(w^4 + w'^2) = mu g, by events alone") {
  // A little earlier: its friction also turns it, with the moment I w' that all four corners share.
  const double mu = 0.5, r = 0.5, rate = 1.0, half = 0.05;
  SceneSpec scene;
  scene.model.gravity = {0, 0, -kG};
  scene.contact.surfaces.push_back({"stuff", {0.0, mu, mu}, {}});
  JointSpec& axle = test::add_free_body(scene, "table", {10.0, {0, 0, 0}, {2, 0, 0, 2, 0, 4}});
  axle.kind = JointKind::revolute;
  axle.X_PJ.translation = {0, 0, -half};
  const double I = 1.0 / 600;
  test::add_free_body(scene, "box", {1.0, {0, 0, 0}, {I, 0, 0, I, 0, I}}).X_PJ.translation = {r, 0, half};
  test::add_shape(scene, "table", Cylinder{1.0, 2 * half}, "stuff", identity_pose<double>());
  test::add_shape(scene, "box", Box{{2 * half, 2 * half, 2 * half}}, "stuff", identity_pose<double>());
  PrescribedMotionSpec motion;
  motion.name = motion.joint = "table";
  motion.kind = MotionKind::velocity;
  motion.drive = expression_drive("t").value();
  scene.prescribed.push_back(motion);
  scene.run.step = 5e-3;
  const double load = mu * kG / r, begin = std::pow(load * load - rate * rate, 0.25) / rate;
  const Run turned = run(scene, begin + 0.02);
  REQUIRE(!turned.recording.events().empty());
  for (const auto& [event, row] : turned.recording.events()) {
    CHECK(facts(event.kind).name == "contact-slip");
    CHECK(event.t <= begin);
    CHECK(event.t >= begin - 1e-4);  // seen: 4.3e-5
  }
  CHECK(turned.time_stepped == 0.0);
}
