// A cylinder that bounces on a floor, by several programs: RK4 with fixed steps, one thread.
#pragma once

#include <string>

namespace peers {

/// The cylinder of seed 004: it stands on the floor, moves down and rotates.
struct Cylinder {
  double radius = 0.03, length = 0.09;  // [m]
  double mass = 2.0;                    // [kg]
  double gravity = 10.0;                // [m/s^2]
  double speed = 1.0;                   // [m/s] down at the start
  double turning = 5.0;                 // [rad/s] about a horizontal axis at the start
  double restitution = 1.0, friction = 0.0;
  double step = 1e-3;  // [s]

  double axial() const { return 0.5 * mass * radius * radius; }
  double across() const { return mass * (3.0 * radius * radius + length * length) / 12.0; }
};

/// A program that simulates it.
class CylinderRun {
 public:
  virtual ~CylinderRun() = default;
  /// From the initial state.
  virtual void run(long steps) = 0;
  /// In the last run.
  virtual long impacts() const = 0;
  /// The fraction of steps without contact.
  virtual double in_flight() const = 0;
  /// The final height of the centre [m].
  virtual double height() const = 0;
};

/// A plain transcription of the original loop.
CylinderRun* seed_cylinder(const Cylinder& cylinder);

/// MuJoCo's C library. Its contacts are compliant: `restitution` is that of a damped oscillation.
CylinderRun* mujoco_cylinder(const Cylinder& cylinder);
std::string mujoco_version();

}  // namespace peers
