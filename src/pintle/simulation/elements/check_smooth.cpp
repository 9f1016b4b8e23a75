#include "pintle/simulation/elements/check_smooth.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "pintle/base/usage_error.h"
#include "pintle/expression/expression_impl.h"
#include "pintle/math/number_text.h"
#include "pintle/math/scalar.h"

namespace pintle {
namespace {

using Op = Expression::Operation;
using Instruction = Expression::Instruction;
using D = Dual<double, 1>;
using D2 = Dual<D, 1>;

constexpr int kIntervals = 10007;  // a prime, so that no round frequency hides between the sampling times
constexpr double kTolerance = 1e-9;
constexpr std::size_t kMaxProblems = 10;

/// The time with all its digits: a jump is found to rounding.
std::string time_text(double t) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, t).ptr};
}

std::string sides(double left, double right) {
  return "from " + number_text(left) + " to " + number_text(right);
}

constexpr const char* kWhySmooth =
    "a prescribed motion and its time derivative must be continuous: a jump needs an impulse";

Diagnostic value_jump(const Origin& origin, double t, double left, double right) {
  return make_error("drive-jump", origin, "the drive jumps at t = " + time_text(t) + " s " + sides(left, right),
                    kWhySmooth,
                    "blend over a time T that starts at t = a: x^2*(3 - 2*x) with x = clamp((t - a)/T, 0, 1)");
}

Diagnostic rate_jump(const Origin& origin, double t, double left, double right) {
  return make_error("drive-kink", origin,
                    "the time derivative of the drive jumps at t = " + time_text(t) + " s " + sides(left, right),
                    kWhySmooth, "smooth the kink, or start or end the run there");
}

// ---- what an instruction may switch on

/// Calls sink(w) for each value at whose zeros the operation, given its arguments a[0], a[1], ..., may not be smooth.
template <class Sink>
void watch(const Instruction& instruction, const D* a, Sink sink) {
  const double exponent = instruction.number;
  switch (instruction.operation) {
    case Op::step:
    case Op::sign:
    case Op::abs:
    case Op::log:
    case Op::sqrt:
    case Op::cbrt:
    case Op::power:
      return sink(a[0]);
    case Op::power_constant:
      if (exponent < 0.0 || exponent != std::floor(exponent)) sink(a[0]);
      return;
    case Op::min:
    case Op::max:
      return sink(a[0] - a[1]);
    case Op::clamp:
      sink(a[0] - a[1]);
      return sink(expressions::larger(a[0], a[1]) - a[2]);
    case Op::divide:
      return sink(a[1]);
    case Op::asin:
    case Op::acos:
      sink(D(1.0) - a[0]);
      return sink(D(1.0) + a[0]);
    case Op::tan:
      return sink(cos(a[0]));
    case Op::atan2:
    case Op::hypot:
      sink(a[0]);
      return sink(a[1]);
    default:
      return;
  }
}

/// The drive at one time, with the largest value and derivative that occur in its evaluation.
struct Measured {
  DriveValue f;
  double value_scale = 0.0;
  double rate_scale = 0.0;
};

bool is_finite(const DriveValue& f) {
  return std::isfinite(f.value) && std::isfinite(f.rate) && std::isfinite(f.second);
}

/// Two neighbouring times between which an examined value changes its sign, or has an extremum.
struct Switch {
  double before = 0.0;
  double after = 0.0;
  std::size_t place = 0;
};

class SmoothnessCheck {
 public:
  explicit SmoothnessCheck(const Drive& drive) : drive_(drive), expression_(drive.expression()) {
    values_at(0.0, left_);
    right_ = probe_ = left_;
  }

  Diagnostics check(double t0, double t1) {
    t0_ = t0;
    t1_ = t1;
    values_at(t0, left_);
    bool finite = finite_at(t0);
    if (!finite) not_finite(t0);
    double before = t0;
    for (int i = 1; i <= kIntervals && problems_.size() < kMaxProblems; ++i) {
      const double after = i == kIntervals ? t1 : t0 + (t1 - t0) * (static_cast<double>(i) / kIntervals);
      values_at(after, right_);
      const bool finite_after = finite_at(after);
      switches_.clear();
      for (std::size_t w = 0; w < right_.size(); ++w) find_switches(w, before, after);
      std::sort(switches_.begin(), switches_.end(), [](const Switch& a, const Switch& b) { return a.after < b.after; });
      for (const Switch& found : switches_) judge(found, finite);
      if (finite && !finite_after) {
        const double t = first_not_finite(before, after);
        if (is_new(t)) not_finite(t);
      }
      finite = finite_after;
      left_.swap(right_);
      before = after;
    }
    if (problems_.size() > kMaxProblems) problems_.resize(kMaxProblems);
    return std::move(problems_);
  }

