#include "pintle/simulation/contact_forces.h"

#include <cmath>

#include "pintle/math/scalar.h"

namespace pintle {
namespace {

/// Rounding must not move what just holds, so a little more than the limit is allowed.
constexpr double kRounding = 1e-12;

/// How often friction is shared anew by the normal forces, which the sharing changes.
constexpr int kShares = 4;

}  // namespace

std::array<double, 2> slip_direction(const ActiveContact& contact, const Touch& touch, const double* speed) {
  if (contact.mode == ContactMode::sticks) return {0.0, 0.0};
  const Vec3<> known = transpose_times(touch.X_AC.rotation, contact.slip_A);
  const double size = std::sqrt(fma(speed[1], speed[1], speed[2] * speed[2]));
  const double along = fma(speed[1], known.y, speed[2] * known.z);
  if (size > 0.0 && along > 0.0) return {speed[1] / size, speed[2] / size};
  const double length = std::sqrt(fma(known.y, known.y, known.z * known.z));
  return length > 0.0 ? std::array{known.y / length, known.z / length} : std::array{0.0, 0.0};
}

ContactForces::ContactForces(const Model& model)
    : model_(model), rows_(model, 0), response_(model), solver_(0, 0), linear_(0) {}

void ContactForces::make_room(std::size_t contacts) {
  if (contacts <= rows_.most_contacts) return;
  rows_ = ContactRowsWorkspace(model_, contacts);
  solver_ = ContactWorkspace(contacts, 0);
  linear_ = MinNormWorkspace(3 * contacts);
  touches_.resize(contacts);
  slips_.resize(contacts);
  laws_.resize(contacts);
  const std::size_t n = 3 * contacts;
  A_.resize(n * n);
  J_.resize(n * n);
  for (std::vector<double>* const numbers : {&f_, &other_, &r_, &x_, &root_, &weight_}) numbers->resize(n);
  unknown_.resize(n);
}

void ContactForces::locate(const Contacts& contacts, const KinematicsWorkspace& places) {
  count_ = contacts.active().size();
  make_room(count_);
  for (std::size_t c = 0; c < count_; ++c) {
    const ActiveContact& contact = contacts.active()[c];
    touches_[c] = contacts.touch_of(static_cast<std::size_t>(contact.pair), contacts.point_of(contact, places), places);
  }
  contact_rows(model_, places, touches(), rows_);
  for (std::size_t c = 0; c < count_; ++c)
    slips_[c] = slip_direction(contacts.active()[c], touches_[c], rows_.speed.data() + 3 * c);
}

bool ContactForces::prepare(std::span<const double> q, std::span<const unsigned char> given) {
  if (!prepare_response(model_, q, response_, given).ok()) return false;
  const std::size_t n = 3 * count_;
  contact_delassus(model_, count_, {}, response_, rows_, std::span(A_).first(n * n));
  for (std::size_t i = 0; i < n; ++i) root_[i] = std::sqrt(max(A_[i * n + i], 0.0));
  return true;
}

/// v += M^-1 J'x with the shortest x for which the first m rows of `unknown_` change by r_.
void ContactForces::change_rows(std::size_t m, std::span<double> v) {
  const std::size_t n = 3 * count_;
  for (std::size_t a = 0; a < m; ++a) {
    const std::size_t row = unknown_[a];
    for (std::size_t b = 0; b < m; ++b) J_[a * m + b] = A_[row * n + unknown_[b]] / (root_[row] * root_[unknown_[b]]);
    r_[a] /= root_[row];
  }
  solve_min_norm(m, J_.data(), r_.data(), linear_, x_.data());
  for (std::size_t a = 0; a < m; ++a) {
    const std::size_t row = unknown_[a];
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = fma(x_[a] / root_[row], rows_.answers[row * rows_.nv + i], v[i]);
  }
}

double ContactForces::close_gaps(const Contacts& contacts, const KinematicsWorkspace& places, std::span<double> move) {
  double worst = 0.0;
  std::size_t m = 0;
  for (std::size_t c = 0; c < count_; ++c) {
    if (!(root_[3 * c] > 0.0)) continue;
    const double gap = contacts.point_of(contacts.active()[c], places).distance;
    worst = max(worst, std::abs(gap));
    r_[m] = -gap;
    unknown_[m++] = 3 * c;
  }
  if (worst > 0.0) change_rows(m, move);
  return worst;
}

void ContactForces::stop_held(const Contacts& contacts, std::span<double> v) {
  std::size_t m = 0;
  for (std::size_t c = 0; c < count_; ++c) {
    const std::size_t rows = contacts.active()[c].mode == ContactMode::sticks ? 3 : 1;
    for (std::size_t row = 3 * c; row < 3 * c + rows; ++row) {
      if (!(root_[row] > 0.0)) continue;
      r_[m] = -rows_.speed[row];
      unknown_[m++] = row;
    }
  }
  change_rows(m, v);
}

bool ContactForces::solve(const Contacts& contacts, std::span<const double> q, std::span<const unsigned char> given) {
  if (!prepare(q, given)) return false;
  const std::size_t n = 3 * count_;
  for (std::size_t c = 0; c < count_; ++c) {
    const Surface& surface = contacts.surface(static_cast<std::size_t>(contacts.active()[c].pair));
    laws_[c] = {surface.static_friction, surface.friction, slips_[c], 0.0};
  }
  solve_linear(contacts, false);
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(f_[i])) return false;
  return true;
}

