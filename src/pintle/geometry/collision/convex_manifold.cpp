#include "pintle/geometry/collision/convex_manifold.h"

#include "pintle/geometry/collision/curve_crossing.h"
#include "pintle/geometry/collision/feature_gap.h"
#include "pintle/geometry/collision/manifold_builder.h"

namespace pintle {
namespace {

constexpr double kTilt = 0.1;            // a face tilted more than this [rad] against the normal is not a contact patch
constexpr double kParallelSides = 1e-6;  // two round sides within this angle [rad] touch along a line
constexpr double kSlack = 1e-9;  // of the size: how far a point may be outside a face and still count as above it
constexpr double kApart = 1e-7;  // of the size: nearer points are merged

constexpr Feature kSecond = 2;  // bit of the index of a rim

bool is_rim(Feature f) {
  return kind_of(f) == FeatureKind::rim;
}

// The part of a shape that is flat, or straight, where its outward normal is nearly that of the contact.
enum class PatchKind : unsigned char { none, segment, polygon, disc };
struct Patch {
  PatchKind kind = PatchKind::none;
  bool level = false;         // its plane is nearly that of the contact
  int face = -1;              // of polygon and disc
  Feature line{}, ends[2]{};  // of a segment
  Vec3<> direction{0, 0, 0};  // of a segment, in its shape's frame
};

Patch segment(Feature line, Feature one_end, Feature other_end, const Vec3<>& direction) {
  Patch p;
  p.kind = PatchKind::segment;
  p.line = line;
  p.ends[0] = one_end;
  p.ends[1] = other_end;
  p.direction = direction;
  return p;
}

Patch flat(PatchKind kind, int face, bool level) {
  Patch p;
  p.kind = kind;
  p.face = face;
  p.level = level;
  return p;
}

// m: the outward normal in the frame of the shape.
Patch patch_of(const ConvexView& view, const Vec3<>& m) {
  const double level = 1.0 - 0.5 * kTilt * kTilt;
  switch (view.kind) {
    case ConvexKind::segment:
      if (abs(m.z) > kTilt) return {};
      return segment(feature(FeatureKind::line), feature(FeatureKind::point, 0), feature(FeatureKind::point, 1),
                     {0, 0, 1});
    case ConvexKind::cylinder:
      if (abs(m.z) >= level) return flat(PatchKind::disc, m.z > 0.0 ? 1 : 0, true);
      if (abs(m.z) > kTilt) return {};
      return segment(feature(FeatureKind::line), feature(FeatureKind::rim, 0), feature(FeatureKind::rim, 1), {0, 0, 1});
    case ConvexKind::cone: {
      if (-m.z >= level) return flat(PatchKind::disc, 0, true);
      const double slant = sqrt(view.size.x * view.size.x + view.size.z * view.size.z);
      const double sine = view.size.x / slant, cosine = view.size.z / slant, length = sqrt(m.x * m.x + m.y * m.y);
      if (abs(m.z - sine) > kTilt || !(length > 0.0)) return {};
      return segment(feature(FeatureKind::cone_side), feature(FeatureKind::point), feature(FeatureKind::rim),
                     {sine * m.x / length, sine * m.y / length, -cosine});
    }
    case ConvexKind::triangle:
    case ConvexKind::box:
    case ConvexKind::hull: {
      const int face = face_along(view, m);
      return flat(PatchKind::polygon, face, dot(face_normal(view, face), m) >= level);
    }
    default:
      return {};
  }
}

class Maker {
 public:
  Maker(const ConvexView& a, const ConvexView& b, const Pose<>& X_AB, double margin, ContactManifold& manifold)
      : a_(a),
        b_(b),
        X_AB_(X_AB),
        builder_(manifold, margin),
        size_(size_of(a) + size_of(b)),
        middles_(transform_point(X_AB, middle_of(b)) - middle_of(a)) {}

