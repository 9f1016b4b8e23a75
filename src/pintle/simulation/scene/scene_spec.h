// SceneSpec: a mechanism with all that acts on it, its initial state and its run settings, as a person describes it.
// `compile` checks it and makes an immutable Scene of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pintle/geometry/shapes/hole.h"
#include "pintle/geometry/shapes/mesh_source.h"
#include "pintle/model/spec/model_spec.h"
#include "pintle/simulation/contact/contact_spec.h"
#include "pintle/simulation/elements/body_force.h"
#include "pintle/simulation/elements/bushing.h"
#include "pintle/simulation/elements/controller.h"
#include "pintle/simulation/elements/drag.h"
#include "pintle/simulation/elements/effort_motor.h"
#include "pintle/simulation/elements/joint_spring.h"
#include "pintle/simulation/elements/line_spring.h"
#include "pintle/simulation/elements/prescribed_motion.h"
#include "pintle/simulation/elements/state_feedback.h"
#include "pintle/simulation/recording/sensor.h"
#include "pintle/simulation/scene/run_spec.h"
#include "pintle/simulation/system/event_function.h"

namespace pintle {

/// A solid on a body, for display. Its mass is already part of the body's inertia.
struct BodyShape {
  std::string body;  ///< or kWorld
  Shape shape;
  Pose<> X_BS = identity_pose<double>();
  std::string color{};  ///< "#rrggbb", or empty
  Origin origin{};
  MeshSource mesh{};  ///< of a mesh
  std::vector<Hole> holes{};
};

/// A plane of the ground, for display: z = 0 of its frame.
struct GroundPlane {
  Pose<> X_WS = identity_pose<double>();
  std::string color{};  ///< "#rrggbb", or empty
};

/// A material of the scene's own.
struct BodyMaterial {
  std::string name;
  double density = 0.0;  ///< [kg/m^3]; NaN: it describes a surface only
  std::string color{};
  bool has_surface = false;  ///< it has contact parameters
  Origin origin{};
};

/// Initial position and velocity of a joint. Joints without one start at zero, at rest.
struct InitialSpec {
  std::string joint;
  std::vector<double> q{};  ///< [rad or m], as many values as the joint has (docs/joints.md), or none: zero
  std::vector<double> v{};  ///< [rad/s or m/s], or none: at rest
  Origin origin{};
  /// Of a body on a free joint to the world, instead of v: the velocity of its centre of mass [m/s] and its angular
  /// velocity [rad/s], both in world axes. If only one is given the other is zero.
  std::optional<Vec3<>> velocity{}, angular_velocity{};

  bool has_world_velocity() const { return velocity || angular_velocity; }
};

/// How a joint rebounds from its position limits. Without one it does not (restitution 0).
struct JointLimitSpec {
  std::string joint;
  double restitution = 0.0;  ///< the fraction of the speed that is left, within [0, 1]
  Origin origin{};
};

/// A witness function; the instant of its zero is recorded.
struct EventSpec {
  std::string name;
  std::string expression;  ///< of t, the joints' positions and speeds and sensors (docs/events.md)
  EventDirection direction = EventDirection::both;
  bool terminal = false;  ///< ends the run
  Origin origin{};
};

struct SceneSpec {
  ModelSpec model{};
  std::vector<BodyShape> shapes{};
  std::vector<GroundPlane> planes{};
  std::vector<InitialSpec> initial{};
  std::vector<JointLimitSpec> joint_limits{};
  std::vector<MotorSpec> motors{};
  std::vector<PrescribedMotionSpec> prescribed{};
  std::vector<ControllerSpec> controllers{};
  std::vector<FeedbackSpec> feedbacks{};
  std::vector<JointSpringSpec> joint_springs{};
  std::vector<LineSpringSpec> line_springs{};
  std::vector<BushingSpec> bushings{};
  std::vector<BodyForceSpec> body_forces{};
  std::vector<DragSpec> drags{};
  std::vector<EventSpec> events{};
  std::vector<SensorSpec> sensors{};
  ContactSpec contact{};
  RunSpec run{};
};

}  // namespace pintle
