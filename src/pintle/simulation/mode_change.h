// ModeChange: what the joints do next, at an instant when one of them meets a stop, comes to rest, or can no longer be
// held: impacts first, then who sticks, rests, slides and leaves, all found together.
#pragma once

#include <span>
#include <vector>

#include "pintle/constraints/constrained_dynamics.h"
#include "pintle/constraints/stop_impulses.h"
#include "pintle/simulation/motion.h"
#include "pintle/simulation/scene_system.h"

namespace pintle {

/// What a change was about, per independent freedom.
enum class Cause : unsigned char {
  none,
  lower_stop,  ///< it met its lower limit
  upper_stop,
  rest,       ///< it slid and came to rest
  turn,       ///< its motion is prescribed, and it turns back
  gives_way,  ///< it was held, and needs more than can hold it
};

struct [[nodiscard]] ModeChangeReport {
  bool ok = true;            ///< false: the solver did not converge, or there are no accelerations
  int joint = -1;            ///< behind a failure, where it is known
  bool impact = false;       ///< velocities jumped
  bool cut_short = false;    ///< of the impact (StopImpulseReport)
  double energy_lost = 0.0;  ///< [J] in the impact
  double residual = 0.0;     ///< the worst of the solvers
};

class ModeChange {
 public:
  explicit ModeChange(SceneSystem& system);

  /// Changes the velocities of `state` (positions that met a limit are put on it) and the modes of the system.
  /// [eq. newton-impact] [eq. joint-friction] [eq. joint-stop]
  ModeChangeReport apply(std::span<const Cause> causes, MotionState& state);

  /// The work [J] of the blow at each freedom in the last impact, of stops and of prescribed motions; and the impulse
  /// [N m s or N s] of its stop.
  std::span<const double> blow_work() const { return blow_work_; }
  std::span<const double> impulses() const { return impact_.impulses; }

  /// Where each independent freedom may stand, and its number in q, -1 where it has no plain position.
  std::span<const double> lower() const { return space_.lower; }
  std::span<const double> upper() const { return space_.upper; }
  std::span<const int> q_number() const { return space_.q_number; }

 private:
  void read_causes(std::span<const Cause> causes, MotionState& state);
  bool strike(MotionState& state, ModeChangeReport& report);
  bool decide(const MotionState& state, ModeChangeReport& report);
  void slide_as_moving(const MotionState& state);
  bool rests_soon(const MotionState& state);

  SceneSystem& system_;
  SearchSpace space_;
  FreedomModes modes_;
  std::vector<StopSide> sides_;
  std::vector<unsigned char> sticks_, turns_;
  std::vector<signed char> gives_way_;  // the direction in which it starts to move, 0 where it is held or moves
  std::vector<double> restitution_, v_before_, vdot_, blow_work_;
  StopImpulseWorkspace impact_;
  ConstrainedDynamicsWorkspace hold_;
};

}  // namespace pintle
