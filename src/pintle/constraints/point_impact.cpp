#include "pintle/constraints/point_impact.h"

#include <cmath>
#include <utility>

#include "pintle/base/usage_error.h"
#include "pintle/math/scalar.h"
#include "pintle/math/sign.h"

namespace pintle {
namespace {

using Pair = std::array<double, 2>;

constexpr double kStraight = 8 * kEpsilon<double>;  // slip that changes direction by less keeps it
constexpr double kAtRest = 0x1p-50;                 // of the first slip
constexpr double kAtRestOnLine = 1e-10;             // likewise where the point can slide in one direction only
constexpr double kOneDirection = 1e-10;             // of the trace of tt, squared: its determinant there
constexpr double kStepError = 1e-13;                // of a step of a curved path, relative to the sizes of its values
constexpr double kWedged = 1e-10;                   // of nn: a point that moves less along its normal is wedged
constexpr double kDriven = 1e-6;                    // of the approach: a larger remainder when wedged is not rounding
constexpr double kEndless = 1e8;                    // of the speeds: an impulse that could do more never ends
constexpr int kMaxSteps = 100000;
constexpr int kColumns = 6;           // of the extrapolation: order 12
constexpr double kLongestStep = 2.0;  // in which the slip halves at least once, or changes direction

/// The state that is integrated over the normal impulse p.
struct ImpactState {
  Pair slip;            // u_t
  double normal = 0.0;  // u_n
  double p = 0.0;       // P_n
  Pair friction{};      // P_t
  double work = 0.0;    // of P_n
  double friction_work = 0.0;
};

/// Derivatives by some parameter.
using Derivatives = ImpactState;

ImpactState moved(const ImpactState& state, const Derivatives& derivatives, double by) {
  return {{fma(by, derivatives.slip[0], state.slip[0]), fma(by, derivatives.slip[1], state.slip[1])},
          fma(by, derivatives.normal, state.normal),
          fma(by, derivatives.p, state.p),
          {fma(by, derivatives.friction[0], state.friction[0]), fma(by, derivatives.friction[1], state.friction[1])},
          fma(by, derivatives.work, state.work),
          fma(by, derivatives.friction_work, state.friction_work)};
}

ImpactState mean(const ImpactState& a, const ImpactState& b) {
  return moved(moved(ImpactState{}, a, 0.5), b, 0.5);
}

class ImpulseProcess {
 public:
  ImpulseProcess(const PointImpact& impact, ImpactLaw law) : impact_(impact), law_(law) {
    const auto& c = impact.point.c;
    state_.slip = {c[1], c[2]};
    state_.normal = c[0];
    first_slip_ = length(state_.slip);
    // Where the point cannot slide across, only rounding is left in the end: it must not count as a slip in that
    // direction.
    const auto& tt = impact.point.tt;
    const double det = fma(tt[0], tt[2], -(tt[1] * tt[1])), trace = tt[0] + tt[2];
    const bool on_line = det <= kOneDirection * trace * trace;
    rest_ = (on_line ? kAtRestOnLine : kAtRest) * (first_slip_ + std::abs(c[0]));
  }

  PointImpactSolution follow() {
    PointImpactSolution solution;
    solution.slip = first_slip_ > 0.0 ? SlipProcess::slides : SlipProcess::none;
    const bool frictionless = !(impact_.friction > 0.0);
    const double speed = first_slip_ + std::abs(state_.normal);
    for (int k = 0; !ended_ && solution.ok; ++k) {
      const double slip = length(state_.slip);
      if (frictionless) {
        straight({0.0, 0.0}, kInfinity<double>);
      } else if (slip > rest_) {
        slide({state_.slip[0] / slip, state_.slip[1] / slip}, slip);
      } else {
        state_.slip = {0.0, 0.0};
        leave_rest(solution);
      }
      solution.ok = k < kMaxSteps && std::isfinite(state_.normal) && state_.p * B().nn <= kEndless * speed;
    }
    solution.P = {state_.p, state_.friction[0], state_.friction[1]};
    solution.after = {state_.normal, state_.slip[0], state_.slip[1]};
    solution.compression = compression_;
    solution.normal_work = state_.work;
    solution.tangential_work = state_.friction_work;
    return solution;
  }

