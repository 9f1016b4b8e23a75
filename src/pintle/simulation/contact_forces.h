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

  /// Room for so many contacts: allocates at a new maximum only.
  void make_room(std::size_t contacts);

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
  std::span<const double> speeds() const { return {rows_.speed.data(), 3 * count_}; }
  std::span<const double> speed_rates() const { return {rows_.rate.data(), 3 * count_}; }
  /// On B in the axes of each contact [N], normal first.
  std::span<const double> forces() const { return {f_.data(), 3 * count_}; }
  /// The unit vector, in the tangents, of the slip of a contact that slides.
  std::array<double, 2> slip(std::size_t contact) const { return slips_[contact]; }
  /// How far the forces are from breaking a law, against their own size: below zero what is settled does not hold any
  /// more, at the contact `weakest`. Where forces are not determined (four legs), `forces` become ones that obey the
  /// laws, if there are any that hold what shall be held.
  double find_margin(const Contacts& contacts);
  int weakest() const { return weakest_; }

  /// After `solve`: the shortest time [s] in which the direction of a slip settles, infinite where nothing slides with
  /// friction; 0 where a slip begins.
  double shortest_time() const;

  ContactRowsWorkspace& rows() { return rows_; }
  ResponseWorkspace& response() { return response_; }

 private:
  void solve_linear(const Contacts& contacts, bool weighted);
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
  std::vector<double> A_, f_, other_, J_, r_, x_, root_, weight_;
  std::vector<std::size_t> unknown_;
  MinNormWorkspace linear_;
  bool spare_ = false;  // the forces are not determined
  double margin_ = 0.0;
  int weakest_ = -1;
};

/// The unit vector of the slip of a contact in its tangents, on the side that it slides to; zeros where it sticks.
std::array<double, 2> slip_direction(const ActiveContact& contact, const Touch& touch, const double* speed);

}  // namespace pintle
