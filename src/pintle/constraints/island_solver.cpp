#include "pintle/constraints/island_solver.h"

#include <cmath>

#include "pintle/base/usage_error.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

// Of Newton's method; less where it holds back the last, heavy directions.
constexpr double kNewtonDamping = 1e-6, kLessDamping = 0.01, kLeastDamping = 1e-10, kSlowGain = 0.1, kNear = 1e-6;
constexpr int kIslandNewtonSteps = 30, kIslandPatience = 2;  // steps, and those in a row that gain nothing
constexpr int kRoundLength = 20, kConvexIterations = 300;
constexpr int kIslandSweeps = 10;
constexpr std::size_t kFewContacts = 12;  // of which some sweeps cost less than a round of ADMM
// ADMM starts stiff, which soon finds who touches, and goes over to softer penalties, for loads that many contacts
// share.
constexpr double kStiffest = 1.0, kSofter = 0.8, kSoftest = 0.003;
constexpr double kUseless = 1e-3;  // a residual beyond which the convex relaxation is the better answer

}  // namespace

IslandReport IslandSolver::solve(const IslandProblem& problem, std::span<double> P) {
  read(problem);
  require_size("IslandSolver::solve", "P", P.size(), rows_);
  start_from(P);
  if (!judge() && !newton() && !search(P) && best_residual_ > max(problem.tolerance, kUseless)) take_convex(P);
  return_to_best();
  for (std::size_t i = 0; i < rows_; ++i) P[i] = P_[i];
  system_.unpad_jump(jump_);
  report_.residual = best_residual_;
  report_.worst = worst_;
  report_.converged = best_residual_ <= problem.tolerance;
  return report_;
}

/// Newton's method from what sweeps or ADMM found, in turn. All start from the guess: where Newton's method left it, it
/// may have gone far.
bool IslandSolver::search(std::span<const double> guess) {
  start_from(guess);
  if (judge()) return true;
  if (laws_.size() <= kFewContacts && (relax(kIslandSweeps) || newton())) return true;
  start_from(guess);
  if (judge()) return true;
  start_admm(true);
  double penalty = kStiffest;
  while (report_.iterations < problem_->max_iterations) {
    set_penalty(penalty);
    if (admm(kRoundLength, true) || newton()) return true;
    penalty = penalty > kSoftest ? kSofter * penalty : kStiffest;
  }
  return false;
}

void IslandSolver::start_from(std::span<const double> guess) {
  for (std::size_t i = 0; i < rows_; ++i) P_[i] = std::isfinite(guess[i]) ? guess[i] : 0.0;
  confine();
}

void IslandSolver::read(const IslandProblem& problem) {
  problem_ = &problem;
  report_ = {};
  system_.read(problem);
  rows_ = system_.rows();
  laws_.clear();
  for (std::size_t c = 0; c < problem.contacts.size(); ++c)
    laws_.emplace_back(problem.contacts[c], system_.local(system_.points()[c]));
  for (std::vector<double>* numbers : {&P_, &w_, &size_, &best_, &step_, &response_, &z_, &u_})
    if (numbers->size() < rows_) numbers->resize(rows_);
  best_residual_ = __builtin_inf();
}

void IslandSolver::confine() {
  for (std::size_t c = 0; c < laws_.size(); ++c) laws_[c].confine(P_.data() + system_.points()[c].first);
  for (std::size_t k = 0; k < problem_->bounds.size(); ++k) {
    double& P = P_[system_.bars()[k].row];
    P = min(max(P, problem_->bounds[k].lower), problem_->bounds[k].upper);
  }
}

