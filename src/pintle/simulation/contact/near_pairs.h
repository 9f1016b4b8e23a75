// NearPairs: of all pairs of shapes that may touch, those near enough to be examined.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pintle/geometry/broad_phase/broad_phase.h"
#include "pintle/simulation/contact/contacts.h"

namespace pintle {

/// Finds them by bounding boxes around the shapes. The boxes are larger than needed, so that in most steps the shapes
/// stay within them and no search is needed. The pairs left out are those that the caller would skip anyway: a longer
/// list costs time and changes nothing, so a run's checkpoint contains nothing of it.  [eq. near-pairs]
class NearPairs {
 public:
  NearPairs() = default;
  /// `contacts` must outlive this object. `all`: every pair counts as near, as it does if there are only a few.
  NearPairs(const Contacts& contacts, bool all);

  /// Whether every pair always counts as near.
  bool all() const { return all_; }

  /// How often boxes were searched so far: without a search the near pairs stay the same.
  std::int64_t searches() const { return searches_; }

  // Each returns the indices of pairs (ContactSetup::pairs) in their order, valid until the next call.

  /// The pairs whose gap may come near zero within a step: every pair that a search for events would examine further
  /// (EventFinder), judging by the gaps and their time derivatives at both ends. First the poses and velocities at its
  /// start, then those at its end, and its length [s].
  void begin_step(const KinematicsWorkspace& places);
  std::span<const int> end_step(const KinematicsWorkspace& places, double h);

  /// Whether some shapes are thin enough that others can pass through them.
  bool any_thin() const { return any_thin_; }
  /// After `end_step`: at most how fast [m/s] a point of one shape of a pair moves against the other in that step, and
  /// the width of both together [m], which one travels when it passes through the other; infinite for half-spaces and
  /// height fields.  [eq. swept-pairs]
  double approach_speed(std::size_t pair) const;
  double width(std::size_t pair) const;

  /// The pairs that may be within the tolerance of touching (Contacts::tolerance).
  std::span<const int> at(const KinematicsWorkspace& places);

  /// The pairs that may come within the tolerance of touching in a time [s] at the present velocities.
  std::span<const int> within_reach(const KinematicsWorkspace& places, double time);

  /// The pairs whose boxes overlap, given one box for each part. The boxes of parts fixed to the world are known and
  /// not read.
  std::span<const int> within(std::span<const BoundingBox> boxes);

  /// The result of the last search.
  std::span<const int> found() const { return near_; }

 private:
  /// A ball around a shape, in the frame of its link.
  struct Ball {
    Vec3<> center{};
    double radius = 0.0;
  };
  /// The motion of a part at an instant.
  struct PartMotion {
    Mat3<> R_WL{};
    Vec3<> center{};             // of the ball, in the world
    Vec3<> velocity{}, angular{};  // [m/s] of the center, [rad/s], in world axes
    double speed = 0.0;          // [m/s] maximum over its points
  };
  /// A half-space that is fixed to the world.
  struct Plane {
    Vec3<> normal{};
    double place = 0.0;  // along the normal, with the contact tolerance
  };

  bool moves(std::size_t part) const;
  PartMotion motion_of(std::size_t part, const KinematicsWorkspace& places) const;
  double speed_between(std::size_t a, std::size_t b, const std::vector<PartMotion>& motions) const;
  bool is_above(const BoundingBox& box, const Plane& plane) const;
  bool far_from_plane(const BoxPair& parts) const;
  void search();

  const Contacts* contacts_ = nullptr;
  bool all_ = true, any_thin_ = false;
  std::int64_t searches_ = 0;
  BroadPhase broad_;
  std::vector<Ball> balls_;
  std::vector<Plane> planes_;
  std::vector<int> plane_of_;           // per part; -1: not a fixed plane
  std::vector<unsigned char> bounded_;  // per part: whether its relevant part is within a box that moves with it
  std::vector<double> widths_;          // [m] per part
  std::vector<PartMotion> from_, to_;
  std::vector<BoundingBox> needed_, kept_;
  std::vector<int> first_pair_;  // of each part, and the end
  std::vector<int> near_;
};

}  // namespace pintle