 private:
  const CoulombPoint& B() const { return impact_.point; }

  /// tt x
  Pair tangential(const Pair& x) const {
    const auto& tt = B().tt;
    return {fma(tt[0], x[0], tt[1] * x[1]), fma(tt[1], x[0], tt[2] * x[1])};
  }

  /// d/dp of everything but the works, with friction t per unit of normal impulse.
  Derivatives by_impulse(const Pair& t) const {
    const Pair by_friction = tangential(t);
    return {{B().nt[0] + by_friction[0], B().nt[1] + by_friction[1]},
            fma(B().nt[0], t[0], fma(B().nt[1], t[1], B().nn)),
            1.0,
            t,
            0.0,
            0.0};
  }

  /// The remaining normal impulse of the phase, when u_n changes by g per unit of it. Infinite where it never ends.
  double rest_of_phase(double g) const {
    const double u = state_.normal;
    if (compressing_) return g > 0.0 ? -u / g : kInfinity<double>;
    switch (law_) {
      case ImpactLaw::newton:
        return g > 0.0 ? max((goal_ - u) / g, 0.0) : kInfinity<double>;
      case ImpactLaw::poisson:
        return max(goal_ - state_.p, 0.0);
      case ImpactLaw::stronge:
      case ImpactLaw::single_point:  // not integrated
        break;
    }
    const double work = max(goal_ - state_.work, 0.0);  // u p + g p^2/2 = work
    const double square = fma(u, u, 2.0 * g * work);
    if (square < 0.0) return kInfinity<double>;
    const double sum = u + std::sqrt(square);
    return sum > 0.0 ? 2.0 * work / sum : work > 0.0 ? kInfinity<double> : 0.0;
  }

  /// Whether the phase has ended at this state; < 0: not yet.
  double past_end(const ImpactState& state) const {
    if (compressing_) return state.normal;
    switch (law_) {
      case ImpactLaw::newton:
        return state.normal - goal_;
      case ImpactLaw::poisson:
        return state.p - goal_;
      case ImpactLaw::stronge:
      case ImpactLaw::single_point:  // not integrated
        break;
    }
    return state.work - goal_;
  }

  void end_phase() {
    if (!compressing_) {
      ended_ = true;
      return;
    }
    compressing_ = false;
    state_.normal = 0.0;
    compression_ = state_.p;
    const double e = impact_.restitution;
    goal_ = law_ == ImpactLaw::newton    ? -e * B().c[0]
            : law_ == ImpactLaw::poisson ? (1.0 + e) * state_.p
                                         : (1.0 - e) * (1.0 + e) * state_.work;
    ended_ = e == 0.0;
  }

  /// With constant friction t per unit of normal impulse, for at most `max_impulse` of it.
  void straight(const Pair& t, double max_impulse) {
    const Derivatives derivatives = by_impulse(t);
    const double rest = rest_of_phase(derivatives.normal);
    const double by = min(rest, max_impulse);
    if (!(by < kInfinity<double>)) {
      state_.normal = __builtin_nan("");
      return;
    }
    const Pair before = state_.slip;
    const double u = state_.normal;
    state_ = moved(state_, derivatives, by);
    state_.work = fma(by, 0.5 * (u + state_.normal), state_.work);
    state_.friction_work += 0.5 * by * fma(t[0], before[0] + state_.slip[0], t[1] * (before[1] + state_.slip[1]));
    if (max_impulse <= rest) {
      state_.slip = {0.0, 0.0};
    }
    if (rest <= max_impulse) end_phase();
  }

  void slide(const Pair& d, double slip) {
    const Pair t{-impact_.friction * d[0], -impact_.friction * d[1]};
    const Derivatives derivatives = by_impulse(t);
    const double along = fma(derivatives.slip[0], d[0], derivatives.slip[1] * d[1]);
    const double across = fma(derivatives.slip[1], d[0], -(derivatives.slip[0] * d[1]));
    const double sizes = B().tt[0] + B().tt[2];
    // For a slip that ends, relative to the whole motion: the less slip is left, the less its direction changes matter.
    const double part = along < 0.0 ? slip / (slip + first_slip_ + std::abs(B().c[0])) : 1.0;
    if (part * std::abs(across) <= kStraight * (std::abs(along) + impact_.friction * sizes))
      straight(t, along < -kWedged * slip_scale() ? slip / -along : kInfinity<double>);
    else
      curved();
  }

