#include "pintle/geometry/collision/feature_gap.h"

namespace pintle {
namespace {

constexpr double kParallel = 1e-10;  // the sine of an angle below which two lines count as parallel

bool is_curve(const Primitive& p) {
  return p.kind == FeatureKind::line || p.kind == FeatureKind::rim;
}

// ---- a plane against anything

bool plane_gap(const Primitive& a, const Primitive& b, const Separation& start, Separation& gap) {
  const Vec3<> n = a.axis;
  Vec3<> low;
  switch (b.kind) {
    case FeatureKind::point:
      low = fma(-b.radius, n, b.p);
      break;
    case FeatureKind::line: {
      const double slope = dot(n, b.axis);
      double t = -copysign(b.extent, slope);
      if (abs(slope) <= 1e-12) t = max(-b.extent, min(b.extent, dot(b.axis, start.on_b - b.p)));
      low = fma(-b.radius, n, fma(t, b.axis, b.p));
      break;
    }
    case FeatureKind::rim: {
      const Vec3<> across = n - dot(n, b.axis) * b.axis;
      const double length = norm(across);
      if (length <= 1e-14) {
        const Vec3<> off = start.on_b - b.p;
        low = b.p + (off - dot(off, b.axis) * b.axis);
      } else {
        low = fma(-b.radius / length, across, b.p);
      }
      break;
    }
    case FeatureKind::ellipsoid: {
      const Vec3<> Sn = b.squares * n;
      low = b.p - Sn / sqrt(dot(n, Sn));
      break;
    }
    default:
      return false;
  }
  const double distance = dot(n, low - a.p);
  gap = {distance, n, fma(-distance, n, low), low};
  return true;
}

// ---- points against points, lines, rims and the sides of cones

// The gap between two points, at the ends of the radii along the line through them.
// When a tangent is given, the normal is perpendicular to it also where the points nearly coincide.
bool between(const Vec3<>& p, double radius_a, const Vec3<>& q, double radius_b, const Vec3<>& normal, Separation& gap,
             const Vec3<>& tangent = {0, 0, 0}) {
  Vec3<> d = q - p;
  d = d - dot(d, tangent) * tangent;
  const double length = norm(d);
  const double radii = radius_a + radius_b;
  Vec3<> n = normal;
  double core = 0.0;
  if (length > 0.0) {
    n = d / length;
    core = length;
    // Two sharp points that have passed through each other: the normal keeps its side.
    if (radii == 0.0 && dot(n, normal) < 0.0) {
      n = -n;
      core = -length;
    }
  } else {  // coincident points: any normal that the tangent allows
    const Vec3<> allowed = normal - dot(normal, tangent) * tangent;
    const double allowed_length = norm(allowed);
    n = allowed_length > 1e-6 ? allowed / allowed_length : any_tangent(tangent);
  }
  gap = {core - radii, n, fma(radius_a, n, p), fma(-radius_b, n, q)};
  return true;
}

// The unit vector from the axis of a round feature of B to a point of A; on the axis the one opposite to the normal.
Vec3<> radial_towards(const Vec3<>& p, const Primitive& round, const Vec3<>& normal) {
  const Vec3<> off = p - round.p, across = off - dot(off, round.axis) * round.axis;
  const double length = norm(across);
  if (length > 0.0) return across / length;
  const Vec3<> rest = dot(normal, round.axis) * round.axis - normal;
  const double rest_length = norm(rest);
  return rest_length > 0.0 ? rest / rest_length : any_tangent(round.axis);
}

bool point_gap(const Primitive& a, const Primitive& b, const Separation& start, Separation& gap) {
  switch (b.kind) {
    case FeatureKind::point:
      return between(a.p, a.radius, b.p, b.radius, start.normal, gap);
    case FeatureKind::line:
      return between(a.p, a.radius, fma(dot(b.axis, a.p - b.p), b.axis, b.p), b.radius, start.normal, gap, b.axis);
    case FeatureKind::rim: {
      const Vec3<> radial = radial_towards(a.p, b, start.normal);
      return between(a.p, a.radius, fma(b.radius, radial, b.p), 0.0, start.normal, gap, cross(b.axis, radial));
    }
    case FeatureKind::cone_side: {
      const Vec3<> out = fma(b.sine, b.axis, sqrt(1.0 - b.sine * b.sine) * radial_towards(a.p, b, start.normal));
      const double core = dot(out, a.p - b.p);
      gap = {core - a.radius, -out, fma(-a.radius, out, a.p), fma(-core, out, a.p)};
      return true;
    }
    default:
      return false;
  }
}

// ---- two curves, lines or rims, by the points on them

struct CurvePoint {
  Vec3<> p, tangent, bend;  // with the first and the second derivative by arc length
};

CurvePoint on_line(const Primitive& line, double s) {
  return {fma(s, line.axis, line.p), line.axis, {0, 0, 0}};
}

CurvePoint on_rim(const Primitive& rim, const Vec3<>& radial) {
  return {fma(rim.radius, radial, rim.p), cross(rim.axis, radial), (-1.0 / rim.radius) * radial};
}

// A movable point on a curve.
struct Walker {
  const Primitive& curve;
  double s = 0.0;   // on a line
  Vec3<> radial{};  // on a rim

