// A bouncing cylinder, by Pintle, MuJoCo and the original loop (`./run bench contact`): steps per second, in one
// process, interleaved, by the processor time of the thread. Fails if the first line is below its minimum values.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <vector>

#include "cylinder.h"
#include "cylinder_scene.h"
#include "pintle/base/isa.h"
#include "pintle/simulation.h"

namespace {

using namespace pintle;

constexpr double kFloorMuJoCo = 20.0, kFloorSeed = 3.0;

/// Accepts every row and keeps none.
class Rows : public RecordSink {
 public:
  RecordReport begin(std::span<const Column>) override { return {}; }
  RecordReport row(std::span<const double>) override { return {}; }
  RecordReport event(const EventRecord& event) override {
    if (event.kind == EventKind::contact_hold) ++resting;
    if (event.kind == EventKind::contact_release) --resting;
    return {};
  }
  RecordReport impact(const ImpactRecord&) override {
    ++impacts;
    return {};
  }
  long impacts = 0, resting = 0;  // so far; current resting points
};

/// Counts the steps with contact.
class Touching : public StepHandler {
 public:
  explicit Touching(const Rows& rows) : rows_(rows) {}
  bool after_step(std::int64_t, double, const MotionState&) override {
    if (rows_.impacts != before_ || rows_.resting > 0) ++steps;
    before_ = rows_.impacts;
    return true;
  }
  long steps = 0;

 private:
  const Rows& rows_;
  long before_ = 0;
};

enum class Checks { none, energy_balance, certificate };

SceneSpec scene_of(const peers::Cylinder& of, bool single_point, Checks checks) {
  SceneSpec scene = peers::scene_of(of, single_point);
  scene.run.energy_balance = checks != Checks::none;
  scene.run.certificate = checks == Checks::certificate;
  scene.run.row_every = 1;
  return scene;
}

class PintleCylinder final : public peers::CylinderRun {
 public:
  PintleCylinder(const peers::Cylinder& of, bool single_point, Checks checks)
      : step_(of.step), checks_(checks), simulation_(compile(scene_of(of, single_point, checks)).value()) {}

  void run(long steps) override {
    simulation_.reset();
    Rows rows;
    const double until = static_cast<double>(steps) * step_;
    const RunReport report =
        simulation_.run({.until = until, .sink = checks_ == Checks::certificate ? &rows : nullptr});
    if (!report.ok()) throw std::runtime_error("Pintle: " + report.text);
    steps_ = steps;
  }
  /// Counts in a separate run.
  void count() {
    simulation_.reset();
    Rows rows;
    Touching touching(rows);
    if (!simulation_.run({.until = static_cast<double>(steps_) * step_, .sink = &rows, .handler = &touching}).ok())
      return;
    impacts_ = rows.impacts;
    touching_ = touching.steps;
  }
  long impacts() const override { return impacts_; }
  double in_flight() const override { return 1.0 - static_cast<double>(touching_) / static_cast<double>(steps_); }
  double height() const override { return simulation_.state().q[2]; }

 private:
  double step_;
  Checks checks_;
  Simulation simulation_;
  long steps_ = 0, impacts_ = 0, touching_ = 0;
};

/// Processor time of the thread so far [s].
double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Program {
  std::string name;
  std::unique_ptr<peers::CylinderRun> run;
  std::vector<double> times{};  // [s] per step

  double median() {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }
};

struct Case {
  const char* name;
  double restitution, friction;
  long steps;
  long again;  // runs in one sample
  bool floors;
};

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

bool compare(const Case& one, int rounds) {
  const peers::Cylinder cylinder{.restitution = one.restitution, .friction = one.friction};
  std::vector<Program> programs;
  const auto add = [&](const char* name, peers::CylinderRun* run) {
    programs.push_back({name, std::unique_ptr<peers::CylinderRun>(run)});
  };
  add("Pintle, nearest point", new PintleCylinder(cylinder, true, Checks::none));
  add("Pintle, all points", new PintleCylinder(cylinder, false, Checks::none));
  add("- with the energy balance", new PintleCylinder(cylinder, false, Checks::energy_balance));
  add("- every step certified", new PintleCylinder(cylinder, false, Checks::certificate));
  add("the original loop", peers::seed_cylinder(cylinder));
  add("MuJoCo", peers::mujoco_cylinder(cylinder));
  for (int round = 0; round < rounds; ++round) {
    for (Program& program : programs) {
      const double start = now();
      for (long k = 0; k < one.again; ++k) program.run->run(one.steps);
      program.times.push_back((now() - start) / static_cast<double>(one.again * one.steps));
    }
  }
  fmt::print("\n{}: restitution {}, friction {}, {} steps of 1 ms\n\n", one.name, one.restitution, one.friction,
             one.steps);
  fmt::print(
      "| | million steps a second | time of a step | against MuJoCo | against the original loop | impacts | in flight "
      "|\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  const double mujoco = programs.back().median(), seed = programs[programs.size() - 2].median();
  for (Program& program : programs) {
    if (auto* const pintle = dynamic_cast<PintleCylinder*>(program.run.get())) pintle->count();
    const double time = program.median();
    fmt::print("| {} | {:.2f} | {:.0f} ns | {:.1f} x | {:.2f} x | {} | {:.1f} % |\n", program.name, 1e-6 / time,
               1e9 * time, mujoco / time, seed / time, program.run->impacts(), 100.0 * program.run->in_flight());
  }
  std::fflush(stdout);
  if (!one.floors) return true;
  const double ours = programs[0].median();
  if (mujoco / ours < kFloorMuJoCo) fmt::print("\nbelow the floor of {:.0f} x MuJoCo\n", kFloorMuJoCo);
  if (seed / ours < kFloorSeed) fmt::print("\nbelow the floor of {:.0f} x the original loop\n", kFloorSeed);
  return mujoco / ours >= kFloorMuJoCo && seed / ours >= kFloorSeed;
}

}  // namespace

int main(int argc, char** argv) try {
  const int rounds = argc > 1 && std::string_view(argv[1]) == "--quick" ? 3 : 15;
  fmt::print("`./run bench contact`, one core of: {}; kernels of Pintle in use: {}; MuJoCo {}\n", processor(),
             name(active_isa()), peers::mujoco_version());
  bool held = true;
  held = compare({"the scene cylinder", 0.87, 0.15, 500, 100, true}, rounds) && held;
  held = compare({"it keeps bouncing", 1.0, 0.0, 10000, 5, true}, rounds) && held;
  held = compare({"until it rests, and on", 0.87, 0.15, 5000, 1, false}, std::min(rounds, 5)) && held;
  return held ? 0 : 1;
} catch (const std::exception& problem) {
  fmt::print(stderr, "{}\n", problem.what());
  return 1;
}
