// ContactForces: how far the forces are from the limits of their laws, and others that obey them where they are not
// unique.
#include <cmath>

#include "pintle/math/scalar.h"
#include "pintle/simulation/contact/contact_forces.h"

namespace pintle {
namespace {

/// Rounding must not release a constraint at its limit, so a little more than the limit is allowed.
constexpr double kRounding = 1e-12;

/// How often friction is distributed again according to the normal forces, which the distribution changes.
constexpr int kShares = 4;

}  // namespace

double ContactForces::find_margin(const Contacts& contacts) {
  judge(contacts);
  if (!(margin_ < 0.0) || !spare_) return margin_;
  const double still = max(kHeld, 2 * unrest(contacts));
  for (std::size_t i = 0; i < rows_.rows; ++i) other_[i] = f_[i];
  for (int k = 0; k < kShares && margin_ < 0.0; ++k) {
    solve_linear(contacts, true);
    spare_ = true;
    judge(contacts);
  }
  if (unrest(contacts) > still) {  // points without normal force have no share of the friction, but must hold
    for (std::size_t i = 0; i < rows_.rows; ++i) f_[i] = other_[i];
    judge(contacts);
  }
  if (!(margin_ < 0.0)) return margin_;
  bool all_unknown = true;
  for (std::size_t island = 0; island < islands_; ++island)
    all_unknown = move_into_laws(contacts, island) && all_unknown;
  judge(contacts);
  if (margin_ < 0.0 && !all_unknown) solve_within_laws(contacts);
  return margin_;
}

/// Forces are not unique: of those that hold what must be held, takes ones that obey the laws or, if there are none,
/// those that violate them least. Sliding points keep their normal force, so that the motion stays the same. False:
/// there are some, or points that were left without force.
bool ContactForces::move_into_laws(const Contacts& contacts, std::size_t island) {
  const std::size_t m = choose_held(contacts, island);
  std::size_t unknowns = 0;
  for (std::size_t a = 0; a < m; ++a) unknowns += keeps_force(unknown_[a]) ? 0 : 1;
  collect_cones(contacts, island, m);
  double size = 0.0;
  for (std::size_t b = 0, x = 0; b < m; ++b) {
    const std::size_t column = unknown_[b];
    if (keeps_force(column)) continue;
    for (std::size_t a = 0; a < m; ++a)
      J_[a * unknowns + x] = slope(unknown_[a], column) / root_[unknown_[a]] * weight_[column];
    x_[x] = f_[column] / weight_[column];
    size = max(size, std::abs(x_[x]));
    ++x;
  }
  const ConeReport report = move_into_cones(m, unknowns, J_.data(), cones_, 0.5 * kRounding * size, cone_work_,
                                            x_.data(), rank_[island]);
  work_ += solver_work(report.work);
  for (std::size_t b = 0, x = 0; b < m; ++b)
    if (!keeps_force(unknown_[b])) f_[unknown_[b]] = x_[x++] * weight_[unknown_[b]];
  return unknowns == m;
}

/// Whether the force of a row that is held is not among the unknowns.
bool ContactForces::keeps_force(std::size_t row) const {
  return row < 3 * count_ && (idle_[row / 3] != 0 || (row % 3 == 0 && slides(row / 3)));
}

/// The friction cones of an island, whose m held rows are in `unknown_`; `weight_` becomes the unit of each row. The
/// rows of a friction have the same unit, so that its cone is round.
void ContactForces::collect_cones(const Contacts& contacts, std::size_t island, std::size_t m) {
  cones_.clear();
  const auto choose_unit = [&](std::size_t first, std::size_t rows) {
    double largest = 0.0;
    for (std::size_t row = first; row < first + rows; ++row) largest = max(largest, root_[row]);
    for (std::size_t row = first; row < first + rows; ++row) weight_[row] = largest > 0.0 ? 1.0 / largest : 0.0;
  };
  const auto add_cone = [&](double friction, std::size_t normal, std::size_t first, std::size_t rows) {
    ForceCone cone;
    cone.slope = 0.0;
    for (std::size_t a = 0, x = 0; a < m; ++a) {
      const std::size_t row = unknown_[a];
      if (keeps_force(row)) continue;
      if (row == normal) cone.normal = x, cone.slope = friction * weight_[normal] / weight_[first];
      if (row >= first && row < first + rows && cone.rows++ == 0) cone.first = x;
      ++x;
    }
    if (cone.rows == 0) return;
    if (cone.slope == 0.0) cone.offset = friction * f_[normal] / weight_[first];
    cones_.push_back(cone);
  };
  for (std::size_t c = 0; c < count_; ++c) {
    if (island_[c] != island) continue;
    choose_unit(3 * c, 1);
    choose_unit(3 * c + 1, 2);
    if (contacts.active()[c].mode == ContactMode::sticks && idle_[c] == 0)
      add_cone(laws_[c].static_friction, 3 * c, 3 * c + 1, 2);
  }
  for (std::size_t t = 0; t < turns_.size(); ++t) {
    const MomentLaw& law = turns_[t];
    if (island_[law.contact] != island || !holds(contacts, law)) continue;
    choose_unit(turn_rows_[t], law.rows);
    add_cone(law.friction, 3 * law.contact, turn_rows_[t], law.rows);
  }
}

void ContactForces::judge(const Contacts& contacts) {
  double size = 0.0;
  for (std::size_t i = 0; i < 3 * count_; ++i) size = max(size, std::abs(f_[i]));
  for (std::size_t c = 0; c < count_; ++c)  // the forces that accelerations of the present size would need
    if (root_[3 * c] > 0.0) size = max(size, rows_.size[c] / (root_[3 * c] * root_[3 * c]));
  margin_ = __builtin_inf();
  weakest_ = -1;
  const auto take = [&](double left, std::size_t contact, FrictionKind kind) {
    left = size > 0.0 ? left / size + kRounding : kRounding;
    if (!(left < margin_)) return;
    margin_ = left;
    weakest_ = static_cast<int>(contact);
    weakest_friction_ = kind;
  };
  for (std::size_t c = 0; c < count_; ++c) {
    const double* const f = f_.data() + 3 * c;
    take(f[0], c, FrictionKind::slip);
    if (contacts.active()[c].mode != ContactMode::sticks) continue;
    const double hold = std::sqrt(fma(f[1], f[1], f[2] * f[2]));
    take(fma(laws_[c].static_friction, f[0], -hold), c, FrictionKind::slip);
  }
  for (std::size_t t = 0; t < turns_.size(); ++t) {
    const MomentLaw& law = turns_[t];
    if (!holds(contacts, law)) continue;
    const double* const m = f_.data() + turn_rows_[t];
    const double hold = law.rows == 1 ? std::abs(m[0]) : std::sqrt(fma(m[0], m[0], m[1] * m[1]));
    take(f_[3 * law.contact] - hold / law.friction, law.contact,
         law.rows == 1 ? FrictionKind::spin : FrictionKind::roll);
  }
}

/// Forces are not unique: are there others that obey the laws and hold what must be held?
bool ContactForces::solve_within_laws(const Contacts& contacts) {
  const std::size_t n = rows_.rows;
  for (std::size_t i = 0; i < n; ++i) other_[i] = 0.0;
  const ContactReport report = solve_contacts(
      {std::span(A_).first(n * n), {rows_.rate.data(), n}, {laws_.data(), count_}, {}, {}, turns_, kMaxSweeps}, solver_,
      std::span(other_).first(n));
  work_ += solver_work(report.work);
  if (!report.converged) return false;
  for (std::size_t island = 0; island < islands_; ++island) {
    const std::size_t m = choose_held(contacts, island);
    for (std::size_t a = 0; a < m; ++a) {
      const std::size_t row = unknown_[a], c = row / 3;
      double scale = solver_.scale[row];
      if (row < 3 * count_)
        for (std::size_t k = 0; k < 3; ++k) scale = max(scale, solver_.scale[3 * c + k]);
      if (std::abs(solver_.w[row]) > kHeld * scale) return false;
    }
  }
  for (std::size_t i = 0; i < n; ++i) f_[i] = other_[i];
  margin_ = kRounding;
  weakest_ = -1;
  return true;
}

}  // namespace pintle
