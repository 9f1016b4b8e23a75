#include "pintle/constraints/impact_replay.h"

#include <cmath>

#include "pintle/math/scalar.h"

namespace pintle {
namespace {

constexpr double kReplayStraight = 16 * kEpsilon<double>;  // relative: slip that changes direction by less keeps it
constexpr double kRest = 0x1p-46;                          // of the initial speeds: less is no slip
constexpr double kRestOnLine = 1e-10, kFlat = 1e-10;       // where it can slide in one direction only
constexpr double kNoSpeed = 1e-10;                         // of the initial speeds: may as well be zero
constexpr double kStep = 0.25;                             // of the impulse over which a slip changes by its own size
constexpr double kReplayWedged = 1e-10;                    // of nn: below this the point is wedged
constexpr int kReplayColumns = 6, kReplayMaxSteps = 4000, kReplayHalvings = 50;

/// u_t (2), u_n, P_n, P_t (2), the work of P_n.
constexpr std::size_t kStateSize = 7;
using State = std::array<double, kStateSize>;
enum : std::size_t { kX, kY, kNormal, kP, kFx, kFy, kWork };

class Replay {
 public:
  Replay(const PointImpact& impact, ImpactLaw law) : b_(impact.point), mu_(impact.friction), law_(law) {
    const auto& c = b_.c;
    at_ = {c[1], c[2], c[0], 0.0, 0.0, 0.0, 0.0};
    restitution_ = impact.restitution;
    const double det = b_.tt[0] * b_.tt[2] - b_.tt[1] * b_.tt[1], trace = b_.tt[0] + b_.tt[2];
    flat_ = !(det > kFlat * trace * trace);
    speed_ = slip(at_) + std::abs(c[0]);
    rest_ = (flat_ ? kRestOnLine : kRest) * speed_;
    size_ = mu_ * (b_.tt[0] + b_.tt[2]) + std::abs(b_.nt[0]) + std::abs(b_.nt[1]);
  }

  ImpactReplay run(const std::array<double, 2>& slip_after) {
    ImpactReplay result;
    int steps = 0;
    while (phase_ < 2 && ++steps < kReplayMaxSteps) {
      const double u = slip(at_);
      if (!(mu_ > 0.0)) {
        go_straight(0.0, 0.0, __builtin_inf());
      } else if (u > rest_) {
        slide(at_[kX] / u, at_[kY] / u, u);
      } else {
        leave_rest(slip_after, result);
      }
    }
    result.P = {at_[kP], at_[kFx], at_[kFy]};
    result.ended = phase_ == 2;
    return result;
  }

 private:
  static double slip(const State& x) { return std::sqrt(x[kX] * x[kX] + x[kY] * x[kY]); }

  /// d/dp with friction (fx, fy) per unit of normal impulse.
  State slopes(double fx, double fy, double normal) const {
    return {b_.nt[0] + b_.tt[0] * fx + b_.tt[1] * fy,
            b_.nt[1] + b_.tt[1] * fx + b_.tt[2] * fy,
            b_.nn + b_.nt[0] * fx + b_.nt[1] * fy,
            1.0,
            fx,
            fy,
            normal};
  }

  /// By a parameter in which a slip ends only at infinity.
  State derivatives(const State& x) const {
    const double u = slip(x), part = u / size_;
    State derivatives = slopes(-mu_ * x[kX] / u, -mu_ * x[kY] / u, x[kNormal]);
    for (double& rate : derivatives) rate *= part;
    return derivatives;
  }

  /// Distance to the end of the phase; it ends at zero, from below.
  double before_end(const State& x) const {
    if (phase_ == 0) return x[kNormal];
    return x[law_ == ImpactLaw::newton ? kNormal : law_ == ImpactLaw::poisson ? kP : kWork] - goal_;
  }

  void end_phase() {
    if (++phase_ == 2) return;
    const double e = restitution_;
    goal_ = law_ == ImpactLaw::newton    ? -e * b_.c[0]
            : law_ == ImpactLaw::poisson ? at_[kP] * (1.0 + e)
                                         : at_[kWork] * (1.0 - e * e);
    if (e == 0.0) ++phase_;
  }

  /// Closed form: all of it is polynomial in p.
  void go_straight(double fx, double fy, double max_p) {
    const State by = slopes(fx, fy, 0.0);
    const double u = at_[kNormal], g = by[kNormal];
    double p = -u / g;
    if (phase_ == 1 && law_ == ImpactLaw::newton) p = (goal_ - u) / g;
    if (phase_ == 1 && law_ == ImpactLaw::poisson) p = goal_ - at_[kP];
    if (phase_ == 1 && law_ == ImpactLaw::stronge) {
      const double work = goal_ - at_[kWork];
      p = 2.0 * work / (u + std::sqrt(u * u + 2.0 * g * work));
      if (!(work > 0.0)) p = 0.0;
    }
    if (phase_ == 0 && std::abs(u) <= kNoSpeed * speed_) p = 0.0;
    const bool ends = p >= 0.0 && p <= max_p;
    if (!ends && !(max_p < __builtin_inf())) {
      phase_ = 3;
      return;
    }
    if (!ends) p = max_p;
    for (std::size_t i = 0; i < kWork; ++i) at_[i] += by[i] * p;
    at_[kWork] += (u + 0.5 * g * p) * p;
    if (p == max_p) at_[kX] = at_[kY] = 0.0;
    if (ends) end_phase();
  }