  /// From no slip: it sticks if friction can hold it, else it slides off.
  void leave_rest(PointImpactSolution& solution) {
    const TangentSolution hold = solve_tangents(B().tt, B().nt, impact_.friction, impact_.friction);
    if (first_slip_ > 0.0) solution.slip = hold.sticks ? SlipProcess::sticks : SlipProcess::reverses;
    if (first_slip_ == 0.0 && !hold.sticks) solution.slip = SlipProcess::slides;
    if (hold.sticks && by_impulse(hold.f).normal <= kWedged * B().nn) return end_wedged();
    straight(hold.f, kInfinity<double>);
    if (hold.sticks) state_.slip = {0.0, 0.0};
  }

  /// Where friction holds the point, nothing can move it along its normal either, as for a lever with one dof: its slip
  /// was all of its motion, and the work of compression is not returned. No end where a motor drives it on.
  void end_wedged() {
    if (compressing_) compression_ = state_.p;
    state_.normal = std::abs(state_.normal) <= kDriven * std::abs(B().c[0]) ? 0.0 : __builtin_nan("");
    ended_ = true;
  }

  /// Derivatives by a parameter s with dp = |u_t| ds / size: regular also where the slip ends.
  Derivatives rotation_derivatives(const ImpactState& at) const {
    const double slip = length(at.slip);
    const double by = slip / slip_scale();
    const double mu = impact_.friction;
    Derivatives derivatives = by_impulse({-mu * at.slip[0] / slip, -mu * at.slip[1] / slip});
    derivatives.work = at.normal;
    derivatives.friction_work = -mu * slip;
    return moved(ImpactState{}, derivatives, by);
  }

  double slip_scale() const {
    return fma(impact_.friction, B().tt[0] + B().tt[2], std::abs(B().nt[0]) + std::abs(B().nt[1]));
  }

  /// n steps of the midpoint rule with Gragg's end; `first` are the derivatives at the start.
  ImpactState by_midpoints(double h, int n, const Derivatives& first) const {
    const double step = h / n;
    ImpactState before = state_, at = moved(state_, first, step);
    for (int i = 1; i < n; ++i) {
      const ImpactState next = moved(before, rotation_derivatives(at), 2.0 * step);
      before = at;
      at = next;
    }
    return mean(before, moved(at, rotation_derivatives(at), step));
  }

  /// One step of Gragg, Bulirsch and Stoer: results of 2, 4, ... midpoint steps, extrapolated to zero step length.
  /// Returns its error relative to the sizes of the values.
  double curved_step(double h, ImpactState& to) const {
    const Derivatives first = rotation_derivatives(state_);
    ImpactState row[kColumns], error{};
    for (int j = 0; j < kColumns; ++j) {
      ImpactState column = by_midpoints(h, 2 * (j + 1), first);
      for (int k = 0; k < j; ++k) {  // row[k] is of the row before
        const double ratio = static_cast<double>(j + 1) / static_cast<double>(j - k);
        error = moved(column, row[k], -1.0);
        row[k] = std::exchange(column, moved(column, error, 1.0 / (ratio * ratio - 1.0)));
      }
      row[j] = column;
    }
    error = moved(row[kColumns - 1], row[kColumns - 2], -1.0);
    to = row[kColumns - 1];
    const double speed = std::abs(B().c[0]) + first_slip_ + length(to.slip);
    return (std::abs(error.slip[0]) + std::abs(error.slip[1])) / (length(state_.slip) + kAtRest * speed) +
           std::abs(error.normal) / speed;
  }

