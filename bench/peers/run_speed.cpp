// Robots that move freely, by Pintle and MuJoCo (`./run bench runs`): a run with energy balance, certificate and rows
// beside mj_step with the same method, RK4, and the same step; in one process, in turns, by the processor time of the
// thread. First the motions must agree.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "mechanism_spec.h"
#include "mechanisms.h"
#include "pintle/base/isa.h"
#include "pintle/simulation.h"
#include "robot_run.h"

namespace {

using namespace pintle;

/// Chaotic motions part by then, whose rounding differs; those of free joints by the methods' errors of 1e-3 s too.
constexpr double kAgreementTime = 0.1, kAgreement = 1e-7;  // [s], [m]

/// Accepts every row and keeps none.
class Rows : public RecordSink {
 public:
  RecordReport begin(std::span<const Column>) override { return {}; }
  RecordReport row(std::span<const double>) override {
    ++count;
    return {};
  }
  RecordReport event(const EventRecord&) override { return {}; }
  long count = 0;
};

SceneSpec scene_of(const peers::Robot& robot, long steps, bool checked) {
  SceneSpec scene;
  scene.model = peers::spec_of(robot.mechanism);
  std::size_t q = 0, v = 0;
  for (JointSpec& joint : scene.model.joints) {
    if (joint.kind != JointKind::free) joint.passive[0].damping = robot.damping;
    const std::size_t nq = static_cast<std::size_t>(facts(joint.kind).nq);
    const std::size_t nv = static_cast<std::size_t>(facts(joint.kind).nv);
    const double *const at_q = robot.start.q.data() + q, *const at_v = robot.start.v.data() + v;
    scene.initial.push_back({.joint = joint.name, .q = {at_q, at_q + nq}, .v = {at_v, at_v + nv}});
    q += nq;
    v += nv;
  }
  const auto place = [&](int link, const double* at) {
    const std::string on = link < 0 ? std::string(kWorld) : scene.model.bodies[static_cast<std::size_t>(link)].name;
    return PlaceSpec{on, {at[0], at[1], at[2]}};
  };
  for (const peers::Line& line : robot.lines)
    scene.line_springs.push_back({.name = "line" + std::to_string(scene.line_springs.size()),
                                  .first = place(line.first, line.at_first),
                                  .second = place(line.second, line.at_second),
                                  .stiffness = line.stiffness,
                                  .damping = line.damping,
                                  .rest_length = line.rest_length});
  scene.run.step = robot.step;
  scene.run.duration = static_cast<double>(steps) * robot.step;
  scene.run.rows = static_cast<int>(steps / 10);  // of 10 s about the 1000 of the default
  scene.run.energy_balance = scene.run.certificate = checked;
  return scene;
}

class PintleRobot final : public peers::RobotRun {
 public:
  PintleRobot(const peers::Robot& robot, long steps, bool checked)
      : step_(robot.step), checked_(checked), simulation_(compile(scene_of(robot, steps, checked)).value()) {}

  void run(long steps) override {
    simulation_.reset();
    rows.count = 0;
    const RunReport report = simulation_.run(
        {.until = static_cast<double>(steps) * step_, .sink = checked_ ? static_cast<RecordSink*>(&rows) : nullptr});
    if (!report.ok()) throw std::runtime_error("Pintle: " + report.text);
  }
  std::vector<double> places() override {
    const Model& model = simulation_.scene().model();
    KinematicsWorkspace work(model);
    const std::vector<double> none(static_cast<std::size_t>(model.nv()));
    kinematics(model, simulation_.state().q, simulation_.state().v, none, work);
    std::vector<double> found;
    for (std::size_t b = 0; b < model.bodies().size(); ++b) {
      const Vec3<> p = pose_of(work, body_place(model, static_cast<int>(b))).translation;
      found.insert(found.end(), {p.x, p.y, p.z});
    }
    return found;
  }
  const Simulation& simulation() const { return simulation_; }
  Simulation& simulation() { return simulation_; }

  Rows rows;

