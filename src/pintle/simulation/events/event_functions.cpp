#include "pintle/simulation/events/event_functions.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "pintle/base/usage_error.h"
#include "pintle/expression/expression_impl.h"
#include "pintle/expression/expression_tokens.h"
#include "pintle/model/links/configuration_impl.h"

namespace pintle {
namespace {

using Kind = StateVariable::Kind;

double read(const CoordinateSource& source, std::span<const double> numbers) {
  return source.ratio * numbers[static_cast<std::size_t>(source.source)] + source.offset;
}

/// The size of the terms that `read` adds.
double read_size(const CoordinateSource& source, std::span<const double> numbers) {
  return std::abs(source.ratio * numbers[static_cast<std::size_t>(source.source)]) + std::abs(source.offset);
}

/// Whether the coordinates of a kind of joint are scalars whose time derivatives are its velocities.
bool plain(JointKind kind) {
  return quaternion_place(kind) < 0;
}

const ModelJoint& checked_joint(const Model& model, std::string_view name, int index, const char* function) {
  const ModelJoint& joint = model.joints()[static_cast<std::size_t>(model.joint(name))];
  require(index >= 0 && index < facts(joint.kind).nv, function, "index", "the joint has fewer dofs");
  return joint;
}

const CoordinateSource& q_source(const Model& model, const ModelJoint& joint, int index) {
  return model.q_sources()[static_cast<std::size_t>(joint.q + index)];
}

const CoordinateSource& v_source(const Model& model, const ModelJoint& joint, int index) {
  return model.v_sources()[static_cast<std::size_t>(joint.v + index)];
}

}  // namespace

CoordinateEvent::CoordinateEvent(const Model& model, std::string_view joint, double constant, int index)
    : constant_(constant) {
  const ModelJoint& found = checked_joint(model, joint, index, "CoordinateEvent");
  require(plain(found.kind), "CoordinateEvent", "joint", "its coordinates include a quaternion");
  q_ = q_source(model, found, index);
  v_ = v_source(model, found, index);
}

double CoordinateEvent::value(const MotionInstant& at) {
  return read(q_, at.q) - constant_;
}

double CoordinateEvent::rate(const MotionInstant& at, std::span<const double>) {
  return read(v_, at.v);
}

double CoordinateEvent::size(const MotionInstant& at) {
  return read_size(q_, at.q) + std::abs(constant_);
}

SpeedEvent::SpeedEvent(const Model& model, std::string_view joint, double constant, int index) : constant_(constant) {
  v_ = v_source(model, checked_joint(model, joint, index, "SpeedEvent"), index);
}

double SpeedEvent::value(const MotionInstant& at) {
  return read(v_, at.v) - constant_;
}

double SpeedEvent::rate(const MotionInstant&, std::span<const double> vdot) {
  return read(v_, vdot);
}

double SpeedEvent::size(const MotionInstant& at) {
  return read_size(v_, at.v) + std::abs(constant_);
}

double TimeEvent::value(const MotionInstant& at) {
  return at.t - constant_;
}

double TimeEvent::rate(const MotionInstant&, std::span<const double>) {
  return 1.0;
}

double TimeEvent::size(const MotionInstant& at) {
  return std::abs(at.t) + std::abs(constant_);
}

ExpressionEvent::ExpressionEvent(const Model& model, Expression expression, std::vector<StateVariable> variables,
                                 StateValues sensors)
    : model_(model),
      expression_(std::move(expression)),
      variables_(std::move(variables)),
      sensors_(std::move(sensors)),
      sensor_values_(sensors_.size()) {
  if (sensors_.needs_places()) {
    places_.emplace_back(model);
    zero_.resize(static_cast<std::size_t>(model.nv()));
  }
  has_rate_ = sensors_.size() == 0;
  for (const StateVariable& variable : variables_) {
    uses_velocities_ = uses_velocities_ || variable.kind == Kind::velocity;
    has_rate_ = has_rate_ && (variable.kind == Kind::time || variable.rate.source >= 0);
  }
}

int ExpressionEvent::time_variable() const {
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (variables_[i].kind == Kind::time) return static_cast<int>(i);
  return -1;
}

ExpressionEvent::ExpressionEvent(const ExpressionEvent&) = default;
ExpressionEvent::ExpressionEvent(ExpressionEvent&&) noexcept = default;
ExpressionEvent& ExpressionEvent::operator=(const ExpressionEvent&) = default;
ExpressionEvent& ExpressionEvent::operator=(ExpressionEvent&&) noexcept = default;
ExpressionEvent::~ExpressionEvent() = default;

void ExpressionEvent::read_sensors(const MotionInstant& at) {
  if (sensors_.size() == 0) return;
  if (!places_.empty()) kinematics(model_, at.q, at.v, zero_, places_[0]);
  sensors_.read(at.t, at.q, at.v, places_.empty() ? nullptr : &places_[0], {}, sensor_values_);
}

/// The formula for values, or for values with their derivatives; after `read_sensors`.
template <class T, class Visit>
T ExpressionEvent::run(const MotionInstant& at, std::span<const double> vdot, Visit visit) const {
  T values[kMaxVariables];
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const StateVariable& variable = variables_[i];
    values[i] = T(value_of(variable, at.t, at.q, at.v));
    if constexpr (!std::is_same_v<T, double>) {
      const bool velocity = variable.kind == Kind::velocity, time = variable.kind == Kind::time;
      values[i].derivative[0] = time ? 1.0 : read(variable.rate, velocity ? vdot : at.v);
    }
  }
  for (std::size_t i = 0; i < sensor_values_.size(); ++i) values[variables_.size() + i] = T(sensor_values_[i]);
  return expressions::run<T>(expression_.program(), values, visit);
}

