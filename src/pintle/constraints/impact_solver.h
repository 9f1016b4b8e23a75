// Impact at several points of contact and joint limits at one instant, by a rule that cannot gain energy.
#pragma once

#include <span>

#include "pintle/constraints/contact_solver.h"
#include "pintle/constraints/point_impact.h"

namespace pintle {

/// What happens where several points touch at the same instant. Rigid bodies alone do not say.
enum class SeveralImpacts : unsigned char {
  /// All at once: between the plastic impact (nothing rebounds) and the one in which every point gives back its
  /// restitution times the impulse of the plastic one, as near to the latter as the energy allows.
  simultaneous,
  sequential,  ///< one after the other, each as if it were alone, the hardest first, until none approaches
};

/// u = A P + u_before. The first rows are those of contacts, three each, normal first; then one for each joint limit,
/// counted positive away from the joint limit. A as in ContactProblem.
struct ImpactProblem {
  std::span<const double> A, before;
  std::span<const double> restitution;  ///< per contact, then per joint limit, within [0, 1]
  std::span<const double> friction;     ///< per contact
  ImpactLaw law = ImpactLaw::stronge;   ///< of a single point; and of each one in turn
  SeveralImpacts several = SeveralImpacts::simultaneous;
  int max_rounds = 1000;  ///< impacts in turn, for each point, before the rest is plastic
};

struct [[nodiscard]] ImpactReport {
  bool ok = true;
  double scale = 1.0;      ///< of `simultaneous`: how much of the restitution there is
  int impacts = 0;         ///< of `sequential`
  bool cut_short = false;  ///< the rounds ran out; the last impact was plastic
  bool fell_back = false;  ///< `simultaneous` found no answer: impacts in turn gave one, or see `smooth`
  bool smooth = false;  ///< nor did impacts in turn: friction was left out, against Coulomb's law, and nothing rebounds
  double residual = 0.0;
  double energy_change = 0.0;  ///< [J], never positive with Stronge's law
};

/// Memory and results of `solve_impact`.
class ImpactWorkspace {
 public:
  ImpactWorkspace(std::size_t contacts, std::size_t limits);

  ContactWorkspace solver;
  Buffer<double> after;        ///< [m/s] per row
  Buffer<double> compression;  ///< [N s] per contact: the normal impulse at the end of compression
  Buffer<double> lost;         ///< [J] per contact, then per joint limit: the energy it took
  /// [m/s] per contact: how fast the points closed in and slid before their hardest impact, and how fast they parted
  /// after it. The others of `sequential` have changed that since.
  Buffer<double> approach, slip, rebound;
  Buffer<ContactLaw> laws;
  Buffer<double> plastic, trial, velocity, lower, upper, best;
};

/// The impulses P (one per row) of an impact. Sizes must fit, else UsageError.  [eq. several-impacts]
ImpactReport solve_impact(const ImpactProblem& problem, ImpactWorkspace& work, std::span<double> P);

}  // namespace pintle
