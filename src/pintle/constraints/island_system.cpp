#include "pintle/constraints/island_system.h"

#include <algorithm>
#include <cmath>

#include "pintle/base/kernel_choice.h"
#include "pintle/base/usage_error.h"
#include "pintle/math/scalar.h"

namespace pintle {

PINTLE_CHOOSE_KERNELS(IslandKernels, island_kernels)

const IslandKernels& island_kernels_in_use() {
  return chosen_island_kernels();
}

namespace {

constexpr double kMostStrain = 1e4;

template <class T>
void make_room(std::vector<T>& numbers, std::size_t size) {
  if (numbers.size() < size) numbers.resize(size);
}

std::size_t padded(std::size_t size) {
  return (size + kIslandLanes - 1) / kIslandLanes * kIslandLanes;
}

/// Copies rows of n numbers into rows of `stride`.
void copy_rows(const double* from, std::size_t rows, std::size_t n, double* to, std::size_t stride) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < n; ++k) to[i * stride + k] = from[i * n + k];
    for (std::size_t k = n; k < stride; ++k) to[i * stride + k] = 0.0;
  }
}

/// The inverse of a symmetric positive definite matrix in padded rows, by Gauss and Jordan without exchanges.
void invert(const double* A, std::size_t n, std::size_t stride, double* inverse) {
  for (std::size_t i = 0; i < n * stride; ++i) inverse[i] = A[i];
  for (std::size_t c = 0; c < n; ++c) {
    const double pivot = 1.0 / inverse[c * stride + c];
    for (std::size_t i = 0; i < n; ++i) {
      if (i == c) continue;
      const double l = inverse[i * stride + c] * pivot;
      for (std::size_t k = 0; k < n; ++k)
        if (k != c) inverse[i * stride + k] = fma(-l, inverse[c * stride + k], inverse[i * stride + k]);
      inverse[i * stride + c] = -l;
    }
    for (std::size_t k = 0; k < n; ++k) inverse[c * stride + k] *= pivot;
    inverse[c * stride + c] = pivot;
  }
}

}  // namespace

void IslandSystem::read(const IslandProblem& problem) {
  read_trees(problem);
  read_rows(problem);
  order_.update(trees_, points_);
  make_view();
  kernels_->find_local(view_);
  find_roots();
}

void IslandSystem::read_trees(const IslandProblem& problem) {
  constexpr const char* kCall = "IslandSolver::solve";
  trees_.clear();
  std::size_t velocities = 0, numbers = 0, scratch = 0;
  for (const IslandTree& tree : problem.trees) {
    require(tree.dofs > 0 && tree.M_inverse != nullptr, kCall, "problem.trees", "a tree has no dofs or no M_inverse");
    const std::size_t stride = padded(tree.dofs);
    trees_.push_back({tree.dofs, stride, velocities, numbers, 0});
    velocities += stride;
    numbers += tree.dofs * stride;
    scratch = std::max(scratch, stride);
  }
  make_room(M_, numbers);
  make_room(M_inverse_, numbers);
  make_room(effort_, velocities);
  make_room(jump_, velocities);
  make_room(step_, velocities);
  make_room(pivots_inverse_, velocities);
  make_room(scratch_, scratch * scratch);
  make_room(tree_size_, trees_.size());
  view_.velocities = velocities;
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    const IslandTree& from = problem.trees[t];
    const IslandTreeView& tree = trees_[t];
    copy_rows(from.M_inverse, tree.dofs, tree.dofs, M_inverse_.data() + tree.mass, tree.stride);
    if (from.M != nullptr) {
      copy_rows(from.M, tree.dofs, tree.dofs, M_.data() + tree.mass, tree.stride);
    } else {
      invert(M_inverse_.data() + tree.mass, tree.dofs, tree.stride, M_.data() + tree.mass);
    }
  }
  for (std::size_t k = 0; k < velocities; ++k) jump_[k] = step_[k] = 0.0;
}