  void make(const FeatureSeparation& nearest) {
    start_ = nearest.at;
    patch_a_ = patch_of(a_, start_.normal);
    patch_b_ = patch_of(b_, -transpose_times(X_AB_.rotation, start_.normal));
    combine();
    const double missed = 1e-9 * size_;
    if (builder_.count() == 0 || start_.distance < builder_.min_distance() - missed) add_nearest(nearest);
  }

 private:
  bool is(PatchKind a, PatchKind b) const { return patch_a_.kind == a && patch_b_.kind == b; }

  void combine() {
    using enum PatchKind;
    if (is(polygon, polygon)) return two_polygons();
    if (is(disc, disc)) return two_discs();
    if (is(segment, segment)) return two_segments();
    for (const bool flipped : {false, true}) {
      flipped_ = flipped;
      const Patch &first = flipped ? patch_b_ : patch_a_, &second = flipped ? patch_a_ : patch_b_;
      if (first.kind == polygon && second.kind == disc) polygon_and_disc(first, second);
      if ((first.kind == polygon || first.kind == disc) && second.kind == segment) face_and_segment(first, second);
    }
    flipped_ = false;
  }

  // With flipped_ the first shape is B. Everything below is written for a first and a second shape.
  const ConvexView& first() const { return flipped_ ? b_ : a_; }
  const ConvexView& second() const { return flipped_ ? a_ : b_; }
  Primitive first_primitive(Feature f) const { return flipped_ ? X_AB_ * primitive(b_, f) : primitive(a_, f); }
  Primitive second_primitive(Feature f) const { return flipped_ ? primitive(a_, f) : X_AB_ * primitive(b_, f); }
  bool within_first(Feature f, const Vec3<>& p) const {
    return within(first(), f, flipped_ ? inverse_transform_point(X_AB_, p) : p, kSlack * size_);
  }
  bool within_second(Feature f, const Vec3<>& p) const {
    return within(second(), f, flipped_ ? p : inverse_transform_point(X_AB_, p), kSlack * size_);
  }

  // Adds the gap of a feature of the first shape and one of the second, when they face each other within their bounds.
  bool add(Feature f, Feature s) { return add_near(f, first_primitive(f), s, second_primitive(s), {}, false); }

  bool add_near(Feature f, const Primitive& pf, Feature s, const Primitive& ps, const Vec3<>& near, bool use_near) {
    const Primitive &pa = flipped_ ? ps : pf, &pb = flipped_ ? pf : ps;
    if (pa.kind == FeatureKind::line && pb.kind == FeatureKind::line &&
        norm_squared(cross(pa.axis, pb.axis)) <= kParallelSides * kParallelSides)
      return false;  // side by side: only their ends touch
    Separation start = start_;
    if (use_near) start.on_a = start.on_b = near;
    Separation gap;
    if (!feature_gap(pa, pb, start, gap)) return false;
    if (!(dot(gap.normal, start_.normal) > 0.9)) return false;
    if (dot(gap.normal, middles_) < gap.distance) return false;  // they face away from each other
    const Vec3<>&on_first = flipped_ ? gap.on_b : gap.on_a, &on_second = flipped_ ? gap.on_a : gap.on_b;
    if (!within_first(f, on_first) || !within_second(s, on_second)) return false;
    const std::uint64_t pair = flipped_ ? feature_pair(s, f) : feature_pair(f, s);
    builder_.add_apart(contact_of(gap, pa, pb, pair), kApart * size_);
    return true;
  }

  // Both crossings of a curve of the first shape with a rim of the second.
  void add_crossings(Feature f, Feature rim) {
    const Primitive pf = first_primitive(f), ps = second_primitive(rim);
    for (const bool other : {false, true}) {
      Vec3<> near;
      const bool crossing = flipped_ ? curve_crossing(ps, pf, other, near) : curve_crossing(pf, ps, other, near);
      if (crossing) add_near(f, pf, rim | (other ? kSecond : 0u), ps, near, true);
    }
  }

