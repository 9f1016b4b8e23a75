// The kernels that work in aligned axes, and the one-pass kinematics, against the plain definitions, over random trees
// of every joint, with couplings and welds. Differences are in units of n eps of the largest number of an answer.
#include <doctest/doctest.h>

#include "pintle/dynamics/centroidal_matrix.h"
#include "pintle/dynamics/centroidal_momentum.h"
#include "pintle/dynamics/coriolis_matrix.h"
#include "pintle/dynamics/energies.h"
#include "pintle/dynamics/energy.h"
#include "pintle/dynamics/jacobian.h"
#include "pintle/dynamics/kernels/kernels.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/dynamics/recursions/coriolis_matrix_impl.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

constexpr Axes kEveryAxes[] = {Axes::local, Axes::world, Axes::local_world_aligned};

struct Case {
  explicit Case(std::uint64_t run)
      : stream(150, run),
        dynamics(random_spec(stream, variety(run))),
        state(dynamics.model, stream),
        work(dynamics.model) {
    kinematics(dynamics.model, state.q, state.v, state.vdot, work);
  }

  /// max |a - b| over n eps (max |b| + the size of further terms that b is the sum of)
  double difference(const Numbers& a, const Numbers& b, double scale = 0.0) const {
    double most = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      largest = max(largest, abs(b[i]));
      if (!(abs(a[i] - b[i]) <= most)) most = abs(a[i] - b[i]);
    }
    return most == 0.0 ? 0.0 : most / (static_cast<double>(state.v.size() + 1) * kEpsilon<double> * (largest + scale));
  }

  RandomStream stream;
  DynamicsOf dynamics;
  RandomState state;
  KinematicsWorkspace work;
};

Numbers numbers(const SymMat3<>& I) {
  const std::array<double, 6> a = to_array(I);
  return Numbers(a.begin(), a.end());
}

}  // namespace

TEST_CASE("Coriolis matrix: in aligned axes as by the plain recursion") {
  double most = 0.0;
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    Case c(run);
    const Model& model = c.dynamics.model;
    CoriolisMatrixWorkspace<> work(model);
    Numbers C(c.state.v.size() * c.state.v.size()), plain(C.size());
    Numbers joint_C(size(model.joint_nv()) * size(model.joint_nv()));
    coriolis_matrix(model, c.state.q, c.state.v, work, C);
    coriolis_matrix_kernel<double>(model.tree(), c.dynamics.joint_q(c.state.q).data(),
                                   c.dynamics.joint_v(c.state.v).data(), work.view(), joint_C.data());
    independent_matrix(model, joint_C, plain);
    // C is zero where nothing turns another; then it is a sum of terms of the size of M v.
    double M_v = 0.0;
    for (const double m : c.dynamics.mass(c.state.q))
      for (const double v : c.state.v) M_v = max(M_v, abs(m * v));
    most = max(most, c.difference(C, plain, M_v));
  }
  CHECK(most <= 2.0);  // the worst seen is 0.73
}

TEST_CASE("Jacobian: straight from q as after kinematics, of every body in all axes") {
  double most = 0.0;
  for (std::uint64_t run = 0; run < 300; ++run) {
    CAPTURE(run);
    Case c(run);
    const Model& model = c.dynamics.model;
    JacobianWorkspace work(model);
    Numbers J(6 * c.state.v.size()), plain(J.size());
    for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
      Place place = body_place(model, body);
      place.X_LF = place.X_LF * random_pose(c.stream);
      for (const Axes axes : kEveryAxes) {
        jacobian(model, c.work, place, axes, plain);
        jacobian(model, c.state.q, place, axes, work, J);
        most = max(most, c.difference(J, plain));
      }
    }
  }
  CHECK(most <= 3.0);
}

TEST_CASE("Jacobian: all columns at once are those of places in world axes, and sum up to how links move") {
  double most = 0.0, max_sum = 0.0;
  for (std::uint64_t run = 0; run < 300; ++run) {
    CAPTURE(run);
    Case c(run);
    const Model& model = c.dynamics.model;
    const std::size_t n = c.state.v.size();
    JacobianWorkspace work(model);
    Numbers J(6 * n), columns(6 * n), moves(6), sum(6);
    jacobian_columns(model, c.state.q, work, columns);
    for (int body = 0; body < static_cast<int>(model.bodies().size()) && model.couplings().empty(); ++body) {
      const Place place = body_place(model, body);
      jacobian(model, c.work, place, Axes::world, J);
      for (std::size_t k = 0; k < n; ++k) {
        double size_of_column = 0.0;
        for (std::size_t row = 0; row < 6; ++row) size_of_column += abs(J[row * n + k]);
        for (std::size_t row = 0; row < 6 && size_of_column == 0.0; ++row) J[row * n + k] = columns[row * n + k];
      }
      most = max(most, c.difference(J, columns));
    }
    for (int i = 0; i < static_cast<int>(model.links().size()); ++i) {
      const int parent = model.links()[size(i)].parent;
      const Twist<> V = velocity_of(c.work, {i, identity_pose()}, Axes::world) -
                        velocity_of(c.work, {parent, identity_pose()}, Axes::world);
      for (std::size_t row = 0; row < 6; ++row) sum[row] += to_array(V)[row];
    }
    for (std::size_t row = 0; row < 6; ++row)
      for (std::size_t k = 0; k < n; ++k) moves[row] += columns[row * n + k] * c.state.v[k];
    double scale = 0.0;
    for (std::size_t i = 0; i < columns.size(); ++i) scale += abs(columns[i] * c.state.v[i % n]);
    for (std::size_t row = 0; row < 6; ++row)
      max_sum = max(max_sum, abs(sum[row] - moves[row]) / (static_cast<double>(n + 1) * kEpsilon<double> * scale));
  }
  CHECK(most <= 3.0);
  CHECK(max_sum <= 3.0);
}

