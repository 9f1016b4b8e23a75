#include "pintle/simulation/elements/time_function.h"

#include <algorithm>
#include <cmath>

#include "pintle/expression/enclosure.h"
#include "pintle/math/elementary.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

constexpr int kTime = 0;        // among the variables of drives and commands
constexpr int kSamples = 1021;  // of the run, a prime

/// How far a function may deviate from a parabola within a step, relative to its amplitude. That is no less than a
/// fraction of its size: ripples smaller than this are left to the error estimate.
constexpr double kDeviation = 1.0 / 64.0;
constexpr double kOfItsSize = 0x1p-10;

/// A step is halved no more often than that: where the second derivative has no bound, fewer times.
constexpr int kMaxHalvings = 40, kMaxHalvingsUnbounded = 10;

/// So many steps are tried at once.
constexpr double kSteps = 16.0;

}  // namespace

TimeFunction::TimeFunction(const Drive& drive, double t0, double t1) {
  if (drive.kind() == Drive::Kind::table) {
    kind_ = Kind::table;
    table_ = &drive;
  } else if (drive.kind() == Drive::Kind::expression && drive.expression().uses(kTime)) {
    kind_ = Kind::formula;
    formula_ = &drive.expression();
  }
  look_at(t0, t1);
}

TimeFunction::TimeFunction(const Command& command, double t0, double t1)
    : TimeFunction(command.drive(), t0, t1) {
  if (command.by_expression()) *this = TimeFunction(command.expression(), kTime, t0, t1);
}

TimeFunction::TimeFunction(const Expression& expression, int variable, double t0, double t1)
    : formula_(&expression), variable_(variable) {
  if (expression.uses(variable)) kind_ = Kind::formula;
  look_at(t0, t1);
}

/// Its amplitude, from the ranges of a formula between samples, and the rate of its changes, from samples. A formula
/// without any value is left alone: the run will report it.
void TimeFunction::look_at(double t0, double t1) {
  span_ = t1 - t0;
  if (kind_ == Kind::constant) return;
  double slope = 0.0, bend = 0.0;
  Interval all{kInfinity<double>, -kInfinity<double>};
  for (int i = 0; i <= kSamples; ++i) {
    const double t = t0 + span_ * i / kSamples;
    const DriveValue f = at(t);
    if (!std::isfinite(f.value) || !std::isfinite(f.rate) || !std::isfinite(f.second)) continue;
    all = hull(all, f.value);
    slope = max(slope, std::abs(f.rate));
    bend = max(bend, std::abs(f.second));
    if (kind_ != Kind::formula || i == kSamples) continue;
    const Interval between = enclosure_over(*formula_, variable_, {t, t + span_ / kSamples}).value;
    if (std::isfinite(between.width())) all = hull(all, between);
  }
  if (all.low > all.high) {
    kind_ = Kind::constant;
    return;
  }
  amplitude_ = max(0.5 * all.width(), kOfItsSize * all.magnitude());
  if (amplitude_ > 0.0 && slope > 0.0) rate_ = max(slope / amplitude_, bend / slope);
}

DriveValue TimeFunction::at(double t) const {
  if (kind_ == Kind::table) return evaluate(*table_, t);
  const Enclosure f = enclosure_over(*formula_, variable_, t);
  return {f.value.low, f.rate.low, f.second.low};
}

/// How far the function may deviate from a parabola in [t, t + h], relative to what is allowed. A parabola whose second
/// derivative is in the middle of all those of the function deviates by width/2 s (h - s)/2 at most.
double TimeFunction::deviation(double t, double h) const {
  const Enclosure f = enclosure_over(*formula_, variable_, {t, t + h});
  const double width = f.second.width();
  if (width == 0.0) return 0.0;
  return width * h * h / 16.0 / (kDeviation * amplitude_);
}

double TimeFunction::longest_step(double t, double h) {
  if (kind_ != Kind::formula || (t >= resolved_from_ && t + h <= resolved_until_)) return h;
  if (deviation(t, kSteps * h) <= 1.0) {
    resolved_from_ = t;
    resolved_until_ = t + kSteps * h;
    return h;
  }
  for (int k = 0; k < kMaxHalvings; ++k, h *= 0.5) {
    const double part = deviation(t, h);
    if (part <= 1.0 || (k >= kMaxHalvingsUnbounded && !std::isfinite(part))) break;
  }
  return h;
}

/// Splines are smooth at their rows to the second derivative; where a table is held beyond its ends not even the first
/// one is, so that these have two sides.
double TimeFunction::next_row(double t) const {
  const std::span<const SplinePiece> pieces = table_->pieces();
  const double begin = pieces.front().begin, end = table_->last_row_time();
  double offset = 0.0;
  if (table_->repeats()) {
    offset = (end - begin) * pintle::floor((t - begin) / (end - begin));
  } else {
    const double before = std::nextafter(begin, -kInfinity<double>), after = std::nextafter(end, kInfinity<double>);
    if (t < before) return before;
    if (t < begin) return begin;
    if (t >= end) return t < after ? after : kInfinity<double>;
  }
  for (int turn = 0; turn < 2; ++turn, offset += end - begin) {
    const auto next = std::upper_bound(pieces.begin(), pieces.end(), t - offset,
                                       [](double x, const SplinePiece& piece) { return x < piece.begin; });
    const double row = (next != pieces.end() ? next->begin : end) + offset;
    if (row > t) return row;
  }
  return end + offset;
}

double TimeFunction::next_break(double t, double end) {
  if (kind_ == Kind::constant) return kInfinity<double>;
  if (kind_ == Kind::table) return next_row(t);
  const bool known = t >= smooth_from_ && t < after_ && (after_ < kInfinity<double> || end <= smooth_until_);
  if (!known) {
    smooth_from_ = t;
    smooth_until_ = max(end, t + span_);
    const SwitchPlace next = next_switch(*formula_, variable_, t, smooth_until_);
    before_ = next.before;
    after_ = next.after;
  }
  return t < before_ ? before_ : after_;
}

}  // namespace pintle
