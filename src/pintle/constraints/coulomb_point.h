// One contact point with Coulomb friction, solved exactly. For the solvers of this layer.
#pragma once

#include <array>

#include "pintle/constraints/contact_solver.h"

namespace pintle {

/// w = B f + c of one contact: B = [nn, nt'; nt, tt] with tt = [xx, xy; xy, yy].
struct CoulombPoint {
  double nn;
  std::array<double, 2> nt;
  std::array<double, 3> tt;  ///< xx, xy, yy
  std::array<double, 3> c;
};

struct CoulombSolution {
  std::array<double, 3> f{};
  ContactState state = ContactState::open;
  bool found = true;  ///< false: a sliding point is closed by its own friction (Painleve)
};

/// The multipliers that obey the law. `nn` must be positive.  [eq. contact-law]
CoulombSolution solve_point(const CoulombPoint& point, const ContactLaw& law);

/// The tangential multipliers for a given normal one: w_t = 0 if that takes at most `hold`, else opposed to w_t with
/// magnitude `slide`.
struct TangentSolution {
  std::array<double, 2> f{};
  bool sticks = true;
};
TangentSolution solve_tangents(const std::array<double, 3>& tt, const std::array<double, 2>& c, double hold,
                               double slide);

}  // namespace pintle
