#include "pintle/simulation/contact/contact_forces.h"

#include <cmath>

#include "pintle/math/scalar.h"
#include "pintle/simulation/contact/edge_features.h"

namespace pintle {
namespace {

constexpr std::size_t kAnyRank = static_cast<std::size_t>(-1);

}  // namespace

std::array<double, 2> direction_of(const Vec3<>& known_A, const ContactFrame& touch, const double* moving,
                                   double rounding) {
  const Vec3<> known = transpose_times(touch.X_AC.rotation, known_A);
  const double length = std::sqrt(fma(known.y, known.y, known.z * known.z));
  if (!(length > 0.0)) return {0.0, 0.0};
  const bool onwards = rounding < kInfinity<double> && fma(moving[0], known.y, moving[1] * known.z) > 0.0;
  const double speed = std::sqrt(fma(moving[0], moving[0], moving[1] * moving[1]));
  const double share = onwards ? rounding * (rounding / speed) / length : 1.0;
  const double y = fma(share, known.y, onwards ? moving[0] : 0.0), z = fma(share, known.z, onwards ? moving[1] : 0.0);
  const double size = std::sqrt(fma(y, y, z * z));
  return {y / size, z / size};
}

ContactForces::ContactForces(const Model& model)
    : model_(model), rows_(model, 0, 0, 0), response_(model), solver_(0, 0), linear_(0), cone_work_(0) {}

void ContactForces::make_room(std::size_t contacts, bool turning) {
  if (contacts <= rows_.max_contacts) return;
  const std::size_t turns = turning ? contacts : 0, n = 3 * contacts + 3 * turns;
  rows_ = ContactRowsWorkspace(model_, contacts, 3 * turns, 0);
  solver_ = ContactWorkspace(contacts, 0, 2 * turns);
  linear_ = MinNormWorkspace(n);
  cone_work_ = ConeWorkspace(n);
  cones_.reserve(contacts + 2 * turns);
  touches_.resize(contacts);
  slips_.resize(contacts);
  laws_.resize(contacts);
  turns_.reserve(2 * turns);
  turn_rows_.reserve(2 * turns);
  slow_slips_.reserve(contacts + turns);
  A_.resize(n * n);
  J_.resize(n * n);
  for (std::vector<double>* const values : {&f_, &other_, &r_, &x_, &root_, &weight_, &slowest_}) values->resize(n);
  unknown_.resize(n);
  island_.resize(contacts);
  idle_.resize(contacts);
  replaced_.resize(contacts);
  rank_.resize(contacts, kAnyRank);
}

void ContactForces::locate(const Contacts& contacts, const KinematicsWorkspace& places) {
  count_ = contacts.active().size();
  make_room(count_, contacts.any_turning());
  for (std::size_t c = 0; c < count_; ++c) {
    const ActiveContact& contact = contacts.active()[c];
    const ContactPoint point = contacts.point_of(contact, places);
    replaced_[c] = point.feature != contact.feature ? 1 : 0;
    touches_[c] = contacts.contact_frame_of(static_cast<std::size_t>(contact.pair), point, places);
  }
  contact_rows(model_, places, touches(), rows_);
  fastest_turn_ = 0.0;
  for (std::size_t c = 0; c < count_; ++c) {
    const ActiveContact& contact = contacts.active()[c];
    const double extent = contacts.extent(static_cast<std::size_t>(contact.pair));
    fastest_turn_ = max(fastest_turn_, rows_.normal_angular_speed[c]);
    if (is_tilted_edge(contact.feature)) fastest_turn_ = max(fastest_turn_, rows_.migration_speed[c] / extent);
  }
  read_laws(contacts, places);
}

bool ContactForces::has_departed(std::size_t contact) const {
  constexpr double kAlong = 0.1;  // what integration leaves between features that touch is far less
  const double* const u = rows_.speed.data() + 3 * contact;
  return replaced_[contact] != 0 && std::abs(u[0]) > kAlong * std::sqrt(fma(u[0], u[0], fma(u[1], u[1], u[2] * u[2])));
}

/// The friction of each contact, and the directions in which it slides and rotates.
void ContactForces::read_laws(const Contacts& contacts, const KinematicsWorkspace& places) {
  turns_.clear();
  turn_rows_.clear();
  std::size_t row = 3 * count_;
  for (std::size_t c = 0; c < count_; ++c) {
    const ActiveContact& contact = contacts.active()[c];
    const std::size_t pair = static_cast<std::size_t>(contact.pair);
    const Surface& surface = contacts.surface(pair);
    slips_[c] = {0.0, 0.0};
    if (contact.mode == ContactMode::slides) {
      slowest_[3 * c + 1] = contacts.slowest_speed(pair, touches_[c], places);
      slips_[c] =
          direction_of(contact.slip_A, touches_[c], rows_.speed.data() + 3 * c + 1,
                       contact.holds_direction.slip ? kInfinity<double> : max(slowest_[3 * c + 1], contact.slow));
    }
    laws_[c] = {surface.static_friction, surface.friction, slips_[c], 0.0};
    if (touches_[c].spins) {
      MomentLaw law{c, 1, surface.spinning_friction, {}};
      if (contact.spin.mode == ContactMode::slides)
        law.direction[0] = transpose_times(touches_[c].X_AC.rotation, contact.spin.about_A).x < 0.0 ? -1.0 : 1.0;
      turns_.push_back(law);
      turn_rows_.push_back(row);
      row += 1;
    }
    if (touches_[c].rolls) {
      MomentLaw law{c, 2, surface.rolling_friction, {}};
      if (contact.roll.mode == ContactMode::slides) {
        slowest_[row] = contacts.slowest_turn(pair, touches_[c], places);
        law.direction = direction_of(contact.roll.about_A, touches_[c], rows_.speed.data() + row,
                                     contact.holds_direction.roll ? kInfinity<double>
                                                                  : max(slowest_[row], contact.roll.slow));
      }
      turns_.push_back(law);
      turn_rows_.push_back(row);
      row += 2;
    }
  }
}

bool ContactForces::holds(const Contacts& contacts, const MomentLaw& law) const {
  const ActiveContact& contact = contacts.active()[law.contact];
  return contact.mode_of(law.rows == 1 ? FrictionKind::spin : FrictionKind::roll) == ContactMode::sticks;
}

Vec3<> ContactForces::moment(std::size_t contact) const {
  Vec3<> moment{0.0, 0.0, 0.0};
  for (std::size_t t = 0; t < turns_.size(); ++t) {
    if (turns_[t].contact != contact) continue;
    const double* const m = f_.data() + turn_rows_[t];
    if (turns_[t].rows == 1) moment.x = m[0];
    if (turns_[t].rows == 2) moment.y = m[0], moment.z = m[1];
  }
  return moment;
}

void ContactForces::forget_ranks() {
  for (std::size_t& rank : rank_) rank = kAnyRank;
}

std::size_t ContactForces::rank() const {
  std::size_t sum = 0;
  for (std::size_t island = 0; island < islands_; ++island) sum += rank_[island];
  return sum;
}

bool ContactForces::prepare(std::span<const double> q, std::span<const unsigned char> given) {
  if (!prepare_response(model_, q, response_, given).ok()) return false;
  const std::size_t n = rows_.rows;
  contact_delassus(model_, {}, response_, rows_, std::span(A_).first(n * n));
  for (std::size_t i = 0; i < n; ++i) root_[i] = std::sqrt(max(A_[i * n + i], 0.0));
  find_islands();
  return true;
}

/// Contacts of bodies that nothing connects are decoupled: each such group (island) is a problem of its own.
void ContactForces::find_islands() {
  const std::size_t n = rows_.rows;
  const auto feel = [&](std::size_t a, std::size_t b) {
    for (std::size_t i = 3 * a; i < 3 * a + 3; ++i)
      for (std::size_t j = 3 * b; j < 3 * b + 3; ++j)
        if (A_[i * n + j] != 0.0) return true;
    return false;
  };
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  for (std::size_t c = 0; c < count_; ++c) island_[c] = kNone;
  islands_ = 0;
  for (std::size_t first = 0; first < count_; ++first) {
    if (island_[first] != kNone) continue;
    island_[first] = islands_;
    std::size_t found = 0;
    unknown_[found++] = first;
    for (std::size_t k = 0; k < found; ++k) {
      for (std::size_t c = first + 1; c < count_; ++c) {
        if (island_[c] != kNone || !feel(unknown_[k], c)) continue;
        island_[c] = islands_;
        unknown_[found++] = c;
      }
    }
    ++islands_;
  }
}

/// v += M^-1 J'x with the x of minimum norm for which the first m rows of `unknown_` change by r_.
void ContactForces::change_rows(std::size_t m, std::span<double> v) {
  const std::size_t n = rows_.rows;
  for (std::size_t a = 0; a < m; ++a) {
    const std::size_t row = unknown_[a];
    for (std::size_t b = 0; b < m; ++b) J_[a * m + b] = A_[row * n + unknown_[b]] / (root_[row] * root_[unknown_[b]]);
    r_[a] /= root_[row];
  }
  solve_min_norm(m, J_.data(), r_.data(), linear_, x_.data());
  for (std::size_t a = 0; a < m; ++a) {
    const std::size_t row = unknown_[a];
    for (std::size_t i = 0; i < v.size(); ++i)
      v[i] = fma(x_[a] / root_[row], rows_.responses[row * rows_.nv + i], v[i]);
  }
}

double ContactForces::close_gaps(const Contacts& contacts, const KinematicsWorkspace& places, std::span<double> move) {
  double worst = 0.0;
  for (std::size_t island = 0; island < islands_; ++island) {
    std::size_t m = 0;
    double widest = 0.0;
    for (std::size_t c = 0; c < count_; ++c) {
      if (island_[c] != island || !(root_[3 * c] > 0.0)) continue;
      const double gap = contacts.point_of(contacts.active()[c], places).distance;
      widest = max(widest, std::abs(gap));
      r_[m] = -gap;
      unknown_[m++] = 3 * c;
    }
    if (widest > 0.0) change_rows(m, move);
    worst = max(worst, widest);
  }
  return worst;
}

/// Puts the rows of an island whose speeds and accelerations are held at zero into `unknown_`; returns their number.
std::size_t ContactForces::choose_held(const Contacts& contacts, std::size_t island) {
  std::size_t m = 0;
  const auto add = [&](std::size_t first, std::size_t rows) {
    for (std::size_t row = first; row < first + rows; ++row)
      if (root_[row] > 0.0) unknown_[m++] = row;
  };
  for (std::size_t c = 0; c < count_; ++c)
    if (island_[c] == island) add(3 * c, contacts.active()[c].mode == ContactMode::sticks ? 3 : 1);
  for (std::size_t t = 0; t < turns_.size(); ++t)
    if (island_[turns_[t].contact] == island && holds(contacts, turns_[t])) add(turn_rows_[t], turns_[t].rows);
  return m;
}

void ContactForces::limit_held(const Contacts& contacts, std::span<double> v) {
  for (std::size_t island = 0; island < islands_; ++island) {
    const std::size_t m = choose_held(contacts, island);
    for (std::size_t a = 0; a < m; ++a) r_[a] = -rows_.speed[unknown_[a]];
    change_rows(m, v);
  }
}

bool ContactForces::solve(const Contacts& contacts, std::span<const double> q, std::span<const unsigned char> given) {
  if (!prepare(q, given)) return false;
  for (std::size_t c = 0; c < count_; ++c) idle_[c] = 0;
  work_ += static_cast<double>(count_ * count_);
  solve_linear(contacts, false);
  lawful_ = true;
  if (spare_) release_what_pulls(contacts);
  for (std::size_t i = 0; i < rows_.rows; ++i)
    if (!std::isfinite(f_[i])) return false;
  return true;
}

/// Among non-unique forces the solution of minimum norm may have tension. Where nothing slides that does not matter,
/// because all solutions cause the same motion; but friction follows the normal force, and would drive a slip that it
/// should slow down. There the contacts with tension are released one by one, as long as the others can still hold what
/// must be held.
void ContactForces::release_what_pulls(const Contacts& contacts) {
  const double still = max(kHeld, 2 * unrest(contacts));
  for (std::size_t round = 0; round < count_; ++round) {
    std::size_t worst = count_;
    for (std::size_t c = 0; c < count_; ++c)
      if (slides(c) && f_[3 * c] < 0.0 && (worst == count_ || f_[3 * c] < f_[3 * worst])) worst = c;
    if (worst == count_) return;
    idle_[worst] = 1;
    solve_linear(contacts, false);
    spare_ = true;
    if (unrest(contacts) <= still) continue;
    for (std::size_t c = 0; c < count_; ++c) idle_[c] = 0;
    lawful_ = solve_within_laws(contacts);
    if (!lawful_) solve_linear(contacts, false);
    return;
  }
}

/// The remaining acceleration of what must be held at rest, relative to its terms.
double ContactForces::unrest(const Contacts& contacts) {
  const std::size_t n = rows_.rows;
  double largest = 0.0;
  for (std::size_t island = 0; island < islands_; ++island) {
    const std::size_t m = choose_held(contacts, island);
    for (std::size_t a = 0; a < m; ++a) {
      const std::size_t row = unknown_[a];
      double w = rows_.rate[row], scale = std::abs(w);
      for (std::size_t j = 0; j < n; ++j) {
        w = fma(A_[row * n + j], f_[j], w);
        scale = fma(std::abs(A_[row * n + j]), std::abs(f_[j]), scale);
      }
      if (std::abs(w) > largest * scale) largest = std::abs(w) / scale;
    }
  }
  return largest;
}

/// The change of a row per unit of a multiplier; a normal one brings the friction of all that slides and rotates there.
double ContactForces::slope(std::size_t row, std::size_t column) const {
  const std::size_t n = rows_.rows, c = column / 3;
  const double* const A = A_.data() + row * n;
  double value = A[column];
  if (column >= 3 * count_ || column % 3 != 0) return value;
  const double along = fma(A[column + 1], slips_[c][0], A[column + 2] * slips_[c][1]);
  value = fma(-laws_[c].kinetic_friction, along, value);
  for (std::size_t t = 0; t < turns_.size(); ++t)
    for (std::size_t k = 0; k < turns_[t].rows && turns_[t].contact == c; ++k)
      value = fma(-turns_[t].friction * turns_[t].direction[k], A[turn_rows_[t] + k], value);
  return value;
}

/// w = 0 in the active rows, with friction that follows the normal force where a point slides or rotates: the solution
/// of minimum norm; `weighted`: the one in which sticking friction is distributed like the normal forces found before,
/// and sliding points keep their normal force, so that the motion stays the same.
void ContactForces::solve_linear(const Contacts& contacts, bool weighted) {
  const std::size_t n = rows_.rows;
  for (std::size_t i = 0; i < n; ++i) weight_[i] = root_[i] > 0.0 ? 1.0 / root_[i] : 0.0;
  for (std::size_t c = 0; c < count_; ++c)
    for (std::size_t row = 3 * c; row < 3 * c + 3 && idle_[c] != 0; ++row) weight_[row] = 0.0;
  if (weighted) {
    for (std::size_t c = 0; c < count_; ++c)
      for (std::size_t row = 3 * c + 1; row < 3 * c + 3; ++row)
        weight_[row] = std::sqrt(max(f_[3 * c], 0.0)) / root_[3 * c];
    for (std::size_t t = 0; t < turns_.size(); ++t)
      for (std::size_t k = 0; k < turns_[t].rows; ++k)
        weight_[turn_rows_[t] + k] *= std::sqrt(max(f_[3 * turns_[t].contact], 0.0));
  }
  spare_ = false;
  for (std::size_t i = 0; i < n; ++i)
    if (!weighted || i >= 3 * count_ || i % 3 != 0 || !slides(i / 3)) f_[i] = 0.0;
  for (std::size_t c = 0; c < count_ && weighted; ++c)
    if (slides(c)) weight_[3 * c] = 0.0;
  for (std::size_t island = 0; island < islands_; ++island) solve_island(contacts, island);
  for (std::size_t c = 0; c < count_; ++c) {
    if (contacts.active()[c].mode == ContactMode::sticks) continue;
    const double t = -laws_[c].kinetic_friction * f_[3 * c];
    f_[3 * c + 1] = t * slips_[c][0];
    f_[3 * c + 2] = t * slips_[c][1];
  }
  for (std::size_t t = 0; t < turns_.size(); ++t) {
    const MomentLaw& law = turns_[t];
    if (holds(contacts, law)) continue;
    for (std::size_t k = 0; k < law.rows; ++k)
      f_[turn_rows_[t] + k] = -law.friction * f_[3 * law.contact] * law.direction[k];
  }
}

void ContactForces::solve_island(const Contacts& contacts, std::size_t island) {
  const std::size_t m = choose_held(contacts, island);
  for (std::size_t a = 0; a < m; ++a) {
    const std::size_t row = unknown_[a];
    for (std::size_t b = 0; b < m; ++b) {
      const std::size_t column = unknown_[b];
      J_[a * m + b] = slope(row, column) / root_[row] * weight_[column];
    }
    r_[a] = -rows_.rate[row];
    for (std::size_t c = 0; c < count_; ++c)
      if (f_[3 * c] != 0.0) r_[a] = fma(-slope(row, 3 * c), f_[3 * c], r_[a]);
    r_[a] /= root_[row];
  }
  const std::size_t rank = solve_min_norm(m, J_.data(), r_.data(), linear_, x_.data(), rank_[island]);
  if (rank_[island] == kAnyRank) rank_[island] = rank;
  if (rank < m) spare_ = true;
  for (std::size_t a = 0; a < m; ++a)
    if (weight_[unknown_[a]] != 0.0) f_[unknown_[a]] = x_[a] * weight_[unknown_[a]];
}

}  // namespace pintle
