// Many states of one model, and many models, at a time: rollouts for learning and control, sweeps over designs.
#include <pintle/base/thread_pool.h>
#include <pintle/batch.h>
#include <pintle/simulation.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace pintle;

namespace {

/// Two bars that swing in a plane, the first one `length` [m] long.
Model pendulum(double length) {
  const auto bar = [](double l) {
    return spatial_inertia(2.0 * l, Vec3{0.0, 0.0, -l / 2.0}, diagonal(Vec3{l * l * l / 6.0, l * l * l / 6.0, 1e-4}));
  };
  ModelBuilder limit_rows("two bars");
  limit_rows.body("upper", bar(length)).revolute({0, 1, 0}, "shoulder");
  limit_rows.body("lower", bar(0.5)).revolute({0, 1, 0}, "elbow").at({0.0, 0.0, -length});
  return limit_rows.compile().value();
}

/// 10000 initial states, 2 s each: state after state in plain arrays, on two threads.
void roll_out() {
  constexpr std::size_t kStates = 10000;
  constexpr double kStep = 1e-3;
  const Model model = pendulum(1.0);
  const BatchStates states{kStates};
  std::vector<double> q(batch_size<double>(states, 2)), v(q.size()), tau(q.size());
  RandomStream stream(1, 0);
  for (double& angle : q) angle = stream.uniform(-1.5, 1.5);

  ThreadPool threads(2);
  BatchWorkspace<double> work(model, &threads);
  std::vector<double> before(batch_size<double>(states, 2)), after(before.size());  // kinetic and potential
  batch_energies(model, states, q, v, work, before);
  BatchStepper<double> stepper(model, Method::rk4, kStates, &threads);
  const auto stopped = stepper.step(states, kStep, 2000, q, v, tau);
  batch_energies(model, states, q, v, work, after);

  double worst = 0.0;
  for (std::size_t s = 0; s < kStates; ++s) {
    const double gained = (after[2 * s] + after[2 * s + 1]) - (before[2 * s] + before[2 * s + 1]);
    worst = std::max(worst, std::abs(gained));
  }
  std::printf("%zu pendulums, 2000 steps each: %zu stopped early, energy held to %.0e J\n", kStates, stopped.size(),
              worst);
}

/// 64 designs: the effort that holds both bars level, each design in its own lane.
void sweep() {
  constexpr std::size_t kDesigns = 64;
  std::vector<Model> designs;
  for (std::size_t i = 0; i < kDesigns; ++i) designs.push_back(pendulum(0.5 + 0.01 * static_cast<double>(i)));
  const ModelBatch<double> models(designs);
  BatchWorkspace<double> work(models);
  const BatchStates states{kDesigns};
  std::vector<double> q(batch_size<double>(states, 2)), v(q.size()), vdot(q.size()), tau(q.size());
  for (std::size_t s = 0; s < kDesigns; ++s) q[2 * s] = std::acos(0.0);
  batch_inverse_dynamics(models, states, q, v, vdot, work, tau);
  std::printf("upper bar  shoulder\n");
  for (std::size_t s = 0; s < kDesigns; s += 21)
    std::printf("  %.2f m   %6.2f N m\n", 0.5 + 0.01 * static_cast<double>(s), std::abs(tau[2 * s]));
}

}  // namespace

int main() {
  roll_out();
  sweep();
}
