// The spatial operations of the recursions, in double, against the same with Eigen's 6x6 matrices. Items are
// operations.
#include <benchmark/benchmark.h>

#include <vector>

#include "pintle/eigen.h"

namespace {

using namespace pintle;

constexpr std::size_t kSize = 256;

struct Inputs {
  std::vector<Pose<>> poses;
  std::vector<Twist<>> twists;
  std::vector<SpatialInertia<>> inertias;
};

const Inputs& inputs() {
  static const Inputs values = [] {
    RandomStream stream(1);
    const auto vec3 = [&] { return Vec3<>{stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1)}; };
    Inputs in;
    for (std::size_t i = 0; i < kSize; ++i) {
      const Quaternion<> q = uniform_rotation(stream);
      in.poses.push_back(pose(q, vec3()));
      in.twists.push_back({vec3(), vec3()});
      in.inertias.push_back(spatial_inertia(1.5, vec3(), diagonal(Vec3<>{0.3, 0.4, 0.5})));
    }
    return in;
  }();
  return values;
}

void count(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kSize));
}

/// Runs operation(i) over all inputs and keeps its result alive.
template <class Operation>
void over_inputs(benchmark::State& state, Operation operation) {
  for (auto _ : state)
    for (std::size_t i = 0; i < kSize; ++i) benchmark::DoNotOptimize(operation(i));
  count(state);
}

using Matrix6d = Eigen::Matrix<double, 6, 6>;

template <class T>
std::vector<Matrix6d> matrices(const std::vector<T>& values) {
  std::vector<Matrix6d> result;
  for (const T& value : values) result.push_back(to_eigen(to_matrix(value)));
  return result;
}

void transform_twist_pintle(benchmark::State& state) {
  over_inputs(state, [](std::size_t i) { return inputs().poses[i] * inputs().twists[i]; });
}
void transform_twist_eigen(benchmark::State& state) {
  const std::vector<Matrix6d> X = matrices(inputs().poses);
  std::vector<Eigen::Matrix<double, 6, 1>> V;
  for (const Twist<>& twist : inputs().twists) V.push_back(to_eigen(twist));
  over_inputs(state, [&](std::size_t i) { return (X[i] * V[i]).eval(); });
}

void transform_articulated_inertia_pintle(benchmark::State& state) {
  std::vector<ArticulatedInertia<>> A;
  for (const SpatialInertia<>& I : inputs().inertias) A.push_back(articulated(I));
  over_inputs(state, [&](std::size_t i) { return inputs().poses[i] * A[i]; });
}
void transform_articulated_inertia_eigen(benchmark::State& state) {
  std::vector<Matrix6d> X;
  for (const Pose<>& pose : inputs().poses) X.push_back(to_eigen(to_dual_matrix(pose)));
  const std::vector<Matrix6d> A = matrices(inputs().inertias);
  over_inputs(state, [&](std::size_t i) { return (X[i] * A[i] * X[i].transpose()).eval(); });
}

void momentum_pintle(benchmark::State& state) {
  over_inputs(state, [](std::size_t i) { return inputs().inertias[i] * inputs().twists[i]; });
}
void momentum_eigen(benchmark::State& state) {
  const std::vector<Matrix6d> I = matrices(inputs().inertias);
  std::vector<Eigen::Matrix<double, 6, 1>> V;
  for (const Twist<>& twist : inputs().twists) V.push_back(to_eigen(twist));
  over_inputs(state, [&](std::size_t i) { return (I[i] * V[i]).eval(); });
}

void rotation_exp_pintle(benchmark::State& state) {
  over_inputs(state, [](std::size_t i) { return exp_so3(inputs().twists[i].angular); });
}
void rotation_exp_eigen(benchmark::State& state) {
  std::vector<Eigen::Vector3d> w;
  for (const Twist<>& twist : inputs().twists) w.push_back(to_eigen(twist.angular));
  over_inputs(state, [&](std::size_t i) {
    const double angle = w[i].norm();
    return Eigen::AngleAxisd(angle, w[i] / angle).toRotationMatrix();
  });
}

void pose_exp_pintle(benchmark::State& state) {
  over_inputs(state, [](std::size_t i) { return exp(inputs().twists[i]); });
}
void pose_log_pintle(benchmark::State& state) {
  over_inputs(state, [](std::size_t i) { return log(inputs().poses[i]); });
}

BENCHMARK(transform_twist_pintle);
BENCHMARK(transform_twist_eigen);
BENCHMARK(transform_articulated_inertia_pintle);
BENCHMARK(transform_articulated_inertia_eigen);
BENCHMARK(momentum_pintle);
BENCHMARK(momentum_eigen);
BENCHMARK(rotation_exp_pintle);
BENCHMARK(rotation_exp_eigen);
BENCHMARK(pose_exp_pintle);
BENCHMARK(pose_log_pintle);

}  // namespace
