// The kernels of dynamics, built once per instruction set: the same bits within a bit family, and those of the
// templates that users compile themselves.
#include <doctest/doctest.h>

#include "pintle/base/isa.h"
#include "pintle/dynamics/aligned/aligned_centroidal_impl.h"
#include "pintle/dynamics/aligned/aligned_coriolis_impl.h"
#include "pintle/dynamics/aligned/aligned_energies_impl.h"
#include "pintle/dynamics/aligned/aligned_jacobian_impl.h"
#include "pintle/dynamics/kernels/kernels.h"
#include "pintle/dynamics/plan/planned_mass_inverse_impl.h"
#include "pintle/dynamics/recursions/kinematics_impl.h"
#include "pintle/dynamics/recursions/mass_matrix_factor_impl.h"
#include "pintle/dynamics/workspace.h"
#include "pintle/generic.h"
#include "support/random_model.h"

namespace pintle {
namespace kernels_baseline {
const DynamicsKernels& dynamics_kernels();
}
#if defined(__x86_64__)
namespace kernels_avx2 {
const DynamicsKernels& dynamics_kernels();
}
namespace kernels_avx512 {
const DynamicsKernels& dynamics_kernels();
}
#endif
}  // namespace pintle

using namespace test;

namespace {

/// Everything the kernels compute on twenty random trees, one after the other.
std::vector<double> everything(const DynamicsKernels& kernels) {
  std::vector<double> all;
  for (std::uint64_t run = 0; run < 20; ++run) {
    RandomStream stream(51, run);
    const Model model = compile(random_spec(stream, {.links = 12})).value();
    const RandomState state(model, stream);
    const std::size_t n = state.v.size();
    InverseDynamicsWorkspace<> inverse(model);
    ForwardDynamicsWorkspace<> forward(model);
    MassMatrixWorkspace<> mass(model);
    CoriolisMatrixWorkspace<> coriolis(model);
    JacobianWorkspace jacobian(model);
    CentroidalMatrixWorkspace centroidal(model);
    MassMatrixInverseWorkspace inverse_mass(model);
    KinematicsWorkspace moving(model);
    MassMatrixFactor<> factor(model);
    std::vector<double> tau(n), vdot(n), M(n * n), C(n * n);
    const double *const q = state.q.data(), *const v = state.v.data();
    kernels.inverse_dynamics(model.tree(), q, v, state.vdot.data(), nullptr, inverse.view(), tau.data());
    CHECK(kernels.forward_dynamics(model.tree(), q, v, tau.data(), nullptr, nullptr, forward.view(), vdot.data()) < 0);
    kernels.mass_matrix(model.tree(), q, mass.view(), M.data());
    ArticulatedWorkspace<> articulated(model);
    std::vector<double> answer(n), inverse_M(n * n);
    CHECK(kernels.articulate(model.tree(), q, nullptr, articulated.view()) < 0);
    kernels.apply_mass_inverse(model.tree(), articulated.view(), tau.data(), nullptr, nullptr, nullptr,
                               articulated.response(), answer.data());
    kernels.mass_matrix_inverse(model.tree(), articulated.view(), articulated.response(), inverse_M.data());
    kernels.coriolis_matrix(model.tree(), q, v, coriolis.memory.data(), C.data());
    std::vector<double> planned_inverse(n * n), J(6 * n), columns(6 * n), A_G(6 * n), solved = tau;
    CHECK(kernels.planned_mass_matrix_inverse(model.plan().view<double>(), q, inverse_mass.columns.data(),
                                              planned_inverse.data()));
    const int last = static_cast<int>(model.links().size()) - 1;
    const Pose<> X_LF = random_pose(stream);
    kernels.jacobian(model.tree(), q, last, X_LF, Axes::local, jacobian.memory.data(), J.data());
    kernels.jacobian_columns(model.tree(), q, jacobian.memory.data(), columns.data());
    CentroidalMomentum whole{};
    kernels.centroidal_matrix(model.tree(), q, centroidal.memory.data(), A_G.data(), whole.mass, whole.center,
                              whole.inertia);
    A_G.insert(A_G.end(), {whole.mass, whole.center.x, whole.center.y, whole.center.z, whole.inertia.xy});
    CHECK(kernels.factor_mass_matrix(model.dof_branches(), M.data(), factor.L()) < 0);
    kernels.solve_mass_matrix(model.dof_branches(), factor.L(), solved.data());
    kernels.kinematics(model.tree(), q, v, state.vdot.data(), moving.motion.view(), moving.X_WL.data(),
                       moving.A.data());
    EnergiesWorkspace energies(model);
    std::vector<double> motion(2);
    kernels.energies(model.tree(), q, v, energies.memory.data(), motion.data());
    for (std::size_t i = 0; i < moving.A.size(); ++i) {
      const std::array<double, 6> A = to_array(moving.A[i]);
      const std::array<double, 9> R = to_array(moving.X_WL[i].rotation);
      motion.insert(motion.end(), A.begin(), A.end());
      motion.insert(motion.end(), R.begin(), R.end());
    }
    KinematicsWorkspace placed(model);
    kernels.first_order_kinematics(model.tree(), q, v, placed.motion.view(), placed.X_WL.data());
    for (const Pose<>& X_WL : placed.X_WL) {
      const std::array<double, 9> R = to_array(X_WL.rotation);
      motion.insert(motion.end(), R.begin(), R.end());
      motion.insert(motion.end(), {X_WL.translation.x, X_WL.translation.y, X_WL.translation.z});
    }
    for (const std::vector<double>& part :
         {tau, vdot, M, answer, inverse_M, C, planned_inverse, J, columns, A_G, solved, motion})
      all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

// The templates with the memory of the kernels.
bool plain_inverse(const PlanView<double>& plan, const double* q, std::byte* memory, double* inverse) {
  return planned_mass_matrix_inverse<double>(plan, q, inverse_memory<double>(plan, memory, inverse), inverse);
}
void plain_kinematics(const LinkTree& tree, const double* q, const double* v, const double* vdot,
                      const TreeMotion<double>& motion, Pose<>* X_WL, Twist<>* A) {
  kinematics_kernel<double>(tree, q, v, vdot, {motion, X_WL, A});
}
void plain_first_order(const LinkTree& tree, const double* q, const double* v, const TreeMotion<double>& motion,
                       Pose<>* X_WL) {
  kinematics_kernel<double, KinematicsExtent::first_order>(tree, q, v, nullptr, {motion, X_WL, nullptr});
}
void plain_jacobian(const LinkTree& tree, const double* q, int link, const Pose<>& X_LF, Axes axes, std::byte* memory,
                    double* J) {
  Arena cutter(memory);
  aligned_jacobian<double>(tree, q, link, X_LF, axes, take_jacobian_memory<double>(tree, cutter), J);
}
void plain_columns(const LinkTree& tree, const double* q, std::byte* memory, double* J) {
  Arena cutter(memory);
  aligned_columns<double>(tree, q, take_jacobian_memory<double>(tree, cutter), J);
}
void plain_centroidal(const LinkTree& tree, const double* q, std::byte* memory, double* A_G, double& mass,
                      Vec3<>& center, SymMat3<>& inertia) {
  Arena cutter(memory);
  const SpatialInertia<> whole = aligned_centroidal<double>(tree, q, take_centroidal_memory<double>(tree, cutter), A_G);
  mass = whole.mass;
  center = whole.first_moment;
  inertia = whole.inertia;
}
void plain_energies(const LinkTree& tree, const double* q, const double* v, std::byte* memory, double* found) {
  Arena cutter(memory);
  aligned_energies<double>(tree, q, v, take_energies_memory<double>(tree, cutter), found);
}
void plain_coriolis(const LinkTree& tree, const double* q, const double* v, std::byte* memory, double* C) {
  Arena cutter(memory);
  aligned_coriolis_matrix<double>(tree, q, v, take_coriolis_memory<double>(tree, cutter), C);
}

const DynamicsKernels kTemplates = {.inverse_dynamics = inverse_dynamics_kernel<double>,
                                    .forward_dynamics = forward_dynamics_kernel<double>,
                                    .articulate = articulate_kernel<double>,
                                    .apply_mass_inverse = apply_mass_inverse_kernel<double>,
                                    .mass_matrix_inverse = mass_matrix_inverse_kernel<double>,
                                    .planned_mass_matrix_inverse = plain_inverse,
                                    .mass_matrix_inverse_bytes = nullptr,
                                    .mass_matrix = mass_matrix_kernel<double>,
                                    .tree_motion = tree_motion<double>,
                                    .kinematics = plain_kinematics,
                                    .first_order_kinematics = plain_first_order,
                                    .jacobian = plain_jacobian,
                                    .jacobian_columns = plain_columns,
                                    .jacobian_bytes = nullptr,
                                    .centroidal_matrix = plain_centroidal,
                                    .centroidal_bytes = nullptr,
                                    .energies = plain_energies,
                                    .energies_bytes = nullptr,
                                    .coriolis_matrix = plain_coriolis,
                                    .coriolis_matrix_bytes = nullptr,
                                    .factor_mass_matrix = factor_branches<double>,
                                    .solve_mass_matrix = solve_branches<double>};

}  // namespace

TEST_CASE("dynamics kernels: the baseline gives the bits of the templates") {
  CHECK(everything(kernels_baseline::dynamics_kernels()) == everything(kTemplates));
}

#if defined(__x86_64__)
TEST_CASE("dynamics kernels: AVX2 agrees with the baseline, AVX-512 gives the bits of AVX2") {
  if (!available(Isa::avx2)) {
    MESSAGE("not compared: this processor has no AVX2");
    return;
  }
  const std::vector<double> baseline = everything(kernels_baseline::dynamics_kernels());
  const std::vector<double> avx2 = everything(kernels_avx2::dynamics_kernels());
  CHECK(baseline != avx2);
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    CHECK(baseline[i] == doctest::Approx(avx2[i]).epsilon(1e-9));  // accelerations times the condition of M
  }
  if (!available(Isa::avx512)) {
    MESSAGE("not compared: this processor has no AVX-512");
    return;
  }
  CHECK(everything(kernels_avx512::dynamics_kernels()) == avx2);
}
#endif

TEST_CASE_TEMPLATE("dynamics kernels: float, duals and every lane of a pack run the same source", T, float,
                   NativePack<double>, Dual<double, 1>) {
  for (std::uint64_t run = 0; run < 10; ++run) {
    RandomStream stream(52, run);
    const Model model = compile(random_spec(stream, {.links = 6})).value();
    const RandomState state(model, stream);
    const std::size_t n = state.v.size();
    const auto lifted = [](const std::vector<double>& numbers) {
      std::vector<T> result;
      for (const double x : numbers) result.push_back(T(static_cast<base_t<T>>(x)));
      return result;
    };
    const std::vector<T> q = lifted(state.q), v = lifted(state.v), vdot = lifted(state.vdot);
    std::vector<T> tau(n);
    InverseDynamicsWorkspace<T> work(model);
    inverse_dynamics_kernel<T>(model.tree(), q.data(), v.data(), vdot.data(), nullptr, work.view(), tau.data());
    std::vector<double> expected(n);
    InverseDynamicsWorkspace<> plain(model);
    kernels_baseline::dynamics_kernels().inverse_dynamics(model.tree(), state.q.data(), state.v.data(),
                                                          state.vdot.data(), nullptr, plain.view(), expected.data());
    // The Coriolis matrix behind them, in the same arrays.
    tau.resize(n + n * n);
    expected.resize(n + n * n);
    CoriolisMatrixWorkspace<T> coriolis(model);
    coriolis_matrix_kernel<T>(model.tree(), q.data(), v.data(), coriolis.view(), tau.data() + n);
    CoriolisMatrixWorkspace<> plain_work(model);
    coriolis_matrix_kernel<double>(model.tree(), state.q.data(), state.v.data(), plain_work.view(),
                                   expected.data() + n);
    for (std::size_t i = 0; i < tau.size(); ++i) {
      if constexpr (std::is_same_v<T, float>) {
        CHECK(static_cast<double>(tau[i]) == doctest::Approx(expected[i]).epsilon(1e-4));
      } else if constexpr (std::is_same_v<T, NativePack<double>>) {
        for (int lane = 0; lane < T::kLanes; ++lane) CHECK(to_bits(tau[i][lane]) == to_bits(expected[i]));
      } else {
        CHECK(to_bits(tau[i].value) == to_bits(expected[i]));
      }
    }
  }
}
