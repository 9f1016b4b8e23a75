// Inverse dynamics along a trajectory: the efforts, speeds and powers that a motion needs, for sizing motors
// (docs/trajectories.md).
#pragma once

#include <string>
#include <vector>

#include "pintle/dynamics/certificate/certificate.h"
#include "pintle/simulation/trajectory/trajectory.h"
#include "pintle/spatial/axes.h"

namespace pintle {

/// The load of a motor, or of a dof of a joint, along a trajectory. Effort and power are interpolated linearly between
/// samples: the error of means and work is of second order in the sampling interval.
struct Duty {
  double peak_effort = 0.0;       ///< the largest |effort| [N m, or N]
  double peak_effort_time = 0.0;  ///< its time [s]
  double rms_effort = 0.0;        ///< root mean square of the effort: what heats a motor
  double peak_speed = 0.0;        ///< the largest |speed| [rad/s, or m/s]
  double peak_speed_time = 0.0;
  double peak_power = 0.0;  ///< the largest |effort speed| [W]
  double peak_power_time = 0.0;
  double mean_power = 0.0;     ///< the mean of |effort speed| [W]
  double positive_work = 0.0;  ///< [J] put into the mechanism
  double negative_work = 0.0;  ///< [J] taken out of it, not positive; the sum of both is the net work
};

/// The duty of a dof.
struct JointDuty {
  int joint = -1;  ///< Model::joints
  int dof = 0;     ///< 0 ... nv - 1 within its joint
  Duty duty{};
};

/// A geared motor on a dof of a joint. The joint's armature in the model must not contain its rotor.
struct MotorSize {
  std::string joint;
  int dof = 0;
  double gear_ratio = 1.0;     ///< speed of the motor over that of the joint [1, or rad/m]; not zero
  double rotor_inertia = 0.0;  ///< [kg m^2] about the motor's shaft
  Origin origin{};
};

/// A wrench that acts all the time, constant in its axes: a tool's force in those of the tool, a pull in the world's.
struct TrajectoryLoad {
  std::string place;  ///< a body or a frame on one
  Wrench<> wrench{};  ///< [N, N m] about the place's origin (Axes::world: about the world's)
  Axes axes = Axes::local;
  Origin origin{};
};

struct TrajectoryOptions {
  std::vector<MotorSize> motors{};
  std::vector<TrajectoryLoad> loads{};
  bool passive = true;      ///< dampers, springs and sliding friction of the joints
  bool certificate = true;  ///< check every sample
};

struct TrajectoryEfforts {
  std::vector<double> efforts;    ///< model.nv() values for each time of the trajectory
  std::vector<JointDuty> joints;  ///< one for each independent dof, in their order
  std::vector<Duty> motors;       ///< one for each motor, at its shaft: torque, speed, and the power with its rotor's
  Certificate certificate;        ///< the worst over all samples
  double certificate_time = 0.0;  ///< of that sample [s]
};

/// The efforts along a trajectory and the duty of joints and motors: tau of inverse dynamics; at a motor's shaft tau /
/// gear + gear J vdot. Sizes must fit the model, with one sample or more and times that increase, else UsageError. A
/// failure lists every problem of motors and loads. A value that is not finite stays so, also in peaks.  [eq. rnea]
/// [eq. motor-side]
Result<TrajectoryEfforts> trajectory_efforts(const Model& model, const Trajectory& trajectory,
                                             const TrajectoryOptions& options = {});

}  // namespace pintle
