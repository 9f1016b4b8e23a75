// ContactForces: the forces at the points that touch, while it is settled who sticks and who slides.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/contact_solver.h"
#include "pintle/dynamics/response.h"
#include "pintle/simulation/contact/contacts.h"

namespace pintle {

/// Of solve_contacts in a run: what takes longer is stepped over (TimeStepping).
inline constexpr int kMaxSweeps = 2000;

class ContactForces {
 public:
  explicit ContactForces(const Model& model);

  /// Room for so many contacts, with friction against turning if wanted: allocates at a new maximum only.
  void make_room(std::size_t contacts, bool turning);

  /// Finds where the active contacts are and how they move, with places and accelerations of `kinematics`.
  void locate(const Contacts& contacts, const KinematicsWorkspace& places);

  /// After `locate`, with accelerations of all but the contacts: the forces that keep the points of the active contacts
  /// from closing in and, where they stick, from sliding; marks in `given` as in prepare_response. False: there is no
  /// answer.  [eq. contact-law]
  bool solve(const Contacts& contacts, std::span<const double> q, std::span<const unsigned char> given);

  /// After `locate`, where time was stepped over: the forces are the means of the last short step.
  void take_means(const Contacts& contacts);

  /// After `locate`: how the contacts answer to forces. False: the mechanism has no answer.
  bool prepare(std::span<const double> q, std::span<const unsigned char> given);
  /// After `prepare`: adds to `move` (nv numbers) the least change, in the metric of M, that closes the gaps of the
  /// active contacts; gives the largest gap [m].
  double close_gaps(const Contacts& contacts, const KinematicsWorkspace& places, std::span<double> move);
  /// After `prepare`: takes from v the least that ends the speeds that active contacts do not allow.
  void limit_held(const Contacts& contacts, std::span<double> v);

  std::size_t count() const { return count_; }
  std::span<const ContactFrame> touches() const { return {touches_.data(), count_}; }
  /// Of B against A in the axes of each contact [m/s], normal first.
  std::span<const double> speeds() const { return {rows_.speed.data(), rows_.rows}; }
  std::span<const double> speed_rates() const { return {rows_.rate.data(), rows_.rows}; }
  /// On B in the axes of each contact [N], normal first; then the moments [N m] of friction against turning, in the
  /// order of ContactRowsWorkspace.
  std::span<const double> forces() const { return {f_.data(), rows_.rows}; }
  /// The moment on B of friction against turning, in the axes of a contact [N m].
  Vec3<> moment(std::size_t contact) const;
  /// The unit vector, in the tangents, of the slip of a contact that slides.
  std::array<double, 2> slip(std::size_t contact) const { return slips_[contact]; }
  /// How far the forces are from breaking a law, against their own size: below zero what is settled does not hold any
  /// more, at the contact `weakest`. Where forces are not determined (four legs), `forces` become ones that obey the
  /// laws, if there are any that hold what shall be held.
  double find_margin(const Contacts& contacts);
  int weakest() const { return weakest_; }
  FrictionKind weakest_friction() const { return weakest_friction_; }

  /// After `solve`: whether nothing that slides is pulled, which would drive it.
  bool lawful() const { return lawful_; }

  /// What all calls have cost: for a solution the square of the number of contacts, for one by sweeps more.
  double work() const { return work_; }
  void set_work(double work) { work_ = work; }

  /// Which contacts are too many to be independent of each other is found by the first `solve` after this and kept: at
  /// the stages of a step, where they are closed but for the error of the method, that error would decide, by enormous
  /// forces.
  void forget_ranks();

  /// After `solve`: the shortest time [s] in which the direction of a slip settles, infinite where nothing slides with
  /// friction; 0 where a slip begins.
  double shortest_time() const;
  /// After `solve`: how slow the slips and rollings of the contacts are that settle within a time [s].
  void find_slow(double time, std::vector<ActiveContact>& contacts) const;
  /// After `solve`: takes the marks from the slips and rollings that take longer than a time [s] to settle.
  void unmark_faster(double time, std::span<FrictionMarks> marks) const;
  /// After `solve`: marks, per contact, the slips and rollings that get slower and settle within a time [s], but are
  /// more than rounding; false: none.
  bool find_ending(double time, std::span<FrictionMarks> marks) const;

  /// After `locate`: how fast the normal of a contact turns at most [rad/s].
  double fastest_turn() const;

  ContactRowsWorkspace& rows() { return rows_; }
  ResponseWorkspace& response() { return response_; }

 private:
  void solve_linear(const Contacts& contacts, bool weighted);
  void read_laws(const Contacts& contacts, const KinematicsWorkspace& places);
  void find_islands();
  std::size_t choose_held(const Contacts& contacts, std::size_t island);
  void solve_island(const Contacts& contacts, std::size_t island);
  bool holds(const Contacts& contacts, const TurnLaw& law) const;
  double slope(std::size_t row, std::size_t column) const;
  double slip_strength(std::size_t contact) const;
  double roll_strength(std::size_t turn) const;
  double mobility(std::size_t row, std::size_t column) const;
  template <class Look>
  void for_each_slip(const Look& look) const;
  void change_rows(std::size_t m, std::span<double> v);
  void release_what_pulls(const Contacts& contacts);
  double unrest(const Contacts& contacts);
  bool slides(std::size_t contact) const { return slips_[contact][0] != 0.0 || slips_[contact][1] != 0.0; }
  void judge(const Contacts& contacts);
  bool solve_within_laws(const Contacts& contacts);

  const Model& model_;
  std::size_t count_ = 0;
  std::vector<ContactFrame> touches_;
  std::vector<std::array<double, 2>> slips_;
  ContactRowsWorkspace rows_;
  ResponseWorkspace response_;
  ContactWorkspace solver_;
  std::vector<ContactLaw> laws_;
  std::vector<TurnLaw> turns_;
  std::vector<std::size_t> turn_rows_;  // the first of each
  std::vector<double> A_, f_, other_, J_, r_, x_, root_, weight_;
  std::vector<double> slowest_;  // at the first row of what slides and rolls: a speed that is no more than rounding
  std::vector<std::size_t> unknown_;
  bool lawful_ = true;
  double work_ = 0.0;
  std::vector<std::size_t> rank_;    // per island: how many of its rows are independent, at most
  std::vector<unsigned char> idle_;  // per contact: it is left without force
  std::vector<std::size_t>
      island_;  // per contact: those that feel each other, directly or through others, have one number
  std::size_t islands_ = 0;
  MinNormWorkspace linear_;
  bool spare_ = false;  // the forces are not determined
  double margin_ = 0.0;
  int weakest_ = -1;
  FrictionKind weakest_friction_ = FrictionKind::slip;
};

/// The unit vector along a motion in the tangents of a contact (`moving`: two numbers), on the side of a direction that
/// is known in the axes of link A; that direction itself where the motion is no more than `rounding`, or turns back.
std::array<double, 2> direction_of(const Vec3<>& known_A, const ContactFrame& touch, const double* moving,
                                   double rounding);

}  // namespace pintle
