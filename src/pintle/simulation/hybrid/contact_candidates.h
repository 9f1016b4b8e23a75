// ContactCandidates: the points that touch at the instant of a mode transition, and their speeds of separation.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "pintle/simulation/contact/near_pairs.h"
#include "pintle/simulation/hybrid/scene_system.h"
#include "pintle/simulation/system/motion.h"

namespace pintle {

inline constexpr double kAtRest = 1e-12;  ///< relative to the terms of a speed: anything slower is at rest

struct ContactCandidate {
  ActiveContact contact;
  ContactPoint point{};
  ContactFrame touch{};
  FrictionMarks rests{};  ///< a sliding or rotating motion has ended: its remaining speed is rounding
  bool plastic = false;   ///< its rebounds are truncated: it has no restitution
  bool kept = false;      ///< it would lift off, without an impact, no higher than rounding: it stays closed
  // Of its last impact:
  std::array<double, 3> impulse{};                   ///< [N s] on B in the contact frame, normal first
  double approach = 0.0, slip = 0.0, rebound = 0.0;  ///< [m/s] ImpactWorkspace
  double dissipated = 0.0;                           ///< [J]
};

class ContactCandidates {
 public:
  explicit ContactCandidates(const SceneSystem& system);

  /// Finds what touches at a state: the active contacts, and every point that is within its tolerance. `rests`: for
  /// each active contact what has just come to rest, or empty.
  void collect(const MotionState& state, std::span<const FrictionMarks> rests);

  std::size_t count() const { return candidates_.size(); }
  ContactCandidate& operator[](std::size_t c) { return candidates_[c]; }
  const ContactCandidate& operator[](std::size_t c) const { return candidates_[c]; }
  const Surface& surface(std::size_t c) const;

  /// Moves a candidate to another point of its pair.
  void migrate(std::size_t c, const ContactPoint& point);

  /// The links and the speeds of separation [m/s] of all candidates at a state.
  void read_speeds(const MotionState& state);
  double separation_speed(std::size_t c) const { return speeds_[c]; }
  /// Whether a candidate approaches, or does not separate, faster than rounding.
  bool approaches(std::size_t c) const { return speeds_[c] < 0.0 && speeds_[c] < -slowest(c); }
  bool parts_slowly(std::size_t c) const { return speeds_[c] <= 0.0 || speeds_[c] <= slowest(c); }

  /// A speed [m/s], and an angular speed [rad/s], of a candidate that is within rounding; what an impact has left of
  /// its approach is too.
  double slowest(std::size_t c) const;
  double slowest_turn(std::size_t c) const;

  /// Poses and velocities of the links, as the last caller of `kinematics` has left them.
  KinematicsWorkspace& places() { return places_; }
  const KinematicsWorkspace& places() const { return places_; }

 private:
  void add(const ActiveContact& contact, const ContactPoint& point, FrictionMarks rests);
  bool has(int pair, std::uint64_t feature) const;

  const SceneSystem& system_;
  NearPairs near_pairs_;
  KinematicsWorkspace places_;
  std::vector<ContactCandidate> candidates_;
  std::vector<double> speeds_;
};

}  // namespace pintle
