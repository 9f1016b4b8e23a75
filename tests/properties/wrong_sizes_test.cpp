// Arrays of a wrong size are wrong calls, in every build: UsageError names the function, the argument and the sizes.
#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/center_of_mass.h"
#include "pintle/dynamics/centroidal_matrix.h"
#include "pintle/dynamics/centroidal_momentum.h"
#include "pintle/dynamics/coriolis_matrix.h"
#include "pintle/dynamics/energy.h"
#include "pintle/dynamics/jacobian.h"
#include "pintle/dynamics/velocity_efforts.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

/// A call whose array `argument` has the size it is told, all others being right.
struct Row {
  std::string function, argument;
  std::size_t expected;
  std::function<void(std::size_t)> call;
};

/// A mechanism in which the numbers of q, v, bodies and couplings differ.
struct Mechanism {
  Mechanism() : stream(501), model(compile(spec()).value()), state(model, stream), n(state.v.size()) {
    kinematics(model, state.q, state.v, state.vdot, moving);
  }
  ModelSpec spec() {
    RandomModelOptions options;
    options.links = 16;
    options.couplings = options.welds = true;
    return random_spec(stream, options);
  }

  RandomStream stream;
  Model model;
  RandomState state;
  std::size_t n;
  InverseDynamicsWorkspace<> inverse{model};
  MassMatrixWorkspace<> mass{model};
  KinematicsWorkspace moving{model};
  CoriolisMatrixWorkspace<> coriolis{model};
  VelocityEffortsWorkspace velocity{model};
  CentroidalWorkspace scratch{model};
  CentroidalMatrixWorkspace matrix{model};
  JacobianWorkspace columns{model};
  Place place = body_place(model, 3), reference = body_place(model, 5);
  Numbers out = Numbers(n), also = Numbers(n), square = Numbers(n * n);
};

std::vector<Row> efforts_rows(Mechanism& m) {
  const Model& model = m.model;
  const Numbers &q = m.state.q, &v = m.state.v, &vdot = m.state.vdot;
  const std::size_t nq = q.size(), n = m.n, bodies = model.bodies().size();
  return {
      {"inverse_dynamics", "q", nq,
       [&](std::size_t k) { inverse_dynamics(model, Numbers(k, 0.1), v, vdot, m.inverse, m.out); }},
      {"inverse_dynamics", "v", n,
       [&](std::size_t k) { inverse_dynamics(model, q, Numbers(k), vdot, m.inverse, m.out); }},
      {"inverse_dynamics", "vdot", n,
       [&](std::size_t k) { inverse_dynamics(model, q, v, Numbers(k), m.inverse, m.out); }},
      {"inverse_dynamics", "tau", n,
       [&](std::size_t k) {
         Numbers tau(k);
         inverse_dynamics(model, q, v, vdot, m.inverse, tau);
       }},
      {"inverse_dynamics", "options.external", bodies,
       [&](std::size_t k) {
         const std::vector<Wrench<>> external(k, zero_wrench());
         inverse_dynamics(model, q, v, vdot, m.inverse, m.out, {.external = external});
       }},
      {"transmission_efforts", "efforts", model.couplings().size(),
       [&](std::size_t k) {
         Numbers efforts(k);
         transmission_efforts(model, m.inverse, efforts);
       }},
      {"velocity_efforts", "q", nq,
       [&](std::size_t k) { velocity_efforts(model, Numbers(k, 0.1), v, m.velocity, m.out, m.also); }},
      {"velocity_efforts", "v", n,
       [&](std::size_t k) { velocity_efforts(model, q, Numbers(k), m.velocity, m.out, m.also); }},
      {"velocity_efforts", "centripetal", n,
       [&](std::size_t k) {
         Numbers centripetal(k);
         velocity_efforts(model, q, v, m.velocity, centripetal, m.also);
       }},
      {"velocity_efforts", "coriolis", n,
       [&](std::size_t k) {
         Numbers coriolis(k);
         velocity_efforts(model, q, v, m.velocity, m.out, coriolis);
       }},
      {"power_of", "tau", n, [&](std::size_t k) { (void)power_of(model, m.moving, Numbers(k)); }},
      {"power_of", "options.external", bodies,
       [&](std::size_t k) {
         const std::vector<Wrench<>> external(k, zero_wrench());
         (void)power_of(model, m.moving, m.state.tau, {.external = external});
       }},
  };
}

