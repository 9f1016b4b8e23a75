// ContactForces: how fast slips and rotations settle, and which of them end.
#include <cmath>

#include "pintle/math/scalar.h"
#include "pintle/math/sign.h"
#include "pintle/simulation/contact/contact_forces.h"

namespace pintle {
namespace {

/// The longest step of an explicit method, in the time constants in which the direction of a slip settles: such methods
/// are stable up to 2.5 of them. While a slip ends, steps begin with the second: their errors add up.
constexpr double kStableStep = 2.0;
constexpr double kEndingStep = 0.5;

/// Maximum rotation [rad] within a step of a slip that ends.
constexpr double kMaxSlipRotation = 0.25;

/// [rad] Directions that change by less have settled; at most so many solutions, where a step holds them and where slips
/// begin.
constexpr double kSettled = 1e-12;
constexpr int kMaxSettling = 16, kMaxBeginning = 256;

/// [s] After this time a slip within rounding has the direction of its acceleration.
constexpr double kLongAfter = 1.0;

}  // namespace

/// The maximum effect of the friction at all points on the two tangential speeds of a contact, from a row on [m/s^2];
/// likewise for rolling.
double ContactForces::slip_strength(std::size_t contact) const {
  double strength = 0.0;
  for (std::size_t j = 0; j < count_; ++j)
    strength = fma(laws_[j].kinetic_friction * std::abs(f_[3 * j]), mobility(3 * contact + 1, 3 * j + 1), strength);
  return strength;
}

double ContactForces::roll_strength(std::size_t turn) const {
  double strength = 0.0;
  for (std::size_t j = 0; j < turns_.size(); ++j) {
    if (turns_[j].rows != 2) continue;
    const double max_moment = turns_[j].friction * std::abs(f_[3 * turns_[j].contact]);
    strength = fma(max_moment, mobility(turn_rows_[turn], turn_rows_[j]), strength);
  }
  return strength;
}

double ContactForces::mobility(std::size_t row, std::size_t column) const {
  const std::size_t n = rows_.rows;
  return max(std::abs(A_[row * n + column]), std::abs(A_[(row + 1) * n + column + 1]));
}

/// Calls `look` with every friction that slides or rolls.
template <class Look>
void ContactForces::for_each_slip(const Look& look) const {
  const auto speed = [&](std::size_t row) { return length(rows_.speed[row], rows_.speed[row + 1]); };
  for (std::size_t c = 0; c < count_; ++c)
    if (slides(c)) look(Slip{c, FrictionKind::slip, 3 * c + 1, 0, speed(3 * c + 1), slip_strength(c)});
  for (std::size_t t = 0; t < turns_.size(); ++t)
    if (turns_[t].rows == 2 && (turns_[t].direction[0] != 0.0 || turns_[t].direction[1] != 0.0))
      look(Slip{turns_[t].contact, FrictionKind::roll, turn_rows_[t], t, speed(turn_rows_[t]), roll_strength(t)});
}

/// The acceleration of a slip, with the present forces.
std::array<double, 2> ContactForces::acceleration(const Slip& slip) const {
  const std::size_t n = rows_.rows;
  std::array<double, 2> w{};
  for (std::size_t k = 0; k < 2; ++k) {
    const double* const A = A_.data() + (slip.row + k) * n;
    w[k] = rows_.rate[slip.row + k];
    for (std::size_t j = 0; j < n; ++j) w[k] = fma(A[j], f_[j], w[k]);
  }
  return w;
}

std::array<double, 2> ContactForces::direction(const Slip& slip) const {
  return slip.kind == FrictionKind::slip ? slips_[slip.contact] : turns_[slip.turn].direction;
}

void ContactForces::set_direction(const Slip& slip, const std::array<double, 2>& to) {
  if (slip.kind == FrictionKind::roll) {
    turns_[slip.turn].direction = to;
  } else {
    slips_[slip.contact] = laws_[slip.contact].slip = to;
  }
}

void ContactForces::find_slow(double time, std::vector<ActiveContact>& contacts) const {
  for_each_slip([&](const Slip& slip) { contacts[slip.contact].slow_of(slip.kind) = time * slip.strength; });
}

void ContactForces::unmark_faster(double time, std::span<FrictionMarks> marks) const {
  for_each_slip([&](const Slip& slip) {
    if (slip.speed > time * slip.strength) marks[slip.contact][slip.kind] = false;
  });
}

bool ContactForces::find_ending(double time, std::span<FrictionMarks> marks) const {
  bool any = false;
  for_each_slip([&](const Slip& slip) {
    if (slip.speed > time * slip.strength || !(slip.speed > slowest_[slip.row])) return;
    const std::array<double, 2> w = acceleration(slip);
    const double gain = fma(rows_.speed[slip.row], w[0], rows_.speed[slip.row + 1] * w[1]);
    if (gain < 0.0) marks[slip.contact][slip.kind] = any = true;
  });
  return any;
}

bool ContactForces::settle_beginning(Contacts& contacts) {
  slow_slips_.clear();
  for_each_slip([&](const Slip& slip) {
    const double slow = max(slowest_[slip.row], contacts.active()[slip.contact].slow_of(slip.kind));
    if (slip.speed <= slow && slip.strength > 0.0) slow_slips_.push_back({slip, true, false, true, 0.0, 0.0});
  });
  if (slow_slips_.empty()) return false;
  settle_directions(kLongAfter, kMaxBeginning, contacts);
  for (const SlowSlip& slow : slow_slips_) {
    const std::array<double, 2> d = direction(slow.slip);
    contacts.active()[slow.slip.contact].direction_of(slow.slip.kind) =
        touches_[slow.slip.contact].X_AC.rotation * Vec3<>{0.0, d[0], d[1]};
  }
  return true;
}

/// Friction rotates a slip u into the direction of what drives it, at the rate mu f_n A_tt/|u|. While that is faster
/// than an explicit method with steps h can follow, u moves along a direction that has settled, and friction has it
/// from the start of the step: that of the slip at its end, d || u + h w(d), as in the implicit Euler method. Only a
/// slip that rotates while it ends is followed by short steps: it has no time to settle.
void ContactForces::hold_directions(double h, Contacts& contacts) {
  slow_slips_.clear();
  for_each_slip([&](const Slip& slip) {
    const double* const u = rows_.speed.data() + slip.row;
    const std::array<double, 2> w = acceleration(slip);
    const double rotation = std::abs(fma(u[0], w[1], -(u[1] * w[0])));  // its rate, times |u|^2
    const bool straight = h * rotation <= slowest_[slip.row] * slip.speed && slip.speed > slowest_[slip.row];
    if (!straight && !(slip.strength * h > kEndingStep * slip.speed)) return;
    const double time = slip.speed / slip.strength;
    const double followed = min(kStableStep, kEndingStep * std::sqrt(std::sqrt(h / time))) * time;
    const double seen = rotation > 0.0 ? kMaxSlipRotation * slip.speed * slip.speed / rotation : __builtin_inf();
    slow_slips_.push_back({slip, h > kStableStep * time, straight, false, min(followed, seen), 0.0});
  });
  settle_directions(h, kMaxSettling, contacts);
  for (SlowSlip& slow : slow_slips_) {
    const Slip& slip = slow.slip;
    const double* const u = rows_.speed.data() + slip.row;
    const std::array<double, 2> w = acceleration(slip);
    std::array<double, 2> d = direction(slip);
    if (slow.straight || !slow.stiff) d = {u[0] / slip.speed, u[1] / slip.speed};
    slow.end = fma(fma(h, w[0], u[0]), d[0], fma(h, w[1], u[1]) * d[1]);
    const bool begins = slip.speed <= max(slowest_[slip.row], contacts.active()[slip.contact].slow_of(slip.kind));
    slow.lasts = begins || slow.end >= 0.5 * slip.speed;
    if (slow.straight || (slow.lasts && slow.stiff)) hold_direction(slip, d, contacts);
  }
}

void ContactForces::release_rotating(double h, Contacts& contacts) {
  for (SlowSlip& slow : slow_slips_) {
    if (!slow.straight) continue;
    const std::array<double, 2> d = direction(slow.slip), w = acceleration(slow.slip);
    slow.straight = h * std::abs(fma(d[0], w[1], -(d[1] * w[0]))) <= slowest_[slow.slip.row];
    if (!slow.straight && !(slow.lasts && slow.stiff))
      contacts.active()[slow.slip.contact].holds_direction[slow.slip.kind] = false;
  }
}

double ContactForces::followed_step() const {
  double longest = __builtin_inf();
  for (const SlowSlip& slow : slow_slips_)
    if (!slow.straight && !slow.lasts) longest = min(longest, slow.longest_step);
  return longest;
}

double ContactForces::held_error(double h) const {
  double worst = 0.0;
  for (const SlowSlip& slow : slow_slips_) {
    if (slow.straight || !slow.stiff || !slow.lasts) continue;
    const std::array<double, 2> d = direction(slow.slip), w = acceleration(slow.slip);
    const double along = fma(h, slow.slip.strength, max(slow.end, 0.0));
    const std::array<double, 2> x{fma(along, d[0], h * w[0]), fma(along, d[1], h * w[1])};
    const double size = length(x);
    if (size > 0.0) worst = max(worst, h * slow.slip.strength * length(x[0] / size - d[0], x[1] / size - d[1]));
  }
  return worst;
}

/// Friction has this direction for the whole step.
void ContactForces::hold_direction(const Slip& slip, const std::array<double, 2>& d, Contacts& contacts) const {
  ActiveContact& contact = contacts.active()[slip.contact];
  contact.holds_direction[slip.kind] = true;
  contact.direction_of(slip.kind) = touches_[slip.contact].X_AC.rotation * Vec3<>{0.0, d[0], d[1]};
}

/// d || u + h w(d) in all slow slips: a fixed point of d || u + h (w(d) + s d), where the strength s makes the map
/// contract.
void ContactForces::settle_directions(double h, int max_solutions, const Contacts& contacts) {
  for (int k = 0; k < max_solutions; ++k) {
    double change = 0.0;
    for (const SlowSlip& slow : slow_slips_) {
      if (!slow.stiff || slow.straight) continue;
      const std::array<double, 2> d = direction(slow.slip), w = acceleration(slow.slip);
      const double* const u = rows_.speed.data() + slow.slip.row;
      std::array<double, 2> x{};
      for (std::size_t i = 0; i < 2; ++i) x[i] = fma(h, fma(slow.slip.strength, d[i], w[i]), u[i]);
      const double size = length(x);
      if (!(size > 0.0)) continue;
      x = {x[0] / size, x[1] / size};
      change = max(change, length(x[0] - d[0], x[1] - d[1]));
      set_direction(slow.slip, x);
    }
    if (change <= kSettled) return;
    work_ += static_cast<double>(count_ * count_);
    solve_linear(contacts, false);
  }
}

}  // namespace pintle
