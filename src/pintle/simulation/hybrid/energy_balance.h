// Energy balance: the sources of the energy and the momentum of a run, and the residual that no account explains.
#pragma once

#include <span>
#include <vector>

#include "pintle/dynamics/momentum_rate.h"
#include "pintle/simulation/hybrid/scene_system.h"
#include "pintle/simulation/system/motion.h"

namespace pintle {

/// The energies of a mechanism and of the elements that act on it [J].
struct Energies {
  double kinetic = 0.0;
  double gravity = 0.0;  ///< zero for a centre of mass at the world's origin
  double springs = 0.0;  ///< of joints
  double stored = 0.0;   ///< in force elements

  double total() const { return kinetic + gravity + springs + stored; }
};

/// The residual of a balance, and the size it is relative to.
struct Balance {
  double rest = 0.0;
  double size = 0.0;  ///< everything that went through

  double relative() const { return size > 0.0 ? rest / size : rest; }
};

class EnergyBalance {
 public:
  explicit EnergyBalance(SceneSystem& system);

  /// Restarts at a state.
  void open(const MotionState& state);
  /// Samples the energy and momentum in motion. A balance evaluated at an instant of rest would otherwise have nothing
  /// to be relative to: a run calls it now and then. Allocates nothing.
  void look(const MotionState& state);
  /// Updates it to a state. Allocates nothing.
  void bring_up_to(const MotionState& state);
  /// The sizes at that state count from now on.
  void remember() { memory_.seen = sizes_; }
  /// The same with poses that `kinematics` found at this state.
  void bring_up_to(const MotionState& state, const KinematicsWorkspace& places);
  /// Records the work of an impact: at each dof [J], and the jump of momentum, which the supports carry. `contact_work`
  /// [J] is that of all contacts, `surface_work` [J] that of each account of moving surfaces, `friction_work` [J] that of
  /// the friction of each dof in time stepping (or none).
  void record_impact_work(const MotionState& before, const MotionState& after, std::span<const double> impact_work,
                          double contact_work, std::span<const double> surface_work,
                          std::span<const double> friction_work = {});
  /// Records, as work and impulse of the contacts, the energy and momentum by which the projection of a time-stepping
  /// step changes a state.
  void record_projection(const MotionState& before, const MotionState& after);

  const Energies& start() const { return memory_.start; }
  const Energies& now() const { return now_; }
  /// Work [J] of each account (SceneSystem::accounts), and what limits clipped.
  std::span<const double> work() const { return work_; }
  std::span<const double> clipped() const { return clipped_; }
  /// Residual: energy now - energy at the start - all work [J], relative to all work, the largest turnover between the
  /// energies so far and a millionth of m g l, the weight of the mechanism at its own size. Less than that is rounding
  /// of positions.  [eq. balance-scale]
  const Balance& energy() const { return energy_; }

  /// About the world's origin, in world axes.
  const Momentum<>& momentum() const { return momentum_; }
  const Momentum<>& momentum_at_start() const { return memory_.momentum_start; }
  /// Impulses so far of weight, supports and forces [N s, N m s].
  std::span<const Wrench<>> impulses() const { return impulses_; }
  /// Of p [N s] and of L [N m s]: the size of the residual, relative to the impulses, the largest sum of the momenta
  /// of single bodies so far, in which every term counts in full, even if they cancel, and a millionth of m sqrt(g l)
  /// and m l sqrt(g l), the momenta of a fall through the own size.
  const Balance& linear() const { return linear_; }
  const Balance& angular() const { return angular_; }

  /// The maximum sizes in motion.
  struct Sizes {
    double turnover = 0.0;               ///< [J] between the energies
    double linear = 0.0, angular = 0.0;  ///< [N s, N m s] of the momenta of single bodies
  };

  /// What it keeps between calls besides the state, for checkpoints.
  struct Memory {
    Energies start;
    Sizes seen;
    Momentum<> momentum_start{};
    Wrench<> jump{};                  ///< of momentum, at impacts
    double contact_work = 0.0;        ///< of impacts between bodies
    std::vector<double> impact_work;  ///< of impacts, per independent dof
    std::vector<double> friction_work;  ///< in time stepping, per independent dof
    std::vector<double> surface_work;  ///< of impacts, per account of moving surfaces
  };
  Memory& memory() { return memory_; }

 private:
  Energies energies_of(const MotionState& state, const KinematicsWorkspace& places) const;
  Sizes sizes_with(const Energies& energies, const KinematicsWorkspace& places) const;
  void find_noise();
  void place(const MotionState& state);
  void balance_momentum(const MotionState& state, const KinematicsWorkspace& places);

  SceneSystem& system_;
  KinematicsWorkspace kinematics_;
  std::vector<double> zero_, work_, clipped_;
  Memory memory_;
  Energies now_;
  Sizes sizes_;
  Sizes noise_;  // of a mechanism that moves by rounding alone
  Balance energy_, linear_, angular_;
  Momentum<> momentum_{};
  std::vector<Wrench<>> impulses_;
};

}  // namespace pintle
