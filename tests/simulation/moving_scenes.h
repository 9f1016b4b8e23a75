// Small scenes whose motion is known, and a run of one with all that it recorded.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "pintle/simulation/run/simulation.h"
#include "pintle/simulation/scene/scene.h"

namespace test {

using namespace pintle;

inline SpatialInertia<> point_mass(double mass, const Vec3<>& place = {0, 0, 0}) {
  return spatial_inertia(mass, place, SymMat3<>{});
}

/// Adds a mass that slides along an axis on another body; its travel is the joint's coordinate.
inline void add_slider(ModelSpec& model, const std::string& name, double mass, const Vec3<>& axis = {0, 0, 1},
                       const std::string& parent = kWorld) {
  model.bodies.push_back({.name = name + " body", .inertia = point_mass(mass)});
  JointSpec joint;
  joint.name = name;
  joint.kind = JointKind::prismatic;
  joint.parent = parent;
  joint.child = name + " body";
  joint.axis = axis;
  joint.passive = {JointPassive{}};
  joint.limits = {JointLimits{}};
  model.joints.push_back(joint);
}

/// Adds a point mass at the end of a rod without mass that turns about y: at zero it hangs at (0, 0, -length).
inline void add_pendulum(ModelSpec& model, const std::string& name, double mass, double length,
                         const std::string& parent = kWorld, const Vec3<>& pivot = {0, 0, 0}) {
  model.bodies.push_back({.name = name + " body", .inertia = point_mass(mass, {0, 0, -length})});
  JointSpec joint;
  joint.name = name;
  joint.kind = JointKind::revolute;
  joint.parent = parent;
  joint.child = name + " body";
  joint.X_PJ.translation = pivot;
  joint.axis = {0, 1, 0};
  joint.passive = {JointPassive{}};
  joint.limits = {JointLimits{}};
  model.joints.push_back(joint);
}

/// A scene of one slider along z.
inline SceneSpec slider_scene(double mass = 2.0, const Vec3<>& gravity = {0, 0, -9.81}) {
  SceneSpec scene;
  scene.model.name = "slider";
  scene.model.gravity = gravity;
  add_slider(scene.model, "slide", mass);
  return scene;
}

inline JointLimits& limits(SceneSpec& scene, std::size_t joint = 0) {
  return scene.model.joints[joint].limits[0];
}

inline JointPassive& passive(SceneSpec& scene, std::size_t joint = 0) {
  return scene.model.joints[joint].passive[0];
}

inline void start(SceneSpec& scene, const std::string& joint, double q, double v) {
  InitialSpec spec;
  spec.joint = joint;
  spec.q = {q};
  spec.v = {v};
  scene.initial.push_back(spec);
}

inline void restitution(SceneSpec& scene, const std::string& joint, double e) {
  JointLimitSpec limit;
  limit.joint = joint;
  limit.restitution = e;
  scene.joint_limits.push_back(limit);
}

inline void motor(SceneSpec& scene, const std::string& name, const std::string& joint, const std::string& formula) {
  MotorSpec spec;
  spec.name = name;
  spec.joint = joint;
  spec.effort = command_expression(formula).value();
  scene.motors.push_back(spec);
}

inline void spring(SceneSpec& scene, const std::string& joint, double stiffness, double damping = 0.0) {
  JointSpringSpec spec;
  spec.name = joint + " spring";
  spec.joint = joint;
  spec.stiffness = stiffness;
  spec.damping = damping;
  scene.joint_springs.push_back(spec);
}

inline void prescribe(SceneSpec& scene, const std::string& name, const std::string& joint, MotionKind kind,
                      const std::string& formula) {
  PrescribedMotionSpec spec;
  spec.name = name;
  spec.joint = joint;
  spec.kind = kind;
  if (kind == MotionKind::acceleration) spec.acceleration = command_expression(formula).value();
  if (kind != MotionKind::acceleration) spec.drive = expression_drive(formula).value();
  scene.prescribed.push_back(spec);
}

inline void watch(SceneSpec& scene, const std::string& name, const std::string& formula,
                  EventDirection direction = EventDirection::both, bool terminal = false) {
  EventSpec spec;
  spec.name = name;
  spec.expression = formula;
  spec.direction = direction;
  spec.terminal = terminal;
  scene.events.push_back(spec);
}

/// A recording that also remembers in which order rows and events came.
class OrderedRecording : public MemoryRecording {
 public:
  RecordReport begin(std::span<const Column> columns) override {
    order.clear();
    return MemoryRecording::begin(columns);
  }
  RecordReport row(std::span<const double> numbers) override {
    order += 'r';
    return MemoryRecording::row(numbers);
  }
  RecordReport event(const EventRecord& event) override {
    order += 'e';
    return MemoryRecording::event(event);
  }

  std::string order;  ///< r for a row, e for an event
};

/// A scene in motion, with what it recorded.
struct Moving {
  explicit Moving(const SceneSpec& spec, const SimulationParts& parts = {})
      : scene(compile(spec).value()), simulation(scene, parts) {}

  RunReport run(double until = __builtin_nan("")) { return simulation.run({.until = until, .sink = &recording}); }

  /// The times of the events of a kind.
  std::vector<double> times(EventKind kind, const std::string& name = {}) const {
    std::vector<double> found;
    for (const RecordedEvent& e : recording.events())
      if (e.event.kind == kind && (name.empty() || e.name == name)) found.push_back(e.event.t);
    return found;
  }
  double work(AccountKind kind, const std::string& name = {}) {
    double sum = 0.0;
    const EnergyBalance& energy_balance = simulation.energy_balance();
    for (std::size_t a = 0; a < simulation.accounts().size(); ++a) {
      const WorkAccount& account = simulation.accounts()[a];
      if (account.kind == kind && (name.empty() || account.name == name)) sum += energy_balance.work()[a];
    }
    return sum;
  }
  double clipped(const std::string& name) {
    const EnergyBalance& energy_balance = simulation.energy_balance();
    for (std::size_t a = 0; a < simulation.accounts().size(); ++a)
      if (simulation.accounts()[a].name == name) return energy_balance.clipped()[a];
    return __builtin_nan("");
  }
  double residual() { return simulation.energy_balance().energy().relative(); }
  double q(std::size_t i = 0) const { return simulation.state().q[i]; }
  double v(std::size_t i = 0) const { return simulation.state().v[i]; }

  Scene scene;
  Simulation simulation;
  OrderedRecording recording;
};

/// The larger of a and |b|; keeps a NaN.
inline double worse(double a, double b) {
  const double size = b < 0.0 ? -b : b;
  return size <= a ? a : size;
}

}  // namespace test
