// Impact at one point of contact: restitution by Newton's, Poisson's or Stronge's law, and Coulomb friction along the
// whole way of the impulse: slip, its turning, stick and reversal.
#pragma once

#include <array>

#include "pintle/constraints/coulomb_point.h"

namespace pintle {

/// What the coefficient of restitution is a ratio of.
enum class ImpactLaw : unsigned char {
  newton,        ///< of the normal speeds after and before
  poisson,       ///< of the normal impulses of restitution and compression
  stronge,       ///< its square, of the normal work of restitution and compression: never gains energy
  single_point,  ///< seed 004's: `single_point_impact`
};

/// u = B P + c, with u the relative velocity of the point [m/s], normal first and negative where the bodies approach,
/// and P the impulse [N s]; `friction` is one number, static or kinetic: an impact is too short to tell.
struct PointImpact {
  CoulombPoint point;  ///< B, and c = u before
  double restitution = 0.0;
  double friction = 0.0;
};

enum class SlipCourse : unsigned char {
  none,      ///< it had no slip and got none
  slides,    ///< to the end, in the direction it came with or turning
  sticks,    ///< comes to rest before the end and stays so
  reverses,  ///< comes to rest and slides on in another direction
};

struct PointImpactSolution {
  std::array<double, 3> P{};      ///< [N s]
  std::array<double, 3> after{};  ///< [m/s]
  double compression = 0.0;       ///< [N s] the normal impulse when compression ended
  double normal_work = 0.0;       ///< [J] of the normal impulse, both phases
  double tangential_work = 0.0;   ///< [J] of friction, not positive
  SlipCourse course = SlipCourse::none;
  bool ok = true;  ///< false where numbers were not finite or the way did not end

  /// [J] what kinetic energy changes by; never positive with Stronge's law (with Newton's: Kane's paradox).
  double energy_change() const { return normal_work + tangential_work; }
};

/// Follows the impulse from the first touch to the end. A point that does not approach gets none; one that friction
/// wedges (it has no slip left and nothing can move it along its normal) gives nothing back. `nn` must be
/// positive, 0 <= restitution <= 1, friction >= 0, else UsageError.  [eq. point-impact]
PointImpactSolution point_impact(const PointImpact& impact, ImpactLaw law);

/// The impulse of a point that slides, does not approach, and is pressed together by its own friction (nn - friction
/// nt.d is not positive for the direction d of its slip): it grows until the slip ends, and then as long as it takes to
/// stop the approach that it caused. Plastic.  [eq. point-impact]
PointImpactSolution painleve_impact(const PointImpact& impact);

/// The law of seed 004: the normal impulse as if there were no friction, then a slip impulse that stops the slip, at
/// most friction times it; neither feels the other.  [eq. single-point]
PointImpactSolution single_point_impact(const PointImpact& impact);

}  // namespace pintle
