// A force of one's own: the drag of a magnet over a copper rail, with its energy in the balance; and the same motion
// in closed form.
#include <pintle/simulation.h>

#include <cmath>
#include <cstdio>

using namespace pintle;

namespace {

/// Eddy currents brake a slider by c v within a stretch of its rail, and not elsewhere.
class EddyBrake : public ForceElement {
 public:
  EddyBrake(double c, double from, double to) : c_(c), from_(from), to_(to) {}

  std::string_view name() const override { return "eddy brake"; }

  ForcePower apply(const Model&, const ForceInput& in, const ForceOutput& out) override {
    if (!over_copper_) return {};
    out.tau[0] -= c_ * in.v[0];
    return {.power = -c_ * in.v[0] * in.v[0]};
  }

  /// The force jumps at both ends of the copper: steps end there, so that the integrator keeps its order.
  int switch_count() const override { return 2; }
  void switches(const Model&, const ForceInput& in, std::span<double> values) override {
    values[0] = from_ - in.q[0];
    values[1] = to_ - in.q[0];
  }
  /// Once a step: on which side of its ends the step begins.
  void choose_sides(const Model&, const ForceInput& in) override {
    over_copper_ = in.q[0] >= from_ && in.q[0] < to_;
  }

 private:
  double c_, from_, to_;
  bool over_copper_ = false;
};

}  // namespace

int main() {
  SceneSpec scene;
  ModelBuilder mechanism("rail");
  mechanism.body("magnet", spatial_inertia(0.5, Vec3{0.0, 0.0, 0.0}, SymMat3<>{})).prismatic({1, 0, 0}, "rail");
  scene.model = mechanism.spec();
  scene.initial.push_back({.joint = "rail", .v = {2.0}});
  scene.run.duration = 1.0;
  scene.run.step = 7e-3;

  EddyBrake brake(1.5, 0.5, 0.9);
  ForceElement* const forces[] = {&brake};
  const Scene compiled = compile(scene).value();
  Simulation simulation(compiled, {.forces = forces});
  const RunReport report = simulation.run();

  // Over copper dv/dx = -c/m: the magnet leaves 0.4 m of it slower by 0.4 c/m, whatever its speed.
  const double expected = 2.0 - 0.4 * 1.5 / 0.5, error = std::abs(simulation.state().v[0] - expected);
  const double lost = 0.25 * (expected * expected - 4.0);
  std::printf("speed behind the copper %.6f m/s, in closed form %.6f\n", simulation.state().v[0], expected);
  std::printf("work of the brake %.6f J, in closed form %.6f\n", simulation.energy_balance().work()[0], lost);
  return report.ok() && error < 1e-8 && std::abs(simulation.energy_balance().work()[0] - lost) < 1e-8 ? 0 : 1;
}
