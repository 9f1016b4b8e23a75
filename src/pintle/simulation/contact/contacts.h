// Contacts: the active contacts of a scene, their points, and the gaps of the other pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pintle/constraints/contact_rows.h"
#include "pintle/geometry/collision/contact_manifold.h"
#include "pintle/simulation/contact/contact_setup.h"

namespace pintle {

enum class ContactMode : unsigned char { sticks, slides };

/// Mode of rolling or spinning friction at a contact: whether it sticks, else the unit vector about which B rotates
/// relative to A, in the axes of link A (the world's for -1).
struct TurnMode {
  ContactMode mode = ContactMode::slides;
  Vec3<> about_A{};
  double slow = 0.0;  ///< [rad/s] ActiveContact
};

/// Which friction of a contact.
enum class FrictionKind : unsigned char { slip, roll, spin };
inline constexpr FrictionKind kFrictionKinds[] = {FrictionKind::slip, FrictionKind::roll, FrictionKind::spin};

/// A mark for each kind of friction.
struct FrictionMarks {
  bool slip = false, roll = false, spin = false;

  bool& operator[](FrictionKind kind) {
    return kind == FrictionKind::slip ? slip : kind == FrictionKind::roll ? roll : spin;
  }
  bool operator[](FrictionKind kind) const {
    return kind == FrictionKind::slip ? slip : kind == FrictionKind::roll ? roll : spin;
  }
  bool any() const { return slip || roll || spin; }
};

/// An active contact. Its modes are constant within a step; they change at events.
struct ActiveContact {
  int pair = -1;              ///< ContactSetup::pairs
  std::uint64_t feature = 0;  ///< ContactPoint::feature
  ContactMode mode = ContactMode::slides;
  /// The slip direction, a unit vector in the axes of link A (the world's for -1): the direction in which it has just
  /// broken away, later the side on which its slip is.
  Vec3<> slip_A{};
  /// [m/s] Below this speed the slip direction settles faster than steps can follow, and slip_A is used instead.
  double slow = 0.0;
  /// Slips and rotations so slow that they keep their direction for the present step (ContactForces::hold_directions).
  FrictionMarks holds_direction{};
  /// [s] How much later than it is closed it comes to rest: the duration of the rebounds that Zeno truncation left out.
  double rest_delay = 0.0;
  /// For an edge contact of a flat end tilted on a face: where it touched when the step began, a unit vector from the
  /// centre of the end in the axes of its shape.
  Vec3<> edge_at{};
  TurnMode roll{}, spin{};  ///< if its surface has such friction
  /// After time stepping: the mean force [N] and moment [N m] on B over the last short step, in its contact frame then,
  /// whose second axis was `mean_axis_A`. With events they are not used, and zero.
  Vec3<> mean_force{}, mean_moment{}, mean_axis_A{};

  bool is_point_of(const ActiveContact& other) const { return pair == other.pair && feature == other.feature; }
  ContactMode mode_of(FrictionKind kind) const {
    return kind == FrictionKind::slip ? mode : kind == FrictionKind::roll ? roll.mode : spin.mode;
  }
  void set_mode(FrictionKind kind, ContactMode to) {
    (kind == FrictionKind::slip ? mode : kind == FrictionKind::roll ? roll.mode : spin.mode) = to;
  }
  double& slow_of(FrictionKind kind) {
    return kind == FrictionKind::slip ? slow : kind == FrictionKind::roll ? roll.slow : spin.slow;
  }
  /// The direction of the slip, or the axis of the rotation.
  Vec3<>& direction_of(FrictionKind kind) {
    return kind == FrictionKind::slip ? slip_A : kind == FrictionKind::roll ? roll.about_A : spin.about_A;
  }
};

class Contacts {
 public:
  /// `setup` and `spec` must outlive this object.
  Contacts(const Model& model, const ContactSetup& setup, const ContactSpec& spec);

  const ContactSetup& setup() const { return setup_; }
  const ContactSpec& spec() const { return spec_; }
  bool any_pairs() const { return !setup_.pairs.empty(); }

