// A robot that moves freely, as every program runs it (`./run bench runs`).
#pragma once

#include <memory>
#include <vector>

#include "mechanism.h"

namespace peers {

/// A spring with a damper between points of two links; link -1 is the world.
struct Line {
  int first = -1, second = -1;
  double at_first[3] = {0, 0, 0};   ///< [m] in the frame of the link
  double at_second[3] = {0, 0, 0};  ///< [m]
  double stiffness = 0;             ///< [N/m]
  double damping = 0;               ///< [N s/m]
  double rest_length = 0;           ///< [m]
};

/// Contacts and limits are off.
struct Robot {
  Mechanism mechanism;
  double damping = 0.1;  ///< of every dof but those of free joints [N m s/rad]
  std::vector<Line> lines{};
  State start{};  ///< q and v
  double step = 1e-3;
};

class RobotRun {
 public:
  virtual ~RobotRun() = default;

  /// Runs from the start.
  virtual void run(long steps) = 0;
  /// The positions [m] of the links' frames in the world after that, three numbers each.
  virtual std::vector<double> places() = 0;
};

/// MuJoCo's mj_step with RK4.
std::unique_ptr<RobotRun> mujoco_robot(const Robot& robot);
const char* mujoco_of_runs();

}  // namespace peers
