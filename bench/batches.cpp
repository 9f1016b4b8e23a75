// Batches against one at a time, all in one process, interleaved. By wall time the fastest round counts,
// since other processes may use the processors; by processor time the median.
//   bodies      a bouncing cylinder, RK4: BodyBatch and Simulation against a plain transcription of the seed 004 loop;
//               fails if free flight is less than kMinAlone or kMinBatched times as fast
//   mechanisms  RK4 steps by BatchStepper in double and float against a Stepper
//   models      forward dynamics of many models of one topology by ModelBatch, against the function of one state with
//               each and against a batch of one model; then all batch functions against those of one model
//   threads     forward dynamics of a batch: two threads over one, against the same ratio of a loop in registers
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "peers/cylinder.h"
#include "peers/cylinder_scene.h"
#include "pintle/base/thread_pool.h"
#include "pintle/batch.h"
#include "pintle/simulation.h"
#include "robots.h"

namespace {

using namespace pintle;

// Steps of a body per sample: enough that cold caches do not count, alone or in a batch.
constexpr long kStepsAlone = 100000, kStepsBatched = 10000;
constexpr int kRounds = 11, kManyRounds = 300;
constexpr double kMinAlone = 4.0, kMinBatched = 15.0;

double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Times [s] of calls.
struct Samples {
  std::vector<std::vector<double>> times;  // of each call

  double median(std::size_t call) const {
    std::vector<double> sorted = times[call];
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
  double fastest(std::size_t call) const { return *std::min_element(times[call].begin(), times[call].end()); }
};

/// Interleaves calls and measures them by a clock; the first round does not count.
Samples samples(const std::vector<std::function<void()>>& calls, int rounds, clockid_t clock) {
  Samples found{std::vector<std::vector<double>>(calls.size())};
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const double start = seconds(clock);
      calls[i]();
      if (round > 0) found.times[i].push_back(seconds(clock) - start);
    }
  }
  return found;
}

/// 256 bodies in a batch of doubles or floats.
template <class T>
class Bodies {
 public:
  Bodies(const peers::Cylinder& of, long steps)
      : batch_(std::vector<BatchBody>(kBodies, body_of(of)), {0, 0, -of.gravity},
               BatchGround{.restitution = of.restitution, .friction = of.friction}),
        start_{{0, 0, number(0.5 * of.length)},
               {0, 0, 0, 1},
               {{0, 0, number(-of.mass * of.speed)}, {0, number(of.across() * of.turning), 0}}},
        states_(kBodies),
        step_(of.step),
        steps_(steps) {}

  static constexpr std::size_t kBodies = 256;

  void fly() {
    std::fill(states_.begin(), states_.end(), start_);
    if (!batch_.step(step_, steps_, states_).empty()) std::abort();
  }
  double impacts() const { return static_cast<double>(batch_.impacts()) / kBodies; }

 private:
  static T number(double x) { return static_cast<T>(x); }
  static BatchBody body_of(const peers::Cylinder& of) {
    return {free_body(of.mass, Vec3<>{0, 0, 0}, diagonal(Vec3<>{of.across(), of.across(), of.axial()})),
            batch_cylinder(of.radius, of.length)};
  }

  BodyBatch<T> batch_;
  FreeBodyState<T> start_;
  std::vector<FreeBodyState<T>> states_;
  double step_;
  long steps_;
};

/// A sample repeats the run several times. Returns true if free flight is fast enough.
bool compare_bodies(const char* name, const peers::Cylinder& of, long steps, bool in_flight) {
  const std::unique_ptr<peers::CylinderRun> seed(peers::seed_cylinder(of));
  Simulation simulation(compile(peers::scene_of(of, true)).value());
  Bodies<double> batch(of, steps);
  Bodies<float> floats(of, steps);
  const long runs = kStepsAlone / steps, batch_runs = kStepsBatched / steps;
  const auto repeated = [](auto call, long runs_of_call) {
    return [runs = runs_of_call, call] {
      for (long i = 0; i < runs; ++i) call();
    };
  };
  const auto fly_seed = [&] { seed->run(steps); };
  const auto fly_alone = [&] {
    simulation.reset();
    if (!simulation.run({.until = static_cast<double>(steps) * of.step}).ok()) std::abort();
  };
  const auto fly_batch = [&] { batch.fly(); };
  const auto fly_floats = [&] { floats.fly(); };
  const Samples found = samples({repeated(fly_seed, runs), repeated(fly_alone, runs), repeated(fly_batch, batch_runs),
                                 repeated(fly_floats, batch_runs)},
                                kRounds, CLOCK_THREAD_CPUTIME_ID);
  const double all = 1e-9 * static_cast<double>(kStepsAlone), of_each = 1e-9 * kStepsBatched * Bodies<double>::kBodies;
  const double loop = found.median(0) / all, alone = found.median(1) / all, batched = found.median(2) / of_each,
               short_ones = found.median(3) / of_each;
  std::printf("%-28s %8.1f ns %8.1f ns %6.2f x %8.2f ns %6.1f x %8.2f ns %6.1f x %9ld %9.1f %9.1f\n", name, loop, alone,
              loop / alone, batched, loop / batched, short_ones, loop / short_ones, seed->impacts(), batch.impacts(),
              floats.impacts());
  return !in_flight || (loop / alone >= kMinAlone && loop / batched >= kMinBatched);
}

