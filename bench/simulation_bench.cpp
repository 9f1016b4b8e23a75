// Steps of a free body in momentum state: the original program reached about 2 million per second. Items are steps.
#include <benchmark/benchmark.h>

#include "pintle/math/elementary_impl.h"
#include "pintle/simulation/integrators/free_body_impl.h"

namespace {

using namespace pintle;

/// The cylinder of the original program, with its reference point off the centre of mass, under gravity.
template <class Step>
void free_body_steps(benchmark::State& state, Step step) {
  const FreeBody<> body = free_body(2.0, Vec3<>{0.01, 0.0, 0.02}, diagonal(Vec3<>{0.0018, 0.0018, 0.0009}));
  const auto weight = [&](double, const FreeBodyState<>& at, const Twist<>&) {
    const Vec3<> force{0.0, 0.0, -10.0 * body.mass};
    return Wrench<>{force, cross(rotate(at.orientation, body.center), force)};
  };
  FreeBodyState<> at{{0, 0, 0}, identity_quaternion(), {}};
  at.momentum = momentum(body, at.orientation, Twist<>{{0, 0, 0}, {0, 5, -1}});
  for (auto _ : state) {
    at = step(body, at, 1e-6, weight);
    benchmark::DoNotOptimize(at);
  }
  state.SetItemsProcessed(state.iterations());
}

void free_body_rk4(benchmark::State& state) {
  free_body_steps(state, [](const auto& body, const auto& at, double h, const auto& wrench_of) {
    return rk4_step(body, at, 0.0, h, wrench_of);
  });
}

void free_body_rk4_quaternion(benchmark::State& state) {
  free_body_steps(state, [](const auto& body, const auto& at, double h, const auto& wrench_of) {
    return rk4_quaternion_step(body, at, 0.0, h, wrench_of);
  });
}

BENCHMARK(free_body_rk4);
BENCHMARK(free_body_rk4_quaternion);

}  // namespace
