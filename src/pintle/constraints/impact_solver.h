// Simultaneous impact at several contact points and joint limits, by a rule that cannot gain energy.
#pragma once

#include <span>

#include "pintle/constraints/contact_solver.h"
#include "pintle/constraints/point_impact.h"

namespace pintle {

/// The rule for impacts at several points at the same instant, which rigid-body mechanics alone does not determine.
enum class SeveralImpacts : unsigned char {
  /// All at once: between the plastic impact (no rebound) and the one in which every point returns its restitution
  /// times the plastic impulse, as close to the latter as the energy allows.
  simultaneous,
  sequential,  ///< one after the other, each as if it were alone, the hardest first, until no point approaches
};

/// u = A P + u_before. The first rows are those of contacts, three each, normal first; then one for each joint limit,
/// positive away from the joint limit. A as in ContactProblem.
struct ImpactProblem {
  std::span<const double> A, before;
  std::span<const double> restitution;  ///< per contact, then per joint limit, within [0, 1]
  std::span<const double> friction;     ///< per contact
  ImpactLaw law = ImpactLaw::stronge;   ///< of a single point, and of each point of `sequential`
  SeveralImpacts several = SeveralImpacts::simultaneous;
  int max_rounds = 1000;  ///< sequential impacts per point before the remaining ones are plastic
};

struct [[nodiscard]] ImpactReport {
  bool ok = true;
  double scale = 1.0;      ///< of `simultaneous`: the fraction of the restitution that is applied
  int impacts = 0;         ///< of `sequential`
  bool cut_short = false;  ///< max_rounds was reached; the last impacts were plastic
  bool fell_back = false;  ///< `simultaneous` found no solution: `sequential` did, or see `smooth`
  bool smooth = false;     ///< nor did `sequential`: friction was left out, against Coulomb's law, and nothing rebounds
  double residual = 0.0;
  double energy_change = 0.0;  ///< [J], never positive with Stronge's law
  double work = 0.0;           ///< about how many multiplications it took
};

/// Memory and results of `solve_impact`.
class ImpactWorkspace {
 public:
  ImpactWorkspace(std::size_t contacts, std::size_t limits);

  ContactWorkspace solver;
  Buffer<double> after;        ///< [m/s] per row
  Buffer<double> compression;  ///< [N s] per contact: the normal impulse at the end of compression
  Buffer<double> lost;         ///< [J] per contact, then per joint limit: the energy it dissipated
  /// [m/s] per contact: approach and slip speed before its hardest impact, and separation speed after it. Later impacts
  /// of `sequential` may have changed them.
  Buffer<double> approach, slip, rebound;
  Buffer<ContactLaw> laws;
  Buffer<double> plastic, trial, velocity, lower, upper, best;
};

/// The impulses P (one per row) of an impact. Throws UsageError on a size mismatch.  [eq. several-impacts]
ImpactReport solve_impact(const ImpactProblem& problem, ImpactWorkspace& work, std::span<double> P);

}  // namespace pintle
