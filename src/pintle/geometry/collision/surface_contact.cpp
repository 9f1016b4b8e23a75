#include "pintle/geometry/collision/surface_contact.h"

#include <limits>

#include "pintle/geometry/collision/surface_candidates.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

// ---- contacts where the shape overlaps the surface

// Of two such contacts the deeper one is dropped when moving the shape out along the other also separates it from that
// part of the surface: beside a ridge the shorter way out suffices, in a valley both are needed.
template <class Surface>
class Overlaps {
 public:
  void add(const ContactPoint& contact, int triangle) {
    for (int i = 0; i < count_; ++i)
      if (all_[at(i)].contact.feature == contact.feature) return;
    if (count_ < kMaxOverlaps) {
      all_[at(count_++)] = {contact, triangle};
      return;
    }
    const auto deepest = std::min_element(all_.begin(), all_.end(), [](const Overlap& a, const Overlap& b) {
      return a.contact.distance < b.contact.distance;
    });
    if (contact.distance > deepest->contact.distance) *deepest = {contact, triangle};
  }

  // Keeps the valid ones, the deepest last.
  void resolve(const SurfaceCandidates<Surface>& candidates) {
    std::sort(all_.begin(), all_.begin() + count_, [](const Overlap& a, const Overlap& b) {
      return a.contact.distance != b.contact.distance ? a.contact.distance > b.contact.distance
                                                      : a.contact.feature < b.contact.feature;
    });
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      const auto parts = [&](const Overlap& other) {
        const ContactPoint &deep = all_[at(i)].contact, &way = other.contact;
        const double rounding = 64.0 * kEpsilon<double> * (norm(deep.on_a) + norm(deep.on_b));
        const bool another_way = norm(deep.normal - way.normal) > 1e-9 && way.distance > deep.distance + rounding;
        return another_way && !candidates.still_overlaps(deep, all_[at(i)].triangle, -way.distance * way.normal);
      };
      if (std::none_of(all_.begin(), all_.begin() + kept, parts)) all_[at(kept++)] = all_[at(i)];
    }
    count_ = kept;
  }

  int count() const { return count_; }
  const ContactPoint& contact(int i) const { return all_[at(i)].contact; }

 private:
  struct Overlap {
    ContactPoint contact;
    int triangle;
  };
  static constexpr int kMaxOverlaps = 32;

  std::array<Overlap, kMaxOverlaps> all_;
  int count_ = 0;
};

// ---- the nearest

// A sphere: the point of the surface nearest to its centre.
template <class Surface>
Separation ball_separation(const Surface& surface, const Vec3<>& center, double radius) {
  const SurfacePlace nearest = nearest_on_surface(surface, center);
  // Over a face its normal is exact; for a centre on an edge only the mean normal is defined.
  const bool by_face = nearest.place.part == TrianglePlace::Part::inside || nearest.distance == 0.0;
  const Vec3<> normal = by_face ? nearest.normal : (center - nearest.place.point) / nearest.distance;
  const double distance = nearest.distance - radius;
  const Vec3<> on_b = fma(-radius, normal, center);
  return {distance, normal, fma(-distance, normal, on_b), on_b};
}

// Computes the minimum over the features near the shape.
template <class Surface>
class NearestFeature {
 public:
  NearestFeature(const Surface& surface, const ContactShape& convex, const Pose<>& X_SC)
      : candidates_(surface, convex, X_SC) {}

  Separation find() {
    walk_outwards(
        candidates_.surface(), candidates_.box(), [&] { return best_; }, [&](int triangle) { visit(triangle); });
    overlaps_.resolve(candidates_);
    if (overlaps_.count() > 0) return separation_of(overlaps_.contact(overlaps_.count() - 1));
    look_for_overlap();
    return best_ < kInfinity<double> ? best_at_ : any_at_;
  }

 private:
  void visit(int triangle) {
    visit_face(triangle);
    candidates_.for_each_own_edge(triangle, best_, [&](int e) { take(candidates_.at_edge(e), triangle); });
    candidates_.for_each_own_vertex(triangle, best_, [&](int v) { take(candidates_.at_vertex(v), triangle); });
  }

