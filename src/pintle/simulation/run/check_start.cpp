#include "pintle/simulation/run/check_start.h"

#include "pintle/simulation/run/simulation.h"

namespace pintle {
namespace {

/// Accepts everything and keeps nothing.
class NoSink : public RecordSink {
 public:
  RecordReport begin(std::span<const Column>) override { return {}; }
  RecordReport row(std::span<const double>) override { return {}; }
  RecordReport event(const EventRecord&) override { return {}; }
  RecordReport end() override { return {}; }
};

/// The origin of the spec with a name.
template <class Specs>
void find_place(const Specs& specs, const std::string& name, Origin& place) {
  for (const auto& spec : specs)
    if (spec.name == name) place = spec.origin;
}

Origin place_of_element(const SceneSpec& spec, const std::string& name) {
  Origin place;
  find_place(spec.motors, name, place);
  find_place(spec.controllers, name, place);
  find_place(spec.feedbacks, name, place);
  find_place(spec.joint_springs, name, place);
  find_place(spec.line_springs, name, place);
  find_place(spec.bushings, name, place);
  find_place(spec.body_forces, name, place);
  find_place(spec.drags, name, place);
  return place;
}

Origin place_of_joint(const Scene& scene, int joint) {
  const std::string& name = scene.model().joints()[static_cast<std::size_t>(joint)].name;
  for (const InitialSpec& initial : scene.spec().initial)
    if (initial.joint == name) return initial.origin;
  Origin place;
  find_place(scene.spec().model.joints, name, place);
  return place;
}

Origin place_of(const Scene& scene, const RunReport& report) {
  const SceneSpec& spec = scene.spec();
  if (!report.element.empty()) return place_of_element(spec, report.element);
  if (report.joint >= 0) return place_of_joint(scene, report.joint);
  if (spec.run.origin.line > 0 || spec.model.bodies.empty()) return spec.run.origin;
  return spec.model.bodies[0].origin;
}

const char* fix_of(const RunReport& report) {
  if (!report.element.empty()) return "give it a formula or a table that has a value at the start of the run";
  switch (report.outcome) {
    case RunOutcome::no_acceleration:
      return "start elsewhere, or give the body that it moves a mass and an inertia";
    case RunOutcome::over_certificate:
      return "give a larger certificate_limit, or none";
    case RunOutcome::not_finite:
      return "look for numbers that are too large: speeds, masses, stiffnesses";
    default:
      return "start from a state in which no joint is at a limit or about to slide";
  }
}

}  // namespace

Diagnostics check_start(const Scene& scene) {
  Simulation simulation(scene);
  NoSink sink;
  const RunReport report = simulation.run({.until = scene.run().t0, .sink = &sink});
  if (report.ok()) return {};
  return {make_error("start-" + std::string(facts(report.outcome).name), place_of(scene, report),
                     "the run cannot begin: " + report.text,
                     "this is known only when the scene is assembled in its initial state", fix_of(report))};
}

}  // namespace pintle
