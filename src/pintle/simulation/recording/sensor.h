// Sensors: quantities measured on a moving mechanism, as columns of its recording. docs/formats/recording.md lists
// them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pintle/base/buffer.h"
#include "pintle/dynamics/centroidal_momentum.h"
#include "pintle/dynamics/reactions.h"
#include "pintle/expression/expression.h"
#include "pintle/simulation/recording/column.h"
#include "pintle/simulation/recording/recording.h"

namespace pintle {

enum class SensorKind : unsigned char {
  frame_pose,      ///< x y z [m], qx qy qz qw of a place in the frame of another one; qw >= 0
  frame_twist,     ///< vx vy vz [m/s], wx wy wz [rad/s] of a place relative to the world
  imu,             ///< ax ay az [m/s^2]: acceleration minus gravity; wx wy wz [rad/s]; both in the place's axes
  joint_wrench,    ///< fx fy fz [N], nx ny nz [N m] of a joint, fixed ones too, on its child body at the joint's frame
  distance,        ///< distance [m] between two places, and its time derivative [m/s]
  joint_position,  ///< the coordinates of a joint, coupled ones too
  joint_velocity,
  joint_effort,   ///< the effort along a joint that is not coupled, besides its passive effort
  contact_force,  ///< fx fy fz [N], nx ny nz [N m] of all active contacts on a place's body, about the place
  momentum,       ///< px py pz [N s] of the whole mechanism, Lx Ly Lz [N m s] about a place; in world axes
  expression,     ///< a formula of the time and other columns
};

/// The facts of a kind of sensor: its name in files, and which members of a SensorSpec it reads.
struct SensorFacts {
  SensorKind kind;
  std::string_view name;
  bool place, reference, joint, axes, expression;
};

inline constexpr int kSensorKinds = 11;
inline constexpr SensorFacts kSensorFacts[kSensorKinds] = {
    {SensorKind::frame_pose, "frame-pose", true, true, false, false, false},
    {SensorKind::frame_twist, "frame-twist", true, false, false, true, false},
    {SensorKind::imu, "imu", true, false, false, false, false},
    {SensorKind::joint_wrench, "joint-wrench", false, false, true, true, false},
    {SensorKind::distance, "distance", true, true, false, false, false},
    {SensorKind::joint_position, "joint-position", false, false, true, false, false},
    {SensorKind::joint_velocity, "joint-velocity", false, false, true, false, false},
    {SensorKind::joint_effort, "joint-effort", false, false, true, false, false},
    {SensorKind::contact_force, "contact-force", true, true, false, true, false},
    {SensorKind::momentum, "momentum", true, false, false, false, false},
    {SensorKind::expression, "expression", false, false, false, false, true},
};

constexpr const SensorFacts& facts(SensorKind kind) {
  return kSensorFacts[static_cast<int>(kind)];
}

/// A sensor as a person describes it. What its kind does not read stays as it is here.
///
/// Its columns are called "name.part"; that of a sensor with a single value has the name of the sensor. The name is
/// made of letters, digits, "_" and ".", so that formulas can use it.
struct SensorSpec {
  std::string name;
  SensorKind kind = SensorKind::frame_pose;
  std::string place{};      ///< a body, a frame or "world"
  std::string reference{};  ///< likewise; empty: the world, of a contact force: everything that touches the body
  std::string joint{};
  /// Axes of a twist or a wrench: those of the place or of the joint's frame on the child, the world's about the same
  /// point (local_world_aligned), or the world's about its origin.
  Axes axes = Axes::local;
  std::string expression{};    ///< the formula
  std::string unit{};          ///< of its value; empty: "1"
  Origin origin{};             ///< of the sensor
  Origin expression_origin{};  ///< of the first byte of its formula
};

/// One instant of a motion, as sensors see it. What no sensor of the set needs (SensorSet::needs_...) may be left out.
struct SensorInstant {
  double t = 0.0;                                  ///< [s]
  std::span<const double> q{}, v{}, tau{};         ///< of the independent dofs
  const KinematicsWorkspace* places = nullptr;     ///< after `kinematics` at (q, v, vdot)
  const ReactionsWorkspace* reactions = nullptr;   ///< after `reactions`; its `kinematics` may serve as `places`
  std::span<const ContactForceRecord> contacts{};  ///< the active contacts, as a row has them
  std::span<const double> others{};                ///< the columns that were passed to compile_sensors
};

/// The sensors of a model, ready to be read. Reading allocates nothing.
class SensorSet {
 public:
  SensorSet(const SensorSet&);
  SensorSet(SensorSet&&) noexcept;
  SensorSet& operator=(const SensorSet&);
  SensorSet& operator=(SensorSet&&) noexcept;
  ~SensorSet();

  /// The columns, sensor after sensor in the order of their specs.
  std::span<const Column> columns() const;

  bool needs_places() const { return needs_places_; }
  bool needs_reactions() const { return needs_reactions_; }
  bool needs_efforts() const { return needs_efforts_; }
  bool needs_contacts() const { return needs_contacts_; }

  /// Writes a value for each column. Sizes must fit, and all inputs needed must be there, else UsageError.  [eq.
  /// specific-force]
  void read(const SensorInstant& at, std::span<double> numbers);

 private:
  friend class SensorCompiler;
  static constexpr int kAnyBody = -2;

  /// A sensor by indices instead of names.
  struct Sensor {
    SensorKind kind;
    Axes axes;
    int joint;               // Model::joints
    int first, count;        // its indices among the values of all joints
    std::size_t column;      // its first
    std::size_t formula;     // of formulas_
    Place place, reference;  // of a contact force without a reference: that of kAnyBody
  };
  struct Formula {
    Expression expression;
    std::vector<std::size_t> sources;  // of its variables: 0 the time, then the others, then the columns
  };

  explicit SensorSet(const Model& model);
  void read_formula(const Sensor& sensor, const SensorInstant& at, std::span<double> numbers);

  Model model_;
  std::vector<Column> columns_;
  std::vector<Sensor> sensors_;
  std::vector<Formula> formulas_;
  Buffer<double> values_;  // memory for the variables of a formula
  CentroidalWorkspace centroidal_;
  std::size_t others_ = 0;
  bool needs_places_ = false, needs_reactions_ = false, needs_efforts_ = false, needs_contacts_ = false;
};

/// Resolves the names in sensors, and parses their formulas. A failure lists every problem: unknown places and joints
/// with the nearest name, names that formulas cannot use, columns of one name, members that a kind does not read;
/// errors in formulas once the names are right.
///
/// A formula may use "t", the columns of all sensors without formula, those of formulas before it, and the columns in
/// `others`, as far as their names are valid in the language; a sensor's column may not have the name of one of those.
Result<SensorSet> compile_sensors(const Model& model, std::span<const SensorSpec> specs,
                                  std::span<const Column> others = {});

}  // namespace pintle