 private:
  double step_;
  bool checked_;
  Simulation simulation_;
};

/// Processor time of the thread so far [s].
double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) throw std::runtime_error("the engines have different numbers of links");
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::isnan(a[i] - b[i]) ? HUGE_VAL : std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

peers::Robot robot_of(peers::Mechanism mechanism) {
  peers::Robot robot{.mechanism = std::move(mechanism)};
  robot.start = peers::random_states(robot.mechanism, 1, 7).front();
  return robot;
}

/// The feet hang on the trunk, and the trunk on the world.
peers::Robot on_springs(peers::Robot robot) {
  robot.mechanism.name += " on springs";
  const auto add = [&](int first, int second, double x, double y, double z) {
    robot.lines.push_back({.first = first,
                           .second = second,
                           .at_second = {x, y, z},
                           .stiffness = 400.0,
                           .damping = 4.0,
                           .rest_length = 0.2});
  };
  add(0, -1, 0.1, 0.2, 1.0);
  for (const int foot : {3, 6, 9, 12}) add(foot, 0, 0.3, -0.2, 0.1);
  return robot;
}

struct Contender {
  std::unique_ptr<peers::RobotRun> run;
  std::vector<double> times{};  // [s] per step

  double median() {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }
};

/// One row of the table; false if the motions differ.
bool compare(const peers::Robot& robot, long steps, int rounds) {
  auto* const checked = new PintleRobot(robot, steps, true);
  Contender contenders[] = {{std::unique_ptr<peers::RobotRun>(checked)},
                            {std::make_unique<PintleRobot>(robot, steps, false)},
                            {peers::mujoco_robot(robot)}};
  std::vector<std::vector<double>> places;
  for (Contender& one : contenders) {
    one.run->run(std::lround(kAgreementTime / robot.step));
    places.push_back(one.run->places());
  }
  const double difference =
      std::max(largest_difference(places[0], places[2]), largest_difference(places[1], places[2]));
  for (int round = 0; round < rounds; ++round) {
    for (Contender& one : contenders) {
      const double start = now();
      one.run->run(steps);
      one.times.push_back((now() - start) / static_cast<double>(steps));
    }
  }
  const double ours = contenders[0].median(), bare = contenders[1].median(), theirs = contenders[2].median();
  const double residual = std::abs(checked->simulation().energy_balance().energy().relative());
  fmt::print("| {} | {:.2f} us | {:.2f} us | {:.2f} us | {:.2f} x | {:.2f} x | {} | {:.0e} | {:.0e} m |\n",
             robot.mechanism.name, 1e6 * ours, 1e6 * bare, 1e6 * theirs, theirs / ours, theirs / bare,
             checked->rows.count, residual, difference);
  std::fflush(stdout);
  return difference <= kAgreement;
}

}  // namespace

int main(int argc, char** argv) try {
  const bool quick = argc > 1 && std::string_view(argv[1]) == "--quick";
  const int rounds = quick ? 3 : 15;
  const long steps = quick ? 2000 : 10000;
  fmt::print("One core of: {}; kernels of Pintle in use: {}; MuJoCo {}. {} steps of 1 ms.\n\n", processor(),
             name(active_isa()), peers::mujoco_of_runs(), steps);
  fmt::print(
      "| | a step with balance, certificate, rows | without | MuJoCo's mj_step, RK4 | MuJoCo over ours | without "
      "| rows | energy missing | apart after 0.1 s |\n|---|---|---|---|---|---|---|---|---|\n");
  std::vector<peers::Robot> robots = {robot_of(peers::arm()), robot_of(peers::chain(12)), robot_of(peers::quadruped())};
  robots.push_back(on_springs(robots.back()));
  robots.push_back(robot_of(peers::humanoid()));
  bool agree = true;
  for (const peers::Robot& robot : robots) agree = compare(robot, steps, rounds) && agree;
  if (!agree) fmt::print("\nthe motions differ by more than {:.0e} m after {} s\n", kAgreement, kAgreementTime);
  return agree ? 0 : 1;
} catch (const std::exception& problem) {
  fmt::print(stderr, "{}\n", problem.what());
  return 1;
}