/// The mechanism without force elements.
class Mechanism final : public MotionSystem {
 public:
  explicit Mechanism(const Model& of) : model_(of), work_(of), tau_(static_cast<std::size_t>(of.nv())) {}
  const Model& model() const override { return model_; }
  bool derivatives(double, std::span<const double> q, std::span<const double> v, std::span<const double>,
                   std::span<double> vdot, std::span<double>) override {
    return forward_dynamics(model_, q, v, tau_, work_, vdot).ok();
  }

 private:
  Model model_;
  ForwardDynamicsWorkspace<> work_;
  std::vector<double> tau_;
};

/// Random states of a model, in packs.
template <class T>
struct States {
  States(const Model& model, std::size_t count)
      : how{count, BatchLayout::packs},
        q(batch_size<T>(how, model.nq())),
        v(batch_size<T>(how, model.nv())),
        tau(v),
        vdot(v) {
    RandomStream stream(3);
    const std::size_t lanes = static_cast<std::size_t>(batch_lanes<T>());
    std::vector<double> one(static_cast<std::size_t>(model.nq()));
    for (std::size_t s = 0; s < count; ++s) {
      random_configuration(model, stream, one);
      for (std::size_t k = 0; k < one.size(); ++k)
        q[(s / lanes * one.size() + k) * lanes + s % lanes] = static_cast<T>(one[k]);
    }
    for (T& x : v) x = static_cast<T>(stream.uniform(-0.1, 0.1));
  }
  BatchStates how;
  std::vector<T> q, v, tau, vdot;
};

void compare_mechanisms(const char* name, const Model& model) {
  constexpr std::size_t kStates = 512;
  constexpr int kSteps = 10;
  constexpr double kStep = 1e-4;
  Mechanism mechanism(model);
  Stepper stepper(mechanism, Method::rk4);
  MotionState from = neutral_state(mechanism), to = from;
  States<double> in_double(model, kStates);
  States<float> in_float(model, kStates);
  BatchStepper<double> doubles(model, Method::rk4, kStates);
  BatchStepper<float> floats(model, Method::rk4, kStates);
  const auto alone = [&] {
    for (int i = 0; i < kSteps * 100; ++i) {
      if (!stepper.step(from, kStep, to).ok()) std::abort();
      std::swap(from, to);
    }
  };
  const auto many = [&] {
    if (!doubles.step(in_double.how, kStep, kSteps, in_double.q, in_double.v, in_double.tau).empty()) std::abort();
  };
  const auto many_floats = [&] {
    if (!floats.step(in_float.how, kStep, kSteps, in_float.q, in_float.v, in_float.tau).empty()) std::abort();
  };
  const Samples found = samples({alone, many, many_floats}, kRounds, CLOCK_THREAD_CPUTIME_ID);
  const double one = 1e9 * found.median(0) / (kSteps * 100), batched = 1e9 * found.median(1) / (kSteps * kStates),
               short_ones = 1e9 * found.median(2) / (kSteps * kStates);
  std::printf("%-16s %10.0f ns %10.0f ns %6.2f x %10.0f ns %6.2f x\n", name, one, batched, one / batched, short_ones,
              one / short_ones);
}

/// Mechanisms with different masses and lengths.
std::vector<Model> variants(const ModelSpec& of, std::size_t count) {
  RandomStream stream(5);
  std::vector<Model> models;
  for (std::size_t i = 0; i < count; ++i) {
    ModelSpec spec = of;
    for (BodySpec& body : spec.bodies) body.inertia = stream.uniform(0.8, 1.25) * body.inertia;
    for (JointSpec& joint : spec.joints) joint.X_PJ.translation = stream.uniform(0.8, 1.25) * joint.X_PJ.translation;
    models.push_back(compile(spec).value());
  }
  return models;
}

