#include "pintle/geometry/collision/convex_separation.h"

#include "pintle/geometry/collision/box_separation.h"
#include "pintle/geometry/collision/feature_gap.h"
#include "pintle/geometry/collision/gjk.h"

namespace pintle {
namespace {

Vec3<> unit_or(const Vec3<>& d, const Vec3<>& otherwise) {
  const double length = norm(d);
  return length > 0.0 ? d / length : otherwise;
}

// The features of a shape near a point w of its surface where its outward normal is about n, both in its frame.
struct NearFeatures {
  static constexpr int kMax = 12;
  Feature feature[kMax];
  int count = 0;

  void add(Feature f) {
    if (count < kMax) feature[count++] = f;
  }
};

bool near_polygon(const ConvexView& view, int face, const Vec3<>& p, double slack) {
  const Vec3<> n = face_normal(view, face);
  const int corners = corner_count(view, face);
  for (int k = 0; k < corners; ++k) {
    const Vec3<> from = vertex_of(view, corner_of(view, face, k));
    const Vec3<> side = vertex_of(view, corner_of(view, face, k + 1 == corners ? 0 : k + 1)) - from;
    if (dot(cross(n, side), p - from) < -slack * norm(side)) return false;
  }
  return true;
}

void add_polyhedral(NearFeatures& near, const ConvexView& view, const Vec3<>& n, const Vec3<>& w, double angle,
                    double length) {
  for (int f = 0; f < face_count(view); ++f) {
    if (norm_squared(face_normal(view, f) - n) <= angle * angle && near_polygon(view, f, w, length))
      near.add(feature(FeatureKind::plane, f));
  }
  for (int e = 0; e < edge_count(view); ++e) {
    const HullEdge edge = edge_of(view, e);
    const Vec3<> p = vertex_of(view, edge.from), d = vertex_of(view, edge.to) - p;
    const double squared = norm_squared(d), along = dot(w - p, d), rise = dot(n, d);
    if (rise * rise > angle * angle * squared) continue;
    const double t = max(0.0, min(1.0, along / squared));
    if (norm_squared(w - p - t * d) <= length * length) near.add(feature(FeatureKind::line, e));
  }
  for (int v = 0; v < vertex_count(view); ++v) {
    if (norm_squared(vertex_of(view, v) - w) <= length * length) near.add(feature(FeatureKind::point, v));
  }
}

void add_round(NearFeatures& near, const ConvexView& view, const Vec3<>& n, const Vec3<>& w, double angle,
               double length) {
  const double across = sqrt(w.x * w.x + w.y * w.y), r = view.size.x, top = view.size.z;
  const bool at_rim = abs(across - r) <= length;
  if (view.kind == ConvexKind::cylinder) {
    for (int end = 0; end < 2; ++end) {
      const double z = end == 1 ? top : -top, up = end == 1 ? n.z : -n.z;
      if (abs(w.z - z) > length) continue;
      if (1.0 - up <= 0.5 * angle * angle) near.add(feature(FeatureKind::plane, end));
      if (at_rim) near.add(feature(FeatureKind::rim, end));
    }
    if (at_rim && abs(n.z) <= angle) near.add(feature(FeatureKind::line));
    return;
  }
  const double slant = sqrt(r * r + top * top), s = r / slant, c = top / slant;
  if (abs(w.z) <= length) {
    if (1.0 + n.z <= 0.5 * angle * angle) near.add(feature(FeatureKind::plane));
    if (at_rim) near.add(feature(FeatureKind::rim));
  }
  if (across * across + (w.z - top) * (w.z - top) <= length * length) near.add(feature(FeatureKind::point));
  if (abs(c * across + s * (w.z - top)) <= length && abs(n.z - s) <= angle) near.add(feature(FeatureKind::cone_side));
}

NearFeatures near_features(const ConvexView& view, const Vec3<>& n, const Vec3<>& w, double angle, double length) {
  NearFeatures near;
  if (view.kind == ConvexKind::ellipsoid) {
    near.add(feature(FeatureKind::ellipsoid));
  } else if (is_polyhedral(view)) {
    add_polyhedral(near, view, n, w, angle, length);
  } else {
    add_round(near, view, n, w, angle, length);
  }
  return near;
}

// The result of a search, made exact.
struct Refinement {
  const ConvexView& a;
  const ConvexView& b;
  const Pose<>& X_AB;
  double size;
  Separation start;  // of the cores, without the rounding radii
  double tolerance = 1e-12;
  FeatureSeparation best{};
  double best_gap = -1e300;
  FeatureSeparation outside{};  // the best with a point outside the bounds of its feature
  double outside_gap = -1e300;
  bool found = false;