void IslandSystem::read_rows(const IslandProblem& problem) {
  constexpr const char* kCall = "IslandSolver::solve";
  points_.clear();
  bars_.clear();
  std::size_t row = 0, numbers = 0, local = 0;
  const auto exists = [&](int tree) { return tree >= 0 && static_cast<std::size_t>(tree) < trees_.size(); };
  for (const IslandContact& contact : problem.contacts) {
    IslandPointView point;
    point.rows = contact.rows();
    point.first = row;
    point.local = local;
    for (std::size_t side = 0; side < 2; ++side) {
      const IslandSide& from = contact.sides[side];
      if (from.tree == -1) continue;
      require(exists(from.tree) && from.J != nullptr, kCall, "problem.contacts", "a side has no such tree or no rows");
      require(side == 0 || from.tree != contact.sides[0].tree, kCall, "problem.contacts",
              "both sides are on one tree: sum their rows in side 0");
      point.tree[side] = from.tree;
      point.J[side] = numbers;
      numbers += point.rows * trees_[static_cast<std::size_t>(from.tree)].stride;
    }
    points_.push_back(point);
    row += point.rows;
    local += point.rows * point.rows;
  }
  for (const IslandBound& bound : problem.bounds) {
    require(exists(bound.tree) && bound.dof < trees_[static_cast<std::size_t>(bound.tree)].dofs, kCall,
            "problem.bounds", "there is no such tree or dof");
    require(bound.lower <= bound.upper, kCall, "problem.bounds", "`lower` must not be above `upper`");
    bars_.push_back({bound.tree, bound.dof, bound.sign, row++});
  }
  require(problem.b.size() == row, kCall, "problem.b", "it must have one number per row");
  make_room(J_, numbers);
  make_room(Y_, numbers);
  make_room(local_, local + bars_.size());
  make_room(gain_, local + bars_.size());
  make_room(b_, row);
  make_room(roots_, 2 * row);
  view_.rows = row;
  view_.bar_gain = local;
  for (std::size_t i = 0; i < row; ++i) b_[i] = problem.b[i];
  for (std::size_t c = 0; c < points_.size(); ++c) {
    const IslandPointView& point = points_[c];
    for (std::size_t side = 0; side < 2; ++side) {
      if (point.tree[side] < 0) continue;
      const IslandTreeView& tree = trees_[static_cast<std::size_t>(point.tree[side])];
      copy_rows(problem.contacts[c].sides[side].J, point.rows, tree.dofs, J_.data() + point.J[side], tree.stride);
    }
  }
}

void IslandSystem::make_view() {
  make_room(factor_, order_.factor_size());
  view_.factor_size = order_.factor_size();
  view_.trees = trees_.size();
  view_.points = points_.size();
  view_.bars = bars_.size();
  view_.pivots = order_.pivots().size();
  view_.tree = trees_.data();
  view_.point = points_.data();
  view_.bar = bars_.data();
  view_.M = M_.data();
  view_.M_inverse = M_inverse_.data();
  view_.J = J_.data();
  view_.Y = Y_.data();
  view_.local = local_.data();
  view_.gain = gain_.data();
  view_.pivot = order_.pivots().data();
  view_.neighbour = order_.neighbours();
  view_.targets = order_.targets();
  view_.factor = factor_.data();
  view_.pivots_inverse = pivots_inverse_.data();
  view_.scratch = scratch_.data();
}

void IslandSystem::find_roots() {
  largest_size_ = 0.0;
  const auto take = [&](std::size_t row, double square) {
    if (square > 0.0) largest_size_ = max(largest_size_, std::abs(b_[row]) / std::sqrt(square));
  };
  for (const IslandPointView& point : points_)
    for (std::size_t i = 0; i < point.rows; ++i) {
      double all = 0.0;
      for (std::size_t side = 0; side < 2; ++side) {
        if (point.tree[side] < 0) continue;
        const std::size_t stride = trees_[static_cast<std::size_t>(point.tree[side])].stride;
        const std::size_t row = point.J[side] + i * stride;
        double sum = 0.0;
        for (std::size_t k = 0; k < stride; ++k) sum = fma(J_[row + k], Y_[row + k], sum);
        roots_[2 * (point.first + i) + side] = std::sqrt(max(sum, 0.0));
        all += max(sum, 0.0);
      }
      take(point.first + i, all);
    }
  for (std::size_t k = 0; k < bars_.size(); ++k) take(bars_[k].row, local_of_bar(k));
  largest_size_ *= kMostStrain;
}