/// Nanoseconds per state, with one model for all and with one model for each state.
template <class T>
Samples compare_batches(const std::vector<Model>& variants_of_one, const std::function<void()>& alone) {
  const ModelBatch<T> models(variants_of_one);
  BatchWorkspace<T> of_one(variants_of_one[0]), of_all(models);
  States<T> states(variants_of_one[0], models.size());
  const auto all_models = [&](const auto& with, BatchWorkspace<T>& work) {
    if (!batch_forward_dynamics(with, states.how, states.q, states.v, states.tau, work, states.vdot).ok()) std::abort();
  };
  return samples({alone, [&] { all_models(variants_of_one[0], of_one); }, [&] { all_models(models, of_all); }}, kRounds,
                 CLOCK_THREAD_CPUTIME_ID);
}

void compare_models(const char* name, const ModelSpec& spec, std::size_t count) {
  const std::vector<Model> models = variants(spec, count);
  ForwardDynamicsWorkspace<> work(models[0]);
  const std::size_t nv = static_cast<std::size_t>(models[0].nv());
  std::vector<double> q(static_cast<std::size_t>(models[0].nq())), zero(nv), vdot(nv);
  RandomStream stream(4);
  random_configuration(models[0], stream, q);
  const auto alone = [&] {
    for (std::size_t i = 0; i < count; ++i)
      if (!forward_dynamics(models[i], q, zero, zero, work, vdot).ok()) std::abort();
  };
  const Samples in_double = compare_batches<double>(models, alone), in_float = compare_batches<float>(models, alone);
  const auto nanoseconds = [count](double time) { return 1e9 * time / static_cast<double>(count); };
  const double one = nanoseconds(in_double.median(0)), batched = nanoseconds(in_double.median(2)),
               short_ones = nanoseconds(in_float.median(2));
  std::printf("%-16s %6zu %8.0f ns %8.0f ns %6.2f x %5.2f %8.0f ns %6.2f x %5.2f\n", name, count, one, batched,
              one / batched, in_double.median(1) / in_double.median(2), short_ones, one / short_ones,
              in_float.median(1) / in_float.median(2));
}

constexpr const char* kFunctions[] = {"inverse",    "forward",  "mass",    "solve",      "M^-1",    "coriolis",
                                      "kinematics", "jacobian", "columns", "centroidal", "energies"};

/// The outputs of the functions, for states in packs.
struct Results {
  Results(const Model& model, const BatchStates& how) {
    const int links = model.tree().count, n = model.nv();
    const auto room = [&how](int numbers) { return std::vector<double>(batch_size<double>(how, numbers)); };
    M = room(n * n);
    poses = room(links * kPoseValues);
    velocities = room(links * kTwistValues);
    J = room(6 * n);
    momentum = room(6);
    locked = room(kLockedValues);
    energies = room(2);
  }
  std::vector<double> M, poses, velocities, J, momentum, locked, energies;
};

/// One of the functions, with one model and a place on it, or with many models and a place on each.
template <class Models, class Places>
void call(std::size_t function, const Models& models, const Places& places, BatchWorkspace<>& work, States<double>& at,
          Results& to) {
  const BatchStates& how = at.how;
  const std::vector<double>&q = at.q, &v = at.v, &tau = at.tau;
  switch (function) {
    case 0:
      return batch_inverse_dynamics(models, how, q, v, tau, work, at.vdot);
    case 1:
      return (void)batch_forward_dynamics(models, how, q, v, tau, work, at.vdot);
    case 2:
      return batch_mass_matrix(models, how, q, work, to.M);
    case 3:
      return (void)batch_solve(models, how, q, tau, work, at.vdot);
    case 4:
      return (void)batch_mass_matrix_inverse(models, how, q, work, to.M);
    case 5:
      return batch_coriolis_matrix(models, how, q, v, work, to.M);
    case 6:
      return batch_kinematics(models, how, q, v, work, to.poses, to.velocities);
    case 7:
      return batch_jacobian(models, how, q, places, Axes::local, work, to.J);
    case 8:
      return batch_jacobian_columns(models, how, q, work, to.J);
    case 9:
      return batch_centroidal_momentum_matrix(models, how, q, v, work, to.J, to.momentum, to.locked);
    default:
      return batch_energies(models, how, q, v, work, to.energies);
  }
}

/// All batch functions: the time per state with many models, and the ratio of a batch of one model to it.
void compare_functions(const char* name, const ModelSpec& spec, std::size_t count) {
  const ModelBatch<> models(variants(spec, count));
  const Model& model = models[0];
  BatchWorkspace<> one(model, nullptr, true), many(models, nullptr, true);
  States<double> states(model, count);
  Results results(model, states.how);
  const std::vector<Place> places(count, {model.tree().count - 1, identity_pose()});
  std::printf("%-16s %6zu", name, count);
  for (std::size_t i = 0; i < std::size(kFunctions); ++i) {
    const auto of_one = [&] { call(i, model, places[0], one, states, results); };
    const auto of_many = [&] { call(i, models, places, many, states, results); };
    const Samples found = samples({of_one, of_many}, kRounds, CLOCK_THREAD_CPUTIME_ID);
    std::printf("  %s %.0f ns (%.2f)", kFunctions[i], 1e9 * found.median(1) / static_cast<double>(count),
                found.median(0) / found.median(1));
  }
  std::printf("\n");
}

