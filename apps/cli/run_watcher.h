// Follows the progress of a run.
#pragma once

#include <chrono>
#include <string>

#include "pintle/simulation/run/simulation.h"
#include "terminal_style.h"

namespace pintle::cli {

/// A progress bar: "━━━━━━╸────  58 %  t = 1.16 s  12.3 x real time  8 s left", of at most `width` characters. `done`
/// is the completed fraction, `rate` simulated seconds per second, `left` [s].
std::string progress_line(double done, double t, double rate, double left, int width);

/// Shows the progress of the run, and stops it at Ctrl-C.
class RunWatcher : public StepHandler {
 public:
  /// Without `shows` there is no output.
  RunWatcher(const Simulation& simulation, bool shows);
  RunWatcher(const RunWatcher&) = delete;
  RunWatcher& operator=(const RunWatcher&) = delete;
  ~RunWatcher() override { clear(); }

  bool after_step(std::int64_t step, double t, const MotionState& state) override;
  bool within_step(double t) override;

  /// Erases the bar.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void show(double t);

  double start_, end_;
  bool shows_, shown_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

}  // namespace pintle::cli
