// NearPairs: of all pairs of shapes that may touch, the ones that are near enough to be looked at.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pintle/geometry/broad_phase/broad_phase.h"
#include "pintle/simulation/contact/contacts.h"

namespace pintle {

/// Finds them by boxes around the shapes, larger than needed, so that most steps find the shapes within the boxes they
/// had and need no search. What it leaves out would be left alone by those who ask: a longer list costs time and
/// changes nothing, so no memory of it is part of a run.  [eq. near-pairs]
class NearPairs {
 public:
  NearPairs() = default;
  /// `contacts` must outlive it. `all`: every pair counts as near, as it does where there are only a few.
  NearPairs(const Contacts& contacts, bool all);

  /// Whether every pair counts as near, always.
  bool all() const { return all_; }

  /// How often boxes were searched so far: without a search the near pairs are the same.
  std::int64_t searches() const { return searches_; }

  // Each gives the numbers of pairs (ContactSetup::pairs) in their order, until the next call.

  /// Those whose gap may come near zero within a step: every pair of which a search for events by the gaps at its ends,
  /// and their rates there, would look at more (EventFinder). First the places and velocities at its start, then those
  /// at its end, and its length [s].
  void begin_step(const KinematicsWorkspace& places);
  std::span<const int> end_step(const KinematicsWorkspace& places, double h);

  /// Those that may be within the tolerance of touching (Contacts::tolerance).
  std::span<const int> at(const KinematicsWorkspace& places);

  /// Those of which the boxes of the shapes share a point, with one box for each part. Those of parts that are fixed
  /// to the world are known and not read.
  std::span<const int> within(std::span<const BoundingBox> boxes);

  /// What was found last.
  std::span<const int> found() const { return near_; }

 private:
  /// A ball around a shape, in the frame of its link.
  struct Ball {
    Vec3<> center{};
    double radius = 0.0;
  };
  /// How a part moves at an instant.
  struct Course {
    Mat3<> R_WL{};
    Vec3<> center{};     // of the ball, in the world
    double speed = 0.0;  // [m/s] of its points at most
  };
  /// A half-space that is fixed to the world.
  struct Plane {
    Vec3<> normal{};
    double place = 0.0;  // along the normal, with what is not told from touching
  };

  bool moves(std::size_t part) const;
  Course course_of(std::size_t part, const KinematicsWorkspace& places) const;
  bool is_above(const BoundingBox& box, const Plane& plane) const;
  bool far_from_plane(const BoxPair& parts) const;
  void search();

  const Contacts* contacts_ = nullptr;
  bool all_ = true;
  std::int64_t searches_ = 0;
  BroadPhase broad_;
  std::vector<Ball> balls_;
  std::vector<Plane> planes_;
  std::vector<int> plane_of_;           // per part; -1: it is none that is fixed
  std::vector<unsigned char> bounded_;  // per part: whether all of it that counts is within a box that moves with it
  std::vector<Course> from_;
  std::vector<BoundingBox> needed_, kept_;
  std::vector<int> first_pair_;  // of each part, and the end
  std::vector<int> near_;
};

}  // namespace pintle