  Walker(const Primitive& c, const Vec3<>& near) : curve(c) {
    if (c.kind == FeatureKind::line) {
      s = dot(c.axis, near - c.p);
    } else {
      const Vec3<> off = near - c.p, across = off - dot(off, c.axis) * c.axis;
      const double length = norm(across);
      radial = length > 0.0 ? across / length : any_tangent(c.axis);
    }
  }
  CurvePoint at() const { return curve.kind == FeatureKind::line ? on_line(curve, s) : on_rim(curve, radial); }
  void move(double by) {
    if (curve.kind == FeatureKind::line) {
      s += by;
    } else {
      const double angle = by / curve.radius, max_angle = 0.5;
      const Vec3<> tangent = cross(curve.axis, radial);
      radial = normalized(fma(max(-max_angle, min(max_angle, angle)), tangent, radial));
    }
  }
  double size() const { return curve.kind == FeatureKind::line ? curve.extent : curve.radius; }
};

// Parallel lines: the points are in the middle of their overlap.
bool parallel_gap(const Primitive& a, const Primitive& b, const Separation& start, Separation& gap) {
  const Vec3<> d = b.p - a.p;
  const double along = dot(d, a.axis);
  const Vec3<> apart = d - along * a.axis;
  const double length = norm(apart);
  Vec3<> n = length > 0.0 ? apart / length : normalized(start.normal - dot(start.normal, a.axis) * a.axis);
  double core = length;
  if (a.radius + b.radius == 0.0 && dot(n, start.normal) < 0.0) {  // sharp edges that have passed through each other
    n = -n;
    core = -length;
  }
  const double low = max(-a.extent, along - b.extent), high = min(a.extent, along + b.extent);
  const Vec3<> middle = fma(0.5 * (low + high), a.axis, a.p);
  gap = {core - a.radius - b.radius, n, fma(a.radius, n, middle), fma(core - b.radius, n, middle)};
  return true;
}

bool curve_gap(const Primitive& a, const Primitive& b, const Separation& start, Separation& gap) {
  if (a.kind == FeatureKind::line && b.kind == FeatureKind::line) {
    const Vec3<> n = cross(a.axis, b.axis);
    const double sine = norm(n);
    if (sine <= kParallel) return parallel_gap(a, b, start, gap);
    const Vec3<> unit = copysign(1.0, dot(n, start.normal)) * (n / sine);
    const Vec3<> d = b.p - a.p;
    const double c = dot(a.axis, b.axis), da = dot(d, a.axis), db = dot(d, b.axis), squared = sine * sine;
    const double distance = dot(unit, d) - a.radius - b.radius;
    const double s = (da - c * db) / squared, t = (c * da - db) / squared;
    gap = {distance, unit, fma(a.radius, unit, fma(s, a.axis, a.p)), fma(-b.radius, unit, fma(t, b.axis, b.p))};
    return true;
  }
  Walker walk_a(a, start.on_a), walk_b(b, start.on_b);
  const double size = walk_a.size() + walk_b.size();
  CurvePoint p = walk_a.at(), q = walk_b.at();
  double last = 1e300;
  for (int step = 0; step < 40; ++step) {
    const Vec3<> d = q.p - p.p;
    // d . tangent vanishes on both.
    const double fa = dot(d, p.tangent), fb = dot(d, q.tangent), c = dot(p.tangent, q.tangent);
    const double haa = 1.0 - dot(d, p.bend), hbb = 1.0 + dot(d, q.bend);
    double determinant = haa * hbb - c * c, ma = (hbb * fa - c * fb) / determinant,
           mb = (c * fa - haa * fb) / determinant;
    if (!(haa > 0.0 && determinant > 1e-14)) {  // not a minimum here: descend instead
      ma = haa > 0.3 ? fa / haa : 0.3 * fa;
      mb = hbb > 0.3 ? -fb / hbb : -0.3 * fb;
    }
    walk_a.move(ma);
    walk_b.move(mb);
    p = walk_a.at();
    q = walk_b.at();
    const double moved = abs(ma) + abs(mb);
    if (moved <= 1e-16 * size || (moved >= 0.5 * last && moved < 1e-9 * size)) break;
    last = moved;
  }
  const Vec3<> d = q.p - p.p;
  Vec3<> n = cross(p.tangent, q.tangent);
  const double sine = norm(n), length = norm(d);
  if (length * sine > 1e-3 * size || (sine <= 1e-6 && length > 0.0)) {
    n = d / length;
  } else if (sine > kParallel) {
    n = n / sine;
  } else {
    return false;
  }
  n = copysign(1.0, dot(n, start.normal)) * n;
  const double radius_a = a.kind == FeatureKind::line ? a.radius : 0.0;
  const double radius_b = b.kind == FeatureKind::line ? b.radius : 0.0;
  gap = {dot(n, d) - radius_a - radius_b, n, fma(radius_a, n, p.p), fma(-radius_b, n, q.p)};
  return true;
}

// ---- all others, by the direction of the normal

// The support of a primitive along an outward unit normal u: the point, its derivative when the normal rotates, and
// whether the normal is restricted to u . axis = cosine.
struct Support {
  Vec3<> point;
  SymMat3<> turning;
  bool bound;
  Vec3<> axis;
  double cosine;
};

Support support_of(const Primitive& p, const Vec3<>& u) {
  Support s{p.p, {0, 0, 0, 0, 0, 0}, false, p.axis, 0.0};
  switch (p.kind) {
    case FeatureKind::point:
      s.point = fma(p.radius, u, p.p);
      s.turning = p.radius * diagonal(Vec3<>{1, 1, 1});
      break;
    case FeatureKind::line:
      s.point = fma(p.radius, u, p.p);
      s.turning = p.radius * diagonal(Vec3<>{1, 1, 1});
      s.bound = true;
      break;
    case FeatureKind::rim: {
      const Vec3<> across = u - dot(u, p.axis) * p.axis;
      const double length = max(norm(across), 1e-300);
      s.point = fma(p.radius / length, across, p.p);
      s.turning = (p.radius / length) * outer(cross(p.axis, across / length));
      break;
    }
    case FeatureKind::cone_side:
      s.bound = true;
      s.cosine = p.sine;
      break;
    case FeatureKind::ellipsoid: {
      const Vec3<> Su = p.squares * u;
      const double length = sqrt(dot(u, Su));
      s.point = p.p + Su / length;
      s.turning = (1.0 / length) * (p.squares - outer(Su / length));
      break;
    }
    default:
      break;
  }
  return s;
}

// The unit vector with n . axis = cosine that is nearest to n.
Vec3<> bound_to(const Vec3<>& axis, double cosine, const Vec3<>& n) {
  const Vec3<> across = n - dot(n, axis) * axis;
  const double length = norm(across);
  const Vec3<> unit = length > 1e-12 ? across / length : any_tangent(axis);
  return fma(cosine, axis, sqrt(max(0.0, 1.0 - cosine * cosine)) * unit);
}

// Newton's step on the sphere of normals for the largest n . (point of B - point of A): rotates n, returns the angle.
double rotate_freely(Vec3<>& n, const Support& a, const Support& b) {
  const Vec3<> d = b.point - a.point;
  const double distance = dot(n, d);
  const Vec3<> u = any_tangent(n), v = cross(n, u);
  const SymMat3<> K = a.turning + b.turning;
  const Vec3<> Ku = K * u, Kv = K * v;
  double uu = dot(u, Ku) + distance, vv = dot(v, Kv) + distance;
  const double uv = dot(u, Kv), fu = dot(d, u), fv = dot(d, v);
  const double scale = abs(uu) + abs(vv) + abs(uv);
  double determinant = uu * vv - uv * uv;
  if (!(uu > 0.0 && determinant > 1e-14 * scale * scale)) {  // not a maximum here: ascend instead
    const double shift = scale + abs(distance);
    uu += shift;
    vv += shift;
    determinant = uu * vv - uv * uv;
  }
  double su = (vv * fu - uv * fv) / determinant, sv = (uu * fv - uv * fu) / determinant;
  const double angle = sqrt(su * su + sv * sv), max_angle = 0.5;
  if (angle > max_angle) {
    su *= max_angle / angle;
    sv *= max_angle / angle;
  }
  n = normalized(fma(su, u, fma(sv, v, n)));
  return angle;
}

// The same when the normal is restricted to n . axis = cosine.
double rotate_about(Vec3<>& n, const Vec3<>& axis, double cosine, const Support& a, const Support& b) {
  const Vec3<> d = b.point - a.point, around = cross(axis, n);
  const Vec3<> back = dot(axis, n) * axis - n;
  const double slope = dot(d, around);
  const Vec3<> K_around = (a.turning + b.turning) * around;
  double bend = dot(around, K_around) - dot(d, back);
  if (!(bend > 0.0)) bend = abs(bend) + norm(d);
  const double angle = bend > 0.0 ? slope / bend : 0.0, max_angle = 0.5;
  n = bound_to(axis, cosine, fma(max(-max_angle, min(max_angle, angle)), around, n));
  return abs(angle);
}

bool bound_twice(const Support& a, const Support& b, Vec3<>& n) {
  // B's outward normal is -n.
  const Vec3<> third = cross(a.axis, b.axis);
  const double squared = norm_squared(third), c = dot(a.axis, b.axis);
  if (squared <= kParallel * kParallel) return false;
  const double ca = a.cosine, cb = -b.cosine;
  const double x = (ca - c * cb) / squared, y = (cb - c * ca) / squared;
  const double rest = 1.0 - (x * ca + y * cb);
  if (rest < 0.0) return false;
  const double z = copysign(sqrt(rest / squared), dot(third, n));
  n = normalized(fma(x, a.axis, fma(y, b.axis, z * third)));
  return true;
}

// The line of points of a restricted primitive where its outward normal is u.
struct Flank {
  Vec3<> p, direction;
};

Flank flank_of(const Primitive& p, const Vec3<>& u) {
  if (p.kind == FeatureKind::line) return {fma(p.radius, u, p.p), p.axis};
  const Vec3<> across = normalized(u - dot(u, p.axis) * p.axis);
  return {p.p, fma(p.sine, across, -sqrt(1.0 - p.sine * p.sine) * p.axis)};
}

bool normal_gap(const Primitive& a, const Primitive& b, const Separation& start, Separation& gap) {
  Vec3<> n = start.normal;
  Support sa = support_of(a, n), sb = support_of(b, -n);
  if (sa.bound && sb.bound) {
    if (!bound_twice(sa, sb, n)) return false;
  } else {
    if (sa.bound) n = bound_to(sa.axis, sa.cosine, n);
    if (sb.bound) n = bound_to(sb.axis, -sb.cosine, n);
    double last = 1e300;
    for (int step = 0; step < 60; ++step) {
      sa = support_of(a, n);
      sb = support_of(b, -n);
      const double angle = sa.bound   ? rotate_about(n, sa.axis, sa.cosine, sa, sb)
                           : sb.bound ? rotate_about(n, sb.axis, -sb.cosine, sa, sb)
                                      : rotate_freely(n, sa, sb);
      if (angle <= 1e-16 || (angle >= 0.5 * last && angle < 1e-9)) break;
      last = angle;
    }
  }
  sa = support_of(a, n);
  sb = support_of(b, -n);
  const double distance = dot(n, sb.point - sa.point);
  gap = {distance, n, sa.point, sb.point};
  if (sa.bound && sb.bound) {
    const Flank fa = flank_of(a, n), fb = flank_of(b, -n);
    const double c = dot(fa.direction, fb.direction), squared = norm_squared(cross(fa.direction, fb.direction));
    const Vec3<> d = fb.p - fa.p;
    const double da = dot(d, fa.direction), db = dot(d, fb.direction);
    const bool parallel = squared <= kParallel * kParallel;
    const double s = parallel ? dot(start.on_a - fa.p, fa.direction) : (da - c * db) / squared;
    gap.on_a = fma(s, fa.direction, fa.p);
    gap.on_b = fma(distance, n, gap.on_a);
  } else if (sa.bound) {
    gap.on_a = fma(-distance, n, sb.point);
  } else if (sb.bound) {
    gap.on_b = fma(distance, n, sa.point);
  }
  return true;
}

// A rim and an ellipsoid by the point on the rim and the angle between normal and axis: where that angle is small, the
// normal hardly determines the point. Newton's method on both angles.
bool rim_and_ellipsoid(const Primitive& rim, const Primitive& ellipsoid, const Separation& start, Separation& gap) {
  Walker walk(rim, start.on_a);
  double c = dot(start.normal, rim.axis), s = dot(start.normal, walk.radial);
  const double length = sqrt(c * c + s * s);
  if (!(length > 0.0)) return false;
  c /= length;
  s /= length;
  for (int i = 0; i < 30; ++i) {
    const Vec3<> r = walk.radial, t = cross(rim.axis, r), n = fma(c, rim.axis, s * r), m = fma(-s, rim.axis, c * r);
    const Support e = support_of(ellipsoid, -n);
    const Vec3<> d = e.point - rim.p, Km = e.turning * m, Kt = e.turning * t;
    const double fm = dot(m, d) - rim.radius * c, ft = dot(t, d);  // the gradient, its second entry divided by s
    const double mm = rim.radius * s - dot(n, d) - dot(m, Km), mt = c * ft - s * dot(m, Kt);
    const double tm = (abs(s) > abs(ft) ? c * ft / s : 0.0) - dot(m, Kt), tt = -dot(r, d) - s * dot(t, Kt);
    const double determinant = mm * tt - mt * tm;
    if (!(abs(determinant) > 0.0)) return false;
    const double dm = (mt * ft - tt * fm) / determinant, dt = (tm * fm - mm * ft) / determinant;
    const double step = max(-0.3, min(0.3, dm)), c_old = c;
    c -= step * s;
    s += step * c_old;
    const double unit = sqrt(c * c + s * s);
    c /= unit;
    s /= unit;
    walk.move(dt * rim.radius);
    if (abs(dm) + abs(dt) <= 1e-15) break;
  }
  const Vec3<> n = fma(c, rim.axis, s * walk.radial), p = walk.at().p;
  const Support e = support_of(ellipsoid, -n);
  gap = {dot(n, e.point - p), n, p, e.point};
  return true;
}

bool is_consistent(const Separation& s, double size) {
  return norm(s.on_b - s.on_a - s.distance * s.normal) <= 1e-13 * size;
}

}  // namespace

bool feature_gap(const Primitive& a, const Primitive& b, const Separation& start, Separation& gap) {
  if (a.kind > b.kind) {
    const Separation exchanged_start{start.distance, -start.normal, start.on_b, start.on_a};
    Separation g;
    if (!feature_gap(b, a, exchanged_start, g)) return false;
    gap = {g.distance, -g.normal, g.on_b, g.on_a};
    return true;
  }
  if (a.kind == FeatureKind::plane) return plane_gap(a, b, start, gap);
  if (a.kind == FeatureKind::point && b.kind != FeatureKind::ellipsoid) return point_gap(a, b, start, gap);
  if (is_curve(a) && is_curve(b)) return curve_gap(a, b, start, gap);
  const bool found = normal_gap(a, b, start, gap);
  if (a.kind == FeatureKind::rim && b.kind == FeatureKind::ellipsoid && !(found && is_consistent(gap, a.radius)))
    return rim_and_ellipsoid(a, b, start, gap);
  return found;
}

}  // namespace pintle
