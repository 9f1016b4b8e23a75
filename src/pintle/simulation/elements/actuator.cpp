#include "pintle/simulation/elements/actuator.h"

#include <cmath>
#include <utility>

#include "pintle/math/number_text.h"

namespace pintle {

LimitSide side_of(double value, double limit) {
  return value >= limit ? LimitSide::upper : value <= -limit ? LimitSide::lower : LimitSide::within;
}

Actuator::Actuator(std::string name, const JointCoordinate& coordinate, double gear, double effort_limit,
                   const Sampling& sampling, double start, std::size_t further)
    : name_(std::move(name)),
      coordinate_(coordinate),
      gear_(gear),
      effort_limit_(effort_limit),
      hold_(sampling, start, further) {}

Actuator::Instant Actuator::instant(const ForceInput& in) const {
  return {in, position(coordinate_, in.q), speed(coordinate_, in.v), in.states.empty() ? 0.0 : in.states[0]};
}

LimitSide Actuator::effort_side(double wanted) const {
  return side_ == LimitSide::by_value || !hold_.continuous() ? side_of(wanted, effort_limit_) : side_;
}

ForcePower Actuator::apply(const Model&, const ForceInput& in, const ForceOutput& out) {
  const Instant at = instant(in);
  const double effort = hold_.continuous() ? wanted(at) : hold_.held();
  write_derivatives(at, effort, out.state_derivatives);
  if (!std::isfinite(effort)) return {.ok = false};
  const LimitSide side = effort_side(effort);
  const double given = side == LimitSide::within ? effort : static_cast<double>(side) * effort_limit_;
  const double at_joint = gear_ * given;
  add_effort(coordinate_, at_joint, out.tau);
  return {.power = at_joint * at.qd, .clipped = gear_ * (effort - given) * at.qd};
}

void Actuator::switches(const Model&, const ForceInput& in, std::span<double> values) {
  if (!switches_effort()) return;
  const double effort = wanted(instant(in));
  values[0] = effort_limit_ - effort;
  values[1] = effort_limit_ + effort;
}

void Actuator::choose_sides(const Model&, const ForceInput& in) {
  if (switches_effort()) side_ = side_of(wanted(instant(in)), effort_limit_);
}

void Actuator::sample(const Model&, const ForceInput& in) {
  if (hold_.due(in.t)) {
    const Instant at = instant(in);
    const double effort = wanted(at);
    hold_.take(in.t, effort);
    sampled(at, effort);
  }
  hold_.release(in.t);
}

std::span<double> Actuator::memory() {
  return hold_.continuous() ? std::span<double>() : hold_.memory();
}

void Actuator::reset() {
  hold_.reset();
  side_ = LimitSide::by_value;
}

void check_actuator(ElementChecker& check, double gear, double rotor_inertia, double effort_limit,
                    const Sampling& sampling) {
  if (!std::isfinite(gear) || gear == 0.0) {
    check.add("gear-ratio", ": its gear is " + number_text(gear), "it must be finite and not zero",
              "give the gear ratio, motor speed over joint speed; 1 without a gear");
  }
  check.not_negative("rotor inertia", rotor_inertia);
  check.limit("effort limit", effort_limit);
  check.not_negative("sampling period", sampling.period);
  check.not_negative("sampling offset", sampling.offset);
  check.not_negative("sampling delay", sampling.delay);
  if (sampling.period == 0.0 && (sampling.offset > 0.0 || sampling.delay > 0.0)) {
    check.add("sampling-period", " has a sampling offset or delay but no sampling period",
              "only a sampled effort can be delayed", "give the period in seconds");
  } else if (sampling.period > 0.0 && sampling.delay > kMaxPendingSamples * sampling.period) {
    check.add("sampling-delay", ": its delay is " + number_text(sampling.delay / sampling.period) + " periods",
              "pending samples are stored, at most " + number_text(kMaxPendingSamples),
              "check the units: both are in seconds");
  }
}

}  // namespace pintle
