#include "pintle/simulation/recording/state_values.h"

#include <algorithm>
#include <utility>

#include "pintle/base/nearest_name.h"
#include "pintle/expression/expression_tokens.h"
#include "pintle/expression/expression_words.h"
#include "pintle/simulation/recording/joint_columns.h"
#include "pintle/simulation/recording/state_columns.h"

namespace pintle {
namespace {

/// Whether a kind of sensor measures accelerations or forces.
bool measures_forces(SensorKind kind) {
  return kind == SensorKind::imu || kind == SensorKind::joint_wrench || kind == SensorKind::joint_effort ||
         kind == SensorKind::contact_force;
}

int column_named(std::span<const Column> columns, std::string_view name) {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].name == name) return static_cast<int>(i);
  return -1;
}

constexpr std::string_view kCount = "count.";

/// How the count of an event is written in formulas.
std::string count_name(std::string_view event) {
  return std::string(kCount) + name_in_formulas(event);
}

}  // namespace

bool StateValues::counts_events() const {
  return std::any_of(sources_.begin(), sources_.end(), [](const Source& source) { return source.event >= 0; });
}

bool StateValues::has_rate(std::size_t i) const {
  const Source& source = sources_[i];
  if (source.event >= 0) return true;
  return source.column < 0 && source.variable.kind == StateVariable::Kind::coordinate && source.variable.rate.source >= 0;
}

double StateValues::rate(std::size_t i, std::span<const double> v) const {
  if (sources_[i].event >= 0) return 0.0;
  const CoordinateSource& from = sources_[i].variable.rate;
  return from.ratio * v[static_cast<std::size_t>(from.source)];
}

void StateValues::read(double t, std::span<const double> q, std::span<const double> v,
                       const KinematicsWorkspace* places, std::span<const double> event_counts,
                       std::span<double> values) {
  if (!sensors_.empty()) {
    std::copy(q.begin(), q.end(), other_values_.begin());
    std::copy(v.begin(), v.end(), other_values_.begin() + q.size());
    SensorInstant at;
    at.t = t;
    at.q = q;
    at.v = v;
    at.places = places;
    at.others = {other_values_.data(), other_values_.size()};
    sensors_[0].read(at, {columns_.data(), columns_.size()});
  }
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    if (source.event >= 0) {
      values[i] = event_counts.empty() ? 0.0 : event_counts[static_cast<std::size_t>(source.event)];
      continue;
    }
    values[i] = source.column >= 0 ? columns_[static_cast<std::size_t>(source.column)]
                                   : value_of(source.variable, t, q, v);
  }
}

class StateValuesCompiler {
 public:
  StateValuesCompiler(const Model& model, const FormulaNames& known, StateValuesUse purpose)
      : model_(model),
        sensors_(known.sensors),
        events_(known.events),
        purpose_(purpose),
        names_(model),
        is_used_(known.sensors.size()) {}

  Result<StateValues> compile(std::span<const NameUse> uses) {
    for (const NameUse& use : uses) find(use);
    if (problems_.empty() && any_sensor_) add_sensors(uses);
    if (!problems_.empty()) return std::move(problems_);
    return std::move(values_);
  }

 private:
  void find(const NameUse& use) {
    StateValues::Source source;
    const int found = names_.find(use.name);
    if (found >= 0) {
      const std::size_t i = static_cast<std::size_t>(found);
      source.variable = names_.variable(i);
      if (names_.is_ambiguous(i)) problems_.push_back(names_.ambiguous(i, use.origin));
    } else if (const int sensor = sensor_of(use.name); sensor >= 0) {
      take(static_cast<std::size_t>(sensor), use);
      check_jump(static_cast<std::size_t>(sensor), use.name, use);
    } else if (purpose_ == StateValuesUse::effort && use.name.starts_with(kCount)) {
      source.event = event_counted(use);
    } else if (is_motion_column(use.name)) {
      circular(use, "'" + use.name + "' depends on accelerations or forces");
    } else {
      unknown(use);
    }
    values_.sources_.push_back(source);
  }

