// ContactForces: the forces at the points that touch, while it is settled who sticks and who slides.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/contact_solver.h"
#include "pintle/dynamics/response.h"
#include "pintle/simulation/contacts.h"

namespace pintle {

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

  /// After `locate`: how the contacts answer to forces. False: the mechanism has no answer.
  bool prepare(std::span<const double> q, std::span<const unsigned char> given);
  /// After `prepare`: adds to `move` (nv numbers) the least change, in the metric of M, that closes the gaps of the
  /// active contacts; gives the largest gap [m].
  double close_gaps(const Contacts& contacts, const KinematicsWorkspace& places, std::span<double> move);
  /// After `prepare`: takes from v the least that ends the speeds that active contacts do not allow.
  void stop_held(const Contacts& contacts, std::span<double> v);

  std::size_t count() const { return count_; }
  std::span<const Touch> touches() const { return {touches_.data(), count_}; }
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

  /// After `solve`: the shortest time [s] in which the direction of a slip settles, infinite where nothing slides with
  /// friction; 0 where a slip begins.
  double shortest_time() const;

  /// After `locate`: how fast the normal of a contact turns at most [rad/s].
  double fastest_turn() const;

  ContactRowsWorkspace& rows() { return rows_; }
  ResponseWorkspace& response() { return response_; }

 private:
  void solve_linear(const Contacts& contacts, bool weighted);
  void read_laws(const Contacts& contacts);
  void find_islands();
  std::size_t choose_held(const Contacts& contacts, std::size_t island);
  void solve_island(const Contacts& contacts, std::size_t island);
  bool holds(const Contacts& contacts, const TurnLaw& law) const;
  double slope(std::size_t row, std::size_t column) const;
  void change_rows(std::size_t m, std::span<double> v);
  void judge(const Contacts& contacts);
  bool solve_within_laws(const Contacts& contacts);

  const Model& model_;
  std::size_t count_ = 0;
  std::vector<Touch> touches_;
  std::vector<std::array<double, 2>> slips_;
  ContactRowsWorkspace rows_;
  ResponseWorkspace response_;
  ContactWorkspace solver_;
  std::vector<ContactLaw> laws_;
  std::vector<TurnLaw> turns_;
  std::vector<std::size_t> turn_rows_;  // the first of each
  std::vector<double> A_, f_, other_, J_, r_, x_, root_, weight_;
  std::vector<std::size_t> unknown_;
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
/// is known in the axes of link A.
std::array<double, 2> direction_of(const Vec3<>& known_A, const Touch& touch, const double* moving);

}  // namespace pintle
