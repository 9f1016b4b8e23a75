// Impact at one contact point: restitution by Newton's, Poisson's or Stronge's law, and Coulomb friction over the whole
// course of the impulse: slip, its change of direction, stick and reversal.
#pragma once

#include <array>

#include "pintle/constraints/coulomb_point.h"

namespace pintle {

/// The quantities whose ratio is the coefficient of restitution.
enum class ImpactLaw : unsigned char {
  newton,        ///< of the normal speeds after and before
  poisson,       ///< of the normal impulses of restitution and compression
  stronge,       ///< its square, of the normal work of restitution and compression: never gains energy
  single_point,  ///< decoupled normal and slip impulse: `single_point_impact`
};

/// u = B P + c, with u the relative velocity of the point [m/s], normal first and negative where the bodies approach,
/// and P the impulse [N s]; `friction` is one coefficient, static and kinetic alike: an impact is too short to tell
/// them apart.
struct PointImpact {
  CoulombPoint point;  ///< B, and c = u before
  double restitution = 0.0;
  double friction = 0.0;
};

enum class SlipProcess : unsigned char {
  none,      ///< no slip before, during or after
  slides,    ///< slips to the end, in its initial direction or a changing one
  sticks,    ///< the slip stops before the end and the point sticks
  reverses,  ///< the slip stops and restarts in another direction
};

struct PointImpactSolution {
  std::array<double, 3> P{};      ///< [N s]
  std::array<double, 3> after{};  ///< [m/s]
  double compression = 0.0;       ///< [N s] the normal impulse when compression ended
  double normal_work = 0.0;       ///< [J] of the normal impulse, both phases
  double tangential_work = 0.0;   ///< [J] of friction, not positive
  SlipProcess slip = SlipProcess::none;
  bool ok = true;  ///< false where values were not finite or the impact did not end

  /// [J] change of kinetic energy; never positive with Stronge's law (with Newton's: Kane's paradox).
  double energy_change() const { return normal_work + tangential_work; }
};

/// Integrates over the impulse from first contact to the end. A point that does not approach gets no impulse; one that
/// friction wedges (it has no slip left and nothing can move it along its normal) does not rebound. `nn` must be
/// positive, 0 <= restitution <= 1, friction >= 0, else UsageError.  [eq. point-impact]
PointImpactSolution point_impact(const PointImpact& impact, ImpactLaw law);

/// Impact without collision: the impulse of a sliding point that does not approach but is closed by its own friction
/// (nn - friction nt.d is not positive for its slip direction d). It grows until the slip ends, and then until it has
/// stopped the approach that it caused. Plastic.  [eq. point-impact]
PointImpactSolution painleve_impact(const PointImpact& impact);

/// The single-point law: the normal impulse without friction, then a slip impulse that stops the slip, at most friction
/// times the normal one; they are decoupled.  [eq. single-point]
PointImpactSolution single_point_impact(const PointImpact& impact);

}  // namespace pintle
