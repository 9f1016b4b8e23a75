// Islands for tests and benchmarks of the solver of islands: boxes on a plane and on each other, a chain, a robot.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <vector>

#include "pintle/base/random.h"
#include "pintle/constraints/island_problem.h"

namespace pintle::islands {

using Numbers = std::vector<double>;
using Point = std::array<double, 3>;

inline Point cross_of(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Owns what an IslandProblem views. Free bodies: velocity (v, w) of the centre of mass in world axes.
struct Island {
  std::deque<Numbers> numbers;  ///< matrices and rows
  std::vector<IslandTree> trees;
  std::vector<IslandContact> contacts;
  std::vector<IslandBound> bounds;
  std::vector<Numbers> free_velocity;  ///< of each tree
  std::vector<Point> centre;
  Numbers closing;  ///< per row: added to b
  double tolerance = 1e-12;
  Numbers b;

  const double* keep(Numbers values) {
    numbers.push_back(std::move(values));
    return numbers.back().data();
  }

  int add_tree(const Numbers& M_inverse, const Numbers& M, Numbers v_free, Point at = {}) {
    IslandTree tree;
    tree.dofs = v_free.size();
    tree.M_inverse = keep(M_inverse);
    tree.M = M.empty() ? nullptr : keep(M);
    trees.push_back(tree);
    free_velocity.push_back(std::move(v_free));
    centre.push_back(at);
    return static_cast<int>(trees.size()) - 1;
  }

  /// A box of half sides `half`, its axes along those of the world.
  int add_box(double mass, const Point& half, const Point& at, const Numbers& v_free) {
    const double m3 = mass / 3;
    const std::array<double, 6> diagonal{mass,
                                         mass,
                                         mass,
                                         m3 * (half[1] * half[1] + half[2] * half[2]),
                                         m3 * (half[0] * half[0] + half[2] * half[2]),
                                         m3 * (half[0] * half[0] + half[1] * half[1])};
    Numbers M(36, 0.0), M_inverse(36, 0.0);
    for (std::size_t i = 0; i < 6; ++i) {
      M[7 * i] = diagonal[i];
      M_inverse[7 * i] = 1.0 / diagonal[i];
    }
    return add_tree(M_inverse, M, v_free, at);
  }

  /// Rows of a contact of free bodies: B against A (tree -1: the world), the normal from A to B.
  void add_contact(int A, int B, const Point& at, const Point& normal, double friction, double closing_term = 0.0,
                   double spinning = -1.0, double rolling = -1.0) {
    const Point helper = std::abs(normal[0]) < 0.6 ? Point{1, 0, 0} : Point{0, 1, 0};
    Point s = cross_of(normal, helper);
    const double size = std::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    for (double& x : s) x /= size;
    const Point t = cross_of(normal, s);
    IslandContact contact;
    contact.friction = friction;
    contact.spins = spinning >= 0.0;
    contact.rolls = rolling >= 0.0;
    contact.spinning = std::max(spinning, 0.0);
    contact.rolling = std::max(rolling, 0.0);
    std::vector<Point> turns;
    if (contact.spins) turns.push_back(normal);
    if (contact.rolls) {
      turns.push_back(s);
      turns.push_back(t);
    }
    std::size_t side = 0;
    for (const int tree : {A, B}) {
      if (tree < 0) continue;
      const double sign = tree == A ? -1.0 : 1.0;
      const Point& c = centre[static_cast<std::size_t>(tree)];
      const Point arm{at[0] - c[0], at[1] - c[1], at[2] - c[2]};
      Numbers J;
      for (const Point& d : {normal, s, t}) {
        const Point moment = cross_of(arm, d);
        for (const double x : d) J.push_back(sign * x);
        for (const double x : moment) J.push_back(sign * x);
      }
      for (const Point& d : turns) {
        J.insert(J.end(), 3, 0.0);
        for (const double x : d) J.push_back(sign * x);
      }
      contact.sides[side++] = {tree, keep(std::move(J))};
    }
    contacts.push_back(contact);
    closing.push_back(closing_term);
    for (std::size_t i = 1; i < contact.rows(); ++i) closing.push_back(0.0);
  }

  IslandProblem problem() {
    b.clear();
    for (const IslandContact& contact : contacts)
      for (std::size_t i = 0; i < contact.rows(); ++i) {
        double sum = closing[b.size()];
        for (const IslandSide& side : contact.sides) {
          if (side.tree < 0) continue;
          const Numbers& v = free_velocity[static_cast<std::size_t>(side.tree)];
          for (std::size_t k = 0; k < v.size(); ++k) sum += side.J[i * v.size() + k] * v[k];
        }
        b.push_back(sum);
      }
    for (const IslandBound& bound : bounds)
      b.push_back(bound.sign * free_velocity[static_cast<std::size_t>(bound.tree)][bound.dof]);
    IslandProblem all;
    all.trees = trees;
    all.contacts = contacts;
    all.bounds = bounds;
    all.b = b;
    all.tolerance = tolerance;
    return all;
  }
};

inline constexpr double kStep = 1e-3, kGravity = 9.81;

/// Boxes on each other, four points between each two.
inline Island stack_of(std::size_t boxes, double friction = 0.5, double ratio = 1.0, Numbers v_free = {}) {
  Island island;
  if (v_free.empty()) v_free = {0, 0, -kGravity * kStep, 0, 0, 0};
  double mass = 1.0;
  for (std::size_t k = 0; k < boxes; ++k) {
    const double z = 0.1 + 0.2 * static_cast<double>(k);
    const int box = island.add_box(mass, {0.1, 0.1, 0.1}, {0, 0, z}, v_free);
    for (const double x : {-0.1, 0.1})
      for (const double y : {-0.1, 0.1}) island.add_contact(box - 1, box, {x, y, z - 0.1}, {0, 0, 1}, friction);
    mass *= ratio;
  }
  return island;
}

/// A box on an incline of this slope, in axes of the incline.
inline Island incline_of(double friction, double slope) {
  const double size = std::sqrt(1 + slope * slope);
  return stack_of(1, friction, 1.0, {kGravity * kStep * slope / size, 0, -kGravity * kStep / size, 0, 0, 0});
}

/// Boxes in a heap: in layers, each on up to four of the layer below, two points and a leaning normal for each pair; of
/// neighbours in a layer the share `jammed` touch. With more than a half of them most contacts are redundant and wedge.
inline Island heap_of(std::size_t boxes, std::uint64_t seed, double friction = 0.5, double speed = 0.02,
                     double jammed = 0.15) {
  RandomStream stream(seed);
  Island island;
  const auto side = static_cast<std::size_t>(std::max(1.0, std::ceil(std::cbrt(static_cast<double>(boxes)))));
  const std::size_t layer = side * side;
  for (std::size_t k = 0; k < boxes; ++k) {
    const std::size_t level = k / layer, i = k % layer % side, j = k % layer / side;
    const double shift = level % 2 == 0 ? 0.0 : 0.1;
    const Point at{0.2 * static_cast<double>(i) + shift, 0.2 * static_cast<double>(j) + shift,
                   0.1 + 0.2 * static_cast<double>(level)};
    Numbers v(6);
    for (double& x : v) x = stream.uniform(-speed, speed);
    v[2] -= kGravity * kStep;
    const double mass = stream.uniform(0.5, 2.0);
    const int box = island.add_box(mass, {0.1, 0.1, 0.1}, at, v);
    const auto lean = [&](Point normal) {
      for (double& x : normal) x += stream.uniform(-0.1, 0.1);
      const double size = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
      for (double& x : normal) x /= size;
      return normal;
    };
    if (level == 0) {
      for (const double x : {-0.1, 0.1})
        for (const double y : {-0.1, 0.1})
          island.add_contact(-1, box, {at[0] + x, at[1] + y, 0.0}, {0, 0, 1}, friction);
    }
    for (int other = 0; other < box; ++other) {
      const Point& c = island.centre[static_cast<std::size_t>(other)];
      const double dx = at[0] - c[0], dy = at[1] - c[1], dz = at[2] - c[2];
      if (std::abs(dz - 0.2) < 1e-9 && std::abs(dx) < 0.19 && std::abs(dy) < 0.19) {
        const Point normal = lean({0, 0, 1});
        island.add_contact(other, box, {c[0] + 0.6 * dx, c[1] + 0.3 * dy, at[2] - 0.1}, normal, friction);
        island.add_contact(other, box, {c[0] + 0.3 * dx, c[1] + 0.7 * dy, at[2] - 0.1}, normal, friction);
      } else if (const bool beside = std::abs(dz) < 1e-9 && std::abs(std::abs(dx) + std::abs(dy) - 0.2) < 1e-9;
                 beside && stream.uniform() < jammed) {
        const Point normal = lean({5 * dx, 5 * dy, 0});  // drawn in this order by every compiler
        const double height = at[2] + stream.uniform(-0.1, 0.1);
        island.add_contact(other, box, {c[0] + dx / 2, c[1] + dy / 2, height}, normal, friction);
      }
    }
  }
  return island;
}

/// The laws of the header of IslandProblem, written out anew: the worst breach, relative to the terms of w. Impulses
/// beyond their cones by more than rounding count as 1.
inline double worst_breach(const IslandProblem& problem, const Numbers& P) {
  std::vector<Numbers> jump, terms;
  for (const IslandTree& tree : problem.trees) {
    jump.emplace_back(tree.dofs, 0.0);
    terms.emplace_back(tree.dofs, 0.0);
  }
  const auto add = [&](int at, const Numbers& J, double impulse) {
    const IslandTree& tree = problem.trees[static_cast<std::size_t>(at)];
    for (std::size_t i = 0; i < tree.dofs; ++i)
      for (std::size_t k = 0; k < tree.dofs; ++k) {
        const double term = tree.M_inverse[i * tree.dofs + k] * J[k] * impulse;
        jump[static_cast<std::size_t>(at)][i] += term;
        terms[static_cast<std::size_t>(at)][i] += std::abs(term);
      }
  };
  const auto over_rows = [&](auto&& use) {  // use(row, tree, J)
    std::size_t row = 0;
    for (const IslandContact& contact : problem.contacts) {
      for (const IslandSide& side : contact.sides) {
        if (side.tree < 0) continue;
        const std::size_t n = problem.trees[static_cast<std::size_t>(side.tree)].dofs;
        for (std::size_t i = 0; i < contact.rows(); ++i)
          use(row + i, side.tree, Numbers(side.J + i * n, side.J + (i + 1) * n));
      }
      row += contact.rows();
    }
    for (const IslandBound& bound : problem.bounds) {
      Numbers J(problem.trees[static_cast<std::size_t>(bound.tree)].dofs, 0.0);
      J[bound.dof] = bound.sign;
      use(row++, bound.tree, J);
    }
  };
  over_rows([&](std::size_t row, int tree, const Numbers& J) { add(tree, J, P[row]); });
  Numbers w(problem.b.begin(), problem.b.end()), size(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) size[i] = std::abs(w[i]);
  over_rows([&](std::size_t row, int tree, const Numbers& J) {
    for (std::size_t k = 0; k < J.size(); ++k) {
      w[row] += J[k] * jump[static_cast<std::size_t>(tree)][k];
      size[row] += std::abs(J[k]) * terms[static_cast<std::size_t>(tree)][k];
    }
  });
  double worst = 0.0;
  std::size_t row = 0;
  const auto friction = [&](std::size_t first, std::size_t rows, double most, double scale) {
    double hold = 0.0, slip = 0.0, power = 0.0;
    for (std::size_t i = first; i < first + rows; ++i) {
      hold += P[i] * P[i];
      slip += w[i] * w[i];
      power += P[i] * w[i];
    }
    hold = std::sqrt(hold);
    slip = std::sqrt(slip);
    if (hold > most * (1 + 1e-12)) worst = std::max(worst, 1.0);
    // Maximal dissipation: P.w = -most |w|.
    if (most > 0.0 && scale > 0.0) worst = std::max(worst, (power + most * slip) / (most * scale));
  };
  for (const IslandContact& contact : problem.contacts) {
    const double scale = size[row] + size[row + 1] + size[row + 2];
    if (P[row] < 0.0) worst = 1.0;
    if (scale > 0.0) worst = std::max(worst, -w[row] / scale);
    friction(row + 1, 2, contact.friction * P[row], scale);
    std::size_t next = row + 3;
    if (contact.spins) {
      friction(next, 1, contact.spinning * P[row], size[next]);
      ++next;
    }
    if (contact.rolls) friction(next, 2, contact.rolling * P[row], size[next] + size[next + 1]);
    row += contact.rows();
  }
  // P_n w_n = 0, by the largest of all normal impulses: an impulse of rounding may stand beside a velocity.
  double largest = 0.0;
  row = 0;
  for (const IslandContact& contact : problem.contacts) {
    largest = std::max(largest, P[row]);
    row += contact.rows();
  }
  row = 0;
  for (const IslandContact& contact : problem.contacts) {
    const double scale = size[row] + size[row + 1] + size[row + 2];
    if (P[row] > 0.0 && scale > 0.0) worst = std::max(worst, P[row] * w[row] / (largest * scale));
    row += contact.rows();
  }
  for (const IslandBound& bound : problem.bounds) {
    if (P[row] < bound.lower || P[row] > bound.upper) worst = 1.0;
    if (P[row] > bound.lower && size[row] > 0.0) worst = std::max(worst, w[row] / size[row]);
    if (P[row] < bound.upper && size[row] > 0.0) worst = std::max(worst, -w[row] / size[row]);
    ++row;
  }
  return worst;
}

}  // namespace pintle::islands
