// Contacts push and do not pull, and passive mechanisms gain no energy: on scenes in which friction wedges legs
// (Painleve), slips reverse and edges settle, and on random ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "pintle/base/random.h"
#include "pintle/io/scene/compile_scene.h"
#include "pintle/math/scalar.h"
#include "pintle/simulation/recording/recording.h"
#include "pintle/simulation/run/simulation.h"

using namespace pintle;

namespace {

/// The extremes of the contact forces and the largest rise of the energy in a recording.
class Extremes final : public RecordSink {
 public:
  double pull = 0.0, push = 0.0;    // [N]
  double energy = 0.0, rise = 0.0;  // [J] at the start; above the lowest value so far
  ContactForceRecord first_slip{};  // the first contact that slides

  RecordReport begin(std::span<const Column> columns) override {
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (columns[k].name == "energy.total") column_ = k;
    return {};
  }
  RecordReport row(std::span<const double> values) override {
    const double now = values[column_];
    if (!started_) energy = lowest_ = now;
    started_ = true;
    rise = std::max(rise, now - lowest_);
    lowest_ = std::min(lowest_, now);
    return {};
  }
  RecordReport event(const EventRecord&) override { return {}; }
  RecordReport contacts(std::span<const ContactForceRecord> records) override {
    for (const ContactForceRecord& record : records) {
      pull = std::max(pull, -record.normal_force);
      push = std::max(push, record.normal_force);
      if (record.slides && !first_slip.slides) first_slip = record;
    }
    return {};
  }

 private:
  std::size_t column_ = 0;
  double lowest_ = 0.0;
  bool started_ = false;
};

struct Outcome {
  Extremes extremes;
  ContactRecord contacts;
  Certificate certificate;
  Balance energy;
  double momentum = 0.0;  // that is unaccounted for at the end, relative
  double worst_rest = 0.0;  // [J] of the energy, over all rows
};

/// Rows of fixed steps are at the steps: between them they are interpolated, and so are their forces.
Outcome run(const std::string& text, bool fixed_steps = true) {
  std::vector<std::string> settings;
  if (fixed_steps) settings.push_back("run.row_every=1");
  const Result<Scene> scene = compile_scene_text(text, "scene.toml", settings);
  REQUIRE(scene.ok());
  Simulation simulation(*scene);
  Outcome outcome;
  const RunReport report = simulation.run({.sink = &outcome.extremes});
  REQUIRE_MESSAGE(report.outcome == RunOutcome::reached, report.text);
  outcome.contacts = simulation.contact_record();
  outcome.worst_rest = simulation.worst_balance().energy.rest;
  outcome.certificate = simulation.worst_certificate().certificate;
  const EnergyBalance& balance = simulation.energy_balance();
  outcome.energy = balance.energy();
  outcome.momentum = std::max(std::abs(balance.linear().relative()), std::abs(balance.angular().relative()));
  return outcome;
}

std::string with(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

/// A base with a limp leg of two links, on feet of rubber: it falls, and the leg wedges against the ground.
const std::string kLimpLeg = R"toml(
[material.rubber]
friction = 0.8
[[ground]]
shape = { plane = {} }
material = "rubber"
[[body]]
name = "base"
shape = { box = { size = [0.342, 0.231, 0.117] } }
mass = 1.713
material = "rubber"
group = "robot"
joint = { type = "free", at = [0, 0, 0.417] }
[[body]]
name = "l00"
shapes = [
  { cylinder = { radius = 0.026, length = 0.1197 }, at = [0, 0, -0.0665] },
  { sphere = { radius = 0.025 }, at = [0, 0, -0.133] },
]
mass = 0.521
material = "rubber"
group = "robot"
joint = { type = "revolute", parent = "base", axis = [0, 1, 0], at = [-0.196, -0.038, 0] }
[[body]]
name = "l01"
shapes = [
  { cylinder = { radius = 0.013, length = 0.1377 }, at = [0, 0, -0.0765] },
  { sphere = { radius = 0.029 }, at = [0, 0, -0.153] },
]
mass = 0.141
material = "rubber"
group = "robot"
joint = { type = "revolute", parent = "l00", axis = [1, 0, 0], at = [0, 0, -0.133] }
[run]
duration = "0.8 s"
step = "1 ms"
)toml";

}  // namespace

TEST_CASE("lawful contacts: a leg that wedges against the ground neither pulls nor gains energy") {
  const Outcome got = run(kLimpLeg);
  CHECK(got.extremes.pull <= 1e-9 * got.extremes.push);
  CHECK(got.extremes.rise <= 1e-6 * got.extremes.energy);
  CHECK(std::abs(got.energy.relative()) <= 1e-6);
  CHECK(got.contacts.residuals.worst() <= 1e-9);
}

