#include "pintle/geometry/collision/curve_crossing.h"

namespace pintle {
namespace {

Vec3<> across(const Vec3<>& v, const Vec3<>& axis) {
  return v - dot(v, axis) * axis;
}

bool line_and_rim(const Primitive& line, const Primitive& rim, bool second, Vec3<>& point) {
  const Vec3<> o = across(line.p - rim.p, rim.axis), d = across(line.axis, rim.axis);
  const double dd = norm_squared(d), od = dot(o, d);
  if (!(dd > 1e-12)) {
    point = line.p;
    return false;
  }
  const double discriminant = od * od - dd * (norm_squared(o) - rim.radius * rim.radius);
  const double root = sqrt(max(0.0, discriminant));
  point = fma((second ? root - od : -root - od) / dd, line.axis, line.p);
  return discriminant >= 0.0;
}

bool two_rims(const Primitive& a, const Primitive& b, bool second, Vec3<>& point) {
  const Vec3<> d = across(b.p - a.p, a.axis);
  const double length = norm(d);
  if (!(length > 0.0)) {
    point = a.p;
    return false;
  }
  const double x = (length * length + (a.radius - b.radius) * (a.radius + b.radius)) / (2.0 * length);
  const double squared = (a.radius - x) * (a.radius + x), y = sqrt(max(0.0, squared));
  const Vec3<> u = d / length;
  point = fma(x, u, fma(second ? -y : y, cross(a.axis, u), a.p));
  return squared >= 0.0;
}

}  // namespace

bool curve_crossing(const Primitive& a, const Primitive& b, bool second, Vec3<>& point) {
  if (a.kind == FeatureKind::line) return line_and_rim(a, b, second, point);
  if (b.kind == FeatureKind::line) return line_and_rim(b, a, second, point);
  return two_rims(a, b, second, point);
}

}  // namespace pintle