  void slide(double x, double y, double u) {
    const State by = slopes(-mu_ * x, -mu_ * y, 0.0);
    const double along = by[kX] * x + by[kY] * y, across = by[kY] * x - by[kX] * y;
    if (std::abs(across) <= kReplayStraight * size_) {
      go_straight(-mu_ * x, -mu_ * y, along < -kReplayWedged * size_ ? -u / along : __builtin_inf());
      return;
    }
    State to = extrapolated(kStep);
    if (before_end(to) < 0.0) {
      at_ = to;
      return;
    }
    double low = 0.0, high = kStep;
    for (int k = 0; k < kReplayHalvings; ++k) {
      const double middle = 0.5 * (low + high);
      to = extrapolated(middle);
      (before_end(to) < 0.0 ? low : high) = middle;
    }
    at_ = to;
    end_phase();
  }

  void leave_rest(const std::array<double, 2>& slip_after, ImpactReplay& result) {
    at_[kX] = at_[kY] = 0.0;
    const double det = b_.tt[0] * b_.tt[2] - b_.tt[1] * b_.tt[1], trace = b_.tt[0] + b_.tt[2];
    double fx = trace > 0.0 ? -b_.nt[0] / trace : 0.0, fy = trace > 0.0 ? -b_.nt[1] / trace : 0.0;
    if (!flat_) {
      fx = (b_.tt[1] * b_.nt[1] - b_.tt[2] * b_.nt[0]) / det;
      fy = (b_.tt[1] * b_.nt[0] - b_.tt[0] * b_.nt[1]) / det;
    }
    const double u = std::sqrt(slip_after[0] * slip_after[0] + slip_after[1] * slip_after[1]);
    if (fx * fx + fy * fy <= mu_ * mu_ * (1.0 + 64 * kEpsilon<double>) || !(u > 0.0)) {
      if (slopes(fx, fy, 0.0)[kNormal] <= kReplayWedged * b_.nn) {
        phase_ = 2;
        return;
      }
      go_straight(fx, fy, __builtin_inf());
      at_[kX] = at_[kY] = 0.0;
      return;
    }
    const double x = slip_after[0] / u, y = slip_after[1] / u;
    const State by = slopes(-mu_ * x, -mu_ * y, 0.0);
    const double across = by[kY] * x - by[kX] * y, along = by[kX] * x + by[kY] * y;
    // The direction of a slip at rounding level is meaningless.
    if (u > kNoSpeed * speed_) result.direction_error = (std::abs(across) + max(-along, 0.0)) / size_;
    go_straight(-mu_ * x, -mu_ * y, __builtin_inf());
    at_[kX] = at_[kY] = 0.0;  // so that the next phase continues in the same mode
  }

  /// Gragg's midpoint rule with 2, 4, 6, ... steps, extrapolated to zero step length.
  State extrapolated(double length) const {
    State table[kReplayColumns];
    for (int k = 0; k < kReplayColumns; ++k) {
      const int n = 2 * (k + 1);
      const double h = length / n;
      State before = at_, now = at_;
      const State first = derivatives(at_);
      for (std::size_t i = 0; i < kStateSize; ++i) now[i] += h * first[i];
      for (int step = 1; step < n; ++step) {
        const State by = derivatives(now);
        for (std::size_t i = 0; i < kStateSize; ++i) {
          const double next = before[i] + 2.0 * h * by[i];
          before[i] = now[i];
          now[i] = next;
        }
      }
      const State last = derivatives(now);
      State value;
      for (std::size_t i = 0; i < kStateSize; ++i) value[i] = 0.5 * (now[i] + before[i] + h * last[i]);
      for (int j = 1; j <= k; ++j) {  // table[j - 1] is of the column before, and of n - 2 steps
        const double ratio = static_cast<double>(n) / (2.0 * (k - j + 1));
        for (std::size_t i = 0; i < kStateSize; ++i) {
          const double finer = value[i];
          value[i] += (finer - table[j - 1][i]) / (ratio * ratio - 1.0);
          table[j - 1][i] = finer;
        }
      }
      table[k] = value;
    }
    return table[kReplayColumns - 1];
  }

  CoulombPoint b_;
  double mu_, restitution_ = 0.0, speed_ = 0.0, rest_ = 0.0, size_ = 0.0, goal_ = 0.0;
  ImpactLaw law_;
  bool flat_ = false;  // it can slide in one direction only
  int phase_ = 0;      // 0: compression, 1: restitution, 2: finished, 3: never ends
  State at_{};
};

}  // namespace

ImpactReplay replay_impact(const PointImpact& impact, ImpactLaw law, const std::array<double, 2>& slip_after) {
  return Replay(impact, law).run(slip_after);
}

}  // namespace pintle
