// Looking at near pairs only changes no bit: what is left out is what a search would have left alone.
#include "pintle/simulation/contact/near_pairs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/count_allocations.h"
#include "geometry/contact_shapes.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/geometry/shapes/height_field.h"
#include "pintle/math/distributions.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/simulation/run/simulation.h"
#include "pintle/spatial/exp_log.h"
#include "support/free_body.h"

using namespace test;

namespace {

enum class Ground { plane, walls, mesh, bowl };

struct Options {
  int bodies = 24;
  Ground ground = Ground::plane;
  bool balls = false;   // else shapes of every convex kind
  double speed = 1.0;   // [m/s]
  double turn = 3.0;    // [rad/s]
  double apart = 0.35;  // [m] of those side by side, of which the largest are 0.3 m long
  double friction = 0.2, restitution = 0.7;
  Method method = Method::rk4;
  double step = 1e-3, duration = 0.15;
  bool jointed = false;  // every third body hangs on the one before
  bool single_point = false;
};

void add_shape(SceneSpec& scene, const std::string& body, const ContactShape& shape,
               const Pose<>& X_BS = identity_pose<double>()) {
  test::add_shape(scene, body, shape, "rubber", X_BS);
}

void add_ground(SceneSpec& scene, Ground ground) {
  switch (ground) {
    case Ground::plane:
      add_shape(scene, kWorld, HalfSpace{}, pose(exp_quaternion(Vec3<>{0.05, -0.1, 0.3}), Vec3<>{0, 0, -0.1}));
      break;
    case Ground::walls:
      add_shape(scene, kWorld, Box{{4.0, 4.0, 0.2}}, Pose<>{identity3(), {0.9, 0.9, -0.1}});
      for (const double place : {-0.4, 2.2}) {
        add_shape(scene, kWorld, Box{{0.1, 3.0, 1.0}}, Pose<>{identity3(), {place, 0.9, 0.5}});
        add_shape(scene, kWorld, Box{{3.0, 0.1, 1.0}}, Pose<>{identity3(), {0.9, place, 0.5}});
      }
      break;
    case Ground::mesh: {
      std::vector<double> heights;
      for (int i = 0; i < 81; ++i) heights.push_back(0.02 * ((i * 7) % 5));
      add_shape(scene, kWorld, *height_field(9, 9, 0.5, heights), Pose<>{identity3(), {0.9, 0.9, -0.15}});
      break;
    }
    case Ground::bowl:
      add_shape(scene, kWorld, Bowl{3.0, 2.0}, Pose<>{identity3(), {0.9, 0.9, -0.2}});
      break;
  }
}

ContactShape small_shape(RandomStream& stream, int kind) {
  const double u = stream.uniform(0.05, 0.1), v = stream.uniform(0.05, 0.1), w = stream.uniform(0.05, 0.1);
  switch (kind) {
    case 0:
      return Sphere{u};
    case 1:
      return Box{{2 * u, 2 * v, 2 * w}};
    case 2:
      return Cylinder{u, 2 * v};
    case 3:
      return Capsule{u, v};
    default:
      return Ellipsoid{{u, v, w}};
  }
}

/// Bodies beside each other in two storeys, flying at random.
SceneSpec crowd(RandomStream& stream, const Options& options) {
  SceneSpec scene;
  scene.contact.surfaces.push_back({"rubber", {options.restitution, options.friction, options.friction}, {}});
  scene.contact.single_point = options.single_point;
  add_ground(scene, options.ground);
  const int side = static_cast<int>(std::ceil(std::sqrt(0.5 * options.bodies)));
  for (int k = 0; k < options.bodies; ++k) {
    const std::string name = "body" + std::to_string(k);
    const double I = 0.004;
    JointSpec& joint = add_free_body(scene, name, {1.0, {0, 0, 0}, {I, 0, 0, 1.2 * I, 0, 0.9 * I}});
    const int storey = k / (side * side), x = k % side, y = k / side % side;
    const Vec3<> place{options.apart * x, options.apart * y, 0.25 + 0.35 * storey};
    add_shape(scene, name, small_shape(stream, options.balls ? 0 : k % 5));
    InitialSpec initial;
    initial.joint = name;
    const Quaternion<> r = uniform_rotation(stream);
    const Vec3<> v = options.speed * uniform_direction(stream), w = options.turn * uniform_direction(stream);
    if (options.jointed && k % 3 == 2) {
      joint.parent = "body" + std::to_string(k - 1);
      joint.kind = JointKind::spherical;
      joint.X_PJ.translation = {0.0, 0.0, 0.3};
      initial.q = {r.x, r.y, r.z, r.w};
      initial.v = {w.x, w.y, w.z};
    } else {
      initial.q = {place.x, place.y, place.z, r.x, r.y, r.z, r.w};
      initial.v = {v.x, v.y, v.z, w.x, w.y, w.z};
    }
    scene.initial.push_back(initial);
  }
  scene.run.method = options.method;
  scene.run.step = options.step;
  scene.run.duration = options.duration;
  if (!facts(options.method).estimates_error) scene.run.row_every = 5;
  return scene;
}

/// Everything that a run tells.
struct Reported {
  bool ok = false;
  std::string outcome;
  std::vector<double> numbers;
  std::vector<std::string> names;
  std::size_t impacts = 0, points = 0;
  std::string checkpoint;
  bool operator==(const Reported&) const = default;
};

Reported tell(Simulation& simulation, double until = __builtin_nan("")) {
  MemoryRecording recording;
  const RunReport report = simulation.run({.until = until, .sink = &recording});
  Reported reported;
  reported.ok = report.ok();
  reported.outcome = report.text;
  const auto add = [&](std::initializer_list<double> numbers) {
    reported.numbers.insert(reported.numbers.end(), numbers.begin(), numbers.end());
  };
  const auto add_vector = [&](const Vec3<>& v) { add({v.x, v.y, v.z}); };
  for (std::size_t i = 0; i < recording.rows(); ++i) {
    const std::span<const double> row = recording.row_at(i);
    reported.numbers.insert(reported.numbers.end(), row.begin(), row.end());
    for (const ContactForceRecord& c : recording.contacts_at(i)) {
      add({1.0 * c.body_a, 1.0 * c.body_b, c.normal_force, c.slip});
      add_vector(c.point);
      add_vector(c.normal);
      ++reported.points;
    }
  }
  for (const RecordedEvent& event : recording.events()) {
    reported.names.push_back(event.name);
    add({event.event.t, 1.0 * static_cast<int>(event.event.kind), 1.0 * event.event.body});
    for (const double number : event.event.values) add({number});
  }
  for (const ImpactRecord& i : recording.impacts()) {
    add({i.t, 1.0 * i.body_a, 1.0 * i.body_b, i.penetration, i.approach, i.slip, i.normal_impulse, i.energy, i.scale});
    add_vector(i.point);
    ++reported.impacts;
  }
  const ContactResiduals& r = simulation.contact_record().residuals;
  add({r.momentum, r.energy, r.complementarity, r.cone, r.dissipation, r.restitution});
  // NaN stands in rows for what is not known, and is not equal to itself.
  std::replace_if(
      reported.numbers.begin(), reported.numbers.end(), [](double x) { return std::isnan(x); }, -1.25);
  reported.checkpoint = simulation.checkpoint();
  return reported;
}

struct Named {
  const char* name;
  Options options;
};

const Named kCrowds[] = {
    {"balls", {.balls = true}},
    {"all kinds", {.bodies = 15, .duration = 0.25}},
    {"between walls", {.bodies = 15, .ground = Ground::walls, .balls = true, .duration = 0.3}},
    {"on a height field", {.bodies = 12, .ground = Ground::mesh, .duration = 0.5}},
    {"in a bowl", {.ground = Ground::bowl, .balls = true}},
    {"fast", {.balls = true, .speed = 60.0, .restitution = 1.0, .duration = 0.05}},
    {"whirling", {.bodies = 12, .speed = 3.0, .turn = 80.0, .duration = 0.1}},
    {"at rest in the end", {.bodies = 9, .balls = true, .speed = 0.1, .restitution = 0.0, .duration = 0.4}},
    {"falling from rest", {.balls = true, .speed = 0.0, .turn = 0.0, .step = 0.02, .duration = 0.6}},
    {"long steps", {.balls = true, .speed = 3.0, .step = 0.02, .duration = 0.4}},
    {"euler", {.balls = true, .method = Method::semi_implicit_euler}},
    {"dormand-prince", {.bodies = 12, .speed = 2.0, .method = Method::dormand_prince}},
    {"midpoint", {.bodies = 12, .balls = true, .speed = 2.0, .friction = 0.0, .method = Method::symplectic_midpoint}},
    {"with joints", {.bodies = 15, .balls = true, .speed = 2.0, .jointed = true}},
    {"single point", {.balls = true, .single_point = true}},
    {"fast in long steps",
     {.bodies = 12, .ground = Ground::walls, .balls = true, .speed = 40.0, .step = 0.02, .duration = 0.1}},
};

/// Whether a search for events would look closer at a pair, by its gaps and their rates at the ends of a step (the rule
/// of EventFinder).
bool is_looked_at(const Contacts::Gap& from, const Contacts::Gap& to, double h) {
  const double change = to.distance - from.distance;
  const double bend = std::abs(h * from.rate - change) + std::abs(h * to.rate - change);
  return !(from.distance > 0.0 && to.distance > 0.0 && std::min(from.distance, to.distance) > bend);
}

void place(const Model& model, std::span<const double> q, std::span<const double> v, KinematicsWorkspace& places) {
  kinematics(model, q, v, std::vector<double>(v.size()), places);
}

}  // namespace