TEST_CASE("lawful contacts: the same with joint limits, where the time-stepping fallback has no solution by Coulomb") {
  std::string text = with(kLimpLeg, "parent = \"base\",", "parent = \"base\", lower = -0.473, upper = 0.26,");
  text = with(text, "parent = \"l00\",", "parent = \"l00\", lower = -1.118, upper = 0.856,");
  const Outcome got = run(text);
  CHECK(got.extremes.pull <= 1e-9 * got.extremes.push);
  CHECK(got.extremes.rise <= 1e-4 * got.extremes.energy);
  CHECK(std::abs(got.energy.relative()) <= 1e-4);
}

TEST_CASE("lawful contacts: a cone that settles on its base gains no energy") {
  const Outcome got = run(R"toml(
[material.m]
friction = 0.5
restitution = 0.3
[[ground]]
material = "m"
shape = { box = { size = [2.0, 2.0, 0.2] }, at = [0.0, 0.0, -0.1] }
[[body]]
name = "a"
material = "m"
mass = 1.0
shapes = [ { cone = { radius = 0.08, height = 0.15 } } ]
joint = { type = "free" }
initial = { q = [0.05, 0.02, 0.4, 0.1898345223582485, 0.379669044716497, 0.09491726117912425, 0.9004471023526769] }
[run]
duration = 2.0
integrator = "rk4"
step = 0.001
rows = 200
)toml");
  CHECK(got.extremes.pull <= 1e-9 * got.extremes.push);
  CHECK(got.extremes.rise <= 1e-3 * got.extremes.energy);
  CHECK(std::abs(got.energy.relative()) <= 1e-3);
  CHECK(got.momentum <= 1e-3);  // also over its time-stepped spans, whose projections are impulses of the ground
}

TEST_CASE("lawful contacts: a slip begins in the direction in which friction lets it accelerate") {
  // A foot that slides on carriages: it moves 5 kg along x and 2 kg along y, and presses with 9.81 N. The load grows until
  // static friction gives way.
  const Outcome got = run(R"toml(
[material.m]
friction = 0.4
static_friction = 0.6
[[ground]]
material = "m"
shape = { plane = {} }
[[body]]
name = "x"
mass = 3
inertia = [1, 1, 1]
joint = { type = "prismatic", axis = [1, 0, 0] }
[[body]]
name = "y"
mass = 1
inertia = [1, 1, 1]
joint = { type = "prismatic", parent = "x", axis = [0, 1, 0] }
[[body]]
name = "foot"
mass = 1
inertia = [1, 1, 1]
material = "m"
shape = { sphere = { radius = 0.05 } }
joint = { type = "prismatic", parent = "y", axis = [0, 0, 1], at = [0, 0, 0.05] }
[[force]]
on = "foot"
force = ["12*t", "16*t", 0]
[run]
duration = 0.4
step = "1 ms"
)toml");
  // d || w(d), w_i m_i = F_i - mu_k N d_i: with w = k d, d_i = F_i/(mu_k N + k m_i) and |d| = 1.
  const double N = 9.81, mu_static = 0.6, mu = 0.4, F[2] = {0.6 * mu_static * N, 0.8 * mu_static * N};
  double low = 0.0, high = 10.0;
  for (int i = 0; i < 100; ++i) {
    const double k = 0.5 * (low + high);
    (std::hypot(F[0] / (mu * N + 5.0 * k), F[1] / (mu * N + 2.0 * k)) > 1.0 ? low : high) = k;
  }
  const ContactForceRecord& slip = got.extremes.first_slip;
  REQUIRE(slip.slides);
  CHECK(slip.slip <= 1e-12);
  CHECK(slip.friction.x == doctest::Approx(-mu * N * F[0] / (mu * N + 5.0 * low)).epsilon(1e-9));
  CHECK(slip.friction.y == doctest::Approx(-mu * N * F[1] / (mu * N + 2.0 * low)).epsilon(1e-9));
  CHECK(got.contacts.residuals.worst() <= 1e-9);
}

