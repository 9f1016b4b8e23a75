// ContactForces: the forces at the active contacts, while it is fixed which of them stick and which slide.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "pintle/constraints/cone_forces.h"
#include "pintle/constraints/contact_solver.h"
#include "pintle/dynamics/response.h"
#include "pintle/simulation/contact/contacts.h"

namespace pintle {

/// Maximum sweeps of solve_contacts in a run: what needs more is left to time stepping.
inline constexpr int kMaxSweeps = 2000;

/// What so many multiplications of a solver cost, in units of ContactForces::work: whole ones, so that sums are exact.
inline double solver_work(double multiplications) {
  return std::floor(1e-3 * multiplications);
}

class ContactForces {
 public:
  explicit ContactForces(const Model& model);

  /// Reserves memory for so many contacts, with rolling and spinning friction if wanted: allocates at a new maximum
  /// only.
  void make_room(std::size_t contacts, bool turning);

  /// Finds the frames and velocities of the active contacts, with the poses and accelerations of `kinematics`.
  void locate(const Contacts& contacts, const KinematicsWorkspace& places);

  /// After `locate`: whether a contact is no longer one. Its features have left each other, as of a body that has slid over
  /// an edge, and the nearest ones that stand for them move apart or into each other, not along.
  bool has_departed(std::size_t contact) const;

  /// After `locate`, with the accelerations caused by everything but the contacts: the forces that keep the active
  /// contacts closed and, where they stick, from sliding; `given` marks prescribed and held dofs as in
  /// prepare_response. False: there is no solution.  [eq. contact-law]
  bool solve(const Contacts& contacts, std::span<const double> q, std::span<const unsigned char> given);

  /// After `locate`: prepares A = J M^-1 J^T of the contacts. False: the mechanism has no M^-1.
  bool prepare(std::span<const double> q, std::span<const unsigned char> given);
  /// After `prepare`: adds to `move` (nv values) the least change, in the metric of M, that closes the gaps of the
  /// active contacts; returns the largest gap [m].
  double close_gaps(const Contacts& contacts, const KinematicsWorkspace& places, std::span<double> move);
  /// After `prepare`: projects out of v the velocities that active contacts do not allow, by the least change.
  void limit_held(const Contacts& contacts, std::span<double> v);

  std::size_t count() const { return count_; }
  std::span<const ContactFrame> touches() const { return {touches_.data(), count_}; }
  /// Velocity of B relative to A in the contact frame of each contact [m/s], normal first.
  std::span<const double> speeds() const { return {rows_.speed.data(), rows_.rows}; }
  std::span<const double> speed_rates() const { return {rows_.rate.data(), rows_.rows}; }
  /// On B in the contact frame of each contact [N], normal first; then the moments [N m] of rolling and spinning
  /// friction, in the order of ContactRowsWorkspace.
  std::span<const double> forces() const { return {f_.data(), rows_.rows}; }
  /// The moment on B of rolling and spinning friction, in the contact frame [N m].
  Vec3<> moment(std::size_t contact) const;
  /// The direction of the slip of a sliding contact: a unit vector in the tangents.
  std::array<double, 2> slip(std::size_t contact) const { return slips_[contact]; }
  /// The margin of the forces to the limit of a law, relative to their own size: below zero the modes are no longer
  /// valid, first at the contact `weakest`. Where forces are not determined (four legs), `forces` become ones that obey
  /// the laws, if there are any that satisfy the active constraints.
  double find_margin(const Contacts& contacts);
  int weakest() const { return weakest_; }
  FrictionKind weakest_friction() const { return weakest_friction_; }

  /// After `solve`: the number of independent rows that are held.
  std::size_t rank() const;

  /// After `solve`: whether no sliding contact has tension, which would drive the slip.
  bool lawful() const { return lawful_; }

  /// The cost of all calls: the square of the number of contacts for each solution, and what iterations took
  /// (solver_work).
  double work() const { return work_; }
  void set_work(double work) { work_ = work; }

  /// The first `solve` after this call finds which contacts are redundant, and later calls keep that choice. At the
  /// stages of a step gaps are closed only up to the error of the method; that error would otherwise decide, with
  /// enormous forces.
  void forget_ranks();

  /// After `solve`: sets `slow`, below which the slips and rotations of the contacts settle within a time [s].
  void find_slow(double time, std::vector<ActiveContact>& contacts) const;
  /// After `solve`: unmarks the slips and rotations that take longer than a time [s] to settle.
  void unmark_faster(double time, std::span<FrictionMarks> marks) const;
  /// After `solve`: marks, per contact, the slips and rotations that slow down and settle within a time [s], but exceed
  /// rounding; false: none.
  bool find_ending(double time, std::span<FrictionMarks> marks) const;
  /// After `solve`: slips and rolls that begin, with a speed within rounding, get the direction d || w(d) in which
  /// friction lets them accelerate; false: there are none.  [eq. slow-slip]
  bool settle_beginning(Contacts& contacts);
  /// After `solve`, before a step of length h [s]: marks slips and rotations that keep their direction in it
  /// (ActiveContact::holds_direction), and those that last but settle faster than explicit steps can follow, with the
  /// settled direction.  [eq. slow-slip]
  void hold_directions(double h, Contacts& contacts);
  /// After that, and `solve` about the end of the step: unmarks those that do not keep their direction until then.
  void release_rotating(double h, Contacts& contacts);
  /// After both: how long [s] the step may be to follow those that rotate while they end.
  double followed_step() const;
  /// After both: the error of speeds [m/s] and angular speeds [rad/s] because settled directions rotate in the step.
  double held_error(double h) const;