bool IslandSolver::judge() {
  system_.find_w(P_.data(), w_.data());
  const bool strained = system_.find_sizes(P_.data(), size_.data());
  residual_ = 0.0;
  worst_now_ = -1;
  const auto take = [&](double residual, std::size_t of) {
    if (residual <= residual_) return;
    residual_ = residual == residual ? residual : __builtin_inf();
    worst_now_ = static_cast<int>(of);
  };
  for (std::size_t c = 0; c < laws_.size(); ++c) {
    const std::size_t row = system_.points()[c].first;
    take(laws_[c].find_residual(P_.data() + row, w_.data() + row, size_.data() + row), c);
  }
  for (std::size_t k = 0; k < problem_->bounds.size(); ++k) {
    const std::size_t row = system_.bars()[k].row;
    const IslandBound& bound = problem_->bounds[k];
    const double a = system_.local_of_bar(k), P = P_[row];
    const double z = min(max(P - w_[row] / a, bound.lower), bound.upper);
    if (size_[row] > 0.0) take(std::abs(P - z) * a / size_[row], laws_.size() + k);
  }
  at_best_ = residual_ < best_residual_ && !(strained && residual_ > kNear);
  if (at_best_) {
    best_residual_ = residual_;
    worst_ = worst_now_;
    for (std::size_t i = 0; i < rows_; ++i) best_[i] = P_[i];
  }
  return residual_ <= problem_->tolerance;
}

void IslandSolver::return_to_best() {
  if (at_best_) return;
  const bool none = best_residual_ == __builtin_inf();
  for (std::size_t i = 0; i < rows_; ++i) P_[i] = none ? 0.0 : best_[i];
  confine();
  system_.find_w(P_.data(), w_.data());
}

bool IslandSolver::newton() {
  double least = residual_, damping = kNewtonDamping;
  for (int k = 0, wasted = 0; k < kIslandNewtonSteps && wasted < kIslandPatience; ++k) {
    if (!step_newton(damping)) return false;
    if (judge()) return true;
    if (!std::isfinite(residual_)) return false;
    wasted = residual_ < least ? 0 : wasted + 1;
    if (residual_ < kNear && residual_ < least && residual_ > kSlowGain * least)
      damping = max(kLessDamping * damping, kLeastDamping);
    least = min(least, residual_);
  }
  return false;
}

bool IslandSolver::step_newton(double damping) {
  ++report_.newton;
  for (std::size_t c = 0; c < laws_.size(); ++c) {
    const IslandPointView& point = system_.points()[c];
    laws_[c].linearise(P_.data() + point.first, w_.data() + point.first, damping, step_.data() + point.first,
                       system_.gain(point));
  }
  for (std::size_t k = 0; k < problem_->bounds.size(); ++k) {
    const std::size_t row = system_.bars()[k].row;
    const IslandBound& bound = problem_->bounds[k];
    const double r = 1.0 / system_.local_of_bar(k), q = P_[row] - r * w_[row];
    const bool free = q >= bound.lower && q <= bound.upper;
    step_[row] = free ? -r * w_[row] / damping : (q < bound.lower ? bound.lower : bound.upper) - P_[row];
    system_.gain_of_bar(k) = free ? r / damping : 0.0;
  }
  if (!system_.factorise()) return false;
  system_.respond(step_.data(), response_.data());
  for (std::size_t c = 0; c < laws_.size(); ++c) {
    const IslandPointView& point = system_.points()[c];
    const double* const G = system_.gain(point);
    for (std::size_t i = 0; i < point.rows; ++i) {
      double sum = step_[point.first + i];
      for (std::size_t j = 0; j < point.rows; ++j) sum = fma(-G[i * point.rows + j], response_[point.first + j], sum);
      P_[point.first + i] += sum;
    }
  }
  for (std::size_t k = 0; k < problem_->bounds.size(); ++k) {
    const std::size_t row = system_.bars()[k].row;
    P_[row] += fma(-system_.gain_of_bar(k), response_[row], step_[row]);
  }
  confine();
  return true;
}

/// The last resort: friction without de Saxce's term is a convex problem, which always has an answer.
void IslandSolver::take_convex(std::span<const double> guess) {
  start_from(guess);
  system_.find_w(P_.data(), w_.data());
  start_admm(false);
  set_penalty(kStiffest);
  best_residual_ = __builtin_inf();  // of the laws themselves it is judged by, but not chosen
  report_.convex = !admm(kConvexIterations, false);
}

}  // namespace pintle
