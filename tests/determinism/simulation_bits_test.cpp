// Whole runs: the same bits from every compiler, optimisation level and number of threads, one golden hash per scene
// and bit family. `simulation_bits_test.py` builds this program without optimisation by both compilers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "pintle/base/hash.h"
#include "pintle/base/isa.h"
#include "pintle/base/thread_pool.h"
#include "pintle/simulation/recording/state_columns.h"
#include "pintle/simulation/run/simulation.h"
#include "support/scenes.h"

using namespace test;

namespace {

constexpr double kEnd = 0.5;

/// Hashes what is recorded, as it comes: the events, and of rows the time, state, accelerations, efforts and energies.
class HashSink : public RecordSink {
 public:
  explicit HashSink(const Model& model) : numbers_(1 + state_columns(model).size()) {}
  RecordReport begin(std::span<const Column>) override { return {}; }
  RecordReport row(std::span<const double> numbers) override {
    hash.add(numbers.first(numbers_));
    return {};
  }
  RecordReport event(const EventRecord& event) override {
    hash.add(event.t);
    hash.add(event.name);
    hash.add(std::string_view(facts(event.kind).name));
    return {};
  }
  StateHash hash;

 private:
  std::size_t numbers_;
};

/// A scene with rows at fixed steps, about 1000: the states themselves, not those between them.
Scene with_rows_at_steps(SceneSpec spec) {
  if (!facts(spec.run.method).estimates_error || spec.run.fixed_step) {
    const double steps = std::ceil((kEnd - spec.run.t0) / Simulation(compile(spec).value()).step_length() - 1e-9);
    spec.run.row_every = std::max(1, static_cast<int>(std::ceil(steps / spec.run.rows)));
  }
  return compile(spec).value();
}

/// A run in one number.
std::uint64_t hash_of_run(const Scene& scene) {
  Simulation simulation(scene);
  HashSink sink(scene.model());
  const RunReport report = simulation.run({.until = kEnd, .sink = &sink});
  if (report.outcome != RunOutcome::reached) throw std::logic_error(report.text);
  sink.hash.add(report.steps);
  return sink.hash.value();
}

/// A cylinder that flies, bounces and rolls about on a floor.
SceneSpec bouncing_scene() {
  SceneSpec scene;
  BodySpec body;
  body.name = "can";
  body.inertia = {2.0, {0, 0, 0}, {0.0018, 0, 0, 0.0018, 0, 0.0009}};
  scene.model.bodies.push_back(body);
  JointSpec joint;
  joint.name = joint.child = "can";
  joint.parent = kWorld;
  joint.kind = JointKind::free;
  joint.X_PJ.translation = {0.0, 0.0, 0.045};
  scene.model.joints.push_back(joint);
  ContactShapeSpec floor, can;
  floor.body = kWorld;
  floor.shape = HalfSpace{};
  can.body = "can";
  can.shape = Cylinder{0.03, 0.09};
  floor.material = can.material = "steel";
  scene.contact.shapes = {floor, can};
  scene.contact.surfaces.push_back({"steel", {0.87, 0.15, 0.15}, {}});
  scene.contact.single_point = true;
  scene.initial.push_back(at("can", {}, {0, 0, -1, 0, 5, 0}));
  scene.run.step = 1e-3;
  return scene;
}

/// An arm of seven hinges that falls: its links go through the kernels in lanes.
SceneSpec arm_scene() {
  SceneSpec scene;
  for (int i = 0; i < 7; ++i) {
    BodySpec body{.name = "body" + std::to_string(i)};
    body.inertia = spatial_inertia(4.0 - 0.5 * i, Vec3<>{0.02, -0.01 * i, 0.1}, diagonal(Vec3<>{0.02, 0.03, 0.04}));
    JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    joint.kind = JointKind::revolute;
    joint.parent = i == 0 ? kWorld : "body" + std::to_string(i - 1);
    joint.child = body.name;
    joint.X_PJ.translation = {0.05 * i, 0.0, 0.3};
    joint.axis = i % 2 == 0 ? Vec3<>{0, 0, 1} : Vec3<>{0, 1, 0};
    scene.model.bodies.push_back(body);
    scene.model.joints.push_back(joint);
    scene.initial.push_back(at(joint.name, {0.3 * i - 1.0}, {1.0 - 0.2 * i}));
  }
  scene.run.step = 1e-3;
  return scene;
}

/// Each method, with error control where it has one, and a step that is estimated: their lengths are bits as well.
std::vector<NamedScene> scenes() {
  std::vector<NamedScene> all = all_scenes();
  all.push_back({"chain estimated step", chain_scene()});
  all.back().spec.run.step = 0.0;
  all.push_back({"bouncing rk4", bouncing_scene()});
  all.push_back({"arm rk4", arm_scene()});
  for (NamedScene& scene : all) scene.spec.run.duration = kEnd;
  return all;
}

/// The hashes of a family, by the names of the scenes.
std::map<std::string, std::string> golden(const std::string& family) {
  std::ifstream file(PINTLE_SIMULATION_GOLDEN);
  REQUIRE(file);
  std::map<std::string, std::string> hashes;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string of, hash, name;
    words >> of >> hash >> std::ws;
    std::getline(words, name);
    if (of == family) hashes[name] = hash;
  }
  return hashes;
}

}  // namespace

TEST_CASE("simulation bits: those of the golden file") {
  const std::string family = bit_family(active_isa());
  const std::map<std::string, std::string> expected = golden(family);
  std::string found;
  bool same = true;
  for (const NamedScene& scene : scenes()) {
    const std::string hash = to_hex(hash_of_run(with_rows_at_steps(scene.spec)));
    found += family + " " + hash + " " + scene.name + "\n";
    const auto line = expected.find(scene.name);
    CAPTURE(scene.name);
    CHECK((line == expected.end() ? "not in the file" : line->second) == hash);
    same = same && line != expected.end() && line->second == hash;
  }
  if (!same)
    MESSAGE("found:\n" << found << "If that is meant, put it into simulation_golden.txt and say so in CHANGELOG.md.");
}

TEST_CASE("simulation bits: any number of threads, each with simulations of its own of one scene") {
  const std::vector<NamedScene> all = scenes();
  std::vector<Scene> compiled;
  std::vector<std::uint64_t> alone;
  for (const NamedScene& scene : all) {
    compiled.push_back(with_rows_at_steps(scene.spec));
    alone.push_back(hash_of_run(compiled.back()));
  }
  for (int threads = 1; threads <= 4; ++threads) {
    ThreadPool pool(threads);
    const std::size_t runs = 2 * compiled.size();
    std::vector<std::uint64_t> hashes(runs);
    pool.parallel_for(runs, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) hashes[i] = hash_of_run(compiled[i / 2]);  // one scene on two threads
    });
    for (std::size_t i = 0; i < runs; ++i) CHECK(hashes[i] == alone[i / 2]);
  }
}
