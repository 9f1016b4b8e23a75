#include "pintle/simulation/ledger.h"

#include <cmath>

#include "pintle/dynamics/energy.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

MotionInstant instant(const MotionState& state) {
  return {state.t, state.q, state.v, state.extra};
}

double length(const Vec3<>& a) {
  return std::sqrt(dot(a, a));
}

}  // namespace

Ledger::Ledger(SceneSystem& system)
    : system_(system),
      kinematics_(system.model()),
      zero_(size(system.model().nv())),
      work_(system.accounts().size()),
      clipped_(work_.size()),
      impulses_(kImpulses) {
  memory_.blow_work.resize(zero_.size());
}

Energies Ledger::energies_of(const MotionState& state) {
  kinematics(system_.model(), state.q, state.v, zero_, kinematics_);
  return {kinetic_energy(system_.model(), kinematics_), gravity_energy(system_.model(), kinematics_),
          spring_energy(system_.model(), kinematics_), system_.stored_energy(instant(state))};
}

void Ledger::open(const MotionState& state) {
  for (double& work : memory_.blow_work) work = 0.0;
  memory_.turnover = 0.0;
  memory_.jump = {};
  memory_.start = energies_of(state);
  memory_.momentum_start = total_momentum(system_.model(), kinematics_);
  bring_up_to(state);
}

void Ledger::bring_up_to(const MotionState& state) {
  now_ = energies_of(state);
  momentum_ = total_momentum(system_.model(), kinematics_);
  const std::span<const WorkAccount> accounts = system_.accounts();
  const std::span<const PrescribedMotion> prescribed = system_.scene().prescribed();
  double sum = 0.0, sizes = 0.0;
  for (std::size_t a = 0; a < accounts.size(); ++a) {
    work_[a] = accounts[a].work >= 0 ? state.extra[size(accounts[a].work)] : 0.0;
    const int struck = accounts[a].kind == AccountKind::stop         ? accounts[a].number
                       : accounts[a].kind == AccountKind::prescribed ? prescribed[size(accounts[a].number)].freedom
                                                                     : -1;
    if (struck >= 0) work_[a] += memory_.blow_work[size(struck)];
    clipped_[a] = accounts[a].clipped >= 0 ? state.extra[size(accounts[a].clipped)] : 0.0;
    sum += work_[a];
    sizes += std::abs(work_[a]);
  }
  // Energy that only changes its kind, as in a pendulum, goes through as well.
  const double turned = now_.kinetic + std::abs(now_.gravity - memory_.start.gravity) +
                        std::abs(now_.springs - memory_.start.springs) + std::abs(now_.stored - memory_.start.stored);
  turnover_ = max(memory_.turnover, max(turned, memory_.start.kinetic));
  energy_ = {now_.total() - memory_.start.total() - sum, sizes + turnover_};
  balance_momentum(state);
}

void Ledger::balance_momentum(const MotionState& state) {
  const int first = system_.first_impulse();
  if (first < 0) return;
  Wrench<> sum = memory_.jump;
  double linear_size = length(momentum_.linear) + length(memory_.momentum_start.linear);
  double angular_size = length(momentum_.angular) + length(memory_.momentum_start.angular);
  for (std::size_t k = 0; k < impulses_.size(); ++k) {
    const double* const x = state.extra.data() + size(first) + 6 * k;
    impulses_[k] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    if (k == kSupports) impulses_[k] += memory_.jump;
    sum += Wrench<>{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    linear_size += length(impulses_[k].force);
    angular_size += length(impulses_[k].torque);
  }
  linear_ = {length(momentum_.linear - memory_.momentum_start.linear - sum.force), linear_size};
  angular_ = {length(momentum_.angular - memory_.momentum_start.angular - sum.torque), angular_size};
}

void Ledger::book_impact(const MotionState& before, const MotionState& after, std::span<const double> blow_work) {
  for (std::size_t i = 0; i < memory_.blow_work.size(); ++i) memory_.blow_work[i] += blow_work[i];
  kinematics(system_.model(), before.q, before.v, zero_, kinematics_);
  const Momentum<> had = total_momentum(system_.model(), kinematics_);
  kinematics(system_.model(), after.q, after.v, zero_, kinematics_);
  const Momentum<> has = total_momentum(system_.model(), kinematics_);
  memory_.jump += Wrench<>{has.linear - had.linear, has.angular - had.angular};
}

}  // namespace pintle