  void try_pair(Feature fa, Feature fb) {
    const Primitive pa = primitive(a, fa), pb = X_AB * primitive(b, fb);
    Separation s;
    if (pa.kind == FeatureKind::plane && pb.kind == FeatureKind::plane) {
      const double d = gap_along(a, b, X_AB, pa.axis);
      s = {d, pa.axis, fma(-d, pa.axis, start.on_b), start.on_b};
    } else if (!feature_gap(pa, pb, start, s)) {
      return;
    }
    if (!(dot(s.normal, start.normal) > 0.0)) return;
    const double slack = tolerance * size, gap = gap_along(a, b, X_AB, s.normal);
    if (!(gap >= s.distance - slack)) return;  // they are not the farthest features along this normal
    if (!(norm(s.on_b - s.on_a - s.distance * s.normal) <= slack)) return;  // no stationary point was found
    if (found && !(gap > best_gap)) return;
    if (!within(a, fa, s.on_a, slack) || !within(b, fb, inverse_transform_point(X_AB, s.on_b), slack)) {
      if (gap > outside_gap) {
        outside = {s, fa, fb};
        outside_gap = gap;
      }
      return;
    }
    best = {s, fa, fb};
    best_gap = gap;
    found = true;
  }

  void try_near(double angle, double length) {
    const NearFeatures near_a = near_features(a, start.normal, core_a(), angle, length);
    const NearFeatures near_b =
        near_features(b, -transpose_times(X_AB.rotation, start.normal), core_b(), angle, length);
    for (int i = 0; i < near_a.count; ++i)
      for (int j = 0; j < near_b.count; ++j) try_pair(near_a.feature[i], near_b.feature[j]);
  }