  // Corners of the second shape's face over a face of the first; those beyond the margin are skipped.
  void corners_on_face(const Patch& face, const Patch& corners) {
    if (!face.level) return;
    const Feature plane = feature(FeatureKind::plane, face.face);
    const Primitive p = first_primitive(plane);
    const int count = corner_count(second(), corners.face);
    for (int k = 0; k < count; ++k) {
      const int corner = corner_of(second(), corners.face, k);
      const Vec3<> q = vertex_of(second(), corner), in_a = flipped_ ? q : transform_point(X_AB_, q);
      if (dot(p.axis, in_a - p.p) > builder_.margin()) continue;
      const Feature point = feature(FeatureKind::point, corner);
      add_near(plane, p, point, second_primitive(point), {}, false);
    }
  }

  void two_polygons() {
    if (!patch_a_.level && !patch_b_.level) return;
    corners_on_face(patch_a_, patch_b_);
    flipped_ = true;
    corners_on_face(patch_b_, patch_a_);
    flipped_ = false;
    const int sides_a = corner_count(a_, patch_a_.face), sides_b = corner_count(b_, patch_b_.face);
    for (int j = 0; j < sides_b; ++j) {
      const Vec3<> r = transform_point(X_AB_, vertex_of(b_, corner_of(b_, patch_b_.face, j)));
      const Vec3<> s =
          transform_point(X_AB_, vertex_of(b_, corner_of(b_, patch_b_.face, j + 1 == sides_b ? 0 : j + 1)));
      const Edge edge_b{r, s, start_.normal};
      for (int i = 0; i < sides_a; ++i) {
        const Vec3<> p = vertex_of(a_, corner_of(a_, patch_a_.face, i));
        const Vec3<> q = vertex_of(a_, corner_of(a_, patch_a_.face, i + 1 == sides_a ? 0 : i + 1));
        const Edge edge_a{p, q, start_.normal};
        // The height of B's edge above A's where they cross: no gap is much smaller.
        if (0.8 * (edge_b.low - edge_a.high) > builder_.margin()) continue;
        if (!edge_a.parts(edge_b, slack()) && !edge_b.parts(edge_a, slack())) {
          add(feature(FeatureKind::line, side_of(a_, patch_a_.face, i)),
              feature(FeatureKind::line, side_of(b_, patch_b_.face, j)));
        }
      }
    }
  }

  // Crossing edges are first found approximately: the tilt of the faces may shift them by this much [m].
  double slack() const { return 0.2 * kTilt * size_; }

  // An edge as seen along the normal.
  struct Edge {
    Vec3<> from, to, side;
    double low, high, length;

    Edge(const Vec3<>& p, const Vec3<>& q, const Vec3<>& n) : from(p), to(q), side(cross(n, q - p)) {
      const double hp = dot(n, p), hq = dot(n, q);
      low = min(hp, hq);
      high = max(hp, hq);
      length = norm(side);
    }
    // Whether the other edge lies on one side of its line.
    bool parts(const Edge& other, double by) const {
      const double one = dot(side, other.from - from), two = dot(side, other.to - from), reach = by * length;
      return (one > reach && two > reach) || (one < -reach && two < -reach);
    }
  };

  // The disc lies flat on the face, or touches it in the lowest point of its rim.
  bool flat_on(const Primitive& face, const Primitive& disc) const {
    return norm_squared(cross(face.axis, disc.axis)) <= kFlatAngle * kFlatAngle;
  }

  void polygon_and_disc(const Patch& polygon, const Patch& disc) {
    if (!polygon.level) return;
    const Feature plane = feature(FeatureKind::plane, polygon.face), cap = feature(FeatureKind::plane, disc.face);
    const Feature rim = feature(FeatureKind::rim, disc.face);
    if (!flat_on(first_primitive(plane), second_primitive(cap))) {
      add(plane, rim);
      return;
    }
    for (int k = 0; k < 8; ++k) add(plane, feature(FeatureKind::rim_point, 8 * disc.face + k));
    const int corners = corner_count(first(), polygon.face);
    for (int k = 0; k < corners; ++k) {
      add(feature(FeatureKind::point, corner_of(first(), polygon.face, k)), cap);
      add_crossings(feature(FeatureKind::line, side_of(first(), polygon.face, k)), rim);
    }
  }

