#include "run_watcher.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "interrupt.h"
#include "standard_streams.h"

namespace pintle::cli {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(100);
constexpr std::int64_t kStepsBetweenLooks = 16;

/// "45 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds) {
  if (!(seconds < 360000.0)) return "days";
  const int whole = static_cast<int>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

std::string progress_line(double done, double t, double rate, double left, int width) {
  const std::string text = fmt::format("  {:3.0f} %  t = {:.3g} s  {:.3g} x real time  {} left",
                                       std::floor(100.0 * done), t, rate, duration_text(left));
  constexpr int kLongest = 40, kShortest = 8;
  const int cells = std::min(kLongest, width - 1 - static_cast<int>(text.size()));
  if (cells < kShortest) return text.substr(2, static_cast<std::size_t>(std::max(0, width - 1)));
  const int filled = std::clamp(static_cast<int>(done * cells), 0, cells);
  std::string bar;
  for (int i = 0; i < cells; ++i) bar += i < filled ? "█" : "░";
  return bar + text;
}

RunWatcher::RunWatcher(const Simulation& simulation, bool shows)
    : start_(simulation.state().t),
      end_(simulation.scene().run().t0 + simulation.scene().run().duration),
      shows_(shows) {
  note_interrupts();
}

bool RunWatcher::after_step(std::int64_t step, double t, const MotionState&) {
  if (shows_ && step % kStepsBetweenLooks == 0) show(t);
  return interrupting_signal() == 0;
}

bool RunWatcher::within_step(double) {
  return interrupting_signal() == 0;
}

void RunWatcher::show(double t) {
  const Clock::time_point now = Clock::now();
  if (now - last_ < kBetweenLooks) return;
  last_ = now;
  shown_ = true;
  const double done = end_ > start_ ? (t - start_) / (end_ - start_) : 1.0,
               wall = std::chrono::duration<double>(now - begin_).count();
  say("\r\033[K" + progress_line(done, t, (t - start_) / wall, done > 0.0 ? wall * (1.0 - done) / done : 0.0,
                                 terminal_width(stderr)));
}

void RunWatcher::clear() {
  if (!shown_) return;
  say("\r\033[K");
  shown_ = false;
}

}  // namespace pintle::cli
