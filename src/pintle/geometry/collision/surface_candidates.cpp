#include "pintle/geometry/collision/surface_candidates.h"

#include "pintle/geometry/collision/convex_manifold.h"
#include "pintle/geometry/collision/feature_gap.h"
#include "pintle/geometry/collision/half_space_contact.h"

namespace pintle {
namespace {

// How far [rad] a computed normal may lie outside those of an edge or vertex: for parallel faces it lies exactly on the
// boundary.
constexpr double kNormalSlack = 1e-8;

// A point below a wall of a valley counts as under it up to this many times its depth beyond the bottom.
constexpr double kValleyReach = 2.0;

Separation moved(const Pose<>& X, const Separation& s) {
  return {s.distance, X.rotation * s.normal, transform_point(X, s.on_a), transform_point(X, s.on_b)};
}

// A contact in another frame, with the feature of the surface as that of A.
ContactPoint moved(const Pose<>& X, const ContactPoint& c, Feature own) {
  const Separation s = moved(X, separation_of(c));
  const auto turned = [&](const SurfaceCurvature& k) {
    return SurfaceCurvature{X.rotation * k.direction, k.along, k.across};
  };
  return {s.distance,
          s.normal,
          s.on_a,
          s.on_b,
          turned(c.curvature_a),
          turned(c.curvature_b),
          feature_pair(own, feature_of_b(c.feature))};
}

Pose<> moved_by(const Pose<>& X, const Vec3<>& move) {
  return {X.rotation, X.translation + move};
}

}  // namespace

template <class Surface>
SurfaceCandidates<Surface>::SurfaceCandidates(const Surface& surface, const ContactShape& convex, const Pose<>& X_SC)
    : surface_(surface),
      convex_(convex),
      X_SC_(X_SC),
      view_(convex_view(convex)),
      box_(world_box(convex, X_SC)),
      size_(norm(box_.max - box_.min)) {}

// ---- faces

template <class Surface>
Pose<> SurfaceCandidates<Surface>::face_frame(int face) const {
  const auto points = corner_points(surface_, face);
  const Vec3<> z = normal_of(surface_, face), x = normalized(points[1] - points[0]);
  return {from_columns(x, cross(z, x), z), points[0]};
}

template <class Surface>
const FaceSeparation& SurfaceCandidates<Surface>::at_face(int face) {
  if (separation_.face == face) return separation_;
  const Pose<> X_SF = face_frame(face);
  const Separation lowest = moved(X_SF, half_space_separation(view_, inverse_times(X_SF, X_SC_)));
  const Extent extent = extent_along(convex_, transpose_times(X_SC_.rotation, lowest.normal));
  separation_ = {face, lowest, lowest.distance + (extent.high - extent.low)};
  return separation_;
}

template <class Surface>
const ContactManifold& SurfaceCandidates<Surface>::face_contacts(int face, double margin) {
  if (manifold_face_ == face) return manifold_;
  const Pose<> X_SF = face_frame(face);
  half_space_manifold(view_, inverse_times(X_SF, X_SC_), margin, manifold_);
  for (int k = 0; k < manifold_.count; ++k)
    manifold_.points[at(k)] = moved(X_SF, manifold_.points[at(k)], feature(FeatureKind::plane, face));
  manifold_face_ = face;
  return manifold_;
}

template <class Surface>
bool SurfaceCandidates<Surface>::is_over(int triangle, const Vec3<>& p) const {
  const auto points = corner_points(surface_, triangle);
  const Vec3<> normal = normal_of(surface_, triangle);
  const double height = dot(normal, p - points[0]);
  const double size = norm(p) + norm(points[0]) + norm(points[1] - points[0]) + norm(points[2] - points[0]);
  const double rounding = 32.0 * kEpsilon<double> * size, slack = rounding + kFlatEdgeAngle * abs(height);
  if (is_over_triangle(points, normal, p, slack)) return true;
  if (!(height < 0.0)) return false;
  // Below the bottom of a valley a point is below both of its walls, though over neither.
  for (int k = 0; k < 3; ++k) {
    const Vec3<>& from = points[at(k)];
    const Vec3<> along = points[at((k + 1) % 3)] - from;
    const double inwards = dot(cross(normal, along), p - from) / norm(along);
    if (inwards >= -slack) continue;
    const SurfaceEdge side = edge(surface_, edges_of(surface_, triangle)[at(k)]);
    const int other = side.left == triangle ? side.right : side.left;
    const bool below_both = side.kind == EdgeKind::concave && dot(normal_of(surface_, other), p - from) <= rounding;
    if (!below_both || inwards < kValleyReach * height) return false;
  }
  return true;
}

template <class Surface>
bool SurfaceCandidates<Surface>::is_blocked(int triangle, const Separation& s) const {
  const int face = face_of(surface_, triangle);
  const double depth = -s.distance, slack = 64.0 * kEpsilon<double> * (norm(s.on_b) + depth);
  bool blocked = false;
  for_each_triangle_near(surface_, enclosing({s.on_a, s.on_a}, {s.on_b, s.on_b}), [&](int t) {
    if (blocked || face_of(surface_, t) == face) return;
    const auto points = corner_points(surface_, t);
    const Vec3<> normal = normal_of(surface_, t);
    const double of_point = dot(normal, s.on_b - points[0]), of_foot = dot(normal, s.on_a - points[0]);
    if (!(of_point > slack && of_foot < -slack)) return;
    const Vec3<> crossing = fma(of_point / (of_point - of_foot), s.on_a - s.on_b, s.on_b);
    blocked = is_over_triangle(points, normal, crossing, 0.0);
  });
  return blocked;
}

template <class Surface>
double SurfaceCandidates<Surface>::middle_height(const Vec3<>& normal, const Vec3<>& point) const {
  const Extent extent = extent_along(convex_, transpose_times(X_SC_.rotation, normal));
  return dot(normal, X_SC_.translation - point) + 0.5 * (extent.low + extent.high);
}

template <class Surface>
bool SurfaceCandidates<Surface>::is_in_front(const ContactPoint& contact) const {
  return middle_height(contact.normal, contact.on_a) > 0.0;
}

template <class Surface>
double SurfaceCandidates<Surface>::distance_to(int triangle) const {
  const auto points = corner_points(surface_, triangle);
  return convex_separation(triangle_view(points.data()), view_, X_SC_).at.distance;
}

template <class Surface>
bool SurfaceCandidates<Surface>::has_valley(int triangle) const {
  const auto sides = edges_of(surface_, triangle);
  const Corners ends = corners(surface_, triangle);
  return std::any_of(sides.begin(), sides.end(), [&](int e) { return edge(surface_, e).kind == EdgeKind::concave; }) ||
         std::any_of(ends.begin(), ends.end(), [&](int v) { return !is_pointed(surface_, v); });
}

// ---- edges and vertices

template <class Surface>
int SurfaceCandidates<Surface>::first_triangle_at(int v) const {
  int first = triangle_count(surface_);
  for_each_edge_at(surface_, v, [&](int e) {
    const SurfaceEdge side = edge(surface_, e);
    first = std::min(first, side.left);
    if (side.right >= 0) first = std::min(first, side.right);
  });
  return first;
}

template <class Surface>
auto SurfaceCandidates<Surface>::edge_feature(int e) const -> SharpFeature {
  const SurfaceEdge side = edge(surface_, e);
  const Vec3<> from = vertex(surface_, side.from), along = vertex(surface_, side.to) - from;
  const double length = norm(along);
  const Vec3<> z = along / length, x = any_tangent(z), middle = fma(0.5, along, from);
  const Vec3<> left = normal_of(surface_, side.left);
  Vec3<> outward;
  if (side.right >= 0) {
    outward = left + normal_of(surface_, side.right);
  } else {  // away from the triangle, and to the side of the shape
    outward = copysign(1.0, middle_height(left, from)) * left - cross(left, z);
  }
  const double size = norm(outward);
  return {feature(FeatureKind::line, e),
          {ConvexKind::segment, 0.0, {0.0, 0.0, 0.5 * length}, nullptr, nullptr},
          {from_columns(x, cross(z, x), z), middle},
          size > 0.0 ? outward / size : left};
}

template <class Surface>
auto SurfaceCandidates<Surface>::vertex_feature(int v) const -> SharpFeature {
  const Vec3<> p = vertex(surface_, v), normal = normalized(normal_at_vertex(surface_, v));
  bool at_border = false;
  Vec3<> away{0.0, 0.0, 0.0};
  for_each_edge_at(surface_, v, [&](int e) {
    const SurfaceEdge side = edge(surface_, e);
    at_border = at_border || side.right < 0;
    away -= normalized(vertex(surface_, side.from == v ? side.to : side.from) - p);
  });
  Vec3<> outward = normal;
  if (at_border) outward = normalized(away) + copysign(1.0, middle_height(normal, p)) * normal;
  return {feature(FeatureKind::point, v),
          {ConvexKind::point, 0.0, {0.0, 0.0, 0.0}, nullptr, nullptr},
          {identity3(), p},
          normalized(outward)};
}

// A normal of an edge points away from the triangles beside it.
template <class Surface>
bool SurfaceCandidates<Surface>::is_normal_of_edge(int e, const Vec3<>& normal) const {
  const SurfaceEdge side = edge(surface_, e);
  if (side.kind == EdgeKind::flat || side.kind == EdgeKind::concave) return false;
  const Vec3<> along = normalized(vertex(surface_, side.to) - vertex(surface_, side.from));
  if (abs(dot(normal, along)) > kNormalSlack) return false;
  if (dot(normal, cross(normal_of(surface_, side.left), along)) > kNormalSlack) return false;
  return side.right < 0 || dot(normal, cross(along, normal_of(surface_, side.right))) <= kNormalSlack;
}

template <class Surface>
bool SurfaceCandidates<Surface>::is_normal_of_vertex(int v, const Vec3<>& normal) const {
  bool away = true, on_ridge = false;
  for_each_edge_at(surface_, v, [&](int e) {
    const SurfaceEdge side = edge(surface_, e);
    const int other = side.from == v ? side.to : side.from;
    away = away && dot(normal, normalized(vertex(surface_, other) - vertex(surface_, v))) <= kNormalSlack;
    on_ridge = on_ridge || is_normal_of_edge(e, normal);
  });
  return away && (on_ridge || is_pointed(surface_, v));
}

template <class Surface>
bool SurfaceCandidates<Surface>::admits(Feature own, const Vec3<>& normal) const {
  return kind_of(own) == FeatureKind::line ? is_normal_of_edge(number_of(own), normal)
                                           : is_normal_of_vertex(number_of(own), normal);
}

// How far along `outward` the shape must be moved to separate from the feature, up to a factor of four; 0 when no such
// distance is found. The shortest way out of a sharp shape for a bare point or segment leads sideways past the surface
// around it; once moved slightly apart, the pair of features that touched is the nearest one.
template <class Surface>
double SurfaceCandidates<Surface>::parting_move(const SharpFeature& feature, const Pose<>& X_FC,
                                                double distance) const {
  const Vec3<> outward_F = transpose_times(feature.X_SF.rotation, feature.outward);
  double move = std::max(-2.0 * distance, 16.0 * kEpsilon<double> * size_);
  for (; move < 2.0 * size_; move *= 4.0)
    if (convex_separation(feature.view, view_, moved_by(X_FC, move * outward_F)).at.distance > 0.0) return move;
  return 0.0;
}

// The surface feature of a contact: at an end of an edge it is the vertex there.
template <class Surface>
Feature SurfaceCandidates<Surface>::met_feature(const SharpFeature& feature, const ContactPoint& contact) const {
  const Feature part = feature_of_a(contact.feature);
  if (kind_of(feature.own) != FeatureKind::line || kind_of(part) != FeatureKind::point) return feature.own;
  const SurfaceEdge side = edge(surface_, number_of(feature.own));
  return pintle::feature(FeatureKind::point, number_of(part) == 0 ? side.from : side.to);
}

// A contact computed with the shape moved by `move`, without the move: its pair of features at their actual positions.
// In F.
template <class Surface>
ContactPoint SurfaceCandidates<Surface>::followed_back(const SharpFeature& feature, const Pose<>& X_FC,
                                                       const ContactPoint& parted, const Vec3<>& move) const {
  const Primitive a = primitive(feature.view, feature_of_a(parted.feature));
  const Primitive b = X_FC * primitive(view_, feature_of_b(parted.feature));
  Separation start = separation_of(parted), gap;
  start.distance -= dot(start.normal, move);
  start.on_b = fma(start.distance, start.normal, start.on_a);
  const auto is_admitted = [&](const Separation& s) { return admits(feature.own, feature.X_SF.rotation * s.normal); };
  const bool found = feature_gap(a, b, start, gap) && (is_admitted(gap) || !is_admitted(start));
  if (!found) {  // the depth along the normal that the two had when separated
    gap = start;
    gap.distance = gap_along(feature.view, view_, X_FC, start.normal);
    gap.on_b = fma(gap.distance, gap.normal, gap.on_a);
  }
  return pintle::contact_of(gap, a, b, parted.feature);
}

template <class Surface>
Candidate SurfaceCandidates<Surface>::nearest(const SharpFeature& feature) const {
  const Pose<> X_FC = inverse_times(feature.X_SF, X_SC_);
  FeatureSeparation found = convex_separation(feature.view, view_, X_FC);
  ContactPoint contact{
      found.at.distance, found.at.normal, found.at.on_a, found.at.on_b, {}, {}, feature_pair(found.a, found.b)};
  bool parted = true;
  if (found.at.distance < 0.0) {
    const double distance = parting_move(feature, X_FC, found.at.distance);
    parted = distance > 0.0;
    if (parted) {
      const Vec3<> move = distance * transpose_times(feature.X_SF.rotation, feature.outward);
      found = convex_separation(feature.view, view_, moved_by(X_FC, move));
      contact = {
          found.at.distance, found.at.normal, found.at.on_a, found.at.on_b, {}, {}, feature_pair(found.a, found.b)};
      contact = followed_back(feature, X_FC, contact, move);
    }
  }
  const Feature own = met_feature(feature, contact);
  const ContactPoint here = moved(feature.X_SF, contact, own);
  return {here, parted && admits(own, here.normal)};
}

template <class Surface>
ContactManifold SurfaceCandidates<Surface>::contacts(const SharpFeature& feature, double margin) const {
  ContactManifold all;
  all.count = 0;
  const Pose<> X_FC = inverse_times(feature.X_SF, X_SC_);
  const double distance = convex_separation(feature.view, view_, X_FC).at.distance;
  if (distance > margin) return all;
  const double parting = distance < 0.0 ? parting_move(feature, X_FC, distance) : 0.0;
  if (distance < 0.0 && parting == 0.0) return all;
  const Vec3<> move = parting * transpose_times(feature.X_SF.rotation, feature.outward);
  ContactManifold manifold;
  convex_manifold(feature.view, view_, moved_by(X_FC, move), margin + parting, manifold);
  for (int k = 0; k < manifold.count; ++k) {
    ContactPoint contact = manifold.points[at(k)];
    if (parting > 0.0) contact = followed_back(feature, X_FC, contact, move);
    const Feature own = met_feature(feature, contact);
    // When they are apart, a vertex that is a feature reports its own contacts.
    if (own != feature.own && parting == 0.0 && is_pointed(surface_, number_of(own))) continue;
    const ContactPoint here = moved(feature.X_SF, contact, own);
    if (here.distance <= margin && admits(own, here.normal)) all.points[at(all.count++)] = here;
  }
  return all;
}

template <class Surface>
ContactManifold SurfaceCandidates<Surface>::edge_contacts(int e, double margin) const {
  return contacts(edge_feature(e), margin);
}

template <class Surface>
ContactManifold SurfaceCandidates<Surface>::vertex_contacts(int v, double margin) const {
  return contacts(vertex_feature(v), margin);
}

// ---- several

template <class Surface>
bool SurfaceCandidates<Surface>::still_overlaps(const ContactPoint& contact, int triangle, const Vec3<>& move) const {
  const Pose<> X_SC = moved_by(X_SC_, move);
  const Feature own = feature_of_a(contact.feature);
  double distance = 0.0;
  if (kind_of(own) == FeatureKind::plane) {
    const auto points = corner_points(surface_, triangle);
    distance = convex_separation(triangle_view(points.data()), view_, X_SC).at.distance;
  } else {
    const int i = number_of(own);
    const SharpFeature sharp = kind_of(own) == FeatureKind::line ? edge_feature(i) : vertex_feature(i);
    distance = convex_separation(sharp.view, view_, inverse_times(sharp.X_SF, X_SC)).at.distance;
  }
  return distance < 1e-3 * contact.distance;
}

template <class Surface>
bool SurfaceCandidates<Surface>::is_on_face(int face, const ContactPoint& contact) const {
  bool found = false;
  const Vec3<>& p = contact.on_a;
  const double reach =
      64.0 * kEpsilon<double> * norm(p) + 1e-12 * size_ + 2.0 * kValleyReach * std::max(-contact.distance, 0.0);
  for_each_triangle_near(surface_, inflated({p, p}, reach), [&](int triangle) {
    found = found || (face_of(surface_, triangle) == face && is_over(triangle, contact.on_b));
  });
  return found;
}

template <class Surface>
std::optional<ContactPoint> SurfaceCandidates<Surface>::contact_of(std::uint64_t pair) const {
  const Feature own = feature_of_a(pair), other = feature_of_b(pair);
  const int i = number_of(own);
  if (kind_of(own) == FeatureKind::plane && i < triangle_count(surface_) && face_of(surface_, i) == i) {
    const Pose<> X_SF = face_frame(i);
    const auto contact = contact_point(HalfSpace{}, convex_, inverse_times(X_SF, X_SC_),
                                       feature_pair(feature(FeatureKind::plane), other));
    if (!contact) return {};
    const ContactPoint here = moved(X_SF, *contact, own);
    return is_on_face(i, here) ? std::optional(here) : std::nullopt;
  }
  const bool is_edge = kind_of(own) == FeatureKind::line && has_edge(surface_, i);
  const bool is_vertex = kind_of(own) == FeatureKind::point && i < vertex_count(surface_);
  if ((!is_edge && !is_vertex) || !has_feature(view_, other)) return {};
  const SharpFeature sharp = is_edge ? edge_feature(i) : vertex_feature(i);
  const auto contact = followed(sharp, other);
  return contact && admits(own, contact->normal) ? contact : std::nullopt;
}

// The gap of an edge or a vertex and a feature of the shape. Points, lines and planes need no iteration: the normal is
// on the side of those of the edge or vertex.
template <class Surface>
std::optional<ContactPoint> SurfaceCandidates<Surface>::followed(const SharpFeature& sharp, Feature other) const {
  const Pose<> X_FC = inverse_times(sharp.X_SF, X_SC_);
  const Feature part = feature(kind_of(sharp.own));
  const std::uint64_t pair = feature_pair(part, other);
  const Primitive a = primitive(sharp.view, part), b = X_FC * primitive(view_, other);
  const bool closed_form = b.kind == FeatureKind::point || b.kind == FeatureKind::line || b.kind == FeatureKind::plane;
  if (!closed_form) {
    const auto contact = convex_contact_point(sharp.view, view_, X_FC, pair);
    if (!contact) return {};
    return moved(sharp.X_SF, *contact, sharp.own);
  }
  const Separation start{0.0, transpose_times(sharp.X_SF.rotation, sharp.outward), a.p, b.p};
  Separation gap;
  if (!feature_gap(a, b, start, gap)) return {};
  const double slack = 1e-9 * (size_ + sharp.view.size.z);
  const bool inside_both =
      within(sharp.view, part, gap.on_a, slack) && within(view_, other, inverse_transform_point(X_FC, gap.on_b), slack);
  if (!inside_both) return {};
  return moved(sharp.X_SF, pintle::contact_of(gap, a, b, pair), sharp.own);
}

template class SurfaceCandidates<SurfaceMesh>;
template class SurfaceCandidates<HeightField>;

}  // namespace pintle
