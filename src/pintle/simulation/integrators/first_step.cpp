#include "pintle/simulation/integrators/first_step.h"

#include "pintle/base/random.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/math/elementary_impl.h"
#include "pintle/simulation/integrators/stepper_memory.h"

namespace pintle {

struct FirstStepMemory {
  explicit FirstStepMemory(MotionSystem& system)
      : field(system),
        place(system.model()),
        z(field.size()),
        rate(field.size()),
        beside(field.size()),
        rate_beside(field.size()),
        direction(2 * field.nv()) {}

  ChartField field;
  KinematicsWorkspace place;
  std::vector<double> z, rate, beside, rate_beside;
  std::vector<double> direction;  ///< of (xi, u)
};

FirstStepWorkspace::FirstStepWorkspace(MotionSystem& system) : memory_(new FirstStepMemory(system)) {}

FirstStepWorkspace::~FirstStepWorkspace() {
  delete memory_;
}

namespace {

constexpr double kDisplacement = 1e-6;  // of a difference [rad or m]: small for mechanisms, large for rounding
constexpr int kWarmUp = 4;              // pairs of iterations that also find the balance of q and v
constexpr int kMeasured = 8;            // iterations, a power of two

/// By the rates of the velocities u of the chart: those of free joints have other linear parts than vdot, on which no
/// angular acceleration depends.
void find_turning(const Model& model, const MotionState& state, FirstStepMemory& work, FirstStep& result) {
  const std::size_t nv = state.v.size();
  kinematics(model, state.q, state.v, std::span<const double>(work.rate).subspan(nv, nv), work.place);
  const auto motion = work.place.motion.view();
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    result.turning = max(result.turning, norm(motion.V[i].angular));
    result.onset = max(result.onset, std::sqrt(norm(work.place.A[i].angular)));
  }
}

/// The norm of a direction, displacements times `balance` [1/s] so that they compare with velocities: those of one
/// oscillation with that frequency are equal.
double size_of(std::span<const double> direction, double balance) {
  const std::size_t nv = direction.size() / 2;
  double sum = 0.0;
  for (std::size_t i = 0; i < nv; ++i) {
    const double displacement = balance * direction[i], velocity = direction[nv + i];
    sum += displacement * displacement + velocity * velocity;
  }
  return std::sqrt(sum);
}

/// direction = J direction / its norm; returns the growth, 0 if it vanished or there are no finite derivatives.
double iterate(FirstStepMemory& work, double t, double balance) {
  const std::size_t n = work.direction.size();
  const double size = size_of(work.direction, balance);
  if (!(size > 0.0)) return 0.0;
  const double step = kDisplacement * balance / size;  // no displacement is larger than kDisplacement then
  for (std::size_t i = 0; i < work.z.size(); ++i) work.beside[i] = work.z[i] + (i < n ? step * work.direction[i] : 0.0);
  if (!work.field(t, work.beside, work.rate_beside)) return 0.0;
  const double scale = 1.0 / (step * size);
  for (std::size_t i = 0; i < n; ++i) work.direction[i] = scale * (work.rate_beside[i] - work.rate[i]);
  const double growth = size_of(work.direction, balance);
  return std::isfinite(growth) ? growth : 0.0;
}

/// The spectral radius of the Jacobian of (xi, u) -> derivatives, from the growth of a direction. Pairs of iterations
/// give the frequency of an oscillation, whatever the balance.
double largest_rate(FirstStepMemory& work, double t) {
  RandomStream stream(1);
  for (double& x : work.direction) x = stream.uniform(-1.0, 1.0);
  double balance = 1.0;
  for (int pair = 0; pair < kWarmUp; ++pair) {
    const double first = iterate(work, t, balance), second = iterate(work, t, balance);
    const double rate = std::sqrt(first) * std::sqrt(second);
    if (!(rate > 0.0)) return 0.0;
    balance = max(rate, 1e-3);
  }
  double mean = 1.0;
  for (int i = 0; i < kMeasured; ++i) {
    const double growth = iterate(work, t, balance);
    if (!(growth > 0.0)) return 0.0;
    mean *= std::sqrt(std::sqrt(std::sqrt(growth)));
  }
  return mean;
}

/// The root mean square of values relative to the tolerance of each, which is the size of component i.
template <class Number>
double tolerable_parts(const FirstStepMemory& work, const Tolerances& tolerances, Number number) {
  double sum = 0.0;
  int count = 0;
  for (std::size_t i = 0; i < work.z.size(); ++i) {
    if (!work.field.counts_for_error(i)) continue;
    const double size = work.field.scale_of(i, work.z[i]);
    const double part = number(i, size) / (tolerances.absolute + tolerances.relative * size);
    sum += part * part;
    ++count;
  }
  return count == 0 ? 0.0 : std::sqrt(sum / count);
}

/// Hairer, Norsett, Wanner 1993, section II.4: from the norms of the state, of its derivatives and of their change.
double starting_step(FirstStepMemory& work, double t, int order, const Tolerances& tolerances) {
  const double state = tolerable_parts(work, tolerances, [](std::size_t, double size) { return size; });
  const double rate = tolerable_parts(work, tolerances, [&](std::size_t i, double) { return work.rate[i]; });
  if (!(rate > 1e-5) || !(state > 1e-5)) return kLongestFirstStep;
  const double h0 = min(0.01 * state / rate, kLongestFirstStep);
  for (std::size_t i = 0; i < work.z.size(); ++i) work.beside[i] = work.z[i] + h0 * work.rate[i];
  if (!work.field(t + h0, work.beside, work.rate_beside) || !all_finite(work.rate_beside)) return h0;
  const double change = tolerable_parts(
      work, tolerances, [&](std::size_t i, double) { return (work.rate_beside[i] - work.rate[i]) / h0; });
  const double h1 = pow(0.01 / max(rate, change), 1.0 / (order + 1));
  return min(100.0 * h0, h1);
}

}  // namespace