  void two_discs() {
    const Feature cap_a = feature(FeatureKind::plane, patch_a_.face),
                  cap_b = feature(FeatureKind::plane, patch_b_.face);
    const Feature rim_a = feature(FeatureKind::rim, patch_a_.face), rim_b = feature(FeatureKind::rim, patch_b_.face);
    if (!flat_on(first_primitive(cap_a), second_primitive(cap_b))) return;
    for (int k = 0; k < 8; ++k) add(cap_a, feature(FeatureKind::rim_point, 8 * patch_b_.face + k));
    if (builder_.count() == 8) return;
    for (int k = 0; k < 8; ++k) add(feature(FeatureKind::rim_point, 8 * patch_a_.face + k), cap_b);
    add_crossings(rim_a, rim_b);
  }

  void face_and_segment(const Patch& face, const Patch& segment) {
    if (!face.level) return;
    const Feature plane = feature(FeatureKind::plane, face.face);
    for (const Feature end : segment.ends) add(plane, end);
    if (face.kind == PatchKind::disc) {
      flipped_ = !flipped_;
      add_crossings(segment.line, feature(FeatureKind::rim, face.face));
      flipped_ = !flipped_;
      return;
    }
    const int corners = corner_count(first(), face.face);
    for (int k = 0; k < corners; ++k) add(feature(FeatureKind::line, side_of(first(), face.face, k)), segment.line);
  }

  void two_segments() {
    const Vec3<> direction_b = X_AB_.rotation * patch_b_.direction;
    if (norm_squared(cross(patch_a_.direction, direction_b)) > kParallelSides * kParallelSides) return;
    for (const Feature end : patch_b_.ends) add(patch_a_.line, end);
    for (const Feature end : patch_a_.ends) add(end, patch_b_.line);
  }

  void add_nearest(const FeatureSeparation& nearest) {
    Feature fa = nearest.a, fb = nearest.b;
    const Primitive pa = primitive(a_, fa), pb = X_AB_ * primitive(b_, fb);
    const bool curves = (is_rim(fa) || is_rim(fb)) && (is_rim(fa) || kind_of(fa) == FeatureKind::line) &&
                        (is_rim(fb) || kind_of(fb) == FeatureKind::line);
    if (curves) {
      Vec3<> one, other;
      curve_crossing(pa, pb, false, one);
      curve_crossing(pa, pb, true, other);
      const Vec3<> here = is_rim(fa) ? nearest.at.on_a : nearest.at.on_b;
      if (norm_squared(other - here) < norm_squared(one - here)) (is_rim(fb) ? fb : fa) |= kSecond;
    }
    builder_.add(contact_of(nearest.at, pa, pb, feature_pair(fa, fb)));
  }

