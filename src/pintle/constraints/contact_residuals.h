// ContactResiduals: how far contact forces or impulses violate the laws of contact.
#pragma once

namespace pintle {

/// The larger of two residuals; NaN when any is.
inline double worse_of(double a, double b) {
  return a != a || b <= a ? a : b;
}

/// Each is relative to the size of its terms, so that rounding is about 1e-16 (docs/contact.md has the scales). A law
/// that does not apply has the residual 0.
struct ContactResiduals {
  double momentum = 0.0;         ///< of an impact: change of momentum - impulses
  double energy = 0.0;           ///< of an impact: change of kinetic energy - work of the impulses
  double complementarity = 0.0;  ///< tensile force, gap, approach
  double cone = 0.0;             ///< |f_t| - mu f_n
  double dissipation = 0.0;      ///< friction not opposed to the slip; slip of a sticking point
  double restitution = 0.0;      ///< of an impact at one point: deviation from the impulse of its law

  /// The largest; NaN when any is.
  double worst() const {
    const double first = worse_of(worse_of(momentum, energy), complementarity);
    return worse_of(worse_of(worse_of(first, cone), dissipation), restitution);
  }

  /// Component-wise maximum.
  void take(const ContactResiduals& other) {
    momentum = worse_of(momentum, other.momentum);
    energy = worse_of(energy, other.energy);
    complementarity = worse_of(complementarity, other.complementarity);
    cone = worse_of(cone, other.cone);
    dissipation = worse_of(dissipation, other.dissipation);
    restitution = worse_of(restitution, other.restitution);
  }
};

}  // namespace pintle
