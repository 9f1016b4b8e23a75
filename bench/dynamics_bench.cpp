// Forward dynamics, inverse dynamics, the mass matrix and what else is asked of a mechanism on chains and on models of
// the size of real robots: nanoseconds per call, and the cost per link of long chains. Items are links.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "pintle/pintle.h"

namespace {

using namespace pintle;

void add_body(ModelSpec& spec, RandomStream& stream, const std::string& parent, JointKind kind) {
  const auto vec3 = [&](double reach) {
    return Vec3<>{stream.uniform(-reach, reach), stream.uniform(-reach, reach), stream.uniform(-reach, reach)};
  };
  BodySpec body;
  body.name = "body" + std::to_string(spec.bodies.size());
  body.inertia = spatial_inertia(1.0, vec3(0.1), diagonal(Vec3<>{0.02, 0.03, 0.04}));
  JointSpec joint;
  joint.name = "joint" + std::to_string(spec.joints.size());
  joint.kind = kind;
  joint.parent = parent;
  joint.child = body.name;
  joint.X_PJ = pose(uniform_rotation(stream), vec3(0.3));
  joint.axis = uniform_direction(stream);
  spec.bodies.push_back(body);
  spec.joints.push_back(joint);
}

/// A limb of n revolute joints on a body.
void add_limb(ModelSpec& spec, RandomStream& stream, std::string parent, int n) {
  for (int i = 0; i < n; ++i) {
    add_body(spec, stream, parent, JointKind::revolute);
    parent = spec.bodies.back().name;
  }
}

Model chain(int n) {
  RandomStream stream(1);
  ModelSpec spec;
  add_limb(spec, stream, kWorld, n);
  return compile(spec).value();
}

/// A free trunk with limbs: 4 of 3 for a quadruped; 2 of 6, 2 of 6 and 6 more for a humanoid.
Model legged(const std::vector<int>& limbs) {
  RandomStream stream(2);
  ModelSpec spec;
  add_body(spec, stream, kWorld, JointKind::free);
  for (const int n : limbs) add_limb(spec, stream, "body0", n);
  return compile(spec).value();
}

const Model& model_of(std::int64_t which) {
  static const std::vector<Model> models = {
      chain(7), legged({3, 3, 3, 3}), legged({6, 6, 6, 6, 3, 3}), chain(6), chain(30), chain(100), chain(1000)};
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

void finish(benchmark::State& state, const Model& model) {
  state.SetLabel(kNames[state.range(0)]);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(model.links().size()));
}

void forward(benchmark::State& state) {
  const Model& model = model_of(state.range(0));
  State s(model);
  ForwardDynamicsWorkspace<> work(model);
  for (auto _ : state) {
    benchmark::DoNotOptimize(forward_dynamics(model, s.q, s.v, s.tau, work, s.out, {.passive = false}));
  }
  finish(state, model);
}

void inverse(benchmark::State& state) {
  const Model& model = model_of(state.range(0));
  State s(model);
  InverseDynamicsWorkspace<> work(model);
  for (auto _ : state) {
    inverse_dynamics(model, s.q, s.v, s.tau, work, s.out, {.passive = false});
    benchmark::ClobberMemory();
  }
  finish(state, model);
}

void mass(benchmark::State& state) {
  const Model& model = model_of(state.range(0));
  State s(model);
  MassMatrixWorkspace<> work(model);
  std::vector<double> M(s.v.size() * s.v.size());
  for (auto _ : state) {
    mass_matrix(model, s.q, work, M);
    benchmark::ClobberMemory();
  }
  finish(state, model);
}

void coriolis(benchmark::State& state) {
  const Model& model = model_of(state.range(0));
  State s(model);
  CoriolisMatrixWorkspace<> work(model);
  std::vector<double> C(s.v.size() * s.v.size());
  for (auto _ : state) {
    coriolis_matrix(model, s.q, s.v, work, C);
    benchmark::ClobberMemory();
  }
  finish(state, model);
}

void split_velocity_efforts(benchmark::State& state) {
  const Model& model = model_of(state.range(0));
  State s(model);
  VelocityEffortsWorkspace work(model);
  std::vector<double> centripetal(s.v.size());
  for (auto _ : state) {
    velocity_efforts(model, s.q, s.v, work, centripetal, s.out);
    benchmark::ClobberMemory();
  }
  finish(state, model);
}

/// Kinematics included, as a controller would ask.
void momentum_matrix(benchmark::State& state) {
  const Model& model = model_of(state.range(0));
  State s(model);
  KinematicsWorkspace work(model);
  CentroidalWorkspace scratch(model);
  std::vector<double> A_G(6 * s.v.size());
  for (auto _ : state) {
    kinematics(model, s.q, s.v, s.tau, work);
    benchmark::DoNotOptimize(centroidal_momentum(model, work, scratch));
    centroidal_momentum_matrix(model, work, scratch, A_G);
    benchmark::ClobberMemory();
  }
  finish(state, model);
}

void with_certificate(benchmark::State& state) {
  const Model& model = model_of(state.range(0));
  State s(model);
  ForwardDynamicsWorkspace<> work(model);
  CertificateWorkspace checks(model);
  for (auto _ : state) {
    benchmark::DoNotOptimize(forward_dynamics(model, s.q, s.v, s.tau, work, s.out));
    benchmark::DoNotOptimize(certify(model, {.q = s.q, .v = s.v, .vdot = s.out, .tau = s.tau}, checks));
  }
  finish(state, model);
}

/// The pose of the last body, from a start 0.3 away at every joint.
void find_pose(benchmark::State& state) {
  const Model& model = model_of(state.range(0));
  State s(model);
  KinematicsWorkspace at(model);
  kinematics(model, s.q, s.v, s.tau, at);
  std::vector<PoseTarget> targets(1);
  targets[0].place = body_place(model, static_cast<int>(model.bodies().size()) - 1);
  targets[0].X_WT = pose_of(at, targets[0].place);
  std::vector<double> start(s.q.size()), q;
  for (double& x : s.v) x *= 0.3;
  integrate(model, s.q, s.v, start);
  InverseKinematicsWorkspace work(model, 1);
  for (auto _ : state) {
    q = start;
    benchmark::DoNotOptimize(inverse_kinematics(model, targets, q, work));
  }
  finish(state, model);
}

/// Hanging down from a random start.
void find_rest(benchmark::State& state) {
  const Model& model = model_of(state.range(0));
  State s(model);
  const std::vector<double> nothing(s.v.size());
  std::vector<double> q;
  StaticEquilibriumWorkspace work(model);
  for (auto _ : state) {
    q = s.q;
    benchmark::DoNotOptimize(static_equilibrium(model, nothing, q, work));
  }
  finish(state, model);
}

BENCHMARK(forward)->DenseRange(0, 6);
BENCHMARK(inverse)->DenseRange(0, 6);
BENCHMARK(mass)->DenseRange(0, 6);
BENCHMARK(coriolis)->DenseRange(0, 5);
BENCHMARK(split_velocity_efforts)->DenseRange(0, 2);
BENCHMARK(momentum_matrix)->DenseRange(0, 6);
BENCHMARK(with_certificate)->DenseRange(0, 2);
BENCHMARK(find_pose)->DenseRange(0, 4);
BENCHMARK(find_rest)->Arg(0)->Arg(3)->Arg(4);

}  // namespace