TEST_CASE("near pairs: a run that looks at them only has the bits of one that looks at all") {
  RandomStream stream(1);
  for (const Named& named : kCrowds) {
    CAPTURE(std::string(named.name));
    std::size_t impacts = 0;
    for (int round = 0; round < 2; ++round) {
      const Scene scene = compile(crowd(stream, named.options)).value();
      Simulation near(scene), all(scene, {.all_pairs = true});
      const Reported of_near = tell(near), of_all = tell(all);
      CHECK_MESSAGE(of_near.ok, of_near.outcome);
      CHECK(of_near.outcome == of_all.outcome);
      CHECK(of_near.names == of_all.names);
      CHECK((of_near.numbers == of_all.numbers));
      CHECK((of_near.checkpoint == of_all.checkpoint));
      CHECK(near.state_hash() == all.state_hash());
      impacts += of_near.impacts;
    }
    CHECK(impacts > 4);
  }
}

TEST_CASE("near pairs: a run that was saved goes on with the same bits, whoever saved it") {
  RandomStream stream(2);
  const Scene scene = compile(crowd(stream, {.balls = true, .duration = 0.3})).value();
  Simulation whole(scene), near(scene), all(scene, {.all_pairs = true});
  (void)tell(whole, 0.15);
  const std::string saved = whole.checkpoint();
  const Reported rest = tell(whole);
  REQUIRE(near.resume(saved).ok());
  REQUIRE(all.resume(saved).ok());
  CHECK((tell(near) == rest));
  CHECK((tell(all) == rest));
  CHECK(rest.impacts > 4);
}

