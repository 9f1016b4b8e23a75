// A controller of one's own at 1 kHz: computed torque holds an arm on a moving target. The run leaves a folder with
// run.json, tables and report.html, as `pintle run` does.
#include <pintle/io.h>

#include <cmath>
#include <cstdio>

using namespace pintle;

namespace {

/// tau = M(q) (a_d + kd (v_d - v) + kp (q_d - q)) + C(q, v) v + g(q), held until the next step.
class ComputedTorque : public StepHandler {
 public:
  explicit ComputedTorque(Simulation& simulation)
      : simulation_(simulation), arm_(simulation.scene().model()), work_(arm_), a_(size()), tau_(size()) {
    (void)after_step(0, simulation.state().t, simulation.state());
  }

  bool after_step(std::int64_t, double t, const MotionState& state) override {
    constexpr double kp = 400.0, kd = 40.0, w = 2.0;  // [1/s^2], [1/s]: critically damped; [rad/s] of the target
    for (std::size_t i = 0; i < size(); ++i) {
      const double amplitude = 0.5 / static_cast<double>(i + 1);
      const double target = amplitude * (1.0 - std::cos(w * t)), speed = amplitude * w * std::sin(w * t);
      a_[i] = amplitude * w * w * std::cos(w * t) + kd * (speed - state.v[i]) + kp * (target - state.q[i]);
      error_ = std::max(error_, std::abs(target - state.q[i]));
    }
    inverse_dynamics(arm_, state.q, state.v, a_, work_, tau_);
    simulation_.set_effort(tau_);
    return true;
  }

  double error() const { return error_; }

 private:
  std::size_t size() const { return static_cast<std::size_t>(arm_.nv()); }

  Simulation& simulation_;
  const Model& arm_;
  Workspace work_;
  std::vector<double> a_, tau_;
  double error_ = 0.0;
};

}  // namespace

int main(int count, char** words) {
  const Result<Scene> scene = compile_scene(count > 1 ? words[1] : "models/arm6.urdf",
                                            {"run.duration=4 s", "run.step=1 ms", "run.integrator=rk4"});
  if (!scene) {
    for (const Diagnostic& problem : scene.diagnostics()) std::printf("%s\n", format(problem).c_str());
    return 1;
  }
  SceneRunOptions options;
  options.folder = count > 2 ? words[2] : "build/control_loop";
  options.scene = "arm6 under computed torque";
  options.parts.efforts = true;
  SceneRun run(*scene, options);
  ComputedTorque controller(run.simulation());
  const Result<RunReport> report = run.run(&controller);
  if (!report) {
    for (const Diagnostic& problem : report.diagnostics()) std::printf("%s\n", format(problem).c_str());
    return 1;
  }
  const EnergyBalance& balance = run.simulation().energy_balance();
  std::printf("%.1f s in steps of 1 ms; the arm is never more than %.1e rad off its target\n", report->t,
              controller.error());
  std::printf("work of the efforts %.4f J, dissipated by dampers and stored in the arm to %.0e of it\n",
              balance.work()[0], std::abs(balance.energy().relative()));
  std::printf("see %s/report.html\n", options.folder.c_str());
  return report->ok() && controller.error() < 2e-3 ? 0 : 1;
}