 private:
  struct Watched {
    D w;
    std::size_t place = 0;
  };

  void values_at(double t, std::vector<Watched>& values) const {
    values.clear();
    const D time = D::variable(t, 0);
    (void)expressions::run<D>(expression_.program(), &time, [&](const Instruction& instruction, const D* a) {
      watch(instruction, a, [&](const D& w) { values.push_back({w, instruction.place}); });
    });
  }

  D watched_at(double t, std::size_t w) {
    values_at(t, probe_);
    return probe_[w].w;
  }

  bool finite_at(double t) const { return is_finite(evaluate(drive_, t)); }

  static bool is_up(const D& w) { return w.value >= 0.0; }

  /// Bisects [before, after] until they are neighbours; `is_left(t)` tells on which side a time is.
  template <class IsLeft>
  static void bisect(double& before, double& after, IsLeft is_left) {
    for (;;) {
      const double middle = before + 0.5 * (after - before);
      if (!(middle > before && middle < after)) return;
      (is_left(middle) ? before : after) = middle;
    }
  }

  void find_switches(std::size_t w, double before, double after) {
    const D a = left_[w].w, b = right_[w].w;
    if (is_up(a) != is_up(b)) return find_sign_change(w, before, after, is_up(a));
    // Of one sign at both ends: its absolute value may fall to zero, or below, between them.
    const bool falls = a.value * a.derivative[0] < 0.0 && b.value * b.derivative[0] > 0.0;
    if (!falls) return;
    const bool up = is_up(a);
    double turn_before = before, turn_after = after, beyond = 0.0, least = a.value;
    bool crossed = false;
    bisect(turn_before, turn_after, [&](double t) {
      const D middle = watched_at(t, w);
      least = middle.value;
      if (!crossed && is_up(middle) != up) {
        crossed = true;
        beyond = t;
      }
      return (middle.derivative[0] < 0.0) == (a.derivative[0] < 0.0);
    });
    if (!crossed) {
      const bool touches = std::fabs(least) <= kTolerance * std::max(std::fabs(a.value), std::fabs(b.value));
      if (touches) switches_.push_back({turn_before, turn_after, left_[w].place});
      return;
    }
    find_sign_change(w, before, beyond, up);
    find_sign_change(w, beyond, after, !up);
  }

  void find_sign_change(std::size_t w, double before, double after, bool up_before) {
    bisect(before, after, [&](double t) { return is_up(watched_at(t, w)) == up_before; });
    switches_.push_back({before, after, left_[w].place});
  }

  double first_not_finite(double before, double after) const {
    bisect(before, after, [&](double t) { return finite_at(t); });
    return after;
  }

  Measured measured_at(double t) const {
    Measured m;
    m.f = evaluate(drive_, t);
    const D time = D::variable(t, 0);
    const D result = expressions::run<D>(expression_.program(), &time, [&](const Instruction& instruction, const D* a) {
      for (int i = 0; i < expressions::operands(instruction.operation); ++i) enlarge(m, a[i]);
    });
    enlarge(m, result);
    return m;
  }

  static void enlarge(Measured& m, const D& x) {
    m.value_scale = std::max(m.value_scale, std::fabs(x.value));
    m.rate_scale = std::max(m.rate_scale, std::fabs(x.derivative[0]));
  }

  /// Reports a switch that is not smooth; `finite` tells whether the drive was finite at the previous time. Where the
  /// argument is exactly zero the operation may belong to either side, so one more time is evaluated on both.
  void judge(const Switch& found, bool finite) {
    const double times[4] = {std::max(t0_, std::nextafter(found.before, -kInfinity<double>)), found.before, found.after,
                             std::min(t1_, std::nextafter(found.after, kInfinity<double>))};
    Measured at[4];
    for (int i = 0; i < 4; ++i) {
      at[i] = measured_at(times[i]);
      if (is_finite(at[i].f)) continue;
      if (finite && is_new(times[i])) not_finite(times[i]);
      return;
    }
    const Origin origin = expression_.origin_of(found.place);
    constexpr int kPairs[][2] = {{0, 3}, {0, 1}, {1, 2}, {2, 3}};  // the last three: a point on its own
    for (const auto& [i, k] : kPairs) {
      const Measured &left = at[i], &right = at[k];
      const double value_noise = kTolerance * std::max(left.value_scale, right.value_scale);
      const double rate_noise = kTolerance * std::max(left.rate_scale, right.rate_scale);
      const bool jumps = std::fabs(left.f.value - right.f.value) > value_noise;
      const bool turns = std::fabs(left.f.rate - right.f.rate) > rate_noise;
      if (!jumps && !turns) continue;
      if (!is_new(found.after)) return;
      problems_.push_back(jumps ? value_jump(origin, found.after, left.f.value, right.f.value)
                                : rate_jump(origin, found.after, left.f.rate, right.f.rate));
      return;
    }
  }

