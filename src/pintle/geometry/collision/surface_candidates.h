// The candidate contacts of a convex shape with each face, edge and vertex of a triangle surface.
//
// Each feature is queried as a simple shape: a flat face as a half-space, an edge as a segment, a vertex as a point.
// The result is admissible only where this feature is the one in contact: the point lies over a triangle of the face;
// the normal lies between those beside the edge, or within the normal cone of the vertex. So an edge or a vertex inside
// a flat face, or in a valley, has no normals of its own.
#pragma once

#include <optional>

#include "pintle/geometry/broad_phase/world_box.h"
#include "pintle/geometry/collision/contact_feature.h"
#include "pintle/geometry/collision/contact_manifold.h"
#include "pintle/geometry/collision/convex_separation.h"
#include "pintle/geometry/collision/triangle_nearest.h"

namespace pintle {

/// The result for the plane of a face: the lowest point of the shape, and the height of the highest one [m].
struct FaceSeparation {
  int face;
  Separation lowest;
  double height;
};

/// The result for an edge or a vertex; `admissible` when the normal is one of its own.
struct Candidate {
  ContactPoint at;
  bool admissible;
};

inline Separation separation_of(const ContactPoint& contact) {
  return {contact.distance, contact.normal, contact.on_a, contact.on_b};
}

template <class Surface>
class SurfaceCandidates {
 public:
  /// Holds references; X_SC is the pose of the convex shape in the surface's frame. All results are in that frame.
  SurfaceCandidates(const Surface& surface, const ContactShape& convex, const Pose<>& X_SC);

  const Surface& surface() const { return surface_; }

  /// The box around the convex shape.
  const BoundingBox& box() const { return box_; }

  // ---- faces; `face` is the index of its first triangle

  /// The extreme points of the shape relative to the plane of a face.
  const FaceSeparation& at_face(int face);

  /// The contacts of the shape with the plane of a face, wherever they are on it.
  const ContactManifold& face_contacts(int face, double margin);

  /// Whether a point is over or under a triangle, or below the bottom of a valley beside it. Points on an edge belong
  /// to both sides.
  bool is_over(int triangle, const Vec3<>& p) const;

  /// Whether another part of the surface lies between a point of the shape below a triangle and the triangle.
  bool is_blocked(int triangle, const Separation& s) const;

  /// Whether the middle of the shape is on the free side of a contact.
  bool is_in_front(const ContactPoint& contact) const;

  /// The distance of the shape from a triangle, on either side [m]; negative when they overlap.
  double distance_to(int triangle) const;

  /// Whether some edge or corner of a triangle is not a feature on the free side.
  bool has_valley(int triangle) const;

  // ---- edges and vertices

  /// Calls visit(e) for the convex and open edges that have this triangle on their left, so that every edge is visited
  /// once, and that are within `farthest` [m] of the box of the shape.
  template <class Visit>
  void for_each_own_edge(int triangle, double farthest, const Visit& visit) const {
    for (const int e : edges_of(surface_, triangle)) {
      const SurfaceEdge side = edge(surface_, e);
      if (side.left != triangle || side.kind == EdgeKind::flat || side.kind == EdgeKind::concave) continue;
      const Vec3<> from = vertex(surface_, side.from), to = vertex(surface_, side.to);
      if (distance_between(enclosing({from, from}, {to, to}), box_) <= farthest) visit(e);
    }
  }

  /// Calls visit(v) for the pointed vertices whose first triangle this is, within the same distance.
  template <class Visit>
  void for_each_own_vertex(int triangle, double farthest, const Visit& visit) const {
    for (const int v : corners(surface_, triangle)) {
      const Vec3<> p = vertex(surface_, v);
      if (!is_pointed(surface_, v) || distance_between({p, p}, box_) > farthest) continue;
      if (first_triangle_at(v) == triangle) visit(v);
    }
  }

  /// The nearest points of an edge and the shape. Where they overlap: the depth along the best of the edge's own
  /// normals, computed after moving the two slightly apart.
  Candidate at_edge(int e) const { return nearest(edge_feature(e)); }
  Candidate at_vertex(int v) const { return nearest(vertex_feature(v)); }

  /// The contacts along an edge or at a vertex, in the surface's frame. Its vertices report those at the ends of an
  /// edge.
  ContactManifold edge_contacts(int e, double margin) const;
  ContactManifold vertex_contacts(int v, double margin) const;

  // ---- several

  /// Whether the shape, moved by `move`, still overlaps the feature of a contact; `triangle` is the one below it when
  /// the feature is a face.
  bool still_overlaps(const ContactPoint& contact, int triangle, const Vec3<>& move) const;

  /// One known pair of features.
  std::optional<ContactPoint> contact_of(std::uint64_t pair) const;

 private:
  // An edge or a vertex as a shape of its own, in the frame F.
  struct SharpFeature {
    Feature own;
    ConvexView view;
    Pose<> X_SF;
    Vec3<> outward;  // the middle of its normals
  };

  SharpFeature edge_feature(int e) const;
  SharpFeature vertex_feature(int v) const;
  bool admits(Feature own, const Vec3<>& normal) const;
  Candidate nearest(const SharpFeature& feature) const;
  ContactManifold contacts(const SharpFeature& feature, double margin) const;
  double parting_move(const SharpFeature& feature, const Pose<>& X_FC, double distance) const;
  Feature met_feature(const SharpFeature& feature, const ContactPoint& contact) const;
  ContactPoint followed_back(const SharpFeature& feature, const Pose<>& X_FC, const ContactPoint& parted,
                             const Vec3<>& move) const;
  std::optional<ContactPoint> followed(const SharpFeature& sharp, Feature other) const;
  int first_triangle_at(int v) const;
  Pose<> face_frame(int face) const;
  bool is_on_face(int face, const ContactPoint& contact) const;
  bool is_normal_of_edge(int e, const Vec3<>& normal) const;
  bool is_normal_of_vertex(int v, const Vec3<>& normal) const;
  double middle_height(const Vec3<>& normal, const Vec3<>& point) const;

  const Surface& surface_;
  const ContactShape& convex_;
  const Pose<>& X_SC_;
  ConvexView view_;
  BoundingBox box_;
  double size_;
  FaceSeparation separation_{-1, {}, 0.0};
  int manifold_face_ = -1;
  ContactManifold manifold_;
};

extern template class SurfaceCandidates<SurfaceMesh>;
extern template class SurfaceCandidates<HeightField>;

}  // namespace pintle