  /// After `locate`: the maximum angular speed [rad/s] of the normal of a contact, and at which an edge contact
  /// migrates around its edge.
  double fastest_turn() const { return fastest_turn_; }

  ContactRowsWorkspace& rows() { return rows_; }
  ResponseWorkspace& response() { return response_; }

 private:
  /// Relative to the terms of an acceleration: less counts as zero.
  static constexpr double kHeld = 1e-9;

  void solve_linear(const Contacts& contacts, bool weighted);
  void read_laws(const Contacts& contacts, const KinematicsWorkspace& places);
  void find_islands();
  std::size_t choose_held(const Contacts& contacts, std::size_t island);
  void solve_island(const Contacts& contacts, std::size_t island);
  bool holds(const Contacts& contacts, const MomentLaw& law) const;
  double slope(std::size_t row, std::size_t column) const;
  double slip_strength(std::size_t contact) const;
  double roll_strength(std::size_t turn) const;
  double mobility(std::size_t row, std::size_t column) const;
  /// Friction that slides or rolls.
  struct Slip {
    std::size_t contact;
    FrictionKind kind;
    std::size_t row;   // the first of its two rows
    std::size_t turn;  // of rolling: in turns_
    double speed;      // [m/s], [rad/s]
    double strength;   // the maximum effect of friction on it [m/s^2], [rad/s^2]
  };
  struct SlowSlip {
    Slip slip;
    bool stiff;           // it settles faster than a step can follow
    bool straight;        // it keeps its direction
    bool lasts;           // until the end of the step
    double longest_step;  // [s] that can follow it while it ends
    double end;           // its speed at the end of the step
  };
  template <class Look>
  void for_each_slip(const Look& look) const;
  std::array<double, 2> acceleration(const Slip& slip) const;
  std::array<double, 2> direction(const Slip& slip) const;
  void set_direction(const Slip& slip, const std::array<double, 2>& to);
  void hold_direction(const Slip& slip, const std::array<double, 2>& d, Contacts& contacts) const;
  void settle_directions(double h, int max_solutions, const Contacts& contacts);
  void change_rows(std::size_t m, std::span<double> v);
  void release_what_pulls(const Contacts& contacts);
  double unrest(const Contacts& contacts);
  bool slides(std::size_t contact) const { return slips_[contact][0] != 0.0 || slips_[contact][1] != 0.0; }
  void judge(const Contacts& contacts);
  bool solve_within_laws(const Contacts& contacts);
  bool move_into_laws(const Contacts& contacts, std::size_t island);
  void collect_cones(const Contacts& contacts, std::size_t island, std::size_t m);
  bool keeps_force(std::size_t row) const;

  const Model& model_;
  std::size_t count_ = 0;
  std::vector<ContactFrame> touches_;
  std::vector<std::array<double, 2>> slips_;
  ContactRowsWorkspace rows_;
  ResponseWorkspace response_;
  ContactWorkspace solver_;
  std::vector<ContactLaw> laws_;
  std::vector<MomentLaw> turns_;
  std::vector<std::size_t> turn_rows_;  // the first of each
  std::vector<double> A_, f_, other_, J_, r_, x_, root_, weight_;
  std::vector<unsigned char> replaced_;  // per contact: by other features than its own
  std::vector<double> slowest_;  // at the first row of what slides or rotates: a speed within rounding
  std::vector<std::size_t> unknown_;
  std::vector<SlowSlip> slow_slips_;
  bool lawful_ = true;
  double work_ = 0.0;
  std::vector<std::size_t> rank_;    // per island: its maximum number of independent rows
  std::vector<unsigned char> idle_;  // per contact: it is left without force
  std::vector<std::size_t>
      island_;  // per contact: contacts coupled to each other, directly or through others, have the same value
  std::size_t islands_ = 0;
  MinNormWorkspace linear_;
  ConeWorkspace cone_work_;
  std::vector<ForceCone> cones_;
  bool spare_ = false;  // the forces are not determined
  double fastest_turn_ = 0.0;
  double margin_ = 0.0;
  int weakest_ = -1;
  FrictionKind weakest_friction_ = FrictionKind::slip;
};

/// The unit vector along a motion in the tangents of a contact (`moving`: two components), on the side of a direction
/// that is known in the axes of link A; that direction itself if the motion is within `rounding`, or reverses.
std::array<double, 2> direction_of(const Vec3<>& known_A, const ContactFrame& touch, const double* moving,
                                   double rounding);

}  // namespace pintle
