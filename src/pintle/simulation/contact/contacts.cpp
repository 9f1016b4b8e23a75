#include "pintle/simulation/contact/contacts.h"

#include <cmath>
#include <variant>

#include "pintle/math/scalar.h"
#include "pintle/simulation/contact/edge_features.h"

namespace pintle {
namespace {

/// Points within this fraction of the sizes of their shapes touch at the same instant.
constexpr double kTouching = 1e-11;

constexpr double kSlow = 1e-12;  // relative to the terms of a speed: anything slower is at rest
constexpr double kUnseen =
    1.0;  // [1/s] a speed that takes longer to cross the resolution of the distance counts as rest

/// A frame with the x axis along a unit vector.
Mat3<> frame_along(const Vec3<>& n) {
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  const Vec3<> helper = x <= y && x <= z ? Vec3<>{1, 0, 0} : y <= z ? Vec3<>{0, 1, 0} : Vec3<>{0, 0, 1};
  const Vec3<> t = normalized(cross(n, helper));
  return from_columns(n, t, cross(n, t));
}

bool is_identity(const Pose<>& X) {
  double off = norm_squared(X.translation);
  for (const double entry : to_array(X.rotation - identity3<double>())) off += std::abs(entry);
  return off == 0.0;
}

/// The support point of a shape that has one.
bool lowest_point(const ContactShape& shape, const Vec3<>& direction, Vec3<>& point) {
  return std::visit(
      [&](const auto& of) {
        if constexpr (requires { support_point(of, direction); }) {
          point = support_point(of, direction);
          return true;
        } else {
          return false;
        }
      },
      shape);
}

TangentCurvature in_tangents(const SurfaceCurvature& curvature, const Mat3<>& R) {
  const Vec3<> d = transpose_times(R, curvature.direction);
  const double size = std::sqrt(fma(d.y, d.y, d.z * d.z));
  TangentCurvature bend;
  if (size > 0.0) bend.direction = {d.y / size, d.z / size};
  bend.along = curvature.along;
  bend.across = curvature.across;
  return bend;
}

}  // namespace

Contacts::Contacts(const Model& model, const ContactSetup& setup, const ContactSpec& spec)
    : model_(model), setup_(setup), spec_(spec) {
  for (const ContactPart& part : setup.parts) plain_.push_back(is_identity(part.X_LS) ? 1 : 0);
  for (std::size_t pair = 0; pair < setup.pairs.size(); ++pair)
    any_turning_ = any_turning_ || has(FrictionKind::roll, pair) || has(FrictionKind::spin, pair);
}

bool Contacts::has(FrictionKind kind, std::size_t pair) const {
  const Surface& of = surface(pair);
  return (kind == FrictionKind::slip   ? of.static_friction
          : kind == FrictionKind::roll ? of.rolling_friction
                                       : of.spinning_friction) > 0.0;
}

const ContactShape& Contacts::shape(int part) const {
  const ContactPart& of = setup_.parts[static_cast<std::size_t>(part)];
  return spec_.shapes[static_cast<std::size_t>(of.spec)].shape;
}

Pose<> Contacts::shape_pose(int part, const KinematicsWorkspace& places) const {
  const ContactPart& of = setup_.parts[static_cast<std::size_t>(part)];
  if (of.link < 0) return of.X_LS;
  const Pose<>& X_WL = places.X_WL[static_cast<std::size_t>(of.link)];
  return plain_[static_cast<std::size_t>(part)] != 0 ? X_WL : X_WL * of.X_LS;
}

/// X_AB of the frames of the two shapes.
Pose<> Contacts::between(std::size_t pair, const KinematicsWorkspace& places) const {
  const ContactPair& of = setup_.pairs[pair];
  const ContactPart& a = setup_.parts[static_cast<std::size_t>(of.a)];
  const ContactPart& b = setup_.parts[static_cast<std::size_t>(of.b)];
  if (a.link < 0 && b.link >= 0 && model_.links()[static_cast<std::size_t>(b.link)].parent < 0)
    return plain_[static_cast<std::size_t>(of.a)] != 0 ? shape_pose(of.b, places)
                                                       : inverse_times(a.X_LS, shape_pose(of.b, places));
  return relative_pose(model_, places, {b.link, b.X_LS}, {a.link, a.X_LS});
}

ContactManifold Contacts::manifold(std::size_t pair, const Pose<>& X_AB, double margin) const {
  const ContactPair& of = setup_.pairs[pair];
  if (!spec_.single_point) {
    ContactManifold all = contact_manifold(shape(of.a), shape(of.b), X_AB, margin);
    rotate_edges(pair, X_AB, edge_rotation_at(pair), all);
    return all;
  }
  const Separation apart = nearest(pair, X_AB);
  ContactManifold one{};
  if (!(apart.distance <= margin)) return one;
  const SurfaceCurvature corner{{}, __builtin_inf(), __builtin_inf()}, flat{{}, 0.0, 0.0};
  one.count = 1;
  one.points[0] = {apart.distance, apart.normal, apart.on_a, apart.on_b, flat, corner, 0};
  return one;
}

/// The nearest points; in seed 004's model, on a plane, as support_point finds them: the centre of several equally near
/// ones.
Separation Contacts::nearest(std::size_t pair, const Pose<>& X_AB) const {
  const ContactPair& of = setup_.pairs[pair];
  const bool a_is_plane = std::holds_alternative<HalfSpace>(shape(of.a));
  const bool b_is_plane = std::holds_alternative<HalfSpace>(shape(of.b));
  if (spec_.single_point && a_is_plane != b_is_plane) {
    const Pose<> X_PS = a_is_plane ? X_AB : inverse(X_AB);  // of the other shape relative to the plane
    Vec3<> lowest;
    if (lowest_point(shape(a_is_plane ? of.b : of.a), transpose_times(X_PS.rotation, Vec3<>{0, 0, -1}), lowest)) {
      const Vec3<> point = transform_point(X_PS, lowest), foot{point.x, point.y, 0.0}, up{0.0, 0.0, 1.0};
      if (a_is_plane) return {point.z, up, foot, point};
      return {point.z, -(X_AB.rotation * up), lowest, transform_point(X_AB, foot)};
    }
  }
  return separation(shape(of.a), shape(of.b), X_AB);
}

double Contacts::size(std::size_t pair, const KinematicsWorkspace& places) const {
  const ContactPair& of = setup_.pairs[pair];
  const ContactPart& a = setup_.parts[static_cast<std::size_t>(of.a)];
  const ContactPart& b = setup_.parts[static_cast<std::size_t>(of.b)];
  const auto center = [&](const ContactPart& part) {
    if (part.link < 0) return part.X_LS.translation;
    return transform_point(places.X_WL[static_cast<std::size_t>(part.link)], part.X_LS.translation);
  };
  return a.extent + b.extent + norm(center(b) - center(a));
}

double Contacts::resolution(std::size_t pair, const KinematicsWorkspace& places) const {
  return 4 * kEpsilon<double> * size(pair, places);
}

double Contacts::slowest_speed(std::size_t pair, const ContactFrame& touch, const KinematicsWorkspace& places) const {
  const auto size = [&](int link, const Pose<>& X) {
    const Twist<> V = velocity_of(places, {link, X}, Axes::local);
    return norm(V.linear) + norm(V.angular) * norm(X.translation);
  };
  double terms = size(touch.link_a, touch.X_AC) + size(touch.link_b, touch.X_BC);
  if (touch.surfaces_move) terms += norm(surface_velocity_of_a(touch)) + norm(surface_velocity_of_b(touch));
  return fma(kSlow, terms, kUnseen * resolution(pair, places));
}

double Contacts::slowest_turn(std::size_t pair, const ContactFrame& touch, const KinematicsWorkspace& places) const {
  const double turning = norm(velocity_of(places, {touch.link_a, touch.X_AC}, Axes::local).angular) +
                         norm(velocity_of(places, {touch.link_b, touch.X_BC}, Axes::local).angular);
  return fma(kSlow, turning, kUnseen * resolution(pair, places) / extent(pair));
}

double Contacts::extent(std::size_t pair) const {
  const ContactPair& of = setup_.pairs[pair];
  const double a = setup_.parts[static_cast<std::size_t>(of.a)].extent;
  const double b = setup_.parts[static_cast<std::size_t>(of.b)].extent;
  return a == 0.0 ? b : b == 0.0 ? a : min(a, b);
}

double Contacts::tolerance(std::size_t pair, const KinematicsWorkspace& places) const {
  return kTouching * extent(pair) + 64 * resolution(pair, places);
}

bool Contacts::is_active(std::size_t pair, std::uint64_t feature) const {
  for (const ActiveContact& contact : active_)
    if (contact.pair == static_cast<int>(pair) && contact.feature == feature) return true;
  return false;
}

/// Whether it is the only point of its edge that touches.
bool Contacts::touches_alone(const ActiveContact& contact) const {
  int count = 0;
  for (const ActiveContact& other : active_)
    count += other.pair == contact.pair && same_edge(other.feature, contact.feature) ? 1 : 0;
  return count == 1;
}

/// Whether a feature belongs to the edge of a contact that is tilted, or just begins to tilt, and so does that contact
/// itself.
bool Contacts::is_on_active_rim(std::size_t pair, std::uint64_t feature) const {
  for (const ActiveContact& contact : active_) {
    if (contact.pair != static_cast<int>(pair) || !same_edge(contact.feature, feature)) continue;
    if (is_tilted_edge(contact.feature) || is_tilted_edge(feature)) return true;
  }
  return false;
}

Contacts::Gap Contacts::gap(std::size_t pair, const KinematicsWorkspace& places) const {
  const Pose<> X_AB = between(pair, places);
  const ContactPair& of = setup_.pairs[pair];
  ContactPoint closest{};
  bool active = false;
  for (const ActiveContact& contact : active_) active = active || contact.pair == static_cast<int>(pair);
  if (!active) {
    const Separation apart = this->nearest(pair, X_AB);
    closest.distance = apart.distance;
    closest.normal = apart.normal;
    closest.on_a = apart.on_a;
    closest.on_b = apart.on_b;
  } else {
    const ContactPart& a = setup_.parts[static_cast<std::size_t>(of.a)];
    const ContactPart& b = setup_.parts[static_cast<std::size_t>(of.b)];
    const ContactManifold others = manifold(pair, X_AB, a.extent + b.extent);
    bool any = false;
    for (int k = 0; k < others.count; ++k) {
      const ContactPoint& point = others.points[static_cast<std::size_t>(k)];
      if (is_active(pair, point.feature) || is_on_active_rim(pair, point.feature)) continue;
      if (any && !(point.distance < closest.distance)) continue;
      closest = point;
      any = true;
    }
    for (const ActiveContact& contact : active_) {
      if (contact.pair != static_cast<int>(pair) || !touches_alone(contact)) continue;
      const auto other_side = opposite_of_edge(shape(of.a), shape(of.b), X_AB, contact);
      if (!other_side || (any && !(other_side->distance < closest.distance))) continue;
      closest = *other_side;
      any = true;
    }
    if (!any) return {kNothing, 0.0, kNothing};
  }
  const ContactPart& a = setup_.parts[static_cast<std::size_t>(of.a)];
  const ContactPart& b = setup_.parts[static_cast<std::size_t>(of.b)];
  // The separation speed of the nearest points: in the axes of shape A, each as a point of its own link.
  const auto speed_at = [&](const ContactPart& part, const Vec3<>& point_S) {
    if (part.link < 0) return Vec3<>{0.0, 0.0, 0.0};
    const Twist<>& V_L = places.motion.view().V[part.link];
    return transpose_times(part.X_LS.rotation, V_L.linear + cross(V_L.angular, transform_point(part.X_LS, point_S)));
  };
  const Vec3<> on_b_B = transpose_times(X_AB.rotation, closest.on_b - X_AB.translation);
  const double rate = dot(closest.normal, X_AB.rotation * speed_at(b, on_b_B) - speed_at(a, closest.on_a));
  return {closest.distance, rate, a.extent + b.extent + norm(X_AB.translation)};
}

void Contacts::keep_up(const KinematicsWorkspace& places) {
  for (ActiveContact& contact : active_) {
    const std::size_t pair = static_cast<std::size_t>(contact.pair);
    const ContactPoint point = point_now(contact, places);
    contact.feature = point.feature;
    contact.edge_at = edge_direction(point, between(pair, places));
    const ContactFrame touch = contact_frame_of(pair, point, places);
    const Twist<> V = contact_velocity(places, touch);
    const auto follow = [&](const Vec3<>& moving, double rounding, Vec3<>& direction_A) {
      const double size = norm(moving);
      if (size > rounding) direction_A = touch.X_AC.rotation * (moving / size);
    };
    if (contact.mode == ContactMode::slides && !contact.holds_direction.slip)
      follow({0.0, V.linear.y, V.linear.z}, max(slowest_speed(pair, touch, places), contact.slow), contact.slip_A);
    if (touch.rolls && contact.roll.mode == ContactMode::slides && !contact.holds_direction.roll)
      follow({0.0, V.angular.y, V.angular.z}, max(slowest_turn(pair, touch, places), contact.roll.slow),
             contact.roll.about_A);
    if (touch.spins && contact.spin.mode == ContactMode::slides)
      follow({V.angular.x, 0.0, 0.0}, slowest_turn(pair, touch, places), contact.spin.about_A);
  }
}

double Contacts::speed_left(FrictionKind kind, const ActiveContact& contact, const KinematicsWorkspace& places) const {
  const std::size_t pair = static_cast<std::size_t>(contact.pair);
  const ContactFrame touch = contact_frame_of(pair, point_of(contact, places), places);
  const Twist<> V = contact_velocity(places, touch);
  const Vec3<> moving = kind == FrictionKind::slip   ? Vec3<>{0.0, V.linear.y, V.linear.z}
                        : kind == FrictionKind::roll ? Vec3<>{0.0, V.angular.y, V.angular.z}
                                                     : Vec3<>{V.angular.x, 0.0, 0.0};
  const Vec3<>& direction_A = kind == FrictionKind::slip   ? contact.slip_A
                              : kind == FrictionKind::roll ? contact.roll.about_A
                                                           : contact.spin.about_A;
  const double rounding =
      kind == FrictionKind::slip ? slowest_speed(pair, touch, places) : slowest_turn(pair, touch, places);
  return dot(touch.X_AC.rotation * moving, direction_A) + rounding;
}

ContactManifold Contacts::touching(std::size_t pair, const KinematicsWorkspace& places) const {
  const Pose<> X_AB = between(pair, places);
  ContactManifold all = manifold(pair, X_AB, tolerance(pair, places));
  if (!spec_.single_point && edge_rotation_at(pair) == 0)
    rotate_edges(pair, X_AB, approaching_rotation(pair, X_AB, places), all);
  return all;
}

ContactManifold Contacts::within_reach(std::size_t pair, const KinematicsWorkspace& places, double time) const {
  const ContactPair& of = setup_.pairs[pair];
  const auto speed = [&](int number) {
    const ContactPart& part = setup_.parts[static_cast<std::size_t>(number)];
    if (part.link < 0) return 0.0;
    const Twist<> V = velocity_of(places, {part.link, part.X_LS}, Axes::local);
    return fma(norm(V.angular), part.extent, norm(V.linear));
  };
  return manifold(pair, between(pair, places), fma(time, speed(of.a) + speed(of.b), tolerance(pair, places)));
}

/// The rotation of the patch polygons of a pair's flat ends: that of the active ones, or with a vertex where a tilted
/// edge touched.
int Contacts::edge_rotation_at(std::size_t pair) const {
  for (const ActiveContact& contact : active_)
    if (contact.pair == static_cast<int>(pair) && has_edge_contact(contact.feature)) return rotation_of(contact);
  return 0;
}

/// With a vertex where a flat end would touch first.
int Contacts::approaching_rotation(std::size_t pair, const Pose<>& X_AB, const KinematicsWorkspace& places) const {
  const ContactPair& of = setup_.pairs[pair];
  const ContactPart& a = setup_.parts[static_cast<std::size_t>(of.a)];
  const ContactPart& b = setup_.parts[static_cast<std::size_t>(of.b)];
  for (const ActiveContact& contact : active_)
    if (contact.pair == static_cast<int>(pair)) return 0;
  const Twist<> V_a = velocity_of(places, {a.link, a.X_LS}, Axes::local);
  const Twist<> V_b = velocity_of(places, {b.link, b.X_LS}, Axes::local);
  const Vec3<> omega_B = V_b.angular - transpose_times(X_AB.rotation, V_a.angular);
  // A point p of B approaches A, along the normal z, at the speed -z . (w x p).
  const ContactManifold points = contact_manifold(shape(of.a), shape(of.b), X_AB, tolerance(pair, places));
  return rotation_towards_approach(points, X_AB, omega_B);
}

void Contacts::rotate_edges(std::size_t pair, const Pose<>& X_AB, int rotation, ContactManifold& manifold) const {
  if (rotation == 0) return;
  const ContactPair& of = setup_.pairs[pair];
  int count = 0;
  for (int k = 0; k < manifold.count; ++k) {
    ContactPoint& point = manifold.points[static_cast<std::size_t>(k)];
    const std::uint64_t other = rotated_pair(point.feature, rotation);
    if (other != point.feature) {
      const auto moved = contact_point(shape(of.a), shape(of.b), X_AB, other);
      if (!moved) continue;
      point = *moved;
    }
    manifold.points[static_cast<std::size_t>(count++)] = point;
  }
  manifold.count = count;
}

bool Contacts::lies_flat(const ActiveContact& contact, const KinematicsWorkspace& places) const {
  if (spec_.single_point || !is_tilted_edge(contact.feature)) return false;
  const ContactManifold points = touching(static_cast<std::size_t>(contact.pair), places);
  for (int k = 0; k < points.count; ++k)
    if (has_edge_point(points.points[static_cast<std::size_t>(k)].feature)) return true;
  return false;
}

/// When an edge passes through flat to its other side, which is an event, the point that touched before continues up to
/// it.
ContactPoint Contacts::point_of(const ActiveContact& contact, const KinematicsWorkspace& places) const {
  const ContactPoint point = point_now(contact, places);
  if (!is_tilted_edge(point.feature) || !on_plane(point.feature)) return point;
  const Vec3<> before = edge_before(contact);
  if (norm_squared(before) == 0.0) return point;
  const std::size_t pair = static_cast<std::size_t>(contact.pair);
  const Pose<> X_AB = between(pair, places);
  constexpr double kOtherSide = -0.5;
  if (!is_flat(point, X_AB) && dot(edge_direction(point, X_AB), before) >= kOtherSide) return point;
  const ContactPair& of = setup_.pairs[pair];
  const std::uint64_t corner =
      has_edge_point(contact.feature) ? contact.feature : corner_at(contact.feature, contact.edge_at);
  const auto same = contact_point(shape(of.a), shape(of.b), X_AB, corner);
  if (!same) return point;
  ContactPoint kept = *same;
  kept.feature = contact.feature;
  return kept;
}

ContactPoint Contacts::point_now(const ActiveContact& contact, const KinematicsWorkspace& places) const {
  const std::size_t pair = static_cast<std::size_t>(contact.pair);
  const ContactPair& of = setup_.pairs[pair];
  const Pose<> X_AB = between(pair, places);
  if (!spec_.single_point) {
    const auto point = contact_point(shape(of.a), shape(of.b), X_AB, contact.feature);
    if (point && (!has_edge_point(contact.feature) || is_flat(*point, X_AB))) return *point;
    if (point && on_plane(contact.feature)) {  // tilted: the lowest point of the edge touches
      if (const auto lowest = contact_point(shape(of.a), shape(of.b), X_AB, tilted(contact.feature))) return *lowest;
    }
  }
  // The features have rotated away from each other: the nearest ones replace them.
  const ContactManifold others = manifold(pair, X_AB, __builtin_inf());
  ContactPoint nearest = others.points[0];
  for (int k = 1; k < others.count; ++k) {
    const ContactPoint& point = others.points[static_cast<std::size_t>(k)];
    if (point.distance < nearest.distance) nearest = point;
  }
  return nearest;
}

ContactFrame Contacts::contact_frame_of(std::size_t pair, const ContactPoint& point,
                                        const KinematicsWorkspace& places) const {
  const ContactPair& of = setup_.pairs[pair];
  const ContactPart& a = setup_.parts[static_cast<std::size_t>(of.a)];
  const ContactPart& b = setup_.parts[static_cast<std::size_t>(of.b)];
  const Mat3<> R = frame_along(point.normal);
  const Pose<> X_BA = inverse(between(pair, places));
  ContactFrame touch;
  touch.link_a = a.link;
  touch.link_b = b.link;
  touch.X_AC = a.X_LS * Pose<>{R, point.on_a};
  touch.X_BC = b.X_LS * (X_BA * Pose<>{R, point.on_b});
  touch.a = in_tangents(point.curvature_a, R);
  touch.b = in_tangents(point.curvature_b, R);
  touch.rolls = has(FrictionKind::roll, pair);
  touch.spins = has(FrictionKind::spin, pair);
  touch.surfaces_move = a.surface_velocity.moves() || b.surface_velocity.moves();
  if (touch.surfaces_move) {
    const auto in_contact = [](const SurfaceVelocity& on, const Pose<>& X_LC) {
      return SurfaceVelocity{transpose_times(X_LC.rotation, on.linear), transpose_times(X_LC.rotation, on.around)};
    };
    touch.surface_a = in_contact(a.surface_velocity, touch.X_AC);
    touch.surface_b = in_contact(b.surface_velocity, touch.X_BC);
  }
  return touch;
}

}  // namespace pintle
