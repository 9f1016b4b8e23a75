// IslandSolver: impulses of an island of contacts with exact Coulomb friction, for time-stepping.
//
// Three methods share one factorisation by trees of M + J'GJ (island_system.h); the Delassus matrix is never formed.
//   Newton      on the natural map of the laws, damped so that redundant contacts have an answer: the shortest step.
//   ADMM        finds who is open, sticks and slides where Newton's method circles.
//   relaxation  (Gauss-Seidel, each contact solved exactly) smooths between them.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/island_law.h"
#include "pintle/constraints/island_problem.h"
#include "pintle/constraints/island_system.h"

namespace pintle {

struct [[nodiscard]] IslandReport {
  bool converged = false;
  /// The worst violation of a law in velocity, |P - z(P - r w)|/r with r = 1/A_ii, over the size of the terms of w:
  /// |b_i| + sum over the trees T of row i of sqrt(A_ii,T) S_T, S_T = sum_j sqrt(A_jj,T) |P_j|, at most 1e4 times the
  /// largest |b_j|/sqrt(A_jj). For a contact by the largest size of its normal and tangential rows; for spinning and
  /// rolling by their own. No change of units changes it.
  double residual = 0.0;
  int iterations = 0;   ///< of ADMM and sweeps of relaxation
  int newton = 0;       ///< steps of Newton's method
  int worst = -1;       ///< where that violation is: a contact, or the number of contacts + a bound; -1: nowhere
  bool convex = false;  ///< the answer is that of the convex relaxation: sliding contacts may lift off at mu |w_t|
};

/// Memory and results. Allocates only where a problem is larger than all before.
class IslandSolver {
 public:
  /// `P`: a guess (zeros are good), then the impulses, within their cones and bounds also where the laws are not met.
  /// Of redundant contacts the answer is near the guess, from zeros near the shortest. Throws UsageError where sizes do
  /// not fit.  [eq. contact-law]
  IslandReport solve(const IslandProblem& problem, std::span<double> P);

  std::span<const double> w() const { return {w_.data(), rows_}; }  ///< A P + b per row
  std::span<const double> jump() const { return jump_; }            ///< M^-1 J'P of the trees in their order

 private:
  void read(const IslandProblem& problem);
  bool judge();  ///< w and residual of P_; keeps the best. True: solved
  void confine();
  void start_from(std::span<const double> guess);
  bool search(std::span<const double> guess);
  bool newton();
  bool step_newton(double damping);
  void start_admm(bool exact);
  void set_penalty(double penalty);
  bool admm(int iterations, bool exact);
  void iterate_admm(bool exact);
  bool relax(int sweeps);
  void sweep();
  void relax_contact(std::size_t contact);
  void return_to_best();
  void take_convex(std::span<const double> guess);

  const IslandProblem* problem_ = nullptr;
  IslandSystem system_;
  IslandReport report_;
  std::size_t rows_ = 0;
  double best_residual_ = 0.0, residual_ = 0.0;
  int worst_ = -1, worst_now_ = -1;
  bool at_best_ = false;  ///< P_, w_ and the jump are those of best_
  std::vector<IslandLaw> laws_;
  std::vector<double> P_, w_, size_, best_;
  std::vector<double> step_, response_;
  std::vector<double> z_, u_;  ///< of ADMM
  std::vector<double> jump_;
};

}  // namespace pintle