void IslandSystem::find_w(const double* P, double* w) {
  kernels_->find_jump(view_, P, effort_.data(), jump_.data());
  kernels_->find_rows(view_, jump_.data(), b_.data(), w);
}

void IslandSystem::find_w_of(const IslandPointView& point, double* w) const {
  for (std::size_t i = 0; i < point.rows; ++i) w[i] = b_[point.first + i];
  for (std::size_t side = 0; side < 2; ++side) {
    if (point.tree[side] < 0) continue;
    const IslandTreeView& tree = trees_[static_cast<std::size_t>(point.tree[side])];
    for (std::size_t i = 0; i < point.rows; ++i) {
      const double* const J = J_.data() + point.J[side] + i * tree.stride;
      for (std::size_t k = 0; k < tree.dofs; ++k) w[i] = fma(J[k], jump_[tree.first + k], w[i]);
    }
  }
}

void IslandSystem::push(const IslandPointView& point, const double* change) {
  for (std::size_t side = 0; side < 2; ++side) {
    if (point.tree[side] < 0) continue;
    const IslandTreeView& tree = trees_[static_cast<std::size_t>(point.tree[side])];
    for (std::size_t i = 0; i < point.rows; ++i) {
      const double* const Y = Y_.data() + point.J[side] + i * tree.stride;
      for (std::size_t k = 0; k < tree.dofs; ++k) jump_[tree.first + k] = fma(Y[k], change[i], jump_[tree.first + k]);
    }
  }
}

double IslandSystem::w_of(const IslandBarView& bar) const {
  return fma(bar.sign, jump_[trees_[static_cast<std::size_t>(bar.tree)].first + bar.dof], b_[bar.row]);
}

void IslandSystem::push(const IslandBarView& bar, double change) {
  const IslandTreeView& tree = trees_[static_cast<std::size_t>(bar.tree)];
  const double* const Y = M_inverse_.data() + tree.mass + bar.dof * tree.stride;
  for (std::size_t k = 0; k < tree.dofs; ++k)
    jump_[tree.first + k] = fma(Y[k], bar.sign * change, jump_[tree.first + k]);
}

void IslandSystem::respond(const double* p, double* dw) {
  kernels_->add_effort(view_, p, step_.data());
  kernels_->solve(view_, step_.data());
  kernels_->find_rows(view_, step_.data(), nullptr, dw);
}

bool IslandSystem::find_sizes(const double* P, double* size) {
  for (std::size_t t = 0; t < trees_.size(); ++t) tree_size_[t] = 0.0;
  const auto visit = [&](auto&& use) {
    for (const IslandPointView& point : points_)
      for (std::size_t side = 0; side < 2; ++side) {
        if (point.tree[side] < 0) continue;
        for (std::size_t i = point.first; i < point.first + point.rows; ++i)
          use(i, roots_[2 * i + side], tree_size_[static_cast<std::size_t>(point.tree[side])]);
      }
    for (std::size_t k = 0; k < bars_.size(); ++k)
      use(bars_[k].row, std::sqrt(max(local_of_bar(k), 0.0)), tree_size_[static_cast<std::size_t>(bars_[k].tree)]);
  };
  visit([&](std::size_t i, double root, double& sum) { sum = fma(root, std::abs(P[i]), sum); });
  bool strained = false;
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    strained = strained || tree_size_[t] > largest_size_;
    tree_size_[t] = min(tree_size_[t], largest_size_);
  }
  for (std::size_t i = 0; i < view_.rows; ++i) size[i] = std::abs(b_[i]);
  visit([&](std::size_t i, double root, double& sum) { size[i] = fma(root, sum, size[i]); });
  return strained;
}

void IslandSystem::unpad_jump(std::vector<double>& jump) const {
  jump.clear();
  for (const IslandTreeView& tree : trees_)
    for (std::size_t k = 0; k < tree.dofs; ++k) jump.push_back(jump_[tree.first + k]);
}

}  // namespace pintle