  void visit_face(int triangle) {
    const FaceSeparation& face = candidates_.at_face(face_of(candidates_.surface(), triangle));
    const Separation& lowest = face.lowest;
    if (lowest.distance >= 0.0) {
      if (candidates_.is_over(triangle, lowest.on_b)) keep(lowest.distance, lowest);
    } else if (face.height <= 0.0) {
      keep_behind(triangle, face);
    } else if (!candidates_.is_over(triangle, lowest.on_b)) {
      if (candidates_.has_valley(triangle)) keep_behind(triangle, face);
    } else if (overlap(box_of(candidates_.surface(), triangle), candidates_.box()) &&
               face.height + lowest.distance > 0.0 && !candidates_.is_blocked(triangle, lowest)) {
      overlaps_.add({lowest.distance,
                     lowest.normal,
                     lowest.on_a,
                     lowest.on_b,
                     {},
                     {},
                     feature_pair(feature(FeatureKind::plane, face.face), 0)},
                    triangle);
    }
  }

  // The shape may be behind the triangle, with its interior or a valley beside it as the nearest. When an edge is as
  // near as something in front, the latter counts.
  void keep_behind(int triangle, const FaceSeparation& face) {
    if (-face.height >= best_) return;
    const double distance = candidates_.distance_to(triangle), size = face.height - face.lowest.distance;
    if (distance >= 0.0) keep(distance + 1e-9 * (distance + size), face.lowest);
  }

  void take(const Candidate& candidate, int triangle) {
    const Separation s = separation_of(candidate.at);
    if (candidate.admissible && s.distance >= 0.0) {
      keep(s.distance, s);
    } else if (candidate.admissible && candidates_.is_in_front(candidate.at)) {
      overlaps_.add(candidate.at, triangle);
    } else if (abs(s.distance) < any_) {
      any_ = abs(s.distance);
      any_at_ = s;
    }
  }

  void keep(double rank, const Separation& s) {
    if (!(rank < best_)) return;
    best_ = rank;
    best_at_ = s;
  }

  // A shape may pierce the surface without an admissible feature, like a spear through a plate: then the shortest way
  // out along the normal of a triangle it overlaps.
  void look_for_overlap() {
    double min_deep = -kInfinity<double>;
    for_each_triangle_near(candidates_.surface(), candidates_.box(), [&](int triangle) {
      const FaceSeparation& face = candidates_.at_face(face_of(candidates_.surface(), triangle));
      const double distance = face.lowest.distance;
      const bool across = distance < 0.0 && face.height > 0.0;
      if (!across || distance <= min_deep || candidates_.distance_to(triangle) >= 0.0) return;
      min_deep = distance;
      best_ = distance;
      best_at_ = face.lowest;
    });
  }

  SurfaceCandidates<Surface> candidates_;
  Overlaps<Surface> overlaps_;
  double best_ = kInfinity<double>, any_ = kInfinity<double>;
  Separation best_at_{}, any_at_{};
};

template <class Surface>
Separation nearest_of(const Surface& surface, const ContactShape& convex, const Pose<>& X_AB) {
  if (const auto* sphere = std::get_if<Sphere>(&convex))
    return ball_separation(surface, X_AB.translation, sphere->radius);
  return NearestFeature<Surface>(surface, convex, X_AB).find();
}

// ---- manifolds

// Two contacts this near [part of the size of the shape], along the same normal, are merged.
constexpr double kSamePlace = 1e-9;

// All contacts, and those of them that are kept.
class ContactList {
 public:
  explicit ContactList(double size) : size_(size) {}

  void add(const ContactPoint& contact) {
    for (int i = 0; i < count_; ++i) {
      const ContactPoint& other = contacts_[at(i)];
      const bool same_place = norm(other.on_b - contact.on_b) <= kSamePlace * size_;
      if (other.feature == contact.feature || (same_place && norm(other.normal - contact.normal) <= kSamePlace)) return;
    }
    if (count_ == kMaxContacts) keep(kMaxContacts / 2);
    contacts_[at(count_++)] = contact;
  }

  ContactManifold manifold() {
    constexpr int kPoints = 8;
    if (count_ > kPoints) keep(kPoints);
    ContactManifold manifold;
    manifold.count = count_;
    std::copy(contacts_.begin(), contacts_.begin() + count_, manifold.points.begin());
    return manifold;
  }

