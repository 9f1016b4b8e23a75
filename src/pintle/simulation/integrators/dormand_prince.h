// The method of Dormand and Prince: order 5, with an error estimate and an interpolant of order 4.
#pragma once

#include <array>

#include "pintle/simulation/integrators/stepper_memory.h"

namespace pintle {

class DormandPrince {
 public:
  explicit DormandPrince(std::size_t numbers);

  /// z1 after a step of h, and the estimated error of each component. False where the field has no derivatives.  [eq.
  /// dormand-prince]
  bool step(ChartField& field, double h, std::span<const double> z0, std::span<double> z1, std::span<double> error);

  /// z at the fraction theta of the last step.  [eq. dense-output]
  void interpolate(double theta, std::span<double> z) const;

 private:
  std::array<std::vector<double>, 7> k_;
  std::vector<double> stage_;
  std::array<std::vector<double>, 5> dense_;
};

}  // namespace pintle