TEST_CASE("near pairs: no pair is left out that a search would look at, or that touches") {
  RandomStream stream(3);
  for (const Ground ground : {Ground::plane, Ground::walls, Ground::mesh, Ground::bowl}) {
    const bool bowl = ground == Ground::bowl;
    const Scene scene = compile(crowd(stream, {.bodies = 30, .ground = ground, .balls = bowl})).value();
    const Model& model = scene.model();
    const Contacts contacts(model, scene.contacts(), scene.spec().contact);
    const std::size_t count = scene.contacts().pairs.size();
    NearPairs near(contacts, false), touching(contacts, false);
    REQUIRE(!near.all());
    KinematicsWorkspace from(model), to(model);
    std::size_t listed = 0, looked_at = 0, touch = 0;
    const int rounds = 200;
    for (int round = 0; round < rounds; ++round) {
      // Places at random near those of the scene, below the ground too; slow and fast ones, short and long steps.
      std::vector<double> q(scene.initial_q().begin(), scene.initial_q().end()), q_to = q;
      std::vector<double> v(static_cast<std::size_t>(model.nv())), way(v.size()), v_to(v.size());
      const double h = std::pow(10.0, stream.uniform(-4.0, -1.0)), speed = std::pow(10.0, stream.uniform(-2.0, 1.0));
      for (double& x : way) x = stream.uniform(-0.2, 0.2);
      integrate(model, std::vector<double>(q), way, q);
      for (std::size_t i = 0; i < v.size(); ++i) {
        v[i] = stream.uniform(-speed, speed);
        v_to[i] = v[i] + stream.uniform(-speed, speed);
        way[i] = h * v[i];
      }
      integrate(model, q, way, q_to);
      place(model, q, v, from);
      place(model, q_to, v_to, to);
      near.begin_step(from);
      const std::span<const int> in_step = near.end_step(to, h), at_once = touching.at(to);
      CHECK(std::is_sorted(in_step.begin(), in_step.end()));
      listed += in_step.size();
      for (std::size_t pair = 0; pair < count; ++pair) {
        const int number = static_cast<int>(pair);
        const bool look = is_looked_at(contacts.gap(pair, from), contacts.gap(pair, to), h);
        const bool touches = contacts.touching(pair, to).count > 0;
        looked_at += look ? 1 : 0;
        touch += touches ? 1 : 0;
        if (look) CHECK(std::binary_search(in_step.begin(), in_step.end(), number));
        if (touches) CHECK(std::binary_search(at_once.begin(), at_once.end(), number));
      }
    }
    CHECK(looked_at > 500);
    CHECK(touch > 100);
    CHECK(listed < rounds * count / 2);
  }
}

