// A singly diagonally implicit Runge-Kutta method: order 4, L-stable, with an error estimate, for stiff mechanisms.
#pragma once

#include <array>

#include "pintle/simulation/integrators/stepper_memory.h"

namespace pintle {

class Sdirk {
 public:
  /// For so many components, of which the derivatives depend on the first ones alone: equations are solved for those
  /// only.
  Sdirk(std::size_t numbers, std::size_t depended_on);

  /// z1 after a step of h, and the estimated error of each component. The stages are found by Newton's method, with one
  /// matrix for all of them as long as it converges; `sizes` (positive) scale the change of each component. [eq. sdirk]
  StepOutcome step(ChartField& field, double h, std::span<const double> z0, std::span<const double> sizes,
                   std::span<double> z1, std::span<double> error);

 private:
  bool differentiate(ChartField& field, double t, std::span<const double> z, std::span<const double> sizes);
  bool factor(double h);
  void solve(std::span<double> x) const;

  std::array<std::vector<double>, 5> k_;
  std::vector<double> base_, stage_, rate_, beside_, change_;
  std::vector<double> jacobian_, matrix_;
  std::vector<std::size_t> pivot_;
};

}  // namespace pintle
