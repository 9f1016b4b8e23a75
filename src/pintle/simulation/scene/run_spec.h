// RunSpec: how a scene is to be run.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/math/vec3.h"
#include "pintle/simulation/integrators/stepper.h"

namespace pintle {

struct RunSpec {
  double t0 = 0.0;        ///< [s]
  double duration = 1.0;  ///< [s]
  Method method = Method::rk4;
  /// [s] Of a method with fixed steps their length, of one with error control the first one; 0: estimated (first_step).
  double step = 0.0;
  /// Keeps a method with an error estimate at a fixed step.
  bool fixed_step = false;
  Tolerances tolerances{};
  double smallest_step = 1e-14;  ///< [s] of methods with error control
  double largest_step = __builtin_inf();
  int rows = 1000;    ///< about as many are recorded, besides one for every event
  int row_every = 0;  ///< fixed steps: a row every so many steps instead; 0: as `rows` says
  bool energy_balance = true;
  bool certificate = true;     ///< of every recorded row
  bool contact_forces = true;  ///< of the points that touch, with every recorded row (RecordSink::contacts)
  /// The largest relative residual of a certificate; a worse one stops the run. 2^-43 is seed 000's.
  double certificate_limit = __builtin_inf();
  /// [s] A rebound from a joint limit that would last no longer than this is a rest: what is cut off a series of ever
  /// smaller rebounds would last up to 1/(1 - e) times as long. So is a rebound that rises no higher than a few units
  /// in the last place of the position; away from zero that is more.
  double min_rebound_time = 1e-9;
  /// Integrates the momentum p, L_b of a mechanism that floats on one free joint, and the place of the point b, instead
  /// of its root's place and velocity (seed 004, MomentumForm). In free flight p and L_b + r_b x p then hold to
  /// rounding.
  bool momentum_state = false;
  Vec3<> momentum_point{0.0, 0.0, 0.0};  ///< [m] b, in the frame of the body on that joint
  Origin origin{};
};

}  // namespace pintle
