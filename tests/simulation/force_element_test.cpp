#include "pintle/simulation/system/force_element.h"

#include "base/count_allocations.h"
#include "pintle/base/usage_error.h"
#include "pintle/simulation/elements/body_force.h"
#include "pintle/simulation/elements/bushing.h"
#include "pintle/simulation/elements/controller.h"
#include "pintle/simulation/elements/drag.h"
#include "pintle/simulation/elements/effort_motor.h"
#include "pintle/simulation/elements/joint_spring.h"
#include "pintle/simulation/elements/line_spring.h"
#include "simulation/element_bench.h"

using namespace test;

namespace {

/// Every element, at random places of a random mechanism.
struct Elements {
  std::vector<MotorSpec> motors;
  std::vector<ControllerSpec> controllers;
  std::vector<JointSpringSpec> joint_springs;
  std::vector<LineSpringSpec> line_springs;
  std::vector<BushingSpec> bushings;
  std::vector<BodyForceSpec> forces;
  std::vector<DragSpec> drags;
};

Vec3<> random_vector(RandomStream& stream, double least, double most) {
  const double x = stream.uniform(least, most), y = stream.uniform(least, most);
  return {x, y, stream.uniform(least, most)};
}

PlaceSpec random_place(RandomStream& stream, const ModelSpec& spec, bool world) {
  PlaceSpec place;
  const std::uint64_t n = spec.bodies.size(), m = spec.frames.size();
  const std::uint64_t i = stream.below(n + m + (world ? 1 : 0));
  if (i < n) place.on = spec.bodies[i].name;
  if (i >= n && i < n + m) place.on = spec.frames[i - n].name;
  if (!world && place.on == "world frame") place.on = spec.bodies[0].name;
  place.point = random_vector(stream, -0.3, 0.3);
  return place;
}

/// Trees of all kinds with frames on a body and on the world.
ModelSpec random_mechanism(RandomStream& stream, std::uint64_t run) {
  ModelSpec spec = random_spec(stream, variety(run, 12));
  FrameSpec frame;
  frame.name = "frame";
  frame.body = spec.bodies[stream.below(spec.bodies.size())].name;
  frame.X_BF = random_pose(stream);
  spec.frames.push_back(frame);
  frame.name = "world frame";
  frame.body = kWorld;
  spec.frames.push_back(frame);
  return spec;
}

Elements random_elements(RandomStream& stream, const ModelSpec& spec, bool damped) {
  Elements all;
  const double on = damped ? 1.0 : 0.0;
  for (const JointSpec& joint : spec.joints) {
    const int nv = facts(joint.kind).nv;
    if (nv == 0) continue;
    MotorSpec motor;
    motor.name = "motor";
    motor.joint = joint.name;
    motor.dof = static_cast<int>(stream.below(static_cast<std::uint64_t>(nv)));
    const bool ball = joint.kind == JointKind::spherical || joint.kind == JointKind::free;
    motor.effort = command_expression(ball ? "2*sin(t) - qd" : "2*sin(t) + q - 3*qd").value();
    motor.gear = stream.uniform(-3, 3);
    if (stream.below(2) == 0) motor.effort_limit = 0.3;
    if (damped) all.motors.push_back(motor);
    if (ball) continue;
    JointSpringSpec spring;
    spring.name = "joint spring";
    spring.joint = joint.name;
    spring.dof = motor.dof;
    spring.stiffness = stream.uniform(0, 5);
    spring.damping = on * stream.uniform(0, 5);
    spring.rest = stream.uniform(-1, 1);
    spring.preload = stream.uniform(-1, 1);
    all.joint_springs.push_back(spring);
    ControllerSpec controller;
    controller.name = "controller";
    controller.joint = joint.name;
    controller.dof = motor.dof;
    controller.target = expression_drive("sin(t)").value();
    controller.kp = stream.uniform(0, 5);
    controller.ki = stream.uniform(0, 5);
    controller.kd = stream.uniform(0, 5);
    controller.gear = stream.uniform(0.1, 3);
    if (stream.below(2) == 0) controller.effort_limit = 0.3;
    if (damped) all.controllers.push_back(controller);
  }
  for (int i = 0; i < 4; ++i) {
    LineSpringSpec line;
    line.name = "line spring";
    line.first = random_place(stream, spec, i % 2 == 0);
    line.second = random_place(stream, spec, i % 2 == 0);
    line.stiffness = stream.uniform(0.1, 50);
    line.damping = on * stream.uniform(0, 5);
    line.rest_length = stream.uniform(0, 1);
    line.preload = stream.uniform(-1, 1);
    line.tension_only = i >= 2;
    all.line_springs.push_back(line);
    BushingSpec bushing;
    bushing.name = "bushing";
    bushing.first = random_place(stream, spec, i % 2 == 0).on;
    bushing.second = random_place(stream, spec, i % 2 == 0).on;
    bushing.stiffness = random_vector(stream, 0, 5);
    bushing.damping = on * random_vector(stream, 0, 5);
    bushing.preload = random_vector(stream, -1, 1);
    bushing.rotational_stiffness = random_vector(stream, 0, 5);
    bushing.rotational_damping = on * random_vector(stream, 0, 5);
    bushing.rotational_preload = random_vector(stream, -1, 1);
    all.bushings.push_back(bushing);
    if (!damped) continue;
    BodyForceSpec force;
    force.name = "force";
    force.at = random_place(stream, spec, false);
    force.force = constant_drives(random_vector(stream, -2, 2));
    force.torque = constant_drives(random_vector(stream, -2, 2));
    force.axes = i % 2 == 0 ? ForceAxes::world : ForceAxes::body;
    all.forces.push_back(force);
    DragSpec drag;
    drag.name = "drag";
    drag.at = random_place(stream, spec, false);
    drag.linear = stream.uniform(0, 2);
    drag.quadratic = stream.uniform(0, 2);
    drag.rotational_linear = stream.uniform(0, 2);
    drag.rotational_quadratic = stream.uniform(0, 2);
    drag.wind = random_vector(stream, -1, 1);
    all.drags.push_back(drag);
  }
  return all;
}

/// Makes them; those whose two ends are on one body are left out.
std::vector<ForceElementPointer> make(const Model& model, const Elements& all) {
  std::vector<ForceElementPointer> made;
  const auto add = [&](Result<ForceElementPointer> element) {
    if (element) {
      made.push_back(std::move(*element));
    } else {
      CHECK(codes(element) == "ends-together");
    }
  };
  for (const auto& spec : all.motors) add(make_effort_motor(model, spec));
  for (const auto& spec : all.controllers) add(make_controller(model, spec));
  for (const auto& spec : all.joint_springs) add(make_joint_spring(model, spec));
  for (const auto& spec : all.line_springs) add(make_line_spring(model, spec));
  for (const auto& spec : all.bushings) add(make_bushing(model, spec));
  for (const auto& spec : all.forces) add(make_body_force(model, spec));
  for (const auto& spec : all.drags) add(make_drag(model, spec));
  return made;
}

constexpr std::uint64_t kRuns = 60;

}  // namespace

