#include "pintle/simulation/hybrid/energy_balance.h"

#include <cmath>
#include <utility>

#include "pintle/base/size.h"
#include "pintle/dynamics/energy.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

/// Energies and momenta below this fraction of those of a fall through the own size count as rounding.
constexpr double kNoise = 1e-6;

}  // namespace

EnergyBalance::EnergyBalance(SceneSystem& system)
    : system_(system),
      kinematics_(system.model()),
      zero_(size(system.model().nv())),
      work_(system.accounts().size()),
      clipped_(work_.size()),
      impulses_(kImpulses) {
  memory_.impact_work.resize(zero_.size());
  memory_.friction_work.resize(zero_.size());
  memory_.surface_work.resize(system.surface_count());
  find_noise();
}

/// From the masses of the links, and from their sizes: the distance of a joint from the previous one, of the centre of
/// mass from the joint, and the radius of gyration.
void EnergyBalance::find_noise() {
  const double g = norm(system_.model().gravity());
  for (const Link& link : system_.model().links()) {
    const double m = link.inertia.mass;
    if (!(m > 0.0)) continue;
    const double joint = link.parent < 0 ? 0.0 : norm(link.X_PJ.translation);
    const double l = joint + norm(link.inertia.first_moment) / m + std::sqrt(trace(link.inertia.inertia) / m);
    const double p = m * std::sqrt(g * l);
    noise_.turnover += kNoise * m * g * l;
    noise_.linear += kNoise * p;
    noise_.angular += kNoise * p * l;
  }
}

void EnergyBalance::place(const MotionState& state) {
  kinematics(system_.model(), state.q, state.v, zero_, kinematics_);
}

Energies EnergyBalance::energies_of(const MotionState& state, const KinematicsWorkspace& places) const {
  const Model& model = system_.model();
  return {kinetic_energy(model, places), gravity_energy(model, places), spring_energy(model, places),
          system_.stored_energy(instant(state), places)};
}

void EnergyBalance::open(const MotionState& state) {
  for (double& work : memory_.impact_work) work = 0.0;
  for (double& work : memory_.friction_work) work = 0.0;
  for (double& work : memory_.surface_work) work = 0.0;
  memory_.contact_work = 0.0;
  memory_.seen = {};
  memory_.jump = {};
  place(state);
  memory_.start = energies_of(state, kinematics_);
  memory_.momentum_start = total_momentum(system_.model(), kinematics_);
  bring_up_to(state, kinematics_);
}

/// The larger of the previous and the present sizes.
EnergyBalance::Sizes EnergyBalance::sizes_with(const Energies& energies, const KinematicsWorkspace& places) const {
  // Energy that only changes its kind, as in a pendulum, counts as well.
  const double turned = energies.kinetic + std::abs(energies.gravity - memory_.start.gravity) +
                        std::abs(energies.springs - memory_.start.springs) +
                        std::abs(energies.stored - memory_.start.stored);
  const std::span<const Link> links = system_.model().links();
  const Twist<>* const V = places.motion.view().V;
  double linear = 0.0, angular = 0.0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto& [mass, h, I] = links[i].inertia;
    const double p = mass * norm(V[i].linear) + norm(cross(V[i].angular, h));
    linear += p;
    angular += norm(places.X_WL[i].translation) * p + norm(I * V[i].angular) + norm(cross(h, V[i].linear));
  }
  const Sizes& seen = memory_.seen;
  return {max(seen.turnover, max(turned, memory_.start.kinetic)), max(seen.linear, linear), max(seen.angular, angular)};
}

void EnergyBalance::look(const MotionState& state) {
  place(state);
  memory_.seen = sizes_with(energies_of(state, kinematics_), kinematics_);
}

void EnergyBalance::bring_up_to(const MotionState& state) {
  place(state);
  bring_up_to(state, kinematics_);
}

