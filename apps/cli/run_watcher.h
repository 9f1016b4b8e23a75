// Watches a run step by step.
#pragma once

#include <chrono>
#include <string>

#include "pintle/simulation/simulation.h"
#include "run_folder.h"
#include "terminal_style.h"

namespace pintle::cli {

/// A bar that shows how far a run is: "━━━━━━╸────  58 %  t = 1.16 s  12.3 x real time  8 s left", of at most `width`
/// characters. `done` is the part of the way, `rate` seconds of the run per second, `left` [s].
std::string progress_line(double done, double t, double rate, double left, int width);

/// Shows how far the run is, heeds Ctrl-C, and has checkpoints written.
class RunWatcher : public StepHandler {
 public:
  /// Without checkpoints none are written; without `shows` nothing is shown.
  RunWatcher(const Simulation& simulation, RunCheckpoints* checkpoints, bool shows);
  RunWatcher(const RunWatcher&) = delete;
  RunWatcher& operator=(const RunWatcher&) = delete;
  ~RunWatcher() override { clear(); }

  bool after_step(std::int64_t step, double t, const MotionState& state) override;
  bool within_step(double t) override;

  /// Takes the bar away.
  void clear();
  /// Since the beginning [s].
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  void show(double t);

  RunCheckpoints* checkpoints_;
  double start_, end_;
  bool shows_, shown_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

}  // namespace pintle::cli