TEST_CASE("force element: what it does to a mechanism is the power it says less the rate of its energy") {
  int tried = 0;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    RandomStream stream(401, run);
    const ModelSpec spec = random_mechanism(stream, run);
    ElementBench bench(spec);
    for (const ForceElementPointer& element : make(bench.model, random_elements(stream, spec, true))) {
      CAPTURE(run);
      CAPTURE(element->name());
      bench.random_state(stream);
      bench.states.assign(size(element->state_count()), stream.uniform(-1, 1));
      const Acted acted = bench.act(*element);
      if (!acted.said.ok) continue;  // a bushing turned too far
      ++tried;
      const double stored = bench.energy_rate(*element);
      // Differences: eps / h of the energy, h some 1e-4. Worst seen: 2e-11, and 3e-11 in the next test.
      const double scale = 1.0 + acted.size + abs(bench.energy(*element));
      const double error = abs(acted.total - (acted.said.power - stored)) / scale;
      CHECK(error < 1e-10);
    }
  }
  CHECK(tried > 1000);
}

TEST_CASE("force element: without dampers it is the gradient of its energy, dof for dof") {
  for (std::uint64_t run = 0; run < kRuns / 2; ++run) {
    RandomStream stream(402, run);
    const ModelSpec spec = random_mechanism(stream, run);
    ElementBench bench(spec);
    for (const ForceElementPointer& element : make(bench.model, random_elements(stream, spec, false))) {
      CAPTURE(run);
      CAPTURE(element->name());
      bench.random_state(stream);
      for (std::size_t i = 0; i < bench.v.size(); ++i) {
        bench.v = unit(bench.v.size(), i);
        const Acted acted = bench.act(*element);
        if (!acted.said.ok) continue;
        CHECK(acted.said.power == 0.0);
        const double error =
            abs(acted.total + bench.energy_rate(*element)) / (1.0 + acted.size + abs(bench.energy(*element)));
        CHECK(error < 1e-10);
      }
    }
  }
}