  /// The event whose count has that name; -1, and a problem, if there is none or several.
  int event_counted(const NameUse& use) {
    int found = -1;
    std::vector<std::string> known;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      known.push_back(count_name(events_[i]));
      if (known.back() != use.name) continue;
      if (found >= 0) {
        problems_.push_back(make_error("formula-event-ambiguous", use.origin,
                                       "'" + use.name + "' may count '" +
                                           events_[static_cast<std::size_t>(found)] + "' or '" + events_[i] + "'",
                                       "in formulas, bytes that the language does not allow in a name are written _",
                                       "give one of these events another name"));
        return found;
      }
      found = static_cast<int>(i);
    }
    if (found >= 0) return found;
    const std::string nearest = nearest_name(use.name, known);
    problems_.push_back(make_error("expression-unknown-name", use.origin, "no event has the count '" + use.name + "'",
                                   events_.empty() ? "there are no events"
                                                   : "count.NAME is how often an [[event]] has happened",
                                   nearest.empty() ? "add an [[event]] of that name"
                                                   : "did you mean '" + nearest + "'?"));
    return -1;
  }

  /// The sensor that may have a column of that name: the one with the longest name. -1 if there is none.
  int sensor_of(std::string_view name) const {
    int found = -1;
    for (std::size_t i = 0; i < sensors_.size(); ++i) {
      const std::string& sensor = sensors_[i].name;
      const bool fits = name == sensor || name.starts_with(sensor + ".");
      if (fits && (found < 0 || sensor.size() > sensors_[static_cast<std::size_t>(found)].name.size()))
        found = static_cast<int>(i);
    }
    return found;
  }

  /// Whether a recording has it, but not as a coordinate or velocity.
  bool is_motion_column(std::string_view name) {
    if (state_columns_.empty()) state_columns_ = state_columns(model_);
    return name.find('.') != std::string_view::npos && !name.starts_with("q.") && !name.starts_with("v.") &&
           column_named(state_columns_, name) >= 0;
  }

  /// Notes a sensor and those in its formula.
  void take(std::size_t i, const NameUse& use) {
    const SensorSpec& sensor = sensors_[i];
    any_sensor_ = true;
    if (is_used_[i] != 0) return;
    is_used_[i] = 1;
    if (measures_forces(sensor.kind))
      circular(use, "sensor '" + sensor.name + "' (" + std::string(facts(sensor.kind).name) +
                        ") measures accelerations or forces");
    if (sensor.kind != SensorKind::expression) return;
    ExpressionProblems ignored(sensor.expression, sensor.expression_origin);
    for (const ExpressionToken& token : expression_tokens(sensor.expression, ignored)) {
      if (token.kind != ExpressionTokenKind::name) continue;
      const std::string name(token.text);
      const int other = sensor_of(name);
      if (other >= 0) check_jump(static_cast<std::size_t>(other), name, use);
      if (other >= 0 && static_cast<std::size_t>(other) < i) {
        take(static_cast<std::size_t>(other), use);
      } else if (other >= 0 && sensors_[static_cast<std::size_t>(other)].kind != SensorKind::expression) {
        take(static_cast<std::size_t>(other), use);
      } else if (is_motion_column(name)) {
        circular(use, "sensor '" + sensor.name + "' uses " + name + ", which depends on accelerations or forces");
      }
    }
  }

  /// qw >= 0 of a pose: the signs of qx, qy, qz jump where it passes zero.
  void check_jump(std::size_t i, std::string_view name, const NameUse& use) {
    const bool jumps = name.ends_with(".qx") || name.ends_with(".qy") || name.ends_with(".qz");
    if (purpose_ != StateValuesUse::event || sensors_[i].kind != SensorKind::frame_pose || !jumps) return;
    problems_.push_back(make_error("event-sensor", use.origin,
                                   "'" + std::string(name) + "' changes its sign where the rotation passes 180 degrees",
                                   "a sensor shows the quaternion with qw >= 0, and such a jump is no zero",
                                   "use positions, speeds, or the coordinate of a joint (q.base.qx)"));
  }

  void circular(const NameUse& use, std::string what) {
    if (purpose_ == StateValuesUse::event) {
      problems_.push_back(make_error("event-sensor", use.origin, std::move(what),
                                     "those jump where something touches or begins to slide, and an event is located "
                                     "by a function that is continuous between impacts",
                                     "use coordinates and velocities (q.elbow, v.elbow), or sensors of poses, twists "
                                     "and distances"));
      return;
    }
    problems_.push_back(make_error("formula-circular", use.origin, std::move(what),
                                   "those depend in turn on the effort that this formula gives",
                                   "use coordinates and velocities (q.elbow, v.elbow), or sensors of poses, twists and "
                                   "distances"));
  }

  void unknown(const NameUse& use) {
    std::vector<std::string> known = names_.names();
    for (const SensorSpec& sensor : sensors_) known.push_back(sensor.name);
    for (const std::string& event : events_) known.push_back(count_name(event));
    known.insert(known.end(), {"q", "qd", "v"});
    std::string nearest = nearest_name(use.name, known);
    if (nearest.empty()) nearest = nearest_name(use.name, expression_words({}));
    problems_.push_back(make_error(
        "expression-unknown-name", use.origin, "unknown name '" + use.name + "'",
        "formulas here may use t, coordinates and velocities of joints (q.elbow, v.elbow), sensors by name" +
            std::string(purpose_ == StateValuesUse::event ? "" : ", and how often an event has happened (count.NAME)"),
        nearest.empty() ? "use one of them; docs/formats/expressions.md lists them" : "did you mean '" + nearest + "'?"));
  }

  /// The sensors that are used, as a set of their own.
  void add_sensors(std::span<const NameUse> uses) {
    std::vector<SensorSpec> used;
    for (std::size_t i = 0; i < sensors_.size(); ++i)
      if (is_used_[i] != 0) used.push_back(sensors_[i]);
    std::vector<Column> state = position_columns(model_);
    const std::vector<Column> velocities = velocity_columns(model_);
    state.insert(state.end(), velocities.begin(), velocities.end());
    Result<SensorSet> set = compile_sensors(model_, used, state);
    if (!set) {
      problems_ = set.diagnostics();
      return;
    }
    for (std::size_t k = 0; k < uses.size(); ++k) {
      if (names_.find(uses[k].name) >= 0 || values_.sources_[k].event >= 0) continue;
      StateValues::Source& source = values_.sources_[k];
      source.column = column_named(set->columns(), uses[k].name);
      if (source.column < 0) unknown_part(uses[k], set->columns());
    }
    values_.columns_ = Buffer<double>(set->columns().size());
    values_.other_values_ = Buffer<double>(state.size());
    values_.sensors_.push_back(std::move(set).value());
  }

  void unknown_part(const NameUse& use, std::span<const Column> columns) {
    const std::string& sensor = sensors_[static_cast<std::size_t>(sensor_of(use.name))].name;
    std::string parts;
    std::vector<std::string> known;
    for (const Column& column : columns) {
      if (!column.name.starts_with(sensor + ".")) continue;
      known.push_back(column.name);
      parts += (parts.empty() ? "" : ", ") + column.name;
    }
    const std::string nearest = nearest_name(use.name, known);
    problems_.push_back(make_error("expression-unknown-name", use.origin,
                                   "sensor '" + sensor + "' has no value '" + use.name + "'",
                                   parts.empty() ? "it has a single one" : "its values are " + parts,
                                   parts.empty()     ? "write '" + sensor + "'"
                                   : nearest.empty() ? "use one of them"
                                                     : "did you mean '" + nearest + "'?"));
  }

  const Model& model_;
  std::span<const SensorSpec> sensors_;
  std::span<const std::string> events_;
  StateValuesUse purpose_;
  StateNames names_;
  std::vector<char> is_used_;
  bool any_sensor_ = false;
  std::vector<Column> state_columns_;
  StateValues values_;
  Diagnostics problems_;
};

Result<StateValues> state_values(const Model& model, const FormulaNames& known, std::span<const NameUse> names,
                                 StateValuesUse use) {
  if (names.empty()) return StateValues();
  return StateValuesCompiler(model, known, use).compile(names);
}

}  // namespace pintle
