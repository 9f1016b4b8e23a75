// Contacts: which points of a scene touch at present, where they are, and how far the other pairs are apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pintle/constraints/contact_rows.h"
#include "pintle/geometry/collision/contact_manifold.h"
#include "pintle/simulation/contact/contact_setup.h"

namespace pintle {

enum class ContactMode : unsigned char { sticks, slides };

/// Friction against rolling or spinning at a contact: whether it holds, else the unit vector about which B turns
/// against A, in the axes of link A (the world's for -1).
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

/// A point that touches. The modes are constant within a step; they change at events.
struct ActiveContact {
  int pair = -1;              ///< ContactSetup::pairs
  std::uint64_t feature = 0;  ///< ContactPoint::feature
  ContactMode mode = ContactMode::slides;
  /// The direction in which it slides, a unit vector in the axes of link A (the world's for -1): where it has just come
  /// out of rest, and on which side its slip is.
  Vec3<> slip_A{};
  /// [m/s] Below this its direction settles faster than steps can follow, and slip_A is taken for it.
  double slow = 0.0;
  /// [s] How much later it comes to rest than it is closed: the sum of the hops that were too low to be told from rest.
  double rest_delay = 0.0;
  /// Of the rim of a flat end that is tilted on a face: where it touched when the step began, a unit vector from the
  /// middle of the end in the axes of its shape.
  Vec3<> rim_at{};
  TurnMode roll{}, spin{};  ///< where its surface has such friction
  /// Where time was stepped over: the force [N] and the moment [N m] on B in the mean of the last short step, in its
  /// axes then, of which the second was `mean_axis_A`. By events they are not used, and zero.
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
  /// Along which it slides, or about which it turns.
  Vec3<>& direction_of(FrictionKind kind) {
    return kind == FrictionKind::slip ? slip_A : kind == FrictionKind::roll ? roll.about_A : spin.about_A;
  }
};

class Contacts {
 public:
  /// `setup` and `spec` must outlive it.
  Contacts(const Model& model, const ContactSetup& setup, const ContactSpec& spec);

  const ContactSetup& setup() const { return setup_; }
  const ContactSpec& spec() const { return spec_; }
  bool any_pairs() const { return !setup_.pairs.empty(); }

  std::vector<ActiveContact>& active() { return active_; }
  std::span<const ActiveContact> active() const { return active_; }

  /// Follows the contacts to where they are now: the direction of their slip, and features that took the place of
  /// others.
  void keep_up(const KinematicsWorkspace& places);

  /// How far the two shapes of a pair are apart [m], with places that `kinematics` found, and how fast that changes
  /// [m/s]. Points that touch already do not count: it is then about the nearest others, or `nothing` where there are
  /// none.
  struct Gap {
    double distance, rate, size;
  };
  static constexpr double kNothing = 1e6;
  Gap gap(std::size_t pair, const KinematicsWorkspace& places) const;

  /// How fast an active contact slides along slip_A [m/s], or turns about its axis of rolling or spinning [rad/s], and
  /// as much as rounding above that: below zero it is at rest.
  double speed_left(FrictionKind kind, const ActiveContact& contact, const KinematicsWorkspace& places) const;
  /// Whether there is friction of a kind in a pair.
  bool has(FrictionKind kind, std::size_t pair) const;
  /// Whether any pair has friction against rolling or spinning.
  bool any_turning() const { return any_turning_; }

  /// The points of a pair that are no farther apart than its tolerance.
  ContactManifold touching(std::size_t pair, const KinematicsWorkspace& places) const;
  /// The points of a pair that its shapes, as fast as they are, could close within a time [s].
  ContactManifold within_reach(std::size_t pair, const KinematicsWorkspace& places, double time) const;
  /// The size of the smaller of the two shapes [m].
  double extent(std::size_t pair) const;
  /// How near counts as touching [m].
  double tolerance(std::size_t pair, const KinematicsWorkspace& places) const;
  /// The sizes of the two shapes and the distance of their frames [m]: what its distance is computed from.
  double size(std::size_t pair, const KinematicsWorkspace& places) const;
  /// What a distance of the pair cannot resolve [m].
  double resolution(std::size_t pair, const KinematicsWorkspace& places) const;
  /// A speed [m/s], and a turning [rad/s], of a point of the pair that is no more than rounding.
  double slowest_speed(std::size_t pair, const ContactFrame& touch, const KinematicsWorkspace& places) const;
  double slowest_turn(std::size_t pair, const ContactFrame& touch, const KinematicsWorkspace& places) const;

  /// The point of an active contact, in the frame of the shape A of its pair.
  ContactPoint point_of(const ActiveContact& contact, const KinematicsWorkspace& places) const;
  ContactPoint point_now(const ActiveContact& contact, const KinematicsWorkspace& places) const;
  /// Whether a rim that touched in its lowest point now lies flat, and touches in points all around.
  bool lies_flat(const ActiveContact& contact, const KinematicsWorkspace& places) const;
  /// A point of a pair as a Touch of links.
  ContactFrame contact_frame_of(std::size_t pair, const ContactPoint& point, const KinematicsWorkspace& places) const;

  const ContactShape& shape(int part) const;
  const Surface& surface(std::size_t pair) const { return setup_.pairs[pair].surface; }

 private:
  Pose<> shape_pose(int part, const KinematicsWorkspace& places) const;
  Pose<> between(std::size_t pair, const KinematicsWorkspace& places) const;
  Separation nearest(std::size_t pair, const Pose<>& X_AB) const;
  ContactManifold manifold(std::size_t pair, const Pose<>& X_AB, double margin) const;
  bool is_active(std::size_t pair, std::uint64_t feature) const;
  void turn_rims(std::size_t pair, const Pose<>& X_AB, int turn, ContactManifold& manifold) const;
  bool touches_alone(const ActiveContact& contact) const;
  bool is_on_active_rim(std::size_t pair, std::uint64_t feature) const;
  int rim_turn_at(std::size_t pair) const;
  int approaching_turn(std::size_t pair, const Pose<>& X_AB, const KinematicsWorkspace& places) const;

  const Model& model_;
  const ContactSetup& setup_;
  const ContactSpec& spec_;
  std::vector<ActiveContact> active_;
  std::vector<unsigned char> plain_;  // per part: 1 where its frame is that of its link
  bool any_turning_ = false;
};

}  // namespace pintle