  /// Whether nothing has been reported at this time, within its rounding; several parts may switch together.
  bool is_new(double t) {
    const bool repeated = !problems_.empty() && std::fabs(t - last_time_) <= 1e-12 * std::max(1.0, std::fabs(t));
    if (!repeated) last_time_ = t;
    return !repeated;
  }

  void not_finite(double t) {
    last_time_ = t;
    const DriveValue f = evaluate(drive_, t);
    const char* const which = !std::isfinite(f.value)  ? "the drive"
                              : !std::isfinite(f.rate) ? "the time derivative of the drive"
                                                       : "the second derivative of the drive";
    const double number = !std::isfinite(f.value) ? f.value : !std::isfinite(f.rate) ? f.rate : f.second;
    problems_.push_back(make_error("drive-not-finite", expression_.origin_of(culprit(t)),
                                   std::string(which) + " is " + number_text(number) + " at t = " + time_text(t) + " s",
                                   "a division by zero, an overflow, or an argument outside the domain of a function",
                                   "keep the argument within the domain, for example with clamp"));
  }

  /// Where in the text the first value that is not finite comes from.
  std::size_t culprit(double t) const {
    const D2 time = D2::variable(D::variable(t, 0), 0);
    const Instruction* previous = nullptr;
    const Instruction* guilty = nullptr;
    (void)expressions::run<D2>(expression_.program(), &time, [&](const Instruction& instruction, const D2* a) {
      if (previous != nullptr && guilty == nullptr) {
        // The result of the previous instruction is on top of the stack, below the operands of this one.
        const D2& x = a[expressions::operands(instruction.operation) - 1];
        const DriveValue f = {x.value.value, x.derivative[0].value, x.derivative[0].derivative[0]};
        if (!is_finite(f)) guilty = previous;
      }
      previous = &instruction;
    });
    return guilty != nullptr ? guilty->place : previous->place;
  }

  const Drive& drive_;
  const Expression& expression_;
  std::vector<Watched> left_, right_, probe_;
  std::vector<Switch> switches_;
  Diagnostics problems_;
  double t0_ = 0.0, t1_ = 0.0;
  double last_time_ = 0.0;  // of the last problem
};

// ---- tables

Diagnostics check_table(const Drive& drive, double t0, double t1) {
  Diagnostics problems;
  const double first = drive.first_time(), last = drive.last_time();
  if (drive.outside() == OutsideTable::refuse) {
    if (drive.covers(t0) && drive.covers(t1)) return problems;
    problems.push_back(make_error("drive-outside-table", drive.origin(),
                                  "the table goes from t = " + time_text(first) + " s to " + time_text(last) +
                                      " s, the run from " + time_text(t0) + " s to " + time_text(t1) + " s",
                                  "the drive is undefined outside its table",
                                  "add rows, shorten the run, or hold the end values (outside = \"hold\")"));
    return problems;
  }
  const DriveValue begin = evaluate(drive, first), end = evaluate(drive, last);
  const SplinePiece& piece = drive.pieces().back();
  const double h = last - piece.begin;
  const double* const c = piece.values;
  const double scale = std::fabs(c[1]) + std::fabs(2.0 * c[2] * h) + std::fabs(3.0 * c[3] * h * h);
  if (t0 < first && t1 > first && begin.rate != 0.0) {
    problems.push_back(rate_jump(drive.origin(), first, 0.0, begin.rate));
  }
  if (t0 < last && t1 > last && std::fabs(end.rate) > kTolerance * scale) {
    problems.push_back(rate_jump(drive.origin(), last, end.rate, 0.0));
  }
  return problems;
}

}  // namespace

Result<void> check_smooth(const Drive& drive, double t0, double t1) {
  require(std::isfinite(t0) && std::isfinite(t1) && t0 <= t1, "check_smooth", "t0, t1", "need t0 <= t1, both finite");
  Diagnostics problems;
  if (drive.kind() == Drive::Kind::table) problems = check_table(drive, t0, t1);
  if (drive.kind() == Drive::Kind::expression) problems = SmoothnessCheck(drive).check(t0, t1);
  if (!problems.empty()) return problems;
  return {};
}

}  // namespace pintle
