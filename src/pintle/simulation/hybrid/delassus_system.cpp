#include "pintle/simulation/hybrid/delassus_system.h"

#include "pintle/base/size.h"
#include "pintle/math/scalar.h"

namespace pintle {

DelassusSystem::DelassusSystem(const SceneSystem& system)
    : system_(system), jacobian_(system.model(), 0, 0, limited_dofs(system.model())), response_(system.model()) {}

bool DelassusSystem::make_room(std::size_t contacts) {
  if (contacts <= max_contacts_ && !A_.empty()) return false;
  if (contacts > max_contacts_) max_contacts_ = contacts;
  max_turns_ = system_.contacts().any_turning() ? max_contacts_ : 0;
  max_joints_ = jacobian_.max_limit_rows;
  const std::size_t n = 3 * max_contacts_ + 3 * max_turns_ + max_joints_;
  contacts_.reserve(max_contacts_);
  touches_.reserve(max_contacts_);
  joints_.reserve(max_joints_);
  jacobian_ = ContactRowsWorkspace(system_.model(), max_contacts_, 3 * max_turns_, limited_dofs(system_.model()));
  A_.resize(n * n);
  b_.resize(n);
  f_.resize(n);
  return true;
}

void DelassusSystem::clear() {
  contacts_.clear();
  touches_.clear();
  joints_.clear();
}

void DelassusSystem::add_contact(std::size_t candidate, const ContactFrame& touch) {
  contacts_.push_back(candidate);
  touches_.push_back(touch);
}

DynamicsReport DelassusSystem::assemble(const KinematicsWorkspace& places, std::span<const double> q,
                                        RowDerivatives derivatives) {
  const Model& model = system_.model();
  contact_rows(model, places, touches_, jacobian_, derivatives);
  const DynamicsReport prepared = prepare_response(model, q, response_, system_.prescribed());
  if (prepared.ok()) contact_delassus(model, joints_, response_, jacobian_, A());
  return prepared;
}

void DelassusSystem::assemble_flight(const KinematicsWorkspace& places) {
  const std::size_t n = 3 * contacts_.size();
  system_.assemble_contacts(touches_, places, jacobian_, std::span(A_).first(n * n));
}

void DelassusSystem::apply_inverse_mass(std::span<double> jump) const {
  for (std::size_t i = 0; i < jump.size(); ++i) {
    jump[i] = 0.0;
    for (std::size_t row = 0; row < count(); ++row)
      jump[i] = fma(jacobian_.responses[row * jacobian_.nv + i], f_[row], jump[i]);
  }
}

void DelassusSystem::efforts(std::span<double> tau) const {
  for (std::size_t i = 0; i < tau.size(); ++i) {
    tau[i] = 0.0;
    for (std::size_t row = 0; row < jacobian_.rows; ++row)
      tau[i] = fma(jacobian_.J[row * jacobian_.nv + i], f_[row], tau[i]);
  }
  for (std::size_t s = 0; s < joints_.size(); ++s)
    tau[size(joints_[s].dof)] += joints_[s].sign * f_[jacobian_.rows + s];
}

}  // namespace pintle
