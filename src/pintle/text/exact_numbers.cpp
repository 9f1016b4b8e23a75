#include "pintle/text/exact_numbers.h"

#include <charconv>
#include <cmath>
#include <vector>

#include "pintle/math/elementary.h"
#include "pintle/spatial/exp_log.h"

namespace pintle {
namespace {

constexpr double kUnit = 0x1p-52;
constexpr int kMaxDigits = 17;

double rounded_to(double number, int digits) {
  char text[40];
  const std::to_chars_result end =
      std::to_chars(text, text + sizeof text, number, std::chars_format::scientific, digits - 1);
  double read = number;
  std::from_chars(text, end.ptr, read);
  return read;
}

/// The number `n` doubles above this one.
double neighbour(double number, int n) {
  const double towards = n > 0 ? __builtin_inf() : -__builtin_inf();
  for (int i = 0; i < (n > 0 ? n : -n); ++i) number = std::nextafter(number, towards);
  return number;
}

/// The first acceptable one of zero, the roundings of a number and its neighbours; the number itself when none is
/// acceptable.
template <class Test>
double first_that(double number, Test will_do) {
  if (will_do(0.0)) return 0.0;
  for (int digits = 1; digits <= kMaxDigits; ++digits)
    if (const double candidate = rounded_to(number, digits); will_do(candidate)) return candidate;
  for (const int n : {1, -1, 2, -2, 3, -3})
    if (const double candidate = neighbour(number, n); will_do(candidate)) return candidate;
  return number;
}

double difference(const Mat3<>& A, const Mat3<>& B) {
  double largest = 0.0;
  for (int i = 0; i < 3; ++i) {
    const Vec3<> d = row(A, i) - row(B, i);
    largest = max(largest, max(abs(d.x), max(abs(d.y), abs(d.z))));
  }
  return largest;
}

/// The same angle in the opposite sense: 3.1416, as people write it, is slightly more than pi.
double other_way(double angle) {
  return angle > 0.0 ? angle - 2.0 * kPi<double> : angle + 2.0 * kPi<double>;
}

/// Searches for the angles of a rotation.
class RpySearch {
 public:
  explicit RpySearch(const Mat3<>& R) : R_(R), best_{{0.0, 0.0, 0.0}, difference(R, identity3<double>())} {}

  RpyNumbers find() {
    // Perpendicular to the x axis of the rotated frame; where it points up or down, roll and yaw are one rotation.
    const double across = std::sqrt(R_.xx * R_.xx + R_.yx * R_.yx);
    const double roll = pintle::atan2(R_.zy, R_.zz);
    const double unknown = 8.0 * kUnit / max(across, kUnit);
    for (const double candidate : rolls(roll, unknown)) {
      if (best_.error == 0.0) break;
      try_roll(candidate);
    }
    if (best_.error > 0.0) search_beside(best_.rpy);
    return best_;
  }

 private:
  /// Candidates for the roll: short numbers near it and, where it is undetermined, multiples of 90 degrees as people
  /// write them. A roll that differs by 180 degrees belongs to the same rotation with a pitch beyond 90 degrees.
  static std::vector<double> rolls(double roll, double unknown) {
    constexpr double kHalf = kPi<double>;
    std::vector<double> candidates;
    for (const double near : {roll, roll > 0.0 ? roll - kHalf : roll + kHalf, other_way(roll)}) {
      candidates.insert(candidates.end(), {shortest_within(near, unknown), near});
      for (const double angle : {0.0, kHalf / 2.0, -kHalf / 2.0, kHalf, -kHalf, near})
        for (int digits = 3; digits <= kMaxDigits; ++digits)
          if (const double candidate = rounded_to(angle, digits); std::abs(candidate - near) <= unknown)
            candidates.push_back(candidate);
    }
    return candidates;
  }