TEST_CASE("force element: between bodies, action is reaction") {
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    RandomStream stream(403, run);
    const ModelSpec spec = random_mechanism(stream, run);
    ElementBench bench(spec);
    Elements all = random_elements(stream, spec, true), between;
    for (const LineSpringSpec& line : all.line_springs)
      if (line.first.on.find(kWorld) != 0 && line.second.on.find(kWorld) != 0) between.line_springs.push_back(line);
    for (const BushingSpec& bushing : all.bushings)
      if (bushing.first.find(kWorld) != 0 && bushing.second.find(kWorld) != 0) between.bushings.push_back(bushing);
    for (const ForceElementPointer& element : make(bench.model, between)) {
      bench.random_state(stream);
      const Acted acted = bench.act(*element);
      double sizes = 1.0;
      for (const Wrench<>& F : acted.external) sizes += 4.0 * norm(F.force) + norm(F.torque);  // levers of some metres
      for (const double x : to_array(bench.sum(acted))) {
        CHECK(abs(x) < 10 * kEpsilon<double> * sizes);  // worst seen: 2.4 eps
      }
    }
  }
}

TEST_CASE("force element: a world that is turned and moved as a whole changes nothing") {
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    RandomStream stream(404, run);
    const ModelSpec spec = random_mechanism(stream, run);
    const Elements all = random_elements(stream, spec, true);
    const Pose<> G = random_pose(stream, 2.0);
    ModelSpec turned = spec;
    turned.gravity = G.rotation * spec.gravity;
    for (JointSpec& joint : turned.joints)
      if (joint.parent == kWorld) joint.X_PJ = G * joint.X_PJ;
    for (FrameSpec& frame : turned.frames)
      if (frame.body == kWorld) frame.X_BF = G * frame.X_BF;
    FrameSpec origin;
    origin.name = "origin";
    origin.body = kWorld;
    origin.X_BF = G;
    turned.frames.push_back(origin);
    Elements moved = all;
    for (LineSpringSpec& line : moved.line_springs)
      for (PlaceSpec* place : {&line.first, &line.second})
        if (place->on == kWorld) place->on = "origin";
    for (BushingSpec& bushing : moved.bushings)
      for (std::string* place : {&bushing.first, &bushing.second})
        if (*place == kWorld) *place = "origin";
    for (BodyForceSpec& force : moved.forces) {
      if (force.axes != ForceAxes::world) continue;
      const auto turn = [&](const std::array<Drive, 3>& f) {
        return constant_drives(G.rotation * Vec3<>{drive_value(f[0], 0), drive_value(f[1], 0), drive_value(f[2], 0)});
      };
      force.force = turn(force.force);
      force.torque = turn(force.torque);
    }
    for (DragSpec& drag : moved.drags) drag.wind = G.rotation * drag.wind;

    ElementBench bench(spec), other(turned);
    bench.random_state(stream);
    other.q = bench.q;
    other.v = bench.v;
    other.t = bench.t;
    const auto here = make(bench.model, all), there = make(other.model, moved);
    REQUIRE(here.size() == there.size());
    for (std::size_t i = 0; i < here.size(); ++i) {
      CAPTURE(here[i]->name());
      const Acted a = bench.act(*here[i]), b = other.act(*there[i]);
      CHECK(a.said.ok == b.said.ok);
      double scale = 1.0 + abs(a.said.power), error = abs(a.said.power - b.said.power);
      CHECK(a.tau == b.tau);
      for (std::size_t k = 0; k < a.external.size(); ++k) {
        scale += norm(a.external[k].force) + norm(a.external[k].torque);
        for (const double x : to_array(a.external[k] - b.external[k])) error = max(error, abs(x));
      }
      const double e = abs(bench.energy(*here[i]) - other.energy(*there[i]));
      error = max(error, e);
      scale += abs(bench.energy(*here[i]));
      // The stiffest is 50 N/m, over places some metres apart. Worst seen: 2e-15.
      CHECK(error < 1e-14 * scale);
    }
  }
}