void EnergyBalance::bring_up_to(const MotionState& state, const KinematicsWorkspace& places) {
  now_ = energies_of(state, places);
  sizes_ = sizes_with(now_, places);
  momentum_ = total_momentum(system_.model(), places);
  const std::span<const WorkAccount> accounts = system_.accounts();
  const std::span<const PrescribedMotion> prescribed = system_.scene().prescribed();
  double sum = 0.0, works = 0.0;
  // Where nothing can touch, what time stepping projects is the joints'.
  const AccountKind projected = system_.contacts().any_pairs() ? AccountKind::contact : AccountKind::limit;
  double contact_work = memory_.contact_work;
  std::size_t surface = 0;
  for (std::size_t a = 0; a < accounts.size(); ++a) {
    work_[a] = accounts[a].work >= 0 ? state.auxiliary[size(accounts[a].work)] : 0.0;
    const int hit = accounts[a].kind == AccountKind::limit        ? accounts[a].number
                    : accounts[a].kind == AccountKind::prescribed ? prescribed[size(accounts[a].number)].dof
                                                                  : -1;
    if (hit >= 0) work_[a] += memory_.impact_work[size(hit)];
    if (accounts[a].kind == AccountKind::friction) work_[a] += memory_.friction_work[size(accounts[a].number)];
    if (accounts[a].kind == projected) work_[a] += std::exchange(contact_work, 0.0);
    if (accounts[a].kind == AccountKind::surface) work_[a] += memory_.surface_work[surface++];
    clipped_[a] = accounts[a].clipped >= 0 ? state.auxiliary[size(accounts[a].clipped)] : 0.0;
    sum += work_[a];
    works += std::abs(work_[a]);
  }
  energy_ = {now_.total() - memory_.start.total() - sum, works + sizes_.turnover + noise_.turnover};
  balance_momentum(state, places);
}

void EnergyBalance::balance_momentum(const MotionState& state, const KinematicsWorkspace& places) {
  if (!system_.balances_momentum()) return;
  Wrench<> sum = zero_wrench();
  double linear_size = sizes_.linear + noise_.linear, angular_size = sizes_.angular + noise_.angular;
  for (std::size_t k = 0; k < kImpulses; ++k) {
    impulses_[k] = system_.impulse(state, k, places);
    if (k == kSupports) impulses_[k] += memory_.jump;
    sum += impulses_[k];
    linear_size += norm(impulses_[k].force);
    angular_size += norm(impulses_[k].torque);
  }
  linear_ = {norm(momentum_.linear - memory_.momentum_start.linear - sum.force), linear_size};
  angular_ = {norm(momentum_.angular - memory_.momentum_start.angular - sum.torque), angular_size};
}

void EnergyBalance::record_impact_work(const MotionState& before, const MotionState& after,
                                       std::span<const double> impact_work, double contact_work,
                                       std::span<const double> surface_work, std::span<const double> friction_work) {
  memory_.contact_work += contact_work;
  for (std::size_t k = 0; k < surface_work.size(); ++k) memory_.surface_work[k] += surface_work[k];
  for (std::size_t i = 0; i < memory_.impact_work.size(); ++i) memory_.impact_work[i] += impact_work[i];
  for (std::size_t i = 0; i < friction_work.size(); ++i) memory_.friction_work[i] += friction_work[i];
  place(before);
  const Momentum<> had = total_momentum(system_.model(), kinematics_);
  place(after);
  const Momentum<> has = total_momentum(system_.model(), kinematics_);
  memory_.jump += Wrench<>{has.linear - had.linear, has.angular - had.angular};
}

void EnergyBalance::record_projection(const MotionState& before, const MotionState& after) {
  place(before);
  const double had = energies_of(before, kinematics_).total();
  const Momentum<> had_momentum = total_momentum(system_.model(), kinematics_);
  place(after);
  const Momentum<> has = total_momentum(system_.model(), kinematics_);
  memory_.contact_work += energies_of(after, kinematics_).total() - had;
  memory_.jump += Wrench<>{has.linear - had_momentum.linear, has.angular - had_momentum.angular};
}

}  // namespace pintle