/// Multiplications and additions without memory access.
double stay_in_registers(long count) {
  double x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (long i = 0; i < count; ++i)
    for (double& number : x) number = number * 0.999999 + 1e-6;
  double sum = 0.0;
  for (const double number : x) sum += number;
  return sum;
}

void compare_threads(const char* name, const Model& model) {
  constexpr std::size_t kStates = 4096;
  constexpr std::size_t kPieces = 16;
  ThreadPool one(1), two(2);
  BatchWorkspace<> alone(model, &one), shared(model, &two);
  States<double> states(model, kStates);
  volatile double sink = 0.0;
  const auto dynamics = [&](BatchWorkspace<>& work) {
    if (!batch_forward_dynamics(model, states.how, states.q, states.v, states.tau, work, states.vdot).ok())
      std::abort();
  };
  // A loop that takes the same time, in as many pieces.
  const double of_call = samples({[&] { dynamics(alone); }}, kRounds, CLOCK_MONOTONIC).fastest(0);
  const double of_loop = samples({[&] { sink = stay_in_registers(100000); }}, kRounds, CLOCK_MONOTONIC).fastest(0);
  const long count = static_cast<long>(1e5 * of_call / of_loop / kPieces);
  const auto loop = [&](ThreadPool& pool) {
    double sums[kPieces] = {};
    pool.parallel_for(kPieces, 1, [&](std::size_t i, std::size_t) { sums[i] = stay_in_registers(count); });
    sink = sums[0];
  };
  const Samples found =
      samples({[&] { loop(one); }, [&] { loop(two); }, [&] { dynamics(alone); }, [&] { dynamics(shared); }},
              kManyRounds, CLOCK_MONOTONIC);
  const double registers = found.fastest(0) / found.fastest(1), batch = found.fastest(2) / found.fastest(3);
  std::printf("%-16s %10.2f x %10.2f x %10.2f\n", name, registers, batch, batch / registers);
}

}  // namespace

int main() {
  std::printf("kernels: %s\n\nfree bodies, time of a step\n%-28s %11s %11s %8s %11s %8s %11s %8s %9s %9s %9s\n",
              name(active_isa()), "", "seed loop", "Simulation", "", "double", "", "float", "", "impacts", "double",
              "float");
  peers::Cylinder cylinder;
  compare_bodies("bouncing, no losses, 10 s", cylinder, 10000, false);
  cylinder.restitution = 0.87;
  cylinder.friction = 0.15;
  compare_bodies("bouncing, friction, 0.5 s", cylinder, 500, false);
  cylinder.speed = -60.0;
  const bool ok = compare_bodies("in flight, 10 s", cylinder, 10000, true);

  const Model arm = compile(chain(7)).value(), dog = compile(quadruped()).value(), man = compile(humanoid()).value();
  std::printf("\nmechanisms, time of a step of RK4\n%-16s %13s %13s %8s %13s\n", "", "Stepper", "double", "", "float");
  compare_mechanisms("arm 7", arm);
  compare_mechanisms("quadruped 12+6", dog);
  compare_mechanisms("humanoid 30+6", man);

  std::printf(
      "\nmodels, time of forward dynamics of a state; last of each: of a batch of one model over it\n%-16s %6s %11s "
      "%11s %8s %5s %11s\n",
      "", "models", "one state", "double", "", "", "float");
  for (const std::size_t count : {64u, 512u, 4096u}) {
    compare_models("arm 7", chain(7), count);
    compare_models("quadruped 12+6", quadruped(), count);
    compare_models("humanoid 30+6", humanoid(), count);
  }

  std::printf("\nmodels, time of all functions of a state; in brackets a batch of one model over it\n");
  for (const std::size_t count : {64u, 4096u}) {
    compare_functions("arm 7", chain(7), count);
    compare_functions("quadruped 12+6", quadruped(), count);
    compare_functions("humanoid 30+6", humanoid(), count);
  }

  std::printf("\ntwo threads over one, by the clock on the wall\n%-16s %12s %12s %10s\n", "", "registers", "batch",
              "ratio");
  compare_threads("arm 7", arm);
  compare_threads("quadruped 12+6", dog);
  compare_threads("humanoid 30+6", man);
  return ok ? 0 : 1;
}