std::vector<Row> matrix_rows(Mechanism& m) {
  const Model& model = m.model;
  const Numbers &q = m.state.q, &v = m.state.v;
  const std::size_t nq = q.size(), n = m.n;
  return {
      {"mass_matrix", "q", nq, [&](std::size_t k) { mass_matrix(model, Numbers(k, 0.1), m.mass, m.square); }},
      {"mass_matrix", "M", n * n,
       [&](std::size_t k) {
         Numbers M(k);
         mass_matrix(model, q, m.mass, M);
       }},
      {"jacobian", "q", nq,
       [&](std::size_t k) {
         Numbers J(6 * m.n);
         jacobian(model, Numbers(k, 0.1), m.place, Axes::local, m.columns, J);
       }},
      {"jacobian_columns", "q", nq,
       [&](std::size_t k) {
         Numbers J(6 * m.n);
         jacobian_columns(model, Numbers(k, 0.1), m.columns, J);
       }},
      {"jacobian_columns", "J", 6 * n,
       [&](std::size_t k) {
         Numbers J(k);
         jacobian_columns(model, q, m.columns, J);
       }},
      {"centroidal_momentum_matrix", "q", nq,
       [&](std::size_t k) {
         Numbers A_G(6 * m.n);
         (void)centroidal_momentum_matrix(model, Numbers(k, 0.1), m.matrix, A_G);
       }},
      {"centroidal_momentum_matrix", "A_G", 6 * n,
       [&](std::size_t k) {
         Numbers A_G(k);
         (void)centroidal_momentum_matrix(model, q, m.matrix, A_G);
       }},
      {"coriolis_matrix", "q", nq,
       [&](std::size_t k) { coriolis_matrix(model, Numbers(k, 0.1), v, m.coriolis, m.square); }},
      {"coriolis_matrix", "v", n, [&](std::size_t k) { coriolis_matrix(model, q, Numbers(k), m.coriolis, m.square); }},
      {"coriolis_matrix", "C", n * n,
       [&](std::size_t k) {
         Numbers C(k);
         coriolis_matrix(model, q, v, m.coriolis, C);
       }},
      {"mass_matrix_rate", "q", nq,
       [&](std::size_t k) { mass_matrix_rate(model, Numbers(k, 0.1), v, m.coriolis, m.square); }},
      {"mass_matrix_rate", "v", n,
       [&](std::size_t k) { mass_matrix_rate(model, q, Numbers(k), m.coriolis, m.square); }},
      {"mass_matrix_rate", "M_rate", n * n,
       [&](std::size_t k) {
         Numbers rate(k);
         mass_matrix_rate(model, q, v, m.coriolis, rate);
       }},
  };
}

std::vector<Row> motion_rows(Mechanism& m) {
  const Model& model = m.model;
  const Numbers &q = m.state.q, &v = m.state.v, &vdot = m.state.vdot;
  const std::size_t nq = q.size(), n = m.n;
  return {
      {"kinematics", "q", nq, [&](std::size_t k) { kinematics(model, Numbers(k, 0.1), v, vdot, m.moving); }},
      {"kinematics", "v", n, [&](std::size_t k) { kinematics(model, q, Numbers(k), vdot, m.moving); }},
      {"kinematics", "vdot", n, [&](std::size_t k) { kinematics(model, q, v, Numbers(k), m.moving); }},
      {"jacobian", "J", 6 * n,
       [&](std::size_t k) {
         Numbers J(k);
         jacobian(model, m.moving, m.place, Axes::world, J);
       }},
      {"relative_jacobian", "J", 6 * n,
       [&](std::size_t k) {
         Numbers J(k);
         relative_jacobian(model, m.moving, m.place, m.reference, Axes::world, J);
       }},
      {"center_of_mass_jacobian", "J", 3 * n,
       [&](std::size_t k) {
         Numbers J(k);
         center_of_mass_jacobian(model, m.moving, m.scratch, J);
       }},
      {"centroidal_momentum_matrix", "A_G", 6 * n,
       [&](std::size_t k) {
         Numbers A_G(k);
         centroidal_momentum_matrix(model, m.moving, m.scratch, A_G);
       }},
  };
}

}  // namespace

TEST_CASE("wrong sizes: every array that is one number too short or too long is refused by its name") {
  Mechanism m;
  REQUIRE(m.state.q.size() != m.n);
  REQUIRE(m.model.bodies().size() != m.n);
  REQUIRE(!m.model.couplings().empty());
  for (const std::vector<Row>& rows : {efforts_rows(m), matrix_rows(m), motion_rows(m)}) {
    for (const Row& row : rows) {
      CAPTURE(row.function);
      CAPTURE(row.argument);
      CHECK_NOTHROW(row.call(row.expected));
      for (const std::size_t given : {row.expected - 1, row.expected + 1}) {
        const std::string message = row.function + ": argument '" + row.argument + "' has size " +
                                    std::to_string(given) + ", expected " + std::to_string(row.expected);
        CHECK_THROWS_WITH_AS(row.call(given), message.c_str(), UsageError);
      }
    }
  }
}

TEST_CASE("wrong sizes: bias and gravity efforts refuse them too") {
  Mechanism m;
  const Numbers &q = m.state.q, &v = m.state.v;
  for (const bool longer : {false, true}) {
    CAPTURE(longer);
    const auto wrong = [longer](std::size_t n) { return Numbers(longer ? n + 1 : n - 1, 0.1); };
    Numbers out = wrong(m.n);
    CHECK_THROWS_WITH_AS(bias_efforts(m.model, wrong(q.size()), v, m.inverse, m.out),
                         doctest::Contains("bias_efforts: argument 'q'"), UsageError);
    CHECK_THROWS_WITH_AS(bias_efforts(m.model, q, wrong(m.n), m.inverse, m.out),
                         doctest::Contains("bias_efforts: argument 'v'"), UsageError);
    CHECK_THROWS_WITH_AS(bias_efforts(m.model, q, v, m.inverse, out), doctest::Contains("bias_efforts: argument 'h'"),
                         UsageError);
    CHECK_THROWS_WITH_AS(gravity_efforts(m.model, wrong(q.size()), m.inverse, m.out),
                         doctest::Contains("gravity_efforts: argument 'q'"), UsageError);
    CHECK_THROWS_WITH_AS(gravity_efforts(m.model, q, m.inverse, out),
                         doctest::Contains("gravity_efforts: argument 'g'"), UsageError);
  }
  CHECK_NOTHROW(bias_efforts(m.model, q, v, m.inverse, m.out));
  CHECK_NOTHROW(gravity_efforts(m.model, q, m.inverse, m.out));
}