  const ConvexView& a_;
  const ConvexView& b_;
  const Pose<>& X_AB_;
  ManifoldBuilder builder_;
  double size_;
  Vec3<> middles_;  // from the middle of A to that of B
  Separation start_{};
  Patch patch_a_{}, patch_b_{};
  bool flipped_ = false;
};

// A direction within 90 degrees of every outward normal that the surface has at a sharp feature; zero for round ones,
// whose normals cover all directions. In the frame of the shape.
Vec3<> outlook(const ConvexView& view, Feature f, const Primitive& p, const Vec3<>& at) {
  if (p.kind == FeatureKind::plane) return p.axis;
  if (p.kind == FeatureKind::rim) {  // between the normals of the cap and of the side
    const Vec3<> off{at.x, at.y, 0.0};
    const double length = norm(off);
    if (!(length > 0.0)) return p.axis;
    const Vec3<> radial = off / length;
    if (view.kind == ConvexKind::cylinder) return p.axis + radial;
    const double slant = sqrt(view.size.x * view.size.x + view.size.z * view.size.z);
    return p.axis + (view.size.z / slant) * radial - (view.size.x / slant) * p.axis;
  }
  if (p.radius > 0.0) return {0, 0, 0};
  if (p.kind == FeatureKind::line) {
    const HullEdge edge = edge_of(view, number_of(f));
    if (view.kind != ConvexKind::triangle) return face_normal(view, edge.left) + face_normal(view, edge.right);
  }
  const Vec3<> off = p.p - middle_of(view);
  const double length = norm(off);
  return length > 0.0 ? off / length : off;
}

bool needs_search(const Primitive& a, const Primitive& b) {
  const auto curved = [](const Primitive& p) {
    return p.kind == FeatureKind::cone_side || p.kind == FeatureKind::ellipsoid;
  };
  if (a.kind == FeatureKind::plane || b.kind == FeatureKind::plane) return false;
  const bool point_and_cone = (a.kind == FeatureKind::point && b.kind == FeatureKind::cone_side) ||
                              (b.kind == FeatureKind::point && a.kind == FeatureKind::cone_side);
  return (curved(a) || curved(b)) && !point_and_cone;
}

}  // namespace

void convex_manifold(const ConvexView& a, const ConvexView& b, const Pose<>& X_AB, double margin,
                     ContactManifold& manifold) {
  manifold.count = 0;
  const FeatureSeparation nearest = convex_separation(a, b, X_AB);
  if (!(nearest.at.distance <= margin)) return;
  Maker(a, b, X_AB, margin, manifold).make(nearest);
}

std::optional<ContactPoint> convex_contact_point(const ConvexView& a, const ConvexView& b, const Pose<>& X_AB,
                                                 std::uint64_t pair) {
  const Feature fa = feature_of_a(pair), fb = feature_of_b(pair);
  if (!has_feature(a, fa) || !has_feature(b, fb)) return std::nullopt;
  const Primitive pa = primitive(a, fa), pb_B = primitive(b, fb), pb = X_AB * pb_B;
  Separation start{0.0, {0, 0, 0}, pa.p, pb.p};
  if (needs_search(pa, pb)) {
    start = convex_separation(a, b, X_AB).at;
  } else {
    if ((pa.kind == FeatureKind::rim || pb.kind == FeatureKind::rim) && pa.kind >= FeatureKind::line &&
        pb.kind >= FeatureKind::line) {
      curve_crossing(pa, pb, pa.second || pb.second, start.on_a);
      start.on_b = start.on_a;
    }
    const Vec3<> out_b = outlook(b, fb, pb_B, inverse_transform_point(X_AB, start.on_b));
    start.normal = outlook(a, fa, pa, start.on_a) - X_AB.rotation * out_b;
    if (!(norm_squared(start.normal) > 1e-20)) start.normal = pb.p - pa.p;
    const double length = norm(start.normal);
    start.normal = length > 0.0 ? start.normal / length : Vec3<>{0, 0, 1};
  }
  Separation gap;
  if (!feature_gap(pa, pb, start, gap)) return std::nullopt;
  // Along each of its normals the surface lies farther out than the middle of its shape.
  const Vec3<> middles = transform_point(X_AB, middle_of(b)) - middle_of(a);
  if (dot(gap.normal, middles) < gap.distance) {
    const Separation other_side{gap.distance, -gap.normal, gap.on_a, gap.on_b};
    if (!feature_gap(pa, pb, other_side, gap)) return std::nullopt;
  }
  const double slack = kSlack * (size_of(a) + size_of(b));
  if (!within(a, fa, gap.on_a, slack) || !within(b, fb, inverse_transform_point(X_AB, gap.on_b), slack))
    return std::nullopt;
  return contact_of(gap, pa, pb, pair);
}

}  // namespace pintle
