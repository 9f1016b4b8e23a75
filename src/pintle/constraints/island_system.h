// IslandSystem: an island laid out for the kernels of its solver. For island_solver.h.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/island_order.h"
#include "pintle/constraints/island_problem.h"
#include "pintle/constraints/island_view.h"

namespace pintle {

/// Memory grows to the largest problem seen.
class IslandSystem {
 public:
  IslandSystem() : kernels_(&island_kernels_in_use()) {}

  /// Copies the problem into padded rows; finds J M^-1 and the diagonal blocks of A. Throws UsageError where sizes or
  /// trees do not fit.
  void read(const IslandProblem& problem);

  std::size_t rows() const { return view_.rows; }
  std::span<const IslandPointView> points() const { return points_; }
  std::span<const IslandBarView> bars() const { return bars_; }
  const double* local(const IslandPointView& point) const { return local_.data() + point.local; }
  double local_of_bar(std::size_t bar) const { return local_[view_.bar_gain + bar]; }
  double* gain(const IslandPointView& point) { return gain_.data() + point.local; }
  double& gain_of_bar(std::size_t bar) { return gain_[view_.bar_gain + bar]; }
  std::span<const double> jump() const { return {jump_.data(), view_.velocities}; }

  /// jump = M^-1 J'P; w = A P + b.
  void find_w(const double* P, double* w);
  /// The same for one point alone, at the present jump.
  void find_w_of(const IslandPointView& point, double* w) const;
  /// jump += M^-1 J' (change of P) of one point.
  void push(const IslandPointView& point, const double* change);
  double w_of(const IslandBarView& bar) const;
  void push(const IslandBarView& bar, double change);

  /// Factorises M + J'GJ with the present gains G. False where a pivot is zero or no number.
  bool factorise() { return kernels_->factorise(view_); }
  /// dw = J (M + J'GJ)^-1 J' p.  [eq. island-factor]
  void respond(const double* p, double* dw);

  /// Per row: the size of the terms of w, |b_i| + sum over its trees T of sqrt(A_ii,T) S_T, where S_T is sum_j
  /// sqrt(A_jj,T) |P_j|, but at most 1e4 times the largest |b_j|/sqrt(A_jj): impulses that grow against each other
  /// without end make no answer. True: a tree is at that limit.
  bool find_sizes(const double* P, double* size);
  void unpad_jump(std::vector<double>& jump) const;

 private:
  void read_trees(const IslandProblem& problem);
  void read_rows(const IslandProblem& problem);
  void make_view();
  void find_roots();

  const IslandKernels* kernels_;
  IslandOrder order_;
  IslandView view_{};
  std::vector<IslandTreeView> trees_;
  std::vector<IslandPointView> points_;
  std::vector<IslandBarView> bars_;
  std::vector<double> M_, M_inverse_, J_, Y_, local_, gain_, b_;
  std::vector<double> factor_, pivots_inverse_, scratch_, effort_, jump_, step_;
  std::vector<double> roots_;      ///< per row and side: sqrt(A_ii) of that tree
  std::vector<double> tree_size_;  ///< per tree: S_T
  double largest_size_ = 0.0;      ///< of S_T
};

}  // namespace pintle
