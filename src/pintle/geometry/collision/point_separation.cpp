#include "pintle/geometry/collision/point_separation.h"

#include <array>

namespace pintle {
namespace {

FeatureSeparation from_surface(const Vec3<>& on_a, const Vec3<>& n, double distance, const Vec3<>& q, Feature f) {
  return {{distance, n, on_a, q}, f, feature(FeatureKind::point)};
}

// From a sharp feature at p: the normal points to q.
FeatureSeparation from_point(const Vec3<>& p, const Vec3<>& q, Feature f) {
  const Vec3<> d = q - p;
  const double length = norm(d);
  return from_surface(p, length > 0.0 ? d / length : Vec3<>{0, 0, 1}, length, q, f);
}

FeatureSeparation of_segment(const ConvexView& a, const Vec3<>& q) {
  if (q.z <= -a.size.z) return from_point({0, 0, -a.size.z}, q, feature(FeatureKind::point, 0));
  if (q.z >= a.size.z) return from_point({0, 0, a.size.z}, q, feature(FeatureKind::point, 1));
  const double across = sqrt(q.x * q.x + q.y * q.y);
  const Vec3<> n = across > 0.0 ? Vec3<>{q.x / across, q.y / across, 0} : Vec3<>{1, 0, 0};
  return from_surface({0, 0, q.z}, n, across, q, feature(FeatureKind::line));
}

FeatureSeparation of_box(const ConvexView& a, const Vec3<>& q) {
  const Vec3<>& h = a.size;
  const Vec3<> p{max(-h.x, min(h.x, q.x)), max(-h.y, min(h.y, q.y)), max(-h.z, min(h.z, q.z))};
  const bool out_x = abs(q.x) > h.x, out_y = abs(q.y) > h.y, out_z = abs(q.z) > h.z;
  const int outs = (out_x ? 1 : 0) + (out_y ? 1 : 0) + (out_z ? 1 : 0);
  const int up_x = q.x > 0.0 ? 1 : 0, up_y = q.y > 0.0 ? 1 : 0, up_z = q.z > 0.0 ? 1 : 0;
  if (outs <= 1) {
    const double x = abs(q.x) - h.x, y = abs(q.y) - h.y, z = abs(q.z) - h.z;
    if (x >= y && x >= z)
      return from_surface({up_x ? h.x : -h.x, q.y, q.z}, {up_x ? 1.0 : -1.0, 0, 0}, x, q,
                          feature(FeatureKind::plane, up_x));
    if (y >= z)
      return from_surface({q.x, up_y ? h.y : -h.y, q.z}, {0, up_y ? 1.0 : -1.0, 0}, y, q,
                          feature(FeatureKind::plane, 2 + up_y));
    return from_surface({q.x, q.y, up_z ? h.z : -h.z}, {0, 0, up_z ? 1.0 : -1.0}, z, q,
                        feature(FeatureKind::plane, 4 + up_z));
  }
  if (outs == 3) return from_point(p, q, feature(FeatureKind::point, up_x + 2 * up_y + 4 * up_z));
  const int edge = !out_x ? up_y + 2 * up_z : !out_y ? 4 + up_x + 2 * up_z : 8 + up_x + 2 * up_y;
  return from_point(p, q, feature(FeatureKind::line, edge));
}

Vec3<> radial_of(const Vec3<>& q, double across) {
  return across > 0.0 ? Vec3<>{q.x / across, q.y / across, 0} : Vec3<>{1, 0, 0};
}

FeatureSeparation of_cylinder(const ConvexView& a, const Vec3<>& q) {
  const double across = sqrt(q.x * q.x + q.y * q.y), side = across - a.size.x, cap = abs(q.z) - a.size.z;
  const Vec3<> radial = radial_of(q, across);
  const int end = q.z > 0.0 ? 1 : 0;
  const double z = end == 1 ? a.size.z : -a.size.z;
  if (side > 0.0 && cap > 0.0)
    return from_point({a.size.x * radial.x, a.size.x * radial.y, z}, q, feature(FeatureKind::rim, end));
  if (side > cap)
    return from_surface({a.size.x * radial.x, a.size.x * radial.y, q.z}, radial, side, q, feature(FeatureKind::line));
  return from_surface({q.x, q.y, z}, {0, 0, end == 1 ? 1.0 : -1.0}, cap, q, feature(FeatureKind::plane, end));
}

FeatureSeparation of_cone(const ConvexView& a, const Vec3<>& q) {
  const double r = a.size.x, h = a.size.z, slant = sqrt(r * r + h * h);
  const double across = sqrt(q.x * q.x + q.y * q.y);
  const Vec3<> radial = radial_of(q, across);
  const double c = h / slant, s = r / slant;
  const double side = c * across + s * (q.z - h);   // from the side, outwards
  const double along = s * across - c * (q.z - h);  // along the generating line, from the apex
  const Vec3<> rim{r * radial.x, r * radial.y, 0.0};
  if (side > 0.0) {
    if (along <= 0.0) return from_point({0, 0, h}, q, feature(FeatureKind::point));
    if (along >= slant) return from_point(rim, q, feature(FeatureKind::rim));
  } else if (q.z < 0.0 && across > r) {
    return from_point(rim, q, feature(FeatureKind::rim));
  } else if (-q.z >= side) {
    return from_surface({q.x, q.y, 0}, {0, 0, -1}, -q.z, q, feature(FeatureKind::plane, 0));
  }
  const Vec3<> n{c * radial.x, c * radial.y, s};
  return from_surface(fma(-side, n, q), n, side, q, feature(FeatureKind::cone_side));
}

// The foot point x = e^2 q/(t + e^2) with t from (x/e)^2 = 1, measured from the pole at -e_min^2: the sum of squares is
// convex and decreasing there, so Newton's method from the left converges.
FeatureSeparation of_ellipsoid(const ConvexView& a, const Vec3<>& q) {
  const std::array<double, 3> e = to_array(a.size), y{abs(q.x), abs(q.y), abs(q.z)}, sign = to_array(q);
  int smallest = 0;
  for (int i = 1; i < 3; ++i)
    if (e.data()[i] < e.data()[smallest]) smallest = i;
  std::array<double, 3> gap;  // to the other poles
  double tau = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double ei = e.data()[i];
    gap.data()[i] = (ei - e.data()[smallest]) * (ei + e.data()[smallest]);
    tau = max(tau, ei * y.data()[i] - gap.data()[i]);
  }
  const auto term = [&](int i) {
    const double below = tau + gap.data()[i];
    return below > 0.0 ? e.data()[i] * y.data()[i] / below : 0.0;
  };
  for (int step = 0; step < 200; ++step) {
    double value = -1.0, slope = 0.0;
    for (int i = 0; i < 3; ++i) {
      const double u = term(i), below = tau + gap.data()[i];
      value += u * u;
      if (below > 0.0) slope += 2.0 * u * u / below;
    }
    if (!(value > 0.0) || !(slope > 0.0)) break;
    const double next = tau + value / slope;
    if (next == tau) break;
    tau = next;
  }
  std::array<double, 3> x;  // in units of the semi-axes
  double rest = 1.0;
  for (int i = 0; i < 3; ++i) {
    x.data()[i] = term(i);
    if (i != smallest) rest -= x.data()[i] * x.data()[i];
  }
  // On the plane of symmetry inside: the foot point leaves it.
  if (tau == 0.0) x.data()[smallest] = sqrt(max(0.0, rest));
  double length = 0.0;
  for (int i = 0; i < 3; ++i) length += x.data()[i] * x.data()[i];
  length = sqrt(length);
  std::array<double, 3> p, n;
  for (int i = 0; i < 3; ++i) {
    const double u = copysign(x.data()[i] / length, sign.data()[i]);
    p.data()[i] = e.data()[i] * u;
    n.data()[i] = u / e.data()[i];
  }
  const Vec3<> foot = vec3_from_array(p), normal = normalized(vec3_from_array(n));
  return from_surface(foot, normal, dot(normal, q - foot), q, feature(FeatureKind::ellipsoid));
}

bool inside_hull(const ConvexView& a, const Vec3<>& q, FeatureSeparation& nearest) {
  int best = -1;
  double farthest = -1e300;
  int number = 0;
  for (const HullFace& f : a.hull->faces) {
    const double d = dot(f.normal, q) - f.offset;
    if (d > farthest) {
      farthest = d;
      best = number;
    }
    ++number;
  }
  if (farthest > 0.0) return false;
  const Vec3<> n = face_normal(a, best);
  nearest = from_surface(fma(-farthest, n, q), n, farthest, q, feature(FeatureKind::plane, best));
  return true;
}

}  // namespace

bool point_separation(const ConvexView& a, const Vec3<>& q, FeatureSeparation& nearest) {
  switch (a.kind) {
    case ConvexKind::point:
      nearest = from_point({0, 0, 0}, q, feature(FeatureKind::point));
      return true;
    case ConvexKind::segment:
      nearest = of_segment(a, q);
      return true;
    case ConvexKind::box:
      nearest = of_box(a, q);
      return true;
    case ConvexKind::cylinder:
      nearest = of_cylinder(a, q);
      return true;
    case ConvexKind::cone:
      nearest = of_cone(a, q);
      return true;
    case ConvexKind::ellipsoid:
      nearest = of_ellipsoid(a, q);
      return true;
    case ConvexKind::hull:
      return inside_hull(a, q, nearest);
    case ConvexKind::triangle:
      break;
  }
  return false;
}

}  // namespace pintle