  /// With the roll removed, pitch and yaw are well determined everywhere.
  void try_roll(double roll) {
    const Mat3<> M = R_ * transpose(exp_so3(Vec3<>{roll, 0.0, 0.0}));
    const double pitch = pintle::atan2(-M.zx, M.zz), yaw = pintle::atan2(-M.xy, M.yy);
    for (const double y : {shortest_within(pitch, 4.0 * kUnit), pitch, shortest_within(other_way(pitch), 4.0 * kUnit)})
      for (const double z : {shortest_within(yaw, 4.0 * kUnit), yaw, shortest_within(other_way(yaw), 4.0 * kUnit)})
        look_at({roll, y, z});
  }

  void search_beside(const Vec3<> rpy) {
    constexpr int kReach = 2;
    for (int i = -kReach; i <= kReach; ++i)
      for (int j = -kReach; j <= kReach; ++j)
        for (int k = -kReach; k <= kReach && best_.error > 0.0; ++k)
          look_at({neighbour(rpy.x, i), neighbour(rpy.y, j), neighbour(rpy.z, k)});
  }

  void look_at(const Vec3<>& rpy) {
    const double error = difference(rotation_of_rpy(rpy), R_);
    if (error < best_.error) best_ = {{rpy.x + 0.0, rpy.y + 0.0, rpy.z + 0.0}, error};  // no negative zeros
  }

  const Mat3<>& R_;
  RpyNumbers best_;
};

}  // namespace

std::string exact_text(double number) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

double shortest_within(double number, double distance) {
  if (std::abs(number) <= distance) return 0.0;
  for (int digits = 1; digits < kMaxDigits; ++digits)
    if (const double candidate = rounded_to(number, digits); std::abs(candidate - number) <= distance) return candidate;
  return number;
}

bool same_number(double a, double b) {
  return a == b;
}

bool same_numbers(const Vec3<>& a, const Vec3<>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool same_numbers(const Mat3<>& a, const Mat3<>& b) {
  return same_numbers(row(a, 0), row(b, 0)) && same_numbers(row(a, 1), row(b, 1)) && same_numbers(row(a, 2), row(b, 2));
}

bool same_numbers(const SpatialInertia<>& a, const SpatialInertia<>& b) {
  const SymMat3<>&A = a.inertia, &B = b.inertia;
  return a.mass == b.mass && same_numbers(a.first_moment, b.first_moment) && A.xx == B.xx && A.xy == B.xy &&
         A.xz == B.xz && A.yy == B.yy && A.yz == B.yz && A.zz == B.zz;
}

Mat3<> rotation_of_rpy(const Vec3<>& rpy) {
  const auto about = [](const Vec3<>& axis, double angle) { return exp_so3(angle * axis); };
  return about({0, 0, 1}, rpy.z) * about({0, 1, 0}, rpy.y) * about({1, 0, 0}, rpy.x);
}

RpyNumbers rpy_of(const Mat3<>& R) {
  return RpySearch(R).find();
}

CentralInertia central_inertia(const SpatialInertia<>& I) {
  CentralInertia central;
  central.mass = I.mass;
  if (I.mass == 0.0) {
    central.inertia = I.inertia;
    return central;
  }
  constexpr double Vec3<>::*kParts[] = {&Vec3<>::x, &Vec3<>::y, &Vec3<>::z};
  for (const auto part : kParts) {
    const double wanted = I.first_moment.*part;
    central.center.*part = first_that(wanted / I.mass, [&](double c) { return I.mass * c == wanted; });
  }
  const SymMat3<> moved = spatial_inertia(I.mass, central.center, SymMat3<>{}).inertia;
  constexpr double SymMat3<>::*kEntries[] = {&SymMat3<>::xx, &SymMat3<>::xy, &SymMat3<>::xz,
                                             &SymMat3<>::yy, &SymMat3<>::yz, &SymMat3<>::zz};
  for (const auto entry : kEntries) {
    const double wanted = I.inertia.*entry, shift = moved.*entry;
    central.inertia.*entry = first_that(wanted - shift, [&](double own) { return own + shift == wanted; });
  }
  return central;
}

}  // namespace pintle