double angle_per_step(Method method, const Tolerances& tolerances) {
  const int order = facts(method).order;
  double factorial = 1.0;
  for (int i = 2; i <= order + 1; ++i) factorial *= i;
  const double angle = pow(tolerances.relative * factorial, 1.0 / order);
  return angle >= kMaxAnglePerStep ? kMaxAnglePerStep : angle >= kMinAnglePerStep ? angle : kMinAnglePerStep;
}

FirstStep first_step(MotionSystem& system, const MotionState& state, Method method, const Tolerances& tolerances,
                     FirstStepWorkspace& workspace) {
  FirstStepMemory& work = workspace.memory();
  require_size("first_step", "state.q", state.q.size(), static_cast<std::size_t>(system.model().nq()));
  require_size("first_step", "state.v", state.v.size(), static_cast<std::size_t>(system.model().nv()));
  require_size("first_step", "state.auxiliary", state.auxiliary.size(),
               static_cast<std::size_t>(system.auxiliary_count()));
  require_size("first_step", "work", work.z.size(), 2 * state.v.size() + state.auxiliary.size());
  FirstStep result{kLongestFirstStep, 0.0, 0.0, 0.0, system.driven_rate()};
  if (!all_finite(state.q, state.v, state.auxiliary)) return result;
  work.field.start_at(state);
  work.field.start_numbers(work.z);
  if (!work.field(state.t, work.z, work.rate) || !all_finite(work.rate)) return result;
  find_turning(system.model(), state, work, result);
  result.frequency = largest_rate(work, state.t);
  const double fastest = max(max(result.turning, result.onset), max(result.frequency, result.driven));
  const bool estimates = facts(method).estimates_error;
  const double angle = estimates ? kMaxAnglePerStep : angle_per_step(method, tolerances);
  if (std::isfinite(fastest) && angle < kLongestFirstStep * fastest) result.h = angle / fastest;
  if (!estimates) return result;
  const double start = starting_step(work, state.t, facts(method).order, tolerances);
  if (start > 0.0 && start < result.h) result.h = start;
  return result;
}

FirstStep first_step(MotionSystem& system, const MotionState& state, Method method, const Tolerances& tolerances) {
  FirstStepWorkspace work(system);
  return first_step(system, state, method, tolerances, work);
}

}  // namespace pintle
