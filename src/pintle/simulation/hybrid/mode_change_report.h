// ModeChangeReport: the outcome of a mode transition.
#pragma once

namespace pintle {

struct [[nodiscard]] ModeChangeReport {
  bool ok = true;                  ///< false: a solver did not converge, or there are no accelerations
  int joint = -1;                  ///< that moves no inertia, after a failure
  bool impact = false;             ///< velocities jumped
  bool cut_short = false;          ///< of an impact (LimitImpulseReport)
  double energy_lost = 0.0;        ///< [J] in the impact
  double residual = 0.0;           ///< the largest of the solvers
  double work = 0.0;               ///< about how many multiplications they took, for contacts
  bool without_collision = false;  ///< of contacts: an impact without collision
};

}  // namespace pintle
