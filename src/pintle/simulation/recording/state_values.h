// StateValues: what formulas of motors, controllers and events see of a run, by name: joints, sensors, and how often
// events have happened.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pintle/base/result.h"
#include "pintle/simulation/recording/sensor.h"
#include "pintle/simulation/recording/state_names.h"

namespace pintle {

/// A name and the place of its first use.
struct NameUse {
  std::string name;
  Origin origin;
};

/// What formulas may name besides joints.
struct FormulaNames {
  std::span<const SensorSpec> sensors{};
  std::span<const std::string> events{};  ///< of the scene, in its order
};

/// Values that depend on the time, the state and the events so far alone, so that an effort may depend on them.
class StateValues {
 public:
  /// No values.
  StateValues() = default;

  std::size_t size() const { return sources_.size(); }

  /// Whether `read` needs the places of links.
  bool needs_places() const { return !sensors_.empty() && sensors_[0].needs_places(); }

  /// Whether any of them is how often an event has happened.
  bool counts_events() const;

  /// Whether the time derivative of each value is known from the velocities: of coordinates that are scalars, and of
  /// counts, which are constant between events.
  bool has_rate(std::size_t i) const;
  double rate(std::size_t i, std::span<const double> v) const;

  /// Writes the values at a time and state, in the order of their names; `places` after `kinematics` at (q, v);
  /// `event_counts`: how often each event has happened, or empty for never. Allocates nothing.
  void read(double t, std::span<const double> q, std::span<const double> v, const KinematicsWorkspace* places,
            std::span<const double> event_counts, std::span<double> values);

 private:
  friend class StateValuesCompiler;

  struct Source {
    StateVariable variable;
    int column = -1;  // of the sensors; -1: none
    int event = -1;   // whose count it is; -1: none
  };

  std::vector<Source> sources_;
  std::vector<SensorSet> sensors_;  // one set with those that are used, or none
  Buffer<double> other_values_, columns_;
};

/// What values are for, which says what they may depend on.
enum class StateValuesUse : unsigned char {
  effort,  ///< accelerations and forces depend on it
  event,   ///< its value may not jump, and accelerations and forces do
};

/// Finds the values of names: those of StateNames; the columns of sensors of poses, twists, distances, momentum,
/// positions and velocities of joints, and of formulas of such; and `count.NAME`, how often an event has happened, not
/// in the formulas of events. Refused, each at its place: names that do not exist, with
/// the nearest one; those of two joints; and columns that depend on accelerations or forces, which depend on the
/// effort that would use them. For events also quaternions of poses, whose sign jumps.
Result<StateValues> state_values(const Model& model, const FormulaNames& known, std::span<const NameUse> names,
                                 StateValuesUse use = StateValuesUse::effort);

}  // namespace pintle
