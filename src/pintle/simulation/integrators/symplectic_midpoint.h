// The implicit midpoint rule in positions and momenta: symplectic, so that the energy of conservative motion does not
// drift.
#pragma once

#include "pintle/dynamics/coriolis_matrix.h"
#include "pintle/dynamics/mass_matrix.h"
#include "pintle/dynamics/mass_matrix_factor.h"
#include "pintle/simulation/integrators/stepper_memory.h"

namespace pintle {

/// In the chart around a step's start the motion has the coordinates xi and the momenta pi = J(xi)^-T p that belong to
/// them, p = M v. Their equations are Hamilton's, the midpoint rule of those is symplectic, and the next step uses
/// another chart, which does not change that. Order 2.  [eq. symplectic-midpoint]
class SymplecticMidpoint {
 public:
  explicit SymplecticMidpoint(const MotionSystem& system);

  /// z1 = [xi, u, auxiliary] after a step of h; stages by fixed-point iteration.
  StepOutcome step(ChartField& field, double h, std::span<const double> z0, std::span<double> z1);

 private:
  std::span<const double> without_held(std::span<const unsigned char> held);
  bool velocity_at(ChartField& field, std::span<const double> xi, std::span<const double> pi, std::span<double> v);
  bool derivatives_at(ChartField& field, double t, std::span<const double> xi, std::span<const double> pi,
                      std::span<const double> auxiliary);

  MassMatrixWorkspace<> mass_;
  MassMatrixFactor<> factor_;
  CoriolisMatrixWorkspace<> coriolis_;
  std::vector<double> q_, M_, M_free_, C_;
  std::vector<double> v_, u_, vdot_, auxiliary_derivative_;  // at the midpoint
  std::vector<double> pi0_, xi_, pi_, auxiliary_, p_;    // the midpoint
  std::vector<double> xi_rate_, pi_rate_;
};

}  // namespace pintle
