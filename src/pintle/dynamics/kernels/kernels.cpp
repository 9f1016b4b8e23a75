// Compiled once per instruction set.
#include "pintle/dynamics/kernels/kernels.h"

#include "pintle/dynamics/aligned/aligned_centroidal_impl.h"
#include "pintle/dynamics/aligned/aligned_coriolis_impl.h"
#include "pintle/dynamics/aligned/aligned_energies_impl.h"
#include "pintle/dynamics/aligned/aligned_jacobian_impl.h"
#include "pintle/dynamics/plan/planned_mass_inverse_impl.h"
#include "pintle/dynamics/recursions/forward_dynamics_impl.h"
#include "pintle/dynamics/recursions/inverse_dynamics_impl.h"
#include "pintle/dynamics/recursions/kinematics_impl.h"
#include "pintle/dynamics/recursions/mass_matrix_factor_impl.h"
#include "pintle/dynamics/recursions/mass_matrix_impl.h"
#include "pintle/math/elementary_impl.h"

namespace pintle::inline PINTLE_ISA {
namespace {

bool inverse_on_plan(const PlanView<double>& plan, const double* q, std::byte* memory, double* inverse) {
  return planned_mass_matrix_inverse<double>(plan, q, inverse_memory<double>(plan, memory, inverse), inverse);
}

void kinematics(const LinkTree& tree, const double* q, const double* v, const double* vdot,
                const TreeMotion<double>& motion, Pose<>* X_WL, Twist<>* A) {
  kinematics_kernel<double>(tree, q, v, vdot, {motion, X_WL, A});
}

void first_order_kinematics(const LinkTree& tree, const double* q, const double* v, const TreeMotion<double>& motion,
                            Pose<>* X_WL) {
  kinematics_kernel<double, KinematicsExtent::first_order>(tree, q, v, nullptr, {motion, X_WL, nullptr});
}

void jacobian(const LinkTree& tree, const double* q, int link, const Pose<>& X_LF, Axes axes, std::byte* memory,
              double* J) {
  Arena cutter(memory);
  aligned_jacobian<double>(tree, q, link, X_LF, axes, take_jacobian_memory<double>(tree, cutter), J);
}
void jacobian_columns(const LinkTree& tree, const double* q, std::byte* memory, double* J) {
  Arena cutter(memory);
  aligned_columns<double>(tree, q, take_jacobian_memory<double>(tree, cutter), J);
}
std::size_t jacobian_bytes(const LinkTree& tree) {
  Arena counter(nullptr);
  take_jacobian_memory<double>(tree, counter);
  return counter.used();
}

void centroidal(const LinkTree& tree, const double* q, std::byte* memory, double* A_G, double& mass, Vec3<>& center,
                SymMat3<>& inertia) {
  Arena cutter(memory);
  const SpatialInertia<> whole = aligned_centroidal<double>(tree, q, take_centroidal_memory<double>(tree, cutter), A_G);
  mass = whole.mass;
  center = whole.first_moment;
  inertia = whole.inertia;
}
std::size_t centroidal_bytes(const LinkTree& tree) {
  Arena counter(nullptr);
  take_centroidal_memory<double>(tree, counter);
  return counter.used();
}

void energies(const LinkTree& tree, const double* q, const double* v, std::byte* memory, double* found) {
  Arena cutter(memory);
  aligned_energies<double>(tree, q, v, take_energies_memory<double>(tree, cutter), found);
}
std::size_t energies_bytes(const LinkTree& tree) {
  Arena counter(nullptr);
  take_energies_memory<double>(tree, counter);
  return counter.used();
}

void coriolis(const LinkTree& tree, const double* q, const double* v, std::byte* memory, double* C) {
  Arena cutter(memory);
  aligned_coriolis_matrix<double>(tree, q, v, take_coriolis_memory<double>(tree, cutter), C);
}
std::size_t coriolis_bytes(const LinkTree& tree) {
  Arena counter(nullptr);
  take_coriolis_memory<double>(tree, counter);
  return counter.used();
}

constexpr DynamicsKernels kKernels = {.inverse_dynamics = inverse_dynamics_kernel<double>,
                                      .forward_dynamics = forward_dynamics_kernel<double>,
                                      .articulate = articulate_kernel<double>,
                                      .apply_mass_inverse = apply_mass_inverse_kernel<double>,
                                      .mass_matrix_inverse = mass_matrix_inverse_kernel<double>,
                                      .planned_mass_matrix_inverse = inverse_on_plan,
                                      .mass_matrix_inverse_bytes = inverse_bytes<double>,
                                      .mass_matrix = mass_matrix_kernel<double>,
                                      .tree_motion = tree_motion<double>,
                                      .kinematics = kinematics,
                                      .first_order_kinematics = first_order_kinematics,
                                      .jacobian = jacobian,
                                      .jacobian_columns = jacobian_columns,
                                      .jacobian_bytes = jacobian_bytes,
                                      .centroidal_matrix = centroidal,
                                      .centroidal_bytes = centroidal_bytes,
                                      .energies = energies,
                                      .energies_bytes = energies_bytes,
                                      .coriolis_matrix = coriolis,
                                      .coriolis_matrix_bytes = coriolis_bytes,
                                      .factor_mass_matrix = factor_branches<double>,
                                      .solve_mass_matrix = solve_branches<double>};

}  // namespace

const DynamicsKernels& dynamics_kernels();
const DynamicsKernels& dynamics_kernels() {
  return kKernels;
}

}  // namespace pintle::inline PINTLE_ISA
