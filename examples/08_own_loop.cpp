// A loop of one's own: a pole on a cart is pushed at 100 Hz by a law that no scene file has. Every step is recorded, and
// the loop leaves a folder with run.json, tables and report.html, as `pintle run` does.
#include <pintle/io.h>

#include <algorithm>
#include <cstdio>

using namespace pintle;

int main(int count, char** words) {
  const Result<Scene> scene = compile_scene_text(R"(
[[body]]
name = "cart"
shape = { box = { size = [0.3, 0.2, 0.1] } }
mass = "1 kg"
joint = { type = "prismatic", axis = [1, 0, 0], damping = "0.1 N s/m" }

[[body]]
name = "pole"
shape = { cylinder = { radius = "1 cm", length = "1 m" }, at = [0, 0, 0.5] }
mass = "0.2 kg"
joint = { type = "revolute", parent = "cart", axis = [0, 1, 0] }
initial = { q = "5 deg" }

[run]
duration = "5 s"
step = "10 ms"
)",
                                                 "cart-pole.toml");
  if (!scene) {
    for (const Diagnostic& problem : scene.diagnostics()) std::printf("%s\n", format(problem).c_str());
    return 1;
  }
  SceneRunOptions options;
  options.folder = count > 1 ? words[1] : "build/own_loop";
  options.scene = "a pole on a cart";
  options.parts.efforts = true;
  SceneRun run(*scene, options);
  Simulation& simulation = run.simulation();
  if (const Result<void> begun = run.begin(); !begun) {
    for (const Diagnostic& problem : begun.diagnostics()) std::printf("%s\n", format(problem).c_str());
    return 1;
  }
  double largest = 0.0;
  while (simulation.state().t < 5.0) {
    const std::vector<double>&q = simulation.state().q, &v = simulation.state().v;
    simulation.set_effort("cart", std::clamp(1.5 * q[0] + 2.5 * v[0] + 40.0 * q[1] + 9.0 * v[1], -20.0, 20.0));
    if (!simulation.step().ok()) break;
    largest = std::max(largest, std::abs(q[1]));
  }
  const Result<RunReport> report = run.finish();
  if (!report) {
    for (const Diagnostic& problem : report.diagnostics()) std::printf("%s\n", format(problem).c_str());
    return 1;
  }
  const std::vector<double>& q = simulation.state().q;
  std::printf("after %.1f s the cart is at %.4f m, the pole at %.4f rad; it was never more than %.4f rad off\n", report->t,
              q[0], q[1], largest);
  std::printf("see %s/report.html\n", options.folder.c_str());
  return report->ok() && std::abs(q[1]) < 0.01 ? 0 : 1;
}
