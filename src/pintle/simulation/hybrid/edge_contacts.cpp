#include "pintle/simulation/hybrid/edge_contacts.h"

#include <array>
#include <cmath>

#include "pintle/base/size.h"
#include "pintle/math/elementary.h"
#include "pintle/math/scalar.h"
#include "pintle/simulation/contact/edge_features.h"

namespace pintle {
namespace {

constexpr double kEdgeHeld = 1e-14;  // relative to the terms of an acceleration: less is rounding
constexpr int kCircle = 8 * kRimTurns;

/// The distance from one place on the circle to another, at most half a circle.
int apart(int from, int to) {
  const int difference = ((to - from) % kCircle + kCircle) % kCircle;
  return difference > kCircle / 2 ? difference - kCircle : difference;
}

}  // namespace

/// Eight candidates around one edge.
struct EdgeContacts::PatchPolygon {
  std::array<std::size_t, 8> candidates{};
  int rotation = 0;

  /// Where a quantity known at the vertices is minimal on the whole edge, and its value there.
  struct Minimum {
    double value;
    int place;
  };
  template <class NumberOf>
  Minimum minimum(const NumberOf& number_of) const {
    double mean = 0.0, x = 0.0, y = 0.0;
    for (int k = 0; k < 8; ++k) {
      const Vec3<> corner = rim_corner(feature(FeatureKind::rim_point, k | (rotation << 4)));
      const double number = number_of(candidates[size(k)]);
      mean += 0.125 * number;
      x = fma(0.25 * number, corner.x, x);
      y = fma(0.25 * number, corner.y, y);
    }
    const double parts = (x == 0.0 && y == 0.0 ? 0.0 : atan2(-y, -x)) * (4.0 / kPi<double>);
    return {mean - std::sqrt(fma(x, x, y * y)), static_cast<int>(std::floor(parts * kRimTurns + 0.5))};
  }
};

/// The polygon whose first vertex is a candidate; false if there is none, or not all of it.
bool EdgeContacts::polygon_of(std::size_t candidate, PatchPolygon& polygon) const {
  const ActiveContact& first = candidates_[candidate].contact;
  if (!has_edge_point(first.feature) || corner_number(first.feature) != 0) return false;
  polygon.rotation = rotation_of(first);
  for (int k = 0; k < 8; ++k) {
    const std::uint64_t corner = with_corner(first.feature, k);
    bool found = false;
    for (std::size_t c = 0; c < candidates_.count() && !found; ++c) {
      found = candidates_[c].contact.pair == first.pair && candidates_[c].contact.feature == corner;
      if (found) polygon.candidates[size(k)] = c;
    }
    if (!found) return false;
  }
  return true;
}

/// Rotates a polygon so that one of its vertices is at a place; false, and nothing changed, if not all its vertices
/// would be on the face.
bool EdgeContacts::rotate(const PatchPolygon& polygon, int place) {
  const int rotation = ((place % kRimTurns) + kRimTurns) % kRimTurns;
  if (rotation == polygon.rotation) return false;
  std::array<ContactPoint, 8> points;
  for (std::size_t k = 0; k < 8; ++k) {
    ActiveContact moved = candidates_[polygon.candidates[k]].contact;
    moved.feature = rotated_pair(moved.feature, rotation);
    points[k] = system_.contacts().point_of(moved, candidates_.places());
    if (points[k].feature != moved.feature) return false;
  }
  for (std::size_t k = 0; k < 8; ++k) candidates_.migrate(polygon.candidates[k], points[k]);
  return true;
}

bool EdgeContacts::rotate_to_approach() {
  bool any = false;
  for (std::size_t c = 0; c < candidates_.count(); ++c) {
    PatchPolygon polygon;
    if (!polygon_of(c, polygon)) continue;
    const PatchPolygon::Minimum lowest =
        polygon.minimum([&](std::size_t corner) { return candidates_.separation_speed(corner); });
    if (lowest.value < -candidates_.slowest(c) && rotate(polygon, lowest.place)) any = true;
  }
  return any;
}

bool EdgeContacts::rotate_to_tipping(std::span<const std::size_t> contacts, const ContactWorkspace& solved,
                                     TippingSearch& search) {
  const auto number_of = [&](std::size_t candidate) {
    std::size_t a = 0;
    while (a < contacts.size() && contacts[a] != candidate) ++a;
    return a;
  };
  for (std::size_t c = 0; c < candidates_.count(); ++c) {
    PatchPolygon polygon;
    if (!polygon_of(c, polygon)) continue;
    bool all = true;
    double scale = 0.0;
    for (const std::size_t corner : polygon.candidates) {
      const std::size_t a = number_of(corner);
      all = all && a < contacts.size();
      if (all) scale = max(scale, solved.scale[3 * a]);
    }
    if (!all) continue;
    const PatchPolygon::Minimum lowest =
        polygon.minimum([&](std::size_t corner) { return solved.w[3 * number_of(corner)]; });
    if (lowest.value >= -kEdgeHeld * scale) continue;
    if (search.first != c) {
      const int beyond = ((lowest.place - polygon.rotation) % kRimTurns + kRimTurns) % kRimTurns;
      search.first = c;
      search.low = lowest.place - beyond;
      search.high = search.low + kRimTurns;
    } else {
      (apart(search.middle, lowest.place) > 0 ? search.low : search.high) = search.middle;
    }
    search.middle = search.low + (search.high - search.low) / 2;
    if (search.high - search.low > 1 && rotate(polygon, search.middle)) return true;
  }
  return false;
}

}  // namespace pintle