double ExpressionEvent::value(const MotionInstant& at) {
  read_sensors(at);
  return run<double>(at, {}, [](const Expression::Instruction&, const double*) {});
}

double ExpressionEvent::rate(const MotionInstant& at, std::span<const double> vdot) {
  if (!has_rate_) return __builtin_nan("");
  using Number = Dual<double, 1>;
  return run<Number>(at, vdot, [](const Expression::Instruction&, const Number*) {}).derivative[0];
}

double ExpressionEvent::size(const MotionInstant& at) {
  double largest = 0.0;
  read_sensors(at);
  run<double>(at, {}, [&](const Expression::Instruction& instruction, const double* a) {
    using Op = Expression::Operation;
    if (instruction.operation != Op::add && instruction.operation != Op::subtract) return;
    largest = std::max(largest, std::abs(a[0]) + std::abs(a[1]));
  });
  return largest;
}

namespace {

Diagnostic too_many(const Expression& expression) {
  return make_error("event-variables", expression.origin_of(0), "the formula of an event uses more than 64 variables",
                    "they are stored in an array of fixed size, so that event detection does not allocate",
                    "derive a class from EventFunction instead");
}


/// What a formula may name besides the state: sensors, and those of their columns that it does name.
std::vector<std::string> names_of_sensors(std::span<const SensorSpec> sensors, std::string_view text,
                                          const StateNames& state) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (state.find(name) < 0 && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  ExpressionProblems ignored(text, {});
  const std::vector<ExpressionToken> tokens = expression_tokens(text, ignored);
  for (const SensorSpec& sensor : sensors) {
    if (is_expression_name(sensor.name)) add(sensor.name);
    for (const ExpressionToken& token : tokens) {
      const bool is_name = token.kind == ExpressionTokenKind::name;
      if (is_name && token.text.starts_with(sensor.name + ".")) add(std::string(token.text));
    }
  }
  return names;
}

}  // namespace

Result<ExpressionEvent> expression_event(const Model& model, std::string_view text, const Origin& origin,
                                         std::span<const SensorSpec> sensors) {
  const StateNames names(model);
  const std::vector<std::string> of_sensors = names_of_sensors(sensors, text, names);
  ExpressionOptions options{.variables = names.names(), .origin = origin};
  options.variables.insert(options.variables.end(), of_sensors.begin(), of_sensors.end());
  Result<Expression> all = parse_expression(text, options);
  if (!all) return std::move(all).diagnostics();
  Diagnostics problems;
  std::vector<StateVariable> used;
  std::vector<NameUse> used_sensors;
  options.variables.clear();
  const std::size_t count = names.names().size();
  for (std::size_t i = 0; i < count + of_sensors.size(); ++i) {
    if (!all->uses(static_cast<int>(i))) continue;
    const Origin place = all->origin_of_variable(static_cast<int>(i));
    options.variables.push_back(i < count ? names.names()[i] : of_sensors[i - count]);
    if (i >= count) {
      used_sensors.push_back({of_sensors[i - count], place});
      continue;
    }
    used.push_back(names.variable(i));
    if (names.is_ambiguous(i)) problems.push_back(names.ambiguous(i, place));
  }
  if (options.variables.size() > ExpressionEvent::kMaxVariables) problems.push_back(too_many(*all));
  Result<StateValues> values = state_values(model, {.sensors = sensors}, used_sensors, StateValuesUse::event);
  if (!values) problems.insert(problems.end(), values.diagnostics().begin(), values.diagnostics().end());
  if (!problems.empty()) return problems;
  return ExpressionEvent(model, std::move(parse_expression(text, options)).value(), std::move(used),
                         std::move(values).value());
}

}  // namespace pintle