/// w = 0 in the rows that are held, with friction that follows the normal force where a point slides: the shortest
/// answer; `weighted`: the one in which friction that holds is shared as the normal forces found before.
void ContactForces::solve_linear(const Contacts& contacts, bool weighted) {
  const std::size_t n = 3 * count_;
  std::size_t m = 0;
  for (std::size_t c = 0; c < count_; ++c) {
    const bool sticks = contacts.active()[c].mode == ContactMode::sticks;
    for (std::size_t k = 0; k < (sticks ? 3u : 1u); ++k) {
      const std::size_t row = 3 * c + k;
      if (root_[row] > 0.0) unknown_[m++] = row;
    }
  }
  for (std::size_t a = 0; a < m; ++a) {
    const std::size_t row = unknown_[a], normal = row - row % 3;
    weight_[row] = 1.0 / root_[row];
    if (weighted && row != normal) weight_[row] = std::sqrt(max(f_[normal], 0.0)) / root_[normal];
  }
  for (std::size_t a = 0; a < m; ++a) {
    const std::size_t row = unknown_[a];
    for (std::size_t b = 0; b < m; ++b) {
      const std::size_t column = unknown_[b], c = column / 3;
      double slope = A_[row * n + column];
      if (contacts.active()[c].mode == ContactMode::slides) {
        const double along = fma(A_[row * n + column + 1], slips_[c][0], A_[row * n + column + 2] * slips_[c][1]);
        slope = fma(-laws_[c].kinetic_friction, along, slope);
      }
      J_[a * m + b] = slope / root_[row] * weight_[column];
    }
    r_[a] = -rows_.rate[row] / root_[row];
  }
  spare_ = solve_min_norm(m, J_.data(), r_.data(), linear_, x_.data()) < m;
  for (std::size_t i = 0; i < n; ++i) f_[i] = 0.0;
  for (std::size_t a = 0; a < m; ++a) f_[unknown_[a]] = x_[a] * weight_[unknown_[a]];
  for (std::size_t c = 0; c < count_; ++c) {
    if (contacts.active()[c].mode == ContactMode::sticks) continue;
    const double t = -laws_[c].kinetic_friction * f_[3 * c];
    f_[3 * c + 1] = t * slips_[c][0];
    f_[3 * c + 2] = t * slips_[c][1];
  }
}

/// Friction turns a slip u into the direction of what drives it at the rate mu f_n A_tt / |u|.
double ContactForces::shortest_time() const {
  const std::size_t n = 3 * count_;
  double shortest = __builtin_inf();
  for (std::size_t c = 0; c < count_; ++c) {
    if (slips_[c][0] == 0.0 && slips_[c][1] == 0.0) continue;
    double strength = 0.0;  // of all points that move this one
    for (std::size_t j = 0; j < count_; ++j) {
      const double mobility = max(std::abs(A_[(3 * c + 1) * n + 3 * j + 1]), std::abs(A_[(3 * c + 2) * n + 3 * j + 2]));
      strength = fma(laws_[j].kinetic_friction * std::abs(f_[3 * j]), mobility, strength);
    }
    if (!(strength > 0.0)) continue;
    const double* const u = rows_.speed.data() + 3 * c;
    const double slip = std::sqrt(fma(u[1], u[1], u[2] * u[2]));
    shortest = min(shortest, slip / strength);
  }
  return shortest;
}

double ContactForces::find_margin(const Contacts& contacts) {
  judge(contacts);
  for (int k = 0; k < kShares && margin_ < 0.0 && spare_; ++k) {
    solve_linear(contacts, true);
    spare_ = true;
    judge(contacts);
  }
  if (margin_ < 0.0 && spare_) solve_within_laws(contacts);
  return margin_;
}

void ContactForces::judge(const Contacts& contacts) {
  double size = 0.0;
  for (std::size_t i = 0; i < 3 * count_; ++i) size = max(size, std::abs(f_[i]));
  for (std::size_t c = 0; c < count_; ++c)  // the forces that accelerations of the size in play would take
    if (root_[3 * c] > 0.0) size = max(size, rows_.size[c] / (root_[3 * c] * root_[3 * c]));
  margin_ = __builtin_inf();
  weakest_ = -1;
  for (std::size_t c = 0; c < count_; ++c) {
    const double* const f = f_.data() + 3 * c;
    double left = f[0];
    if (contacts.active()[c].mode == ContactMode::sticks) {
      const double hold = std::sqrt(fma(f[1], f[1], f[2] * f[2]));
      left = min(left, fma(laws_[c].static_friction, f[0], -hold));
    }
    left = size > 0.0 ? left / size + kRounding : kRounding;
    if (!(left < margin_)) continue;
    margin_ = left;
    weakest_ = static_cast<int>(c);
  }
}

/// Forces are not determined: are there others that obey the laws and hold what shall be held?
bool ContactForces::solve_within_laws(const Contacts& contacts) {
  const std::size_t n = 3 * count_;
  for (std::size_t i = 0; i < n; ++i) other_[i] = 0.0;
  const ContactReport report =
      solve_contacts({std::span(A_).first(n * n), {rows_.rate.data(), n}, {laws_.data(), count_}, {}, {}}, solver_,
                     std::span(other_).first(n));
  if (!report.converged) return false;
  for (std::size_t c = 0; c < count_; ++c) {
    const double* const w = solver_.w.data() + 3 * c;
    const double scale = max(solver_.scale[3 * c], max(solver_.scale[3 * c + 1], solver_.scale[3 * c + 2])) * 1e-9;
    const bool sticks = contacts.active()[c].mode == ContactMode::sticks;
    if (std::abs(w[0]) > scale) return false;
    if (sticks && std::sqrt(fma(w[1], w[1], w[2] * w[2])) > scale) return false;
  }
  for (std::size_t i = 0; i < n; ++i) f_[i] = other_[i];
  margin_ = kRounding;
  weakest_ = -1;
  return true;
}

}  // namespace pintle
