// BoundCommand: a command whose names are looked up among joints, sensors and events, ready to be evaluated in a run.
#pragma once

#include "pintle/base/buffer.h"
#include "pintle/math/dual.h"
#include "pintle/simulation/elements/command.h"
#include "pintle/simulation/system/force_element.h"

namespace pintle {

class BoundCommand {
 public:
  /// The constant 0.
  BoundCommand() = default;

  /// Its value with the position q and the speed qd of its own joint; NaN where it has none. Allocates nothing.
  double value(const ForceInput& in, double q, double qd);

  /// The same with its time derivative along the motion. Only if `has_rate`.
  DriveValue value_and_rate(const ForceInput& in, double q, double qd);

  /// Whether its time derivative follows from the velocities: it depends on the time and on scalar coordinates alone.
  bool has_rate() const;

  /// Whether it reads ForceInput::kinematics.
  bool needs_places() const { return others_.needs_places(); }
  /// Whether it reads ForceInput::event_counts.
  bool counts_events() const { return others_.counts_events(); }

 private:
  friend Result<BoundCommand> bind(const Command&, const Model&, const FormulaNames&);

  void read(const ForceInput& in, double q, double qd);

  Command command_;
  StateValues others_;
  Buffer<double> values_;               // t, q, qd, qd, then the others
  Buffer<Dual<double, 1>> with_rates_;  // the same with their time derivatives
};

/// Looks up the names in a command: see state_values.
Result<BoundCommand> bind(const Command& command, const Model& model, const FormulaNames& known);

}  // namespace pintle