  /// A step along which the slip changes direction; shorter where a phase ends within it.
  void curved() {
    ImpactState to;
    double error = curved_step(h_, to);
    while (!(error <= kStepError) && h_ > 0x1p-40) {
      h_ *= max(0.2, 0.9 * root(kStepError / error));
      error = curved_step(h_, to);
    }
    if (past_end(to) < 0.0) {
      state_ = to;
      h_ = min(kLongestStep, h_ * min(4.0, error > 0.0 ? 0.9 * root(kStepError / error) : 4.0));
      return;
    }
    // Newton's method, within a bracket.
    double low = 0.0, high = h_, at = h_;
    for (int k = 0; k < 60 && high - low > kEpsilon<double> * high; ++k) {
      const double better = at - past_end(to) / end_rate(rotation_derivatives(to));
      const double next = better > low && better < high ? better : 0.5 * (low + high);
      const double change = std::abs(next - at);
      at = next;
      (void)curved_step(at, to);
      (past_end(to) < 0.0 ? low : high) = at;
      if (change <= kEpsilon<double> * at) break;
    }
    state_ = to;
    end_phase();
  }

  /// The derivative of past_end.
  double end_rate(const Derivatives& derivatives) const {
    if (compressing_ || law_ == ImpactLaw::newton) return derivatives.normal;
    return law_ == ImpactLaw::poisson ? derivatives.p : derivatives.work;
  }

  /// The eleventh root or less, by square roots: the eighth of what is below 1, else the sixteenth.
  static double root(double x) {
    const double eighth = std::sqrt(std::sqrt(std::sqrt(x)));
    return x < 1.0 ? eighth : std::sqrt(eighth);
  }

  const PointImpact& impact_;
  ImpactLaw law_;
  ImpactState state_{};
  double first_slip_ = 0.0, rest_ = 0.0;
  double compression_ = 0.0, goal_ = 0.0, h_ = 0.25;
  bool compressing_ = true, ended_ = false;
};

void check(const PointImpact& impact, const char* function) {
  require(impact.point.nn > 0.0, function, "impact.point.nn", "it must be positive");
  require(impact.restitution >= 0.0 && impact.restitution <= 1.0, function, "impact.restitution",
          "it must be within [0, 1]");
  require(impact.friction >= 0.0, function, "impact.friction", "it must not be negative");
}

}  // namespace

PointImpactSolution point_impact(const PointImpact& impact, ImpactLaw law) {
  check(impact, "point_impact");
  if (!(impact.point.c[0] < 0.0)) {
    PointImpactSolution none;
    none.after = impact.point.c;
    none.ok = impact.point.c[0] >= 0.0;
    return none;
  }
  return law == ImpactLaw::single_point ? single_point_impact(impact) : ImpulseProcess(impact, law).follow();
}

PointImpactSolution painleve_impact(const PointImpact& impact) {
  check(impact, "painleve_impact");
  PointImpact pressed = impact;
  pressed.point.c[0] = 0.0;
  pressed.restitution = 0.0;
  return ImpulseProcess(pressed, ImpactLaw::stronge).follow();
}

PointImpactSolution single_point_impact(const PointImpact& impact) {
  check(impact, "single_point_impact");
  const auto& [nn, nt, tt, c] = impact.point;
  PointImpactSolution solution;
  solution.after = c;
  if (!(c[0] < 0.0)) return solution;
  const double Jn = -(1.0 + impact.restitution) * c[0] / nn;
  const double slip = length({c[1], c[2]});
  Pair d{};
  double Js = 0.0;
  if (slip > 0.0) {
    d = {c[1] / slip, c[2] / slip};
    const double along = fma(d[0], fma(tt[0], d[0], tt[1] * d[1]), d[1] * fma(tt[1], d[0], tt[2] * d[1]));
    Js = along > 0.0 ? min(impact.friction * Jn, slip / along) : 0.0;
    solution.slip = Js < impact.friction * Jn ? SlipProcess::sticks : SlipProcess::slides;
  }
  solution.P = {Jn, -Js * d[0], -Js * d[1]};
  solution.compression = -c[0] / nn;
  for (std::size_t k = 0; k < 3; ++k) {
    const double row[3] = {k == 0 ? nn : nt[k - 1], k == 0 ? nt[0] : tt[k - 1], k == 0 ? nt[1] : tt[k]};
    for (std::size_t j = 0; j < 3; ++j) solution.after[k] = fma(row[j], solution.P[j], solution.after[k]);
  }
  solution.normal_work = 0.5 * Jn * (c[0] + solution.after[0]);
  solution.tangential_work =
      0.5 * fma(solution.P[1], c[1] + solution.after[1], solution.P[2] * (c[2] + solution.after[2]));
  return solution;
}

}  // namespace pintle