  Vec3<> core_a() const { return fma(-a.radius, start.normal, start.on_a); }
  Vec3<> core_b() const { return inverse_transform_point(X_AB, fma(b.radius, start.normal, start.on_b)); }
};

// The best result when no pair of features passes all tests: no normal has a gap greater than the distance, so the
// largest gap is best.
FeatureSeparation as_found(const Refinement& r) {
  const Vec3<> n = r.start.normal;
  const double d = gap_along(r.a, r.b, r.X_AB, n);
  if (r.outside_gap >= d) return r.outside;
  const Vec3<> middle = 0.5 * (r.start.on_a + r.start.on_b);
  const NearFeatures a = near_features(r.a, n, r.core_a(), 10.0, 1e300);
  const NearFeatures b = near_features(r.b, -transpose_times(r.X_AB.rotation, n), r.core_b(), 10.0, 1e300);
  return {{d, n, fma(-0.5 * d, n, middle), fma(0.5 * d, n, middle)}, a.feature[0], b.feature[0]};
}

FeatureSeparation refined(const ConvexView& a, const ConvexView& b, const Pose<>& X_AB, Separation core) {
  core.distance -= a.radius + b.radius;
  core.on_a = fma(a.radius, core.normal, core.on_a);
  core.on_b = fma(-b.radius, core.normal, core.on_b);
  const double size = size_of(a) + size_of(b);
  Refinement r{a, b, X_AB, size, core};
  const bool flat = is_polyhedral(a) && is_polyhedral(b);
  if (flat) r.try_near(1e-6, 1e-7 * size);
  if (!r.found) r.try_near(3e-3, 1e-3 * size);
  if (!r.found) r.try_near(5e-2, 2e-2 * size);
  if (!r.found) r.try_near(0.5, 0.1 * size);
  if (!r.found) {
    r.tolerance = 1e-9;
    r.try_near(5e-2, 2e-2 * size);
  }
  return r.found ? r.best : as_found(r);
}

// The rounding radii added to a separation of cores.
FeatureSeparation rounded(FeatureSeparation s, double radius_a, double radius_b) {
  s.at.distance -= radius_a + radius_b;
  s.at.on_a = fma(radius_a, s.at.normal, s.at.on_a);
  s.at.on_b = fma(-radius_b, s.at.normal, s.at.on_b);
  return s;
}

FeatureSeparation exchanged_features(const FeatureSeparation& s, const Pose<>& X_AB) {
  return {exchanged(s.at, X_AB), s.b, s.a};
}

// Two segments: Lumelsky's clamping, with the ends as features where those are nearest.
FeatureSeparation of_segments(const ConvexView& a, const ConvexView& b, const Pose<>& X_AB) {
  const Vec3<> e = column(X_AB.rotation, 2), t = X_AB.translation;
  const double ha = a.size.z, hb = b.size.z, c = e.z, squared = e.x * e.x + e.y * e.y;
  const double te = dot(t, e);
  const auto clamp = [](double x, double h) { return max(-h, min(h, x)); };
  // The nearest points z of A and s of B: z = t.z + c s, s = c z - t . e where neither is clamped.
  double z = squared > 1e-20 ? clamp((t.z - c * te) / squared, ha) : clamp(t.z, ha);
  double s = clamp(c * z - te, hb);
  z = clamp(t.z + c * s, ha);
  const Vec3<> p{0, 0, z}, q = fma(s, e, t), d = q - p;
  const double length = norm(d);
  const bool end_a = abs(z) >= ha, end_b = abs(s) >= hb;
  Vec3<> n = unit_or(d, unit_or(cross({0, 0, 1}, e), {1, 0, 0}));
  double distance = length;
  if (!end_a && !end_b && squared > 1e-12) {  // crossing lines: their common normal is exact also where they touch
    const Vec3<> common = normalized(cross({0, 0, 1}, e));
    n = copysign(1.0, dot(common, t)) * common;
    distance = dot(n, t);
  }
  const Feature fa = end_a ? feature(FeatureKind::point, z > 0.0 ? 1 : 0) : feature(FeatureKind::line);
  const Feature fb = end_b ? feature(FeatureKind::point, s > 0.0 ? 1 : 0) : feature(FeatureKind::line);
  return rounded({{distance, n, p, q}, fa, fb}, a.radius, b.radius);
}

FeatureSeparation of_boxes(const ConvexView& a, const ConvexView& b, const Pose<>& X_AB, const BoxOverlap& o) {
  FeatureSeparation s{};
  if (o.edge_a >= 0) {
    s.a = feature(FeatureKind::line, o.edge_a);
    s.b = feature(FeatureKind::line, o.edge_b);
    const Separation start{-o.depth, o.normal, {}, {}};
    if (feature_gap(primitive(a, s.a), X_AB * primitive(b, s.b), start, s.at)) return s;
  }
  const Pose<> X_BA = inverse(X_AB);
  if (o.of_a) {
    const Vec3<> q = box_overlap_point(a, o.face, b, X_AB);
    s.at = {-o.depth, o.normal, fma(o.depth, o.normal, q), q};
    s.a = feature(FeatureKind::plane, o.face);
    s.b = feature(FeatureKind::plane, face_along(b, -(X_BA.rotation * o.normal)));
  } else {
    const Vec3<> p = transform_point(X_AB, box_overlap_point(b, o.face, a, X_BA));
    s.at = {-o.depth, o.normal, p, fma(-o.depth, o.normal, p)};
    s.a = feature(FeatureKind::plane, face_along(a, o.normal));
    s.b = feature(FeatureKind::plane, o.face);
  }
  return s;
}

}  // namespace

double gap_along(const ConvexView& a, const ConvexView& b, const Pose<>& X_AB, const Vec3<>& n) {
  const Vec3<> p = core_support(a, n), q = core_support(b, -transpose_times(X_AB.rotation, n));
  return dot(n, transform_point(X_AB, q) - p) - a.radius - b.radius;
}

bool within(const ConvexView& view, Feature f, const Vec3<>& p, double slack) {
  switch (kind_of(f)) {
    case FeatureKind::plane: {
      if (is_polyhedral(view)) return near_polygon(view, number_of(f), p, slack);
      const double max_radius = view.size.x + slack;
      return p.x * p.x + p.y * p.y <= max_radius * max_radius;
    }
    case FeatureKind::line: {
      const Primitive line = primitive(view, f);
      return abs(dot(line.axis, p - line.p)) <= line.extent + slack;
    }
    case FeatureKind::cone_side:
      return p.z >= -slack && p.z <= view.size.z + slack;
    default:
      return true;
  }
}

FeatureSeparation convex_separation(const ConvexView& a, const ConvexView& b, const Pose<>& X_AB) {
  FeatureSeparation s;
  if (b.kind == ConvexKind::point && point_separation(a, X_AB.translation, s)) return rounded(s, a.radius, b.radius);
  if (a.kind == ConvexKind::point && point_separation(b, inverse(X_AB).translation, s)) {
    return exchanged_features(rounded(s, b.radius, a.radius), inverse(X_AB));
  }
  if (a.kind == ConvexKind::segment && b.kind == ConvexKind::segment) return of_segments(a, b, X_AB);
  if (a.kind != ConvexKind::box || b.kind != ConvexKind::box) return refined(a, b, X_AB, core_separation(a, b, X_AB));
  BoxOverlap overlap;
  const double gap = box_gap(a.size, b.size, X_AB, overlap);
  if (gap <= 0.0) return of_boxes(a, b, X_AB, overlap);
  s = refined(a, b, X_AB, core_separation(a, b, X_AB));
  // No direction has a greater gap than the distance: for boxes that are barely apart the search may have missed the
  // best one.
  return gap == kFarApart || s.at.distance >= gap ? s : of_boxes(a, b, X_AB, overlap);
}

}  // namespace pintle