 private:
  // Keeps the deepest, and then one by one the contact farthest from all kept so far; a right angle between normals
  // counts as the size of the shape.
  void keep(int max_count) {
    const auto deepest =
        std::min_element(contacts_.begin(), contacts_.begin() + count_, [](const auto& a, const auto& b) {
          return a.distance != b.distance ? a.distance < b.distance : a.feature < b.feature;
        });
    std::swap(contacts_.front(), *deepest);
    for (int kept = 1; kept < max_count; ++kept) {
      int farthest = kept;
      double max_far = -1.0;
      for (int i = kept; i < count_; ++i) {
        double nearest = kInfinity<double>;
        for (int k = 0; k < kept; ++k) nearest = std::min(nearest, apart(contacts_[at(i)], contacts_[at(k)]));
        const bool farther =
            nearest > max_far || (nearest == max_far && contacts_[at(i)].feature < contacts_[at(farthest)].feature);
        if (!farther) continue;
        max_far = nearest;
        farthest = i;
      }
      std::swap(contacts_[at(kept)], contacts_[at(farthest)]);
    }
    count_ = max_count;
  }

  double apart(const ContactPoint& a, const ContactPoint& b) const {
    return norm_squared(a.on_b - b.on_b) + 0.5 * size_ * size_ * norm_squared(a.normal - b.normal);
  }

  static constexpr int kMaxContacts = 64;

  double size_;
  std::array<ContactPoint, kMaxContacts> contacts_;
  int count_ = 0;
};

template <class Surface>
ContactManifold manifold_of(const Surface& surface, const ContactShape& convex, const Pose<>& X_AB, double margin) {
  SurfaceCandidates<Surface> candidates(surface, convex, X_AB);
  const BoundingBox box = candidates.box();
  ContactList contacts(norm(box.max - box.min));
  Overlaps<Surface> overlaps;
  const auto add = [&](const ContactPoint& contact, int triangle) {
    if (contact.distance >= 0.0) {
      contacts.add(contact);
    } else if (candidates.is_in_front(contact)) {
      overlaps.add(contact, triangle);
    }
  };
  const auto add_all = [&](const ContactManifold& manifold, int triangle) {
    for (int k = 0; k < manifold.count; ++k) add(manifold.points[at(k)], triangle);
  };
  for_each_triangle_near(surface, inflated(box, margin), [&](int triangle) {
    const ContactManifold& on_face = candidates.face_contacts(face_of(surface, triangle), margin);
    for (int k = 0; k < on_face.count; ++k) {
      const ContactPoint& contact = on_face.points[at(k)];
      if (!candidates.is_over(triangle, contact.on_b)) continue;
      if (contact.distance < 0.0 && candidates.is_blocked(triangle, separation_of(contact))) continue;
      add(contact, triangle);
    }
    candidates.for_each_own_edge(triangle, margin,
                                 [&](int e) { add_all(candidates.edge_contacts(e, margin), triangle); });
    candidates.for_each_own_vertex(triangle, margin,
                                   [&](int v) { add_all(candidates.vertex_contacts(v, margin), triangle); });
  });
  overlaps.resolve(candidates);
  for (int k = 0; k < overlaps.count(); ++k) contacts.add(overlaps.contact(k));
  return contacts.manifold();
}

}  // namespace

Separation separation(const SurfaceMesh& mesh, const ContactShape& convex, const Pose<>& X_AB) {
  return nearest_of(mesh, convex, X_AB);
}
Separation separation(const HeightField& field, const ContactShape& convex, const Pose<>& X_AB) {
  return nearest_of(field, convex, X_AB);
}
ContactManifold contact_manifold(const SurfaceMesh& mesh, const ContactShape& convex, const Pose<>& X_AB,
                                 double margin) {
  return manifold_of(mesh, convex, X_AB, margin);
}
ContactManifold contact_manifold(const HeightField& field, const ContactShape& convex, const Pose<>& X_AB,
                                 double margin) {
  return manifold_of(field, convex, X_AB, margin);
}
std::optional<ContactPoint> contact_point(const SurfaceMesh& mesh, const ContactShape& convex, const Pose<>& X_AB,
                                          std::uint64_t feature) {
  return SurfaceCandidates<SurfaceMesh>(mesh, convex, X_AB).contact_of(feature);
}
std::optional<ContactPoint> contact_point(const HeightField& field, const ContactShape& convex, const Pose<>& X_AB,
                                          std::uint64_t feature) {
  return SurfaceCandidates<HeightField>(field, convex, X_AB).contact_of(feature);
}

}  // namespace pintle