TEST_CASE("force element: nothing is allocated once it is made") {
  RandomStream stream(405);
  for (std::uint64_t run = 0; run < 10; ++run) {
    const ModelSpec spec = random_mechanism(stream, run);
    ElementBench bench(spec);
    Elements all = random_elements(stream, spec, true);
    for (MotorSpec& motor : all.motors) motor.sampling = {.period = 0.1, .offset = 0.0, .delay = 0.25};
    for (const ForceElementPointer& element : make(bench.model, all)) {
      bench.random_state(stream);
      Numbers tau(bench.v.size()), derivatives(size(element->state_count())), values(size(element->switch_count()));
      std::vector<Wrench<>> external(bench.model.bodies().size());
      bench.states.resize(derivatives.size());
      const ForceInput in = bench.input();
      const std::size_t before = count_allocations();
      element->choose_sides(bench.model, in);
      element->sample(bench.model, in);
      (void)element->apply(bench.model, in, {tau, external, derivatives});
      element->switches(bench.model, in, values);
      (void)element->energy(bench.model, in);
      (void)element->next_sample(in.t);
      (void)element->memory();
      element->reset();
      CHECK(count_allocations() == before);
    }
  }
}

TEST_CASE("force element: elements on places refuse to work without them") {
  ElementBench bench(one_joint(JointKind::free));
  DragSpec drag;
  drag.name = "drag";
  drag.at.on = "body";
  const ForceElementPointer element = make_drag(bench.model, drag).value();
  CHECK(element->needs_places());
  ForceInput in = bench.input();
  in.kinematics = nullptr;
  Numbers tau(bench.v.size());
  CHECK_THROWS_AS((void)element->apply(bench.model, in, {tau, {}, {}}), UsageError);
}

namespace {

/// A user's own: a magnet on a prismatic joint, with its energy and its losses.
class Magnet final : public ForceElement {
 public:
  std::string_view name() const override { return "magnet"; }
  ForcePower apply(const Model&, const ForceInput& in, const ForceOutput& out) override {
    const double gap = 1.0 + in.q[0];
    const double eddy = -0.1 * in.v[0];
    out.tau[0] += -2.0 / (gap * gap) + eddy;
    return {.power = eddy * in.v[0], .ok = gap > 0.0};
  }
  double energy(const Model&, const ForceInput& in) const override { return -2.0 / (1.0 + in.q[0]); }
};

}  // namespace

TEST_CASE("force element: a user's own has defaults for all it does not need, and obeys the law") {
  ElementBench bench(one_joint(JointKind::prismatic));
  Magnet magnet;
  ForceElement& element = magnet;
  bench.q[0] = 0.3;
  bench.v[0] = 0.7;
  const Acted acted = bench.act(element);
  CHECK(acted.said.ok);
  CHECK(abs(acted.total - (acted.said.power - bench.energy_rate(element))) < 1e-11);
  CHECK(!element.needs_places());
  CHECK(!element.has_limit());
  CHECK(element.state_count() == 0);
  CHECK(element.switch_count() == 0);
  CHECK(element.next_sample(0.0) == __builtin_inf());
  CHECK(element.memory().empty());
  element.choose_sides(bench.model, bench.input());
  element.switches(bench.model, bench.input(), {});
  element.sample(bench.model, bench.input());
  element.reset();
}

TEST_CASE("force element: its owner is moved, never copied, and gives it away on request") {
  struct Counted final : ForceElement {
    explicit Counted(int& alive) : alive_(alive) { ++alive_; }
    ~Counted() override { --alive_; }
    std::string_view name() const override { return "counted"; }
    ForcePower apply(const Model&, const ForceInput&, const ForceOutput&) override { return {}; }
    int& alive_;
  };
  int alive = 0;
  {
    ForceElementPointer a(new Counted(alive)), b(new Counted(alive));
    CHECK(alive == 2);
    a = std::move(b);
    CHECK(alive == 1);
    CHECK(!b);
    ForceElementPointer& same = a;
    a = std::move(same);
    CHECK(a);
    CHECK(alive == 1);
    const ForceElementPointer c(std::move(a));
    CHECK((*c).name() == "counted");
    ForceElementPointer d(new Counted(alive));
    delete d.release();
    CHECK(alive == 1);
  }
  CHECK(alive == 0);
}
