// Scene: a compiled, immutable scene. Made by `compile`; simulated by Simulation.
#pragma once

#include <span>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/simulation/scene/scene_spec.h"
#include "pintle/simulation/system/force_element.h"

namespace pintle {

struct ContactSetup;
struct SceneData;
struct SceneUnknowns;

/// A validated scene. Copies share one memory, which never changes.
class Scene {
 public:
  Scene(const Scene& other);
  Scene& operator=(const Scene& other);
  ~Scene();

  const Model& model() const;
  /// The spec it was compiled from.
  const SceneSpec& spec() const;
  const RunSpec& run() const { return spec().run; }

  /// The configuration and velocity at the start, of the independent joints.
  std::span<const double> initial_q() const;
  std::span<const double> initial_v() const;

  /// Per independent dof the restitution of its joint limits.
  std::span<const double> restitution() const;

  /// The prescribed motions.
  std::span<const PrescribedMotion> prescribed() const;

  const SensorSet& sensors() const;

  /// The shapes that can touch, and the pairs that may.
  const ContactSetup& contacts() const;

  /// New elements for a run, in the order of the spec: motors, controllers, state feedback, springs of joints, springs along lines,
  /// bushings, forces on bodies, drags. The model's effort limits of a joint apply to motors and controllers.
  std::vector<ForceElementPointer> make_elements() const;

 private:
  friend Result<Scene> compile(const SceneSpec& spec, SceneUnknowns unknowns);
  explicit Scene(SceneData* data) : data_(data) {}

  SceneData* data_;  // shared by all copies
};

/// Checks and compiles a scene. A failure lists every problem found, each with its origin, cause and fix, but not those
/// that only follow from another one.
Result<Scene> compile(const SceneSpec& spec);

}  // namespace pintle
