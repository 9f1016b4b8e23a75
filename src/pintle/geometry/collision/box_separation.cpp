#include "pintle/geometry/collision/box_separation.h"

namespace pintle {
namespace {

// The edge of a box along `axis` that is farthest along d.
int edge_along(int axis, const Vec3<>& d) {
  const int x = d.x > 0.0 ? 1 : 0, y = d.y > 0.0 ? 1 : 0, z = d.z > 0.0 ? 1 : 0;
  return axis == 0 ? y + 2 * z : axis == 1 ? 4 + x + 2 * z : 8 + x + 2 * y;
}

// Boxes farther apart than this, relative to their sizes, are not near.
constexpr double kNear = 1e-6;

Vec3<> unit(int i) {
  return {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
}

double reach(const Vec3<>& half, const Vec3<>& d) {
  return half.x * abs(d.x) + half.y * abs(d.y) + half.z * abs(d.z);
}

// A convex polygon of at most 4 corners, clipped by at most 4 lines.
struct Clipped {
  Vec3<> corner[12];
  int count = 0;

  void clip(const Vec3<>& n, double offset) {
    if (count < 2) return;
    Clipped kept;
    for (int i = 0; i < count; ++i) {
      const Vec3<>&p = corner[i], &q = corner[i + 1 == count ? 0 : i + 1];
      const double hp = dot(n, p) - offset, hq = dot(n, q) - offset;
      if (hp <= 0.0) kept.corner[kept.count++] = p;
      if ((hp < 0.0 && hq > 0.0) || (hp > 0.0 && hq < 0.0)) kept.corner[kept.count++] = fma(hp / (hp - hq), q - p, p);
    }
    if (kept.count > 0) *this = kept;
  }
};

}  // namespace

Vec3<> box_overlap_point(const ConvexView& a, int face, const ConvexView& b, const Pose<>& X_AB) {
  const Vec3<> n = face_normal(a, face), n_B = transpose_times(X_AB.rotation, n);
  const double lowest = -reach(b.size, n_B), tie = 1e-12 * (b.size.x + b.size.y + b.size.z);
  const int lower = face_along(b, -n_B);
  Clipped low;
  for (int k = 0; k < 4; ++k) {
    const Vec3<> p = vertex_of(b, corner_of(b, lower, k));
    if (dot(n_B, p) <= lowest + tie) low.corner[low.count++] = transform_point(X_AB, p);
  }
  for (int i = 0; i < 3; ++i) {
    if (i == face / 2) continue;
    const double h = dot(unit(i), a.size);
    low.clip(unit(i), h);
    low.clip(-unit(i), h);
  }
  Vec3<> sum{0, 0, 0};
  for (int k = 0; k < low.count; ++k) sum += low.corner[k];
  return sum / static_cast<double>(low.count);
}

double box_gap(const Vec3<>& half_a, const Vec3<>& half_b, const Pose<>& X_AB, BoxOverlap& overlap) {
  const Mat3<>& R = X_AB.rotation;
  const Vec3<>& t = X_AB.translation;
  const double size = half_a.x + half_a.y + half_a.z + half_b.x + half_b.y + half_b.z, far = kNear * size;
  double best = -1e300;
  for (int i = 0; i < 3; ++i) {
    const double d = dot(unit(i), t);
    const double gap = abs(d) - dot(unit(i), half_a) - reach(half_b, row(R, i));
    if (gap > far) return kFarApart;
    if (gap <= best) continue;
    best = gap;
    const int up = d > 0.0 ? 1 : 0;
    overlap = {up ? unit(i) : -unit(i), -gap, 2 * i + up, true, -1, -1};
  }
  for (int i = 0; i < 3; ++i) {
    const Vec3<> axis = column(R, i);
    const double d = dot(axis, t);
    const double gap = abs(d) - dot(unit(i), half_b) - reach(half_a, axis);
    if (gap > far) return kFarApart;
    if (gap <= best) continue;
    best = gap;
    const int up = d > 0.0 ? 0 : 1;  // B's face that faces A
    overlap = {d > 0.0 ? axis : -axis, -gap, 2 * i + up, false, -1, -1};
  }
  // When a face and two edges separate the boxes equally well, up to the rounding of the edges' normal, the face is
  // chosen: its normal is exact.
  const double rounding = 4 * kEpsilon<double> * size;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vec3<> c = cross(unit(i), column(R, j));
      const double sine = norm(c);
      if (sine < 1e-9) continue;
      const Vec3<> axis = c / sine;
      const double d = dot(axis, t);
      const double gap = abs(d) - reach(half_a, axis) - reach(half_b, transpose_times(R, axis));
      if (gap > far) return kFarApart;
      if (gap <= best + rounding / sine) continue;
      best = gap;
      const Vec3<> n = d > 0.0 ? axis : -axis;
      overlap = {n, -gap, -1, false, edge_along(i, n), edge_along(j, -transpose_times(R, n))};
    }
  }
  return best;
}

}  // namespace pintle
