#include "pintle/dynamics/values.h"

#include <string>
#include <utility>

#include "pintle/base/size.h"
#include "pintle/dynamics/center_of_mass.h"
#include "pintle/dynamics/coriolis_matrix.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/jacobian.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/dynamics/mass_matrix.h"
#include "pintle/dynamics/response.h"

namespace pintle {
namespace {

std::vector<double> per_dof(const Model& model) {
  return std::vector<double>(size(model.nv()));
}

std::vector<double> square(const Model& model) {
  return std::vector<double>(size(model.nv()) * size(model.nv()));
}

/// The result of a call, or why it has none.
Result<std::vector<double>> checked(const Model& model, const DynamicsReport& report, std::vector<double> values) {
  if (report.ok()) return values;
  if (report.singular_joint < 0)
    return make_error("dynamics-not-finite", {}, "the accelerations are not finite", "a value of the state is too large",
                      "check q, v and tau");
  const std::string& joint = model.joints()[size(report.singular_joint)].name;
  return make_error("dynamics-singular", {}, "joint '" + joint + "' moves a singular inertia",
                    "what it carries has no mass, or no inertia about its axis, in this configuration",
                    "give the bodies that it carries mass and inertia, or the joint an armature");
}

KinematicsWorkspace placed(const Model& model, std::span<const double> q, std::span<const double> v) {
  KinematicsWorkspace work(model);
  kinematics(model, q, v, per_dof(model), work);
  return work;
}

}  // namespace

std::vector<double> inverse_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                                     std::span<const double> vdot, const DynamicsOptions& options) {
  InverseDynamicsWorkspace<> work(model);
  std::vector<double> tau = per_dof(model);
  inverse_dynamics(model, q, v, vdot, work, tau, options);
  return tau;
}

Result<std::vector<double>> forward_dynamics(const Model& model, std::span<const double> q, std::span<const double> v,
                                             std::span<const double> tau, const DynamicsOptions& options) {
  ForwardDynamicsWorkspace<> work(model);
  std::vector<double> vdot = per_dof(model);
  const DynamicsReport report = forward_dynamics(model, q, v, tau, work, vdot, options);
  return checked(model, report, std::move(vdot));
}

std::vector<double> mass_matrix(const Model& model, std::span<const double> q) {
  MassMatrixWorkspace<> work(model);
  std::vector<double> M = square(model);
  mass_matrix(model, q, work, M);
  return M;
}

Result<std::vector<double>> mass_matrix_inverse(const Model& model, std::span<const double> q) {
  MassMatrixInverseWorkspace work(model);
  std::vector<double> inverse = square(model);
  const DynamicsReport report = mass_matrix_inverse(model, q, work, inverse);
  return checked(model, report, std::move(inverse));
}

std::vector<double> coriolis_matrix(const Model& model, std::span<const double> q, std::span<const double> v) {
  CoriolisMatrixWorkspace<> work(model);
  std::vector<double> C = square(model);
  coriolis_matrix(model, q, v, work, C);
  return C;
}

std::vector<double> bias_efforts(const Model& model, std::span<const double> q, std::span<const double> v) {
  InverseDynamicsWorkspace<> work(model);
  std::vector<double> h = per_dof(model);
  bias_efforts(model, q, v, work, h);
  return h;
}

std::vector<double> gravity_efforts(const Model& model, std::span<const double> q) {
  InverseDynamicsWorkspace<> work(model);
  std::vector<double> g = per_dof(model);
  gravity_efforts(model, q, work, g);
  return g;
}

std::vector<double> jacobian(const Model& model, std::span<const double> q, std::string_view place, Axes axes) {
  JacobianWorkspace work(model);
  std::vector<double> J(6 * size(model.nv()));
  jacobian(model, q, place_named(model, place), axes, work, J);
  return J;
}

Pose<> pose_of(const Model& model, std::span<const double> q, std::string_view place) {
  return pose_of(placed(model, q, per_dof(model)), place_named(model, place));
}

Twist<> velocity_of(const Model& model, std::span<const double> q, std::span<const double> v, std::string_view place,
                    Axes axes) {
  return velocity_of(placed(model, q, v), place_named(model, place), axes);
}

Vec3<> center_of_mass(const Model& model, std::span<const double> q) {
  CentroidalWorkspace scratch(model);
  return center_of_mass(model, placed(model, q, per_dof(model)), scratch).position;
}

MechanismEnergies energies(const Model& model, std::span<const double> q, std::span<const double> v) {
  EnergiesWorkspace work(model);
  return energies(model, q, v, work);
}

}  // namespace pintle
