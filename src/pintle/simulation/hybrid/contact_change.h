// ContactChange: what happens at an instant when points of contact meet, come to rest, or can no longer be held; with
// the joints that stand at stops or stick, for all of them feel each other.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/contact_certificate.h"
#include "pintle/constraints/impact_solver.h"
#include "pintle/constraints/stop_side.h"
#include "pintle/simulation/contact/near_pairs.h"
#include "pintle/simulation/hybrid/scene_system.h"
#include "pintle/simulation/recording/recording.h"
#include "pintle/simulation/system/motion.h"

namespace pintle {

/// A point that touches at the instant of a change.
struct ContactCandidate {
  ActiveContact contact;
  ContactPoint point{};
  Touch touch{};
  bool was_active = false;
  FrictionMarks rests{};  ///< a motion against friction has come to an end: what is left of it is rounding
  bool plastic = false;   ///< a rebound would not rise above rounding
  bool kept = false;      ///< it would hop, without a blow, no higher than rounding
  bool closed = false;    ///< it stays closed: its normal speed is zero
  // Of its last blow:
  std::array<double, 3> impulse{};                   ///< [N s] on B in the axes of the contact, normal first
  double approach = 0.0, slip = 0.0, rebound = 0.0;  ///< [m/s] ImpactWorkspace
  double lost = 0.0;                                 ///< [J]
};

struct [[nodiscard]] ContactChangeReport {
  bool ok = true;
  bool impact = false;
  bool jammed = false;  ///< Coulomb's law had no answer; an impact without collision gave one
  bool cut_short = false;
  double scale = 1.0;  ///< ImpactReport
  double residual = 0.0;
  int joint = -1;
};

class ContactChange {
 public:
  explicit ContactChange(SceneSystem& system);

  /// Finds what touches at a state: the active contacts, and every point that is within its tolerance. `rests`: for
  /// each active contact what has just come to rest, or none at all.
  void collect(const MotionState& state, std::span<const FrictionMarks> rests);

  /// Whether a point closes in.
  bool approaches(const MotionState& state);

  /// The blows of the points that close in, and of freedoms that move into their stops (`sides`), until none does. The
  /// velocities of `state` jump.  [eq. several-impacts]
  bool strike(std::span<const StopSide> sides, MotionState& state, ContactChangeReport& report);

  /// After `strike`, with the speeds that it has left: who holds, slides and leaves, of contacts and joints together.
  /// Sets the active contacts and the modes of the system. Freedoms are held as `sides` and the friction of the joints
  /// allow. `vdot` become the accelerations.  [eq. contact-law]
  bool decide(std::span<const StopSide> sides, MotionState& state, std::span<double> vdot, ContactChangeReport& report);

  /// Marks the contacts that rebound too little to be told from rest; false: no new ones.
  bool mark_short_hops(const MotionState& state, std::span<const double> vdot);

  /// Tells a sink about every blow of the last `strike`s, and forgets them.
  std::span<const ImpactRecord> impacts() const { return impacts_; }
  void forget_impacts();

  /// Of the blows at stops: impulse [N m s or N s] and work [J] of each freedom; of contacts the work in all.
  std::span<const double> stop_impulses() const { return stop_impulses_; }
  std::span<const double> blow_work() const { return blow_work_; }
  double contact_work() const { return contact_work_; }

 private:
  void read_speeds(const MotionState& state);
  void make_room(std::size_t contacts);
  double slowest(std::size_t c) const;
  bool parts_slowly(std::size_t c) const;
  double slowest_turn(std::size_t c) const;
  void choose_struck(std::span<const StopSide> sides, const MotionState& state);
  bool pose_blow(std::span<const StopSide> sides, const MotionState& state, bool plastic, ContactChangeReport& report);
  ImpactReport solve_blow();
  void book_prescribed(std::span<const double> P, const MotionState& state);
  void apply_blow(std::span<const double> P, MotionState& state);
  void certify_blow(const MotionState& state, const ImpactReport& blow, ImpactRule rule);
  void record_blows(const MotionState& state, const ImpactReport& blow);
  bool solve_forces(std::span<const StopSide> sides, MotionState& state, std::span<double> vdot,
                    ContactChangeReport& report);
  bool none_chosen() const { return chosen_.empty() && bars_.empty(); }
  bool release_all(const MotionState& state, std::span<double> vdot);
  std::size_t choose_held(std::span<const StopSide> sides, const MotionState& state);
  bool pose_forces(const MotionState& state, std::span<const double> vdot, ContactChangeReport& report);
  void pose_friction(std::size_t a);
  void settle_modes(std::span<const StopSide> sides, std::size_t friction_bars);
  void settle_turning(std::size_t a, ActiveContact& active) const;
  bool release_weakest();
  bool solve_with_rims(std::span<const StopSide> sides, MotionState& state, std::span<double> vdot,
                       ContactChangeReport& report);
  struct RimSearch;
  struct Octagon;
  bool octagon_of(std::size_t candidate, Octagon& octagon) const;
  bool turn_octagon(const Octagon& octagon, int place);
  bool turn_rims(RimSearch& search);
  bool turn_rims_to_approach();
  bool rest_of_rim_hops(std::size_t candidate, double resolution) const;
  bool strike_jammed(std::size_t contact, MotionState& state, ContactChangeReport& report);

  SceneSystem& system_;
  NearPairs near_pairs_;
  std::vector<ContactCandidate> candidates_;
  std::size_t room_ = 0;
  ContactRowsWorkspace rows_;
  KinematicsWorkspace places_;
  ResponseWorkspace response_;
  ImpactWorkspace impact_;
  ContactWorkspace solver_;
  FreedomModes modes_;
  std::vector<Touch> touches_;
  std::vector<std::size_t> chosen_;  // candidates that take part
  std::vector<FreedomRow> bars_;
  std::vector<double> speeds_;  // of the candidates along their normals [m/s]
  std::vector<double> A_, b_, P_, restitution_, friction_, lower_, upper_, zero_, efforts_, jump_, carried_;
  std::vector<ContactLaw> laws_;
  std::vector<TurnLaw> turns_;
  std::vector<signed char> released_joint_;
  std::vector<unsigned char> forced_open_;
  std::vector<FrictionMarks> forced_;  // friction that could not hold
  std::vector<double> stop_impulses_, blow_work_;
  double contact_work_ = 0.0;
  std::vector<ImpactRecord> impacts_;
  ImpactCertificateWorkspace checks_;
  ImpactVerdict verdict_;  // of the last blow
  bool gains_ = false;     // likewise
  std::vector<double> v_before_, stop_efforts_;
  std::vector<double> extra_rate_;
};

}  // namespace pintle