  std::vector<ActiveContact>& active() { return active_; }
  std::span<const ActiveContact> active() const { return active_; }

  /// Updates the contacts to their present place (contact migration): the direction of their slip, and features that
  /// replaced others.
  void keep_up(const KinematicsWorkspace& places);

  /// The gap of a pair [m], with the poses that `kinematics` found, and its time derivative [m/s]. Active contacts do
  /// not count: the gap is that of the nearest other points, or `nothing` if there are none.
  struct Gap {
    double distance, rate, size;
  };
  static constexpr double kNothing = 1e6;
  Gap gap(std::size_t pair, const KinematicsWorkspace& places) const;

  /// The speed of an active contact along slip_A [m/s], or about its axis of rolling or spinning [rad/s], plus its
  /// rounding: below zero it is at rest.
  double speed_left(FrictionKind kind, const ActiveContact& contact, const KinematicsWorkspace& places) const;
  /// Whether a pair has friction of a kind.
  bool has(FrictionKind kind, std::size_t pair) const;
  /// Whether any pair has rolling or spinning friction.
  bool any_turning() const { return any_turning_; }

  /// The points of a pair with a gap within its tolerance.
  ContactManifold touching(std::size_t pair, const KinematicsWorkspace& places) const;
  /// The points of a pair that could close within a time [s] at the present speeds.
  ContactManifold within_reach(std::size_t pair, const KinematicsWorkspace& places, double time) const;
  /// The size of the smaller of the two shapes [m].
  double extent(std::size_t pair) const;
  /// The gap that counts as touching [m].
  double tolerance(std::size_t pair, const KinematicsWorkspace& places) const;
  /// The sizes of the two shapes and the distance of their frames [m]: the terms of the gap.
  double size(std::size_t pair, const KinematicsWorkspace& places) const;
  /// The resolution of the gap of a pair [m].
  double resolution(std::size_t pair, const KinematicsWorkspace& places) const;
  /// A speed [m/s], and an angular speed [rad/s], of a point of the pair that is within rounding.
  double slowest_speed(std::size_t pair, const ContactFrame& touch, const KinematicsWorkspace& places) const;
  double slowest_turn(std::size_t pair, const ContactFrame& touch, const KinematicsWorkspace& places) const;

  /// The point of an active contact, in the frame of shape A of its pair.
  ContactPoint point_of(const ActiveContact& contact, const KinematicsWorkspace& places) const;
  ContactPoint point_now(const ActiveContact& contact, const KinematicsWorkspace& places) const;
  /// Whether an end in edge contact at its lowest point now lies flat, and touches all around.
  bool lies_flat(const ActiveContact& contact, const KinematicsWorkspace& places) const;
  /// The contact frame of a point of a pair.
  ContactFrame contact_frame_of(std::size_t pair, const ContactPoint& point, const KinematicsWorkspace& places) const;

  const ContactShape& shape(int part) const;
  const Surface& surface(std::size_t pair) const { return setup_.pairs[pair].surface; }

 private:
  Pose<> shape_pose(int part, const KinematicsWorkspace& places) const;
  Pose<> between(std::size_t pair, const KinematicsWorkspace& places) const;
  Separation nearest(std::size_t pair, const Pose<>& X_AB) const;
  ContactManifold manifold(std::size_t pair, const Pose<>& X_AB, double margin) const;
  bool is_active(std::size_t pair, std::uint64_t feature) const;
  void rotate_edges(std::size_t pair, const Pose<>& X_AB, int rotation, ContactManifold& manifold) const;
  bool touches_alone(const ActiveContact& contact) const;
  bool is_on_active_rim(std::size_t pair, std::uint64_t feature) const;
  int edge_rotation_at(std::size_t pair) const;
  int approaching_rotation(std::size_t pair, const Pose<>& X_AB, const KinematicsWorkspace& places) const;

  const Model& model_;
  const ContactSetup& setup_;
  const ContactSpec& spec_;
  std::vector<ActiveContact> active_;
  std::vector<unsigned char> plain_;  // per part: 1 where its frame is that of its link
  bool any_turning_ = false;
};

}  // namespace pintle