TEST_CASE("lawful contacts: friction that presses a rod into the ground ends its slip at once (Painleve)") {
  // It leans back from where it slides to, so steeply that friction turns it into the ground faster than the normal
  // force turns it out. The lower end stops without a collision, and the rod keeps its angular momentum about it.
  const double mass = 1.0, inertia = 0.013, speed = -2.0;
  const double x = 0.2 * std::cos(kPi<double> / 6.0), z = 0.12;  // from the contact to the centre
  for (const double friction : {2.5, 3.0}) {
    const Result<Scene> scene = compile_scene_text(
        "[material.m]\nfriction = " + std::to_string(friction) + R"toml(
[[ground]]
material = "m"
shape = { plane = {} }
[[body]]
name = "rod"
material = "m"
mass = 1
inertia = [0.013, 0.013, 0.0002]
shape = { capsule = { radius = 0.02, length = 0.4 } }
joint = { type = "free", at = [0, 0, 0.12], rotation = { axis = [0, 1, 0], angle = "60 deg" } }
initial = { v = [-1, 0, -1.7320508075688772, 0, 0, 0] }
[run]
duration = 0.3
integrator = "rk4"
step = 0.001
)toml",
        "scene.toml");
    REQUIRE(scene.ok());
    Simulation simulation(*scene);
    const double rate = mass * z * speed / (inertia + mass * (x * x + z * z));
    CHECK(simulation.state().v[4] == doctest::Approx(rate).epsilon(1e-12));
    CHECK(std::abs(simulation.state().v[3]) + std::abs(simulation.state().v[5]) <= 1e-12);
    CHECK(std::hypot(simulation.state().v[0], simulation.state().v[2]) ==
          doctest::Approx(std::abs(rate) * std::hypot(x, z)).epsilon(1e-12));
    MemoryRecording recording;
    REQUIRE(simulation.run({.sink = &recording}).outcome == RunOutcome::reached);
    REQUIRE(!recording.impacts().empty());
    CHECK(recording.impacts()[0].approach == 0.0);
    CHECK(recording.impacts()[0].normal_impulse > 0.1);
    CHECK(std::abs(simulation.energy_balance().energy().relative()) <= 1e-9);
    CHECK(simulation.contact_record().residuals.worst() <= 1e-9);
  }
}

TEST_CASE("lawful contacts: a certificate does not compare rounding with rounding") {
  // A point mass on a massless arm, in a straight line at constant speed: no force and no torque anywhere.
  const Outcome exact = run(R"toml(
[world]
gravity = [0, 0, 0]
[[body]]
name = "arm"
mass = 0
joint = { type = "revolute" }
initial = { q = 0.3, v = 2.0 }
[[body]]
name = "p"
mass = 0.7
joint = { type = "prismatic", parent = "arm", axis = [1, 0, 0] }
initial = { q = 0.5, v = 0.8 }
[[sensor]]
name = "pose"
type = "frame-pose"
place = "p"
[run]
duration = 0.1
integrator = "rk4"
step = 1e-4
certificate_limit = 1e-12
)toml");
  CHECK(exact.certificate.worst() <= 1e-13);
  // A brick that sticks to a slope: what flows is rounding.
  const Outcome rests = run(R"toml(
[material.m]
friction = 0.8
[[ground]]
material = "m"
shape = { plane = {}, rotation = { axis = [0, 1, 0], angle = "30 deg" } }
[[body]]
name = "brick"
material = "m"
mass = 2
shape = { box = { size = [0.2, 0.15, 0.02] } }
joint = { type = "free", at = [0.005, 0, 0.008660254037844387], rotation = { axis = [0, 1, 0], angle = "30 deg" } }
[run]
duration = 0.2
integrator = "rk4"
step = 0.001
)toml");
  CHECK(std::abs(rests.energy.relative()) <= 1e-9);
  CHECK(rests.contacts.residuals.worst() <= 1e-12);
}

