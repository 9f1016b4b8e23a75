// ContactForces: how fast slips and rotations settle, and which of them end.
#include <cmath>

#include "pintle/math/scalar.h"
#include "pintle/simulation/contact/contact_forces.h"

namespace pintle {

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

/// Calls `look` with the first of the two rows of every friction that slides or rolls, its speed and its strength.
template <class Look>
void ContactForces::for_each_slip(const Look& look) const {
  const auto speed = [&](std::size_t row) {
    const double* const u = rows_.speed.data() + row;
    return std::sqrt(fma(u[0], u[0], u[1] * u[1]));
  };
  for (std::size_t c = 0; c < count_; ++c)
    if (slips_[c][0] != 0.0 || slips_[c][1] != 0.0)
      look(c, FrictionKind::slip, 3 * c + 1, speed(3 * c + 1), slip_strength(c));
  for (std::size_t t = 0; t < turns_.size(); ++t)
    if (turns_[t].rows == 2 && (turns_[t].direction[0] != 0.0 || turns_[t].direction[1] != 0.0))
      look(turns_[t].contact, FrictionKind::roll, turn_rows_[t], speed(turn_rows_[t]), roll_strength(t));
}

/// Friction rotates a slip u into the direction of what drives it at the rate mu f_n A_tt / |u|.
double ContactForces::shortest_time() const {
  double shortest = __builtin_inf();
  for_each_slip([&](std::size_t, FrictionKind, std::size_t, double speed, double strength) {
    if (strength > 0.0) shortest = min(shortest, speed / strength);
  });
  return shortest;
}

void ContactForces::find_slow(double time, std::vector<ActiveContact>& contacts) const {
  for_each_slip([&](std::size_t contact, FrictionKind kind, std::size_t, double, double strength) {
    contacts[contact].slow_of(kind) = time * strength;
  });
}

void ContactForces::unmark_faster(double time, std::span<FrictionMarks> marks) const {
  for_each_slip([&](std::size_t contact, FrictionKind kind, std::size_t, double speed, double strength) {
    if (speed > time * strength) marks[contact][kind] = false;
  });
}

bool ContactForces::find_ending(double time, std::span<FrictionMarks> marks) const {
  const std::size_t n = rows_.rows;
  bool any = false;
  for_each_slip([&](std::size_t contact, FrictionKind kind, std::size_t row, double speed, double strength) {
    if (speed > time * strength || !(speed > slowest_[row])) return;
    double gain = 0.0;
    for (std::size_t i = row; i < row + 2; ++i) {
      double w = rows_.rate[i];
      for (std::size_t j = 0; j < n; ++j) w = fma(A_[i * n + j], f_[j], w);
      gain = fma(rows_.speed[i], w, gain);
    }
    if (gain < 0.0) marks[contact][kind] = any = true;
  });
  return any;
}

}  // namespace pintle