TEST_CASE("Centroidal momentum matrix: straight from q as after kinematics, with mass, centre and inertia") {
  double most = 0.0, max_center = 0.0, max_inertia = 0.0;
  for (std::uint64_t run = 0; run < 500; ++run) {
    CAPTURE(run);
    Case c(run);
    const Model& model = c.dynamics.model;
    CentroidalMatrixWorkspace work(model);
    CentroidalWorkspace scratch(model);
    Numbers A_G(6 * c.state.v.size()), plain(A_G.size());
    const LockedBodies locked = centroidal_momentum_matrix(model, c.state.q, work, A_G);
    centroidal_momentum_matrix(model, c.work, scratch, plain);
    const CentroidalMomentum whole = centroidal_momentum(model, c.work, scratch);
    most = max(most, c.difference(A_G, plain));
    // Both are found from sums over the bodies about the first link, at some distance from the centre.
    const double distance = norm(whole.center - c.work.X_WL[0].translation);
    max_center = max(max_center, c.difference({locked.center.x, locked.center.y, locked.center.z},
                                              {whole.center.x, whole.center.y, whole.center.z}, distance));
    max_inertia = max(max_inertia,
                      c.difference(numbers(locked.inertia), numbers(whole.inertia), whole.mass * distance * distance));
    CHECK(locked.mass == doctest::Approx(whole.mass).epsilon(1e-14));
  }
  CHECK(most <= 8.0);         // the worst seen is 2.5
  CHECK(max_center <= 0.6);   // 0.18
  CHECK(max_inertia <= 2.0);  // 0.64
}

TEST_CASE("Energies: straight from a state as after kinematics, welded bodies too") {
  double most = 0.0;
  for (std::uint64_t run = 0; run < 500; ++run) {
    CAPTURE(run);
    Case c(run);
    const Model& model = c.dynamics.model;
    EnergiesWorkspace work(model);
    const MechanismEnergies found = energies(model, c.state.q, c.state.v, work);
    // A potential energy may be small as the sum of large ones.
    double weights = 0.0;
    for (const ModelBody& body : model.bodies()) {
      const Pose<> X_WB = pose_of(c.work, {body.link, body.X_LB});
      weights += norm(model.gravity()) * (body.inertia.mass * norm(X_WB.translation) + norm(body.inertia.first_moment));
    }
    most = max(most, c.difference({found.kinetic}, {kinetic_energy(model, c.work)}));
    most = max(most, c.difference({found.gravity}, {gravity_energy(model, c.work)}, weights));
  }
  CHECK(most <= 8.0);  // the worst seen is 3.0
}

TEST_CASE("kinematics: the pass that leaves out zeros has the numbers of the plain outward pass") {
  for (std::uint64_t run = 0; run < 300; ++run) {
    CAPTURE(run);
    Case c(run);
    const Model& model = c.dynamics.model;
    TreeMotionMemory<> memory(model);
    const auto plain = memory.view();
    dynamics_kernels_in_use().tree_motion(model.tree(), c.dynamics.joint_q(c.state.q).data(),
                                          c.dynamics.joint_v(c.state.v).data(), plain);
    const auto motion = c.work.motion.view();
    for (int i = 0; i < static_cast<int>(model.links().size()); ++i) {
      REQUIRE(to_array(motion.X_PL[i].rotation) == to_array(plain.X_PL[i].rotation));
      REQUIRE(to_array(motion.X_PL[i].translation) == to_array(plain.X_PL[i].translation));
      REQUIRE(to_array(motion.V[i]) == to_array(plain.V[i]));
      REQUIRE(to_array(motion.c[i]) == to_array(plain.c[i]));
      for (int k = model.links()[size(i)].v; k < model.links()[size(i)].v + model.links()[size(i)].nv; ++k)
        REQUIRE(to_array(motion.S[k]) == to_array(plain.S[k]));
    }
  }
}