TEST_CASE("near pairs: the bounds hold where they are tight") {
  // Two small balls and a rod that points at neither, far from two others.
  SceneSpec spec;
  spec.contact.surfaces.push_back({"rubber", {}, {}});
  const double small = 1e-3, length = 1.0, h = 1.0;
  for (const char* const name : {"still", "ball", "rod", "far", "farther"}) {
    add_free_body(spec, name, {1.0, {0, 0, 0}, {1, 0, 0, 1, 0, 1}});
    const bool rod = std::string(name) == "rod";
    add_shape(spec, name, rod ? ContactShape{Box{{length, small, small}}} : ContactShape{Sphere{small}});
  }
  const Scene scene = compile(spec).value();
  const Contacts contacts(scene.model(), scene.contacts(), scene.spec().contact);
  struct Case {
    const char* what;
    std::size_t other;  // that moves against the still ball
    Vec3<> from, to;    // where it is
    Twist<> V_from{}, V_to{};
  };
  const Vec3<> beside{0.5 * length, 9.5 * length, 0.0};  // the tip of the rod moves there
  const Case cases[] = {
      {"a way without speed", 1, {1.9, 0, 0}, {2.9, 0, 0}},
      {"speed at the start", 1, {0.95, 0, 0}, {0.95, 0, 0}, {{1, 0, 0}, {}}, {}},
      {"speed at the end", 1, {0.95, 0, 0}, {0.95, 0, 0}, {}, {{-1, 0, 0}, {}}},
      {"a rod that turns", 2, -beside, -beside, {{}, {0, 0, 10}}, {{}, {0, 0, 10}}},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.what));
    KinematicsWorkspace from(scene.model()), to(scene.model());
    place(scene.model(), scene.initial_q(), scene.initial_v(), from);
    place(scene.model(), scene.initial_q(), scene.initial_v(), to);
    const auto put = [](KinematicsWorkspace& places, std::size_t link, const Vec3<>& at, const Twist<>& V) {
      const auto motion = places.motion.view();
      places.X_WL[link] = motion.X_PL[link] = {identity3(), at};
      motion.V[link] = V;
    };
    for (std::size_t link = 1; link < 5; ++link) {
      put(from, link, {1e3 * static_cast<double>(link), 0, 0}, {});
      put(to, link, {1e3 * static_cast<double>(link), 0, 0}, {});
    }
    put(from, c.other, c.from, c.V_from);
    put(to, c.other, c.to, c.V_to);
    const std::size_t pair = c.other - 1;  // those of the first body come first
    NearPairs near(contacts, false);
    near.begin_step(from);
    const std::span<const int> found = near.end_step(to, h);
    CHECK(is_looked_at(contacts.gap(pair, from), contacts.gap(pair, to), h));
    CHECK(std::binary_search(found.begin(), found.end(), static_cast<int>(pair)));
    CHECK(found.size() == 1);
  }
}

