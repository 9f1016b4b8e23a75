// Every dynamics algorithm on models of the size of real robots and on chains of up to 1000 bodies: nanoseconds per
// call, and links per second, which is constant along the chains if the cost is linear.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "pintle/dynamics/solve/inverse_kinematics.h"
#include "pintle/dynamics/solve/static_equilibrium.h"
#include "pintle/pintle.h"
#include "robots.h"

namespace {

using namespace pintle;

const Model& model_of(std::int64_t which) {
  const auto model = [](const ModelSpec& spec) { return compile(spec).value(); };
  static const std::vector<Model> models = {model(chain(7)),  model(quadruped()), model(humanoid()), model(chain(6)),
                                            model(chain(30)), model(chain(100)),  model(chain(1000))};
  return models[static_cast<std::size_t>(which)];
}

constexpr const char* kNames[] = {"arm 7",    "quadruped 12+6", "humanoid 30+6", "chain 6",
                                  "chain 30", "chain 100",      "chain 1000"};

struct State {
  explicit State(const Model& model)
      : q(static_cast<std::size_t>(model.nq())), v(static_cast<std::size_t>(model.nv())), tau(v.size()), out(v.size()) {
    RandomStream stream(3);
    random_configuration(model, stream, q);
    for (double& x : v) x = stream.uniform(-1, 1);
    for (double& x : tau) x = stream.uniform(-1, 1);
  }
  std::vector<double> q, v, tau, out;
};

/// Registers an algorithm: `make(model, state)` returns the call to time, for the models 0 ... last.
template <class Make>
void add(const char* name, int last, Make make) {
  benchmark::RegisterBenchmark(name, [make](benchmark::State& state) {
    const Model& model = model_of(state.range(0));
    State s(model);
    auto call = make(model, s);
    for (auto _ : state) {
      call();
      benchmark::ClobberMemory();
    }
    state.SetLabel(kNames[state.range(0)]);
    const auto links = static_cast<std::int64_t>(model.links().size());
    state.SetItemsProcessed(state.iterations() * links);
  })->DenseRange(0, last);
}

/// A workspace that a call keeps.
template <class Work>
std::shared_ptr<Work> keep(const Model& model) {
  return std::make_shared<Work>(model);
}

using Numbers = std::vector<double>;

void add_motion_and_efforts() {
  add("forward dynamics", 6, [](const Model& model, State& s) {
    return [&, work = keep<ForwardDynamicsWorkspace<>>(model)] {
      benchmark::DoNotOptimize(forward_dynamics(model, s.q, s.v, s.tau, *work, s.out, {.passive = false}));
    };
  });
  add("forward dynamics, refined", 6, [](const Model& model, State& s) {
    return [&, work = keep<ForwardDynamicsWorkspace<>>(model)] {
      benchmark::DoNotOptimize(
          forward_dynamics(model, s.q, s.v, s.tau, *work, s.out, {.passive = false, .refine = true}));
    };
  });
  add("forward dynamics with certificate", 6, [](const Model& model, State& s) {
    return [&, work = keep<ForwardDynamicsWorkspace<>>(model), checks = keep<CertificateWorkspace>(model)] {
      benchmark::DoNotOptimize(forward_dynamics(model, s.q, s.v, s.tau, *work, s.out));
      benchmark::DoNotOptimize(certify(model, {.q = s.q, .v = s.v, .vdot = s.out, .tau = s.tau}, *checks));
    };
  });
  add("hybrid dynamics, one joint given", 6, [](const Model& model, State& s) {
    return [&, work = keep<ForwardDynamicsWorkspace<>>(model), given = std::vector<int>{0}] {
      benchmark::DoNotOptimize(hybrid_dynamics(model, s.q, s.v, given, *work, s.tau, s.out, {.passive = false}));
    };
  });
  add("inverse dynamics", 6, [](const Model& model, State& s) {
    return [&, work = keep<InverseDynamicsWorkspace<>>(model)] {
      inverse_dynamics(model, s.q, s.v, s.tau, *work, s.out, {.passive = false});
    };
  });
  add("kinematics", 6, [](const Model& model, State& s) {
    return [&, work = keep<KinematicsWorkspace>(model)] { kinematics(model, s.q, s.v, s.tau, *work); };
  });
  add("kinematics and Jacobian of the last body", 6, [](const Model& model, State& s) {
    const Place place = body_place(model, static_cast<int>(model.bodies().size()) - 1);
    return [&, place, work = keep<KinematicsWorkspace>(model), J = Numbers(6 * s.v.size())]() mutable {
      kinematics(model, s.q, s.v, s.tau, *work);
      jacobian(model, *work, place, Axes::local, J);
    };
  });
  add("reactions", 6, [](const Model& model, State& s) {
    return [&, work = keep<ReactionsWorkspace>(model)] { reactions(model, s.q, s.v, s.tau, *work); };
  });
  add("impulse dynamics", 6, [](const Model& model, State& s) {
    return [&, work = keep<ImpulseWorkspace>(model)] {
      benchmark::DoNotOptimize(impulse_dynamics(model, s.q, s.tau, {}, *work, s.out));
    };
  });
}

void add_places_and_checks() {
  add("kinematics, Jacobian of the last body against the first", 6, [](const Model& model, State& s) {
    const Place place = body_place(model, static_cast<int>(model.bodies().size()) - 1), root = body_place(model, 0);
    return [&, place, root, work = keep<KinematicsWorkspace>(model), J = Numbers(6 * s.v.size())]() mutable {
      kinematics(model, s.q, s.v, s.tau, *work);
      relative_jacobian(model, *work, place, root, Axes::local, J);
    };
  });
  add("kinematics and (dJ/dt) v of the last body", 6, [](const Model& model, State& s) {
    const Place place = body_place(model, static_cast<int>(model.bodies().size()) - 1);
    return [&, place, work = keep<KinematicsWorkspace>(model)] {
      kinematics(model, s.q, s.v, s.tau, *work);
      benchmark::DoNotOptimize(jacobian_rate_times_v(model, *work, place, Axes::local));
    };
  });
  add("kinematics, energies and power", 6, [](const Model& model, State& s) {
    return [&, work = keep<KinematicsWorkspace>(model)] {
      kinematics(model, s.q, s.v, s.tau, *work);
      benchmark::DoNotOptimize(kinetic_energy(model, *work) + gravity_energy(model, *work) +
                               spring_energy(model, *work));
      benchmark::DoNotOptimize(power_of(model, *work, s.tau));
    };
  });
  add("kinematics and Jacobian of the centre of mass", 6, [](const Model& model, State& s) {
    return [&, work = keep<KinematicsWorkspace>(model), scratch = keep<CentroidalWorkspace>(model),
            J = Numbers(3 * s.v.size())]() mutable {
      kinematics(model, s.q, s.v, s.tau, *work);
      center_of_mass_jacobian(model, *work, *scratch, J);
    };
  });
  add("certificate", 6, [](const Model& model, State& s) {
    return [&, checks = keep<CertificateWorkspace>(model)] {
      benchmark::DoNotOptimize(certify(model, {.q = s.q, .v = s.v, .vdot = s.out, .tau = s.tau}, *checks));
    };
  });
  add("response to efforts", 6, [](const Model& model, State& s) {
    auto work = keep<ResponseWorkspace>(model);
    benchmark::DoNotOptimize(prepare_response(model, s.q, *work));
    return [&, work] { apply_mass_inverse(model, *work, s.tau, {}, {}, s.out); };
  });
}

void add_matrices() {
  add("rate of the mass matrix", 5, [](const Model& model, State& s) {
    return [&, work = keep<CoriolisMatrixWorkspace<>>(model), rate = Numbers(s.v.size() * s.v.size())]() mutable {
      mass_matrix_rate(model, s.q, s.v, *work, rate);
    };
  });
  add("mass matrix", 6, [](const Model& model, State& s) {
    return [&, work = keep<MassMatrixWorkspace<>>(model), M = Numbers(s.v.size() * s.v.size())]() mutable {
      mass_matrix(model, s.q, *work, M);
    };
  });
  add("mass matrix, factored and solved", 6, [](const Model& model, State& s) {
    return [&, work = keep<MassMatrixWorkspace<>>(model), factor = keep<MassMatrixFactor<>>(model),
            M = Numbers(s.v.size() * s.v.size())]() mutable {
      mass_matrix(model, s.q, *work, M);
      benchmark::DoNotOptimize(factor_mass_matrix(model, M, *factor));
      solve_mass_matrix(model, *factor, s.out);
    };
  });
  add("inverse of the mass matrix", 6, [](const Model& model, State& s) {
    return [&, work = keep<MassMatrixInverseWorkspace>(model), inverse = Numbers(s.v.size() * s.v.size())]() mutable {
      benchmark::DoNotOptimize(mass_matrix_inverse(model, s.q, *work, inverse));
    };
  });
  add("inverse operational inertia of the last body", 6, [](const Model& model, State& s) {
    const std::vector<Place> places{body_place(model, static_cast<int>(model.bodies().size()) - 1)};
    return [&, places, work = std::make_shared<OperationalInertiaWorkspace>(model, 1), L = Numbers(36)]() mutable {
      benchmark::DoNotOptimize(inverse_operational_inertia(model, s.q, places, Axes::local, *work, L));
    };
  });
  add("Coriolis matrix", 6, [](const Model& model, State& s) {
    return [&, work = keep<CoriolisMatrixWorkspace<>>(model), C = Numbers(s.v.size() * s.v.size())]() mutable {
      coriolis_matrix(model, s.q, s.v, *work, C);
    };
  });
  add("centripetal and Coriolis efforts", 5, [](const Model& model, State& s) {
    return [&, work = keep<VelocityEffortsWorkspace>(model), centripetal = Numbers(s.v.size())]() mutable {
      velocity_efforts(model, s.q, s.v, *work, centripetal, s.out);
    };
  });
  add("kinematics and centroidal momentum matrix", 6, [](const Model& model, State& s) {
    return [&, work = keep<KinematicsWorkspace>(model), scratch = keep<CentroidalWorkspace>(model),
            A_G = Numbers(6 * s.v.size())]() mutable {
      kinematics(model, s.q, s.v, s.tau, *work);
      benchmark::DoNotOptimize(centroidal_momentum(model, *work, *scratch));
      centroidal_momentum_matrix(model, *work, *scratch, A_G);
    };
  });
}

void add_searches() {
  // The pose of the last body, from a start 0.3 away at every joint.
  add("inverse kinematics", 4, [](const Model& model, State& s) {
    KinematicsWorkspace at(model);
    kinematics(model, s.q, s.v, s.tau, at);
    std::vector<PoseTarget> targets(1);
    targets[0].place = body_place(model, static_cast<int>(model.bodies().size()) - 1);
    targets[0].X_WT = pose_of(at, targets[0].place);
    Numbers start(s.q.size());
    for (double& x : s.v) x *= 0.3;
    integrate(model, s.q, s.v, start);
    return [&model, targets, start, work = std::make_shared<InverseKinematicsWorkspace>(model, 1),
            q = Numbers()]() mutable {
      q = start;
      benchmark::DoNotOptimize(inverse_kinematics(model, targets, q, *work));
    };
  });
  // Hanging down from a random start. (A floating mechanism has no equilibrium: it is timed until that is clear.)
  add("static equilibrium", 4, [](const Model& model, State& s) {
    return [&, work = keep<StaticEquilibriumWorkspace>(model), nothing = Numbers(s.v.size()), q = Numbers()]() mutable {
      q = s.q;
      benchmark::DoNotOptimize(static_equilibrium(model, nothing, q, *work));
    };
  });
}

const bool kAdded = [] {
  add_motion_and_efforts();
  add_places_and_checks();
  add_matrices();
  add_searches();
  return true;
}();

}  // namespace
