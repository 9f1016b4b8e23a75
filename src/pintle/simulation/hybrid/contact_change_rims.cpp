// The part of ContactChange about flat ends: they tip over their true rim, not over an octagon drawn in it.
#include <array>
#include <cmath>

#include "pintle/math/elementary.h"
#include "pintle/math/scalar.h"
#include "pintle/simulation/contact/rim_turn.h"
#include "pintle/simulation/hybrid/contact_change.h"

namespace pintle {
namespace {

constexpr double kRimHeld = 1e-14;  // of the terms of an acceleration: less is rounding
constexpr int kMostTurns = 100;
constexpr double kLowestRimHop = 4.0;  // as in contact_change.cpp
constexpr int kCircle = 8 * kRimTurns;

/// How far it is from one place on the circle to another, at most half a circle.
int apart(int from, int to) {
  const int difference = ((to - from) % kCircle + kCircle) % kCircle;
  return difference > kCircle / 2 ? difference - kCircle : difference;
}

}  // namespace

/// Eight candidates around one rim.
struct ContactChange::Octagon {
  std::array<std::size_t, 8> candidates{};
  int turn = 0;

  /// Where a number that the corners have is least on the whole rim, and how much it is there: all numbers of a rigid
  /// motion are mean + x.(cosine) + y.(sine).
  struct Least {
    double value;
    int place;
  };
  template <class NumberOf>
  Least least(const NumberOf& number_of) const {
    double mean = 0.0, x = 0.0, y = 0.0;
    for (int k = 0; k < 8; ++k) {
      const Vec3<> corner = rim_corner(feature(FeatureKind::rim_point, k | (turn << 4)));
      const double number = number_of(candidates[static_cast<std::size_t>(k)]);
      mean += 0.125 * number;
      x = fma(0.25 * number, corner.x, x);
      y = fma(0.25 * number, corner.y, y);
    }
    const double parts = (x == 0.0 && y == 0.0 ? 0.0 : atan2(-y, -x)) * (4.0 / kPi<double>);
    return {mean - std::sqrt(fma(x, x, y * y)), static_cast<int>(std::floor(parts * kRimTurns + 0.5))};
  }
};

/// The place where one rim tips lies between two others, of which the distance is halved.
struct ContactChange::RimSearch {
  std::size_t first = static_cast<std::size_t>(-1);  // candidate
  int low = 0, high = 0, middle = 0;
};

/// The octagon that a candidate is the first corner of; false where there is none, or not all of it.
bool ContactChange::octagon_of(std::size_t candidate, Octagon& octagon) const {
  const ActiveContact& first = candidates_[candidate].contact;
  if (!has_rim_point(first.feature) || corner_number(first.feature) != 0) return false;
  octagon.turn = turn_of(first);
  for (int k = 0; k < 8; ++k) {
    const std::uint64_t corner = with_corner(first.feature, k);
    bool found = false;
    for (std::size_t c = 0; c < candidates_.size() && !found; ++c) {
      found = candidates_[c].contact.pair == first.pair && candidates_[c].contact.feature == corner;
      if (found) octagon.candidates[static_cast<std::size_t>(k)] = c;
    }
    if (!found) return false;
  }
  return true;
}

/// Turns an octagon so that one of its corners is at a place; false, and nothing changed, where not all its corners
/// would be on the face.
bool ContactChange::turn_octagon(const Octagon& octagon, int place) {
  const Contacts& contacts = system_.contacts();
  const int turn = ((place % kRimTurns) + kRimTurns) % kRimTurns;
  if (turn == octagon.turn) return false;
  std::array<ContactPoint, 8> points;
  for (std::size_t k = 0; k < 8; ++k) {
    ActiveContact moved = candidates_[octagon.candidates[k]].contact;
    moved.feature = turned_pair(moved.feature, turn);
    points[k] = contacts.point_of(moved, places_);
    if (points[k].feature != moved.feature) return false;
  }
  for (std::size_t k = 0; k < 8; ++k) {
    ContactCandidate& candidate = candidates_[octagon.candidates[k]];
    candidate.contact.feature = points[k].feature;
    candidate.point = points[k];
    candidate.touch = contacts.touch_of(static_cast<std::size_t>(candidate.contact.pair), points[k], places_);
  }
  return true;
}

/// Forces under which no point of a rim moves into its face, between the corners of its octagon neither: an octagon is
/// turned until one of its corners is where the end tips, or until it holds.
bool ContactChange::solve_with_rims(std::span<const StopSide> sides, MotionState& state, std::span<double> vdot,
                                    ContactChangeReport& report) {
  RimSearch search;
  for (int k = 0; k < kMostTurns; ++k) {
    if (!solve_forces(sides, state, vdot, report)) return false;
    if (!turn_rims(search)) break;
  }
  return true;
}

bool ContactChange::turn_rims(RimSearch& search) {
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    Octagon octagon;
    if (!octagon_of(c, octagon)) continue;
    bool all = true;
    double scale = 0.0;
    const auto row_of = [&](std::size_t candidate) {
      std::size_t a = 0;
      while (a < chosen_.size() && chosen_[a] != candidate) ++a;
      return a;
    };
    for (const std::size_t corner : octagon.candidates) {
      const std::size_t a = row_of(corner);
      all = all && a < chosen_.size();
      if (all) scale = max(scale, solver_.scale[3 * a]);
    }
    if (!all) continue;
    const Octagon::Least least = octagon.least([&](std::size_t corner) { return solver_.w[3 * row_of(corner)]; });
    if (least.value >= -kRimHeld * scale) continue;
    if (search.first != c) {
      const int beyond = ((least.place - octagon.turn) % kRimTurns + kRimTurns) % kRimTurns;
      search.first = c;
      search.low = least.place - beyond;
      search.high = search.low + kRimTurns;
    } else {
      (apart(search.middle, least.place) > 0 ? search.low : search.high) = search.middle;
    }
    search.middle = search.low + (search.high - search.low) / 2;
    if (search.high - search.low > 1 && turn_octagon(octagon, search.middle)) return true;
  }
  return false;
}

/// Whether another point of the same rim leaves its face higher than rounding: then the end tips, and no point of it is
/// held down for its own small hop.
bool ContactChange::rest_of_rim_hops(std::size_t candidate, double resolution) const {
  const ActiveContact& of = candidates_[candidate].contact;
  if (!has_rim_point(of.feature)) return false;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    const ActiveContact& other = candidates_[c].contact;
    if (other.pair != of.pair || !same_rim(other.feature, of.feature)) continue;
    const double u = rows_.speed[3 * c], a = -rows_.rate[3 * c];
    if (u > slowest(c) && u * u > 2.0 * kLowestRimHop * resolution * a && 2.0 * u > system_.scene().run().rest_time * a)
      return true;
  }
  return false;
}

/// Where a flat end approaches its face between two corners of its octagon, one of them is put there.
bool ContactChange::turn_rims_to_approach() {
  bool any = false;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    Octagon octagon;
    if (!octagon_of(c, octagon)) continue;
    const Octagon::Least least = octagon.least([&](std::size_t corner) { return speeds_[corner]; });
    if (least.value < -slowest(c) && turn_octagon(octagon, least.place)) any = true;
  }
  return any;
}

}  // namespace pintle
