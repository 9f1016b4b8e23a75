// TimeFunction: a drive or a command as a function of time alone: where steps must end, and how long they may be.
#pragma once

#include "pintle/simulation/elements/command.h"

namespace pintle {

/// What a run must know of a function of time so that no step passes over a part of it. Of a command that depends on
/// the motion too, its explicit dependence on time: as if the joint were at zero and at rest.
class TimeFunction {
 public:
  /// For a run from t0 to t1 [s]. The drive or command must outlive this object.
  TimeFunction(const Drive& drive, double t0, double t1);
  TimeFunction(const Command& command, double t0, double t1);
  /// A formula whose variable number `variable` is the time.
  TimeFunction(const Expression& expression, int variable, double t0, double t1);

  /// Whether it changes with time at all.
  bool varies() const { return kind_ != Kind::constant; }

  /// The first time [s] after t at which it is not smooth: a row of its table, or either of two neighbouring times
  /// between which its formula switches. Infinite: there is none up to `end`, which is finite.
  double next_break(double t, double end);

  /// How long [s] a step from t, at most of length h, may be: so that the function deviates from a parabola within it
  /// by no more than a 64th of its amplitude in the run: for a sine 0.6 rad of its phase, twice that where it turns.
  /// The bound is that of all values of its second derivative, not of samples: nothing is too short to be seen. Not
  /// shorter than h/2^40, or than h/2^10 where the second derivative has no bound.  [eq. resolved-drive]
  double longest_step(double t, double h);

  /// The largest rate of its changes in the run [rad/s]: for a sine its angular frequency. By samples.
  double rate() const { return rate_; }

 private:
  enum class Kind : unsigned char { constant, table, formula };

  void look_at(double t0, double t1);
  DriveValue at(double t) const;
  double deviation(double t, double h) const;
  double next_row(double t) const;

  Kind kind_ = Kind::constant;
  const Drive* table_ = nullptr;
  const Expression* formula_ = nullptr;
  int variable_ = 0;
  double span_ = 0.0;                        // [s] of the run
  double amplitude_ = 0.0, rate_ = 0.0;      // in the run
  double resolved_from_ = 0.0, resolved_until_ = -__builtin_inf();  // steps within are short enough
  double smooth_from_ = 0.0, smooth_until_ = -__builtin_inf();      // without a switch
  double before_ = __builtin_inf(), after_ = __builtin_inf();       // of the next switch
};

}  // namespace pintle