TEST_CASE("near pairs: of bodies that are far from each other none is looked at, and the boxes are kept") {
  RandomStream stream(4);
  SceneSpec spec = crowd(stream, {.bodies = 50, .balls = true, .apart = 1.0});
  for (InitialSpec& initial : spec.initial) initial.q[2] += 1.0;
  const Scene scene = compile(spec).value();
  const Contacts contacts(scene.model(), scene.contacts(), scene.spec().contact);
  NearPairs near(contacts, false);
  KinematicsWorkspace places(scene.model());
  std::vector<double> q(scene.initial_q().begin(), scene.initial_q().end());
  const std::vector<double> v(scene.initial_v().begin(), scene.initial_v().end());
  const double h = 1e-4;
  std::vector<double> way(v);
  for (double& x : way) x *= h;
  for (int step = 0; step < 50; ++step) {
    place(scene.model(), q, v, places);
    near.begin_step(places);
    integrate(scene.model(), std::vector<double>(q), way, q);
    place(scene.model(), q, v, places);
    CHECK(near.end_step(places, h).empty());
  }
  CHECK(near.searches() == 1);
}

TEST_CASE("near pairs: numbers that are none hide no pair") {
  RandomStream stream(5);
  const Scene scene = compile(crowd(stream, {.bodies = 20, .balls = true})).value();
  const Contacts contacts(scene.model(), scene.contacts(), scene.spec().contact);
  NearPairs near(contacts, false);
  KinematicsWorkspace places(scene.model());
  place(scene.model(), scene.initial_q(), scene.initial_v(), places);
  const std::size_t before = near.at(places).size();
  places.X_WL[0].translation.y = __builtin_nan("");
  std::size_t with_first = 0;
  for (const int pair : near.at(places)) with_first += scene.contacts().pairs[static_cast<std::size_t>(pair)].b == 1;
  CHECK(near.found().size() >= before + 19);
  CHECK(with_first == 1);  // the ground, which comes first
}

TEST_CASE("near pairs: a crowd allocates nothing in a second run of the same motion") {
  RandomStream stream(6);
  Simulation simulation(compile(crowd(stream, {.balls = true, .speed = 3.0})).value());
  REQUIRE(simulation.run().ok());
  simulation.reset();
  const std::size_t before = count_allocations();
  const RunReport report = simulation.run();
  const std::size_t after = count_allocations();
  CHECK(after == before);
  CHECK(report.ok());
}