namespace {

std::string number(double x) {
  return std::to_string(x);
}

std::string numbers(std::initializer_list<double> all) {
  std::string text = "[";
  for (const double x : all) text += (text.size() > 1 ? ", " : "") + number(x);
  return text + "]";
}

std::string random_shape(RandomStream& random) {
  const double a = random.uniform(0.04, 0.09), b = random.uniform(0.08, 0.25), c = random.uniform(0.08, 0.25);
  switch (random.below(5)) {
    case 0:
      return "{ sphere = { radius = " + number(a) + " } }";
    case 1:
      return "{ capsule = { radius = " + number(0.7 * a) + ", length = " + number(b) + " } }";
    case 2:
      return "{ box = { size = " + numbers({2.0 * a, b, c}) + " } }";
    case 3:
      return "{ cylinder = { radius = " + number(a) + ", length = " + number(b) + " } }";
    default:
      return "{ cone = { radius = " + number(a) + ", height = " + number(b) + " } }";
  }
}

/// One to three bodies of random shapes thrown at the ground, mostly with a limp leg of one or two links. `rough`: most
/// have friction, and steps are error-controlled; else few have.
std::string random_scene(std::uint64_t seed, bool rough) {
  RandomStream random(seed);
  const double frictions[] = {0.0, 0.2, 0.5, 0.8}, restitutions[] = {0.0, 0.0, 0.3, 0.7}, masses[] = {0.1, 1.0, 10.0};
  const double steps[] = {0.001, 0.002, 0.005};
  const double drawn = frictions[random.below(4)];
  const double friction = (rough ? seed % 4 != 3 : seed % 4 == 0) ? drawn : 0.0;  // slips take longest
  std::string text = "[material.m]\nfriction = " + number(friction) + "\nstatic_friction = " + number(1.2 * friction) +
                     "\nrestitution = " + number(restitutions[random.below(4)]) +
                     "\n[[ground]]\nmaterial = \"m\"\nshape = { plane = {} }\n";
  const std::uint64_t bodies = 1 + random.below(3), links = random.below(3);
  double height = links > 0 ? 0.2 + 0.2 * static_cast<double>(links) : 0.2;
  for (std::uint64_t k = 0; k < bodies; ++k, height += 0.45) {
    const Vec3<> tilt{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)};
    // One draw after the other: in one sum their order would be the compiler's choice.
    const double mass = masses[random.below(3)];
    const std::string shape = random_shape(random);
    const std::string q =
        numbers({random.uniform(-0.03, 0.03), random.uniform(-0.03, 0.03), height, tilt.x, tilt.y, tilt.z,
                 std::sqrt(1.0 - norm_squared(tilt))});
    const std::string v = numbers({random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-2.0, 0.0),
                                   random.uniform(-4.0, 4.0), random.uniform(-4.0, 4.0), random.uniform(-4.0, 4.0)});
    text += "[[body]]\nname = \"b" + std::to_string(k) + "\"\nmaterial = \"m\"\nmass = " + number(mass) +
            "\nshapes = [" + shape + "]\njoint = { type = \"free\" }\ninitial = { q = " + q + ", v = " + v + " }\n";
  }
  for (std::uint64_t k = 0; k < links; ++k) {
    const Vec3<> axis{random.uniform(-1.0, 1.0), random.uniform(0.2, 1.0), random.uniform(-1.0, 1.0)};
    text += "[[body]]\nname = \"l" + std::to_string(k) + "\"\nmaterial = \"m\"\nmass = 0.5\n";
    text += "shapes = [{ capsule = { radius = 0.03, length = 0.15 }, at = [0, 0, -0.12] }]\n";
    text += k == 0 ? "joint = { type = \"revolute\", parent = \"b0\", at = [0, 0, -0.13], axis = "
                   : "joint = { type = \"revolute\", parent = \"l0\", at = [0, 0, -0.24], axis = ";
    text += numbers({axis.x, axis.y, axis.z}) + (random.below(3) == 0 ? "" : ", lower = -1.5, upper = 1.5");
    text += " }\ninitial = { q = " + number(random.uniform(-0.3, 0.3)) + " }\n";
  }
  text += rough ? "[run]\nduration = 0.5\nintegrator = \"dormand-prince\"\nstep = "
                : "[run]\nduration = 0.4\nintegrator = \"rk4\"\nstep = ";
  text += number(steps[random.below(3)]);
  return text + "\nrows = 100\n";
}

}  // namespace

TEST_CASE("lawful contacts: random mechanisms thrown at the ground") {
  int runs = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const std::string text = random_scene(seed, false);
    const Result<Scene> scene = compile_scene_text(text, "scene.toml");
    REQUIRE(scene.ok());
    if (!scene.diagnostics().empty()) continue;  // shapes that overlap at the start
    ++runs;
    const Outcome got = run(text);
    CHECK(got.extremes.pull <= 1e-6 * got.extremes.push);
    // Nothing drives: the energy rises by what is unaccounted for at the lower row and at the higher one, and no more.
    CHECK(got.extremes.rise <= 2.0 * got.worst_rest + 1e-6 * got.energy.size);
    CHECK(std::abs(got.energy.relative()) <= 1e-3);
    CHECK(got.certificate.worst() <= 1e-9);
    // Where time-stepping took over, laws hold at the ends of its steps only; the run says so.
    if (got.contacts.time_stepped == 0.0) CHECK(got.contacts.residuals.worst() <= 1e-3);
  }
  CHECK(runs >= 25);
}

TEST_CASE("lawful contacts: random mechanisms with friction obey all laws to the error tolerance") {
  int runs = 0;
  for (std::uint64_t seed = 0; seed < 37; ++seed) {
    CAPTURE(seed);
    const std::string text = random_scene(seed, true);
    const Result<Scene> scene = compile_scene_text(text, "scene.toml");
    REQUIRE(scene.ok());
    if (!scene.diagnostics().empty()) continue;  // shapes that overlap at the start
    ++runs;
    const Outcome got = run(text, false);
    CHECK(got.extremes.pull <= 1e-6 * got.extremes.push);
    CHECK(got.certificate.worst() <= 1e-9);
    if (got.contacts.time_stepped > 0.0) continue;  // of order 1, as the run says
    CHECK(got.extremes.rise <= 2.0 * got.worst_rest + 1e-6 * got.energy.size);
    CHECK(std::abs(got.energy.relative()) <= 1e-6);
    CHECK(got.momentum <= 1e-5);
    CHECK(got.contacts.residuals.worst() <= 1e-5);
  }
  CHECK(runs >= 25);
}
