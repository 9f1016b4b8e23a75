// RunSpec: the settings of a run.
#pragma once

#include "pintle/base/diagnostic.h"
#include "pintle/math/vec3.h"
#include "pintle/simulation/contact/contact_method.h"
#include "pintle/simulation/integrators/stepper.h"

namespace pintle {

/// Half of what a law demands is missing: whatever comes after that means nothing. Runs whose certificates are off by
/// less go on, and their checks say so (RunChecks).
inline constexpr double kCertificateLimit = 0.5;

struct RunSpec {
  double t0 = 0.0;        ///< [s]
  double duration = 1.0;  ///< [s]
  Method method = Method::rk4;
  /// [s] With fixed steps their length, under error control the length of the first; 0: estimated (first_step).
  double step = 0.0;
  /// The method is only a default: a scene file names neither integrator nor step. Reading it chooses the one that fits
  /// (RunOutlook).
  bool any_method = false;
  /// Uses a method with an error estimate at a fixed step.
  bool fixed_step = false;
  Tolerances tolerances{};
  double smallest_step = 1e-14;  ///< [s] under error control
  double largest_step = __builtin_inf();
  int rows = 1000;    ///< about so many are recorded, at round times, besides one for every event
  int row_every = 0;  ///< fixed steps: a row every so many steps instead; 0: as `rows` says
  bool energy_balance = true;
  bool certificate = true;     ///< of every recorded row
  bool contact_forces = true;  ///< of the points that touch, with every recorded row (RecordSink::contacts)
  /// The maximum relative residual of a certificate; a larger one stops the run. Seed 000 uses 2^-43.
  double certificate_limit = kCertificateLimit;
  /// [s] Zeno truncation at joint limits: a rebound that would last no longer than this is left out. The truncated
  /// series of ever smaller rebounds would last up to 1/(1 - e) times as long. A rebound no higher than a few units in
  /// the last place of the position is left out too; away from zero that is more.
  double min_rebound_time = 1e-9;
  /// Integrates the momentum p, L_b of a mechanism that floats on one free joint, and the position of the point b,
  /// instead of its root's position and velocity (seed 004, MomentumForm). In free flight p and L_b + r_b x p are then
  /// constant to rounding.
  bool momentum_state = false;
  Vec3<> momentum_point{0.0, 0.0, 0.0};  ///< [m] b, in the frame of the body on that joint
  ContactMethod contact = ContactMethod::automatic;
  Origin origin{};
};

}  // namespace pintle
