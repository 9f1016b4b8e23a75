// Contacts allocate at a new maximum of contacts, and never again.
#include <doctest/doctest.h>

#include "base/count_allocations.h"
#include "pintle/simulation/run/simulation.h"
#include "support/free_body.h"

using namespace pintle;

namespace {

/// A body with a shape over a floor.
SceneSpec scene_of(const ContactShape& shape, const Surface& surface, const std::vector<double>& v) {
  SceneSpec scene;
  JointSpec& joint = test::add_free_body(scene, "body", {2.0, {0, 0, 0}, {0.0018, 0, 0, 0.0018, 0, 0.0009}});
  joint.X_PJ.translation = {0.0, 0.0, 0.045};
  ContactShapeSpec floor, part;
  floor.body = kWorld;
  floor.shape = HalfSpace{};
  part.body = "body";
  part.shape = shape;
  floor.material = part.material = "steel";
  scene.contact.shapes = {floor, part};
  scene.contact.surfaces.push_back({"steel", surface, {}});
  InitialSpec initial;
  initial.joint = "body";
  initial.v = v;
  scene.initial.push_back(initial);
  scene.run.step = 1e-3;
  scene.run.duration = 0.5;
  return scene;
}

/// Takes everything and keeps nothing.
class Nothing : public RecordSink {
 public:
  RecordReport begin(std::span<const Column>) override { return {}; }
  RecordReport row(std::span<const double>) override { return {}; }
  RecordReport event(const EventRecord&) override { return {}; }
  RecordReport impact(const ImpactRecord&) override {
    ++impacts;
    return {};
  }
  RecordReport contacts(std::span<const ContactForceRecord> contacts) override {
    points += contacts.size();
    return {};
  }
  int impacts = 0;
  std::size_t points = 0;
};

/// Notes after every step how much was allocated so far.
class Counter : public StepHandler {
 public:
  bool after_step(std::int64_t, double, const MotionState&) override {
    after.push_back(count_allocations());
    return true;
  }
  std::vector<std::size_t> after;
};

}  // namespace

TEST_CASE("contact allocations: none in a second run of the same motion, which has no new maximum of contacts") {
  struct Named {
    const char* name;
    SceneSpec spec;
  };
  const Named scenes[] = {
      {"cylinder", scene_of(Cylinder{0.03, 0.09}, {0.87, 0.15, 0.15}, {0, 0, -1, 0, 5, 0})},
      {"bounces for ever", scene_of(Cylinder{0.03, 0.09}, {1.0, 0.0, 0.0}, {0, 0, -1, 0, 5, 0})},
      {"ball", scene_of(Sphere{0.045}, {0.8, 0.3, 0.3}, {0.2, 0, 1, 0, 5, 0})},
      {"rolls", scene_of(Sphere{0.045}, {0.0, 0.3, 0.3}, {0.2, 0, 0, 0, 1, 0})},
      {"slides", scene_of(Box{{0.1, 0.08, 0.09}}, {0.0, 0.2, 0.2}, {1.0, 0, 0, 0, 0, 0})},
  };
  int impacts = 0;
  std::size_t points = 0;
  for (Named named : scenes) {
    for (const bool single_point : {false, true}) {
      CAPTURE(named.name);
      CAPTURE(single_point);
      named.spec.contact.single_point = single_point;
      Simulation simulation(compile(named.spec).value());
      Nothing sink;
      Counter counter;
      counter.after.reserve(2000);
      const RunReport first = simulation.run({.handler = &counter});
      REQUIRE_MESSAGE(first.ok(), first.text);
      simulation.reset();
      REQUIRE(simulation.run({.sink = &sink, .handler = &counter}).ok());
      impacts += sink.impacts;
      points += sink.points;
      const std::size_t half = counter.after.size() / 2;
      for (std::size_t i = half + 1; i < counter.after.size(); ++i) REQUIRE(counter.after[i] == counter.after[half]);
    }
  }
  CHECK(impacts > 30);
  CHECK(points > 1000);
}
