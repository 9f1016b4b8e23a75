// DelassusSystem: the contacts and joints that take part in an impact or in an active set, as one linear system
//
//   w = A f + b,   A = J M^-1 J^T
//
// with impulses f and speeds w in an impact, else forces f and accelerations w. Rows: three for each contact (normal,
// two tangents), then spinning (one) and rolling friction (two) for those that have it, then one for each joint that
// friction or a limit may hold.  [eq. delassus]
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/contact_rows.h"
#include "pintle/simulation/hybrid/scene_system.h"

namespace pintle {

class DelassusSystem {
 public:
  explicit DelassusSystem(const SceneSystem& system);

  /// Reserves memory for so many contacts, and for two rows of each independent dof. True if it had to grow.
  bool make_room(std::size_t contacts);
  std::size_t max_contacts() const { return max_contacts_; }
  std::size_t max_turns() const { return max_turns_; }  ///< contacts with rolling or spinning friction
  std::size_t max_joints() const { return max_joints_; }

  // The contacts and joints that take part.
  void clear();
  void add_contact(std::size_t candidate, const ContactFrame& touch);
  void add_joint(std::size_t dof, double sign) { joints_.push_back({static_cast<int>(dof), sign}); }
  std::span<const std::size_t> contacts() const { return contacts_; }  ///< indices in ContactCandidates
  std::span<const ContactFrame> touches() const { return touches_; }
  std::span<const DofRow> joints() const { return joints_; }
  bool empty() const { return contacts_.empty() && joints_.empty(); }

  /// J, J v and A after `kinematics` at q, with the time derivatives of J v if wanted. Not ok if a joint has no
  /// inertia.
  DynamicsReport assemble(const KinematicsWorkspace& places, std::span<const double> q, RowDerivatives derivatives);
  /// The same if all bodies fly and no joint takes part.
  void assemble_flight(const KinematicsWorkspace& places);

  std::size_t count() const { return jacobian_.rows + joints_.size(); }
  const ContactRowsWorkspace& jacobian() const { return jacobian_; }
  std::span<double> A() { return std::span(A_).first(count() * count()); }
  std::span<const double> A() const { return std::span(A_).first(count() * count()); }
  std::span<double> b() { return std::span(b_).first(count()); }
  std::span<const double> b() const { return std::span(b_).first(count()); }
  std::span<double> f() { return std::span(f_).first(count()); }
  std::span<const double> f() const { return std::span(f_).first(count()); }

  /// J^T f and M^-1 J^T f, per independent dof.
  void efforts(std::span<double> tau) const;
  void apply_inverse_mass(std::span<double> jump) const;
  /// M^-1 at the last `assemble`.
  ResponseWorkspace& response() { return response_; }

 private:
  const SceneSystem& system_;
  std::size_t max_contacts_ = 0, max_turns_ = 0, max_joints_ = 0;
  std::vector<std::size_t> contacts_;
  std::vector<ContactFrame> touches_;
  std::vector<DofRow> joints_;
  ContactRowsWorkspace jacobian_;
  ResponseWorkspace response_;
  std::vector<double> A_, b_, f_;
};

}  // namespace pintle
