// A controller swings a pendulum up against a joint limit: from a scene to rows, events, an energy balance and a
// certificate.
#include <pintle/simulation.h>

#include <cstdio>

using namespace pintle;

namespace {

SceneSpec swing() {
  SceneSpec scene;
  ModelBuilder mechanism("swing");
  mechanism.body("bob", spatial_inertia(1.0, Vec3{0.0, 0.0, -0.5}, SymMat3{0.02, 0.0, 0.0, 0.02, 0.0, 0.001}))
      .revolute({0, 1, 0}, "pin")
      .damping(0.05)
      .limits(-0.6, 2.0);
  scene.model = mechanism.spec();

  JointLimitSpec stop;
  stop.joint = "pin";
  stop.restitution = 0.5;
  scene.joint_limits.push_back(stop);

  ControllerSpec controller;
  controller.name = "swinger";
  controller.joint = "pin";
  controller.target = expression_drive("60 deg * sin(2*pi*0.5 Hz*t)").value();
  controller.kp = 20.0;
  controller.kd = 1.0;
  controller.effort_limit = 6.0;
  scene.controllers.push_back(controller);

  scene.run.duration = 3.0;
  scene.run.step = 1e-3;
  return scene;
}

}  // namespace

int main() {
  const Scene scene = compile(swing()).value();
  Simulation simulation(scene);
  MemoryRecording recording;
  const RunReport report = simulation.run({.sink = &recording});

  std::printf("   t [s]   q [rad]  v [rad/s]  tau [N m]   energy [J]\n");
  const std::size_t t = recording.column_number("t"), q = recording.column_number("q.pin"),
                    v = recording.column_number("v.pin"), tau = recording.column_number("tau.pin"),
                    energy = recording.column_number("energy.total");
  for (std::size_t i = 0; i < recording.rows(); i += recording.rows() / 14) {
    const auto row = recording.row_at(i);
    std::printf("%8.3f %9.4f %10.4f %10.4f %12.6f\n", row[t], row[q], row[v], row[tau], row[energy]);
  }

  std::printf("\nevents: ever smaller rebounds, then rest, then release\n");
  std::size_t impacts = 0;
  for (const RecordedEvent& event : recording.events()) {
    const EventFacts& kind = facts(event.event.kind);
    if (kind.kind == EventKind::limit_impact && ++impacts > 4) continue;
    std::printf("  t = %.9f s  %.*s of '%s'\n", event.event.t, static_cast<int>(kind.name.size()), kind.name.data(),
                event.name.c_str());
  }
  std::printf("  %zu impacts in all\n", impacts);

  const EnergyBalance& energy_balance = simulation.energy_balance();
  std::printf("\nledger\n  %-12s %12.6f J\n", "energy", energy_balance.now().total() - energy_balance.start().total());
  for (std::size_t i = 0; i < simulation.accounts().size(); ++i)
    std::printf("  %-12s %12.6f J%s\n", simulation.accounts()[i].name.c_str(), energy_balance.work()[i],
                simulation.accounts()[i].kind == AccountKind::limit ? "  (stop)" : "");
  const bool closed = energy_balance.energy().relative() < 1e-9 && energy_balance.energy().relative() > -1e-9;
  std::printf("  residual: %s 1e-9 of what went through\n", closed ? "less than" : "MORE than");
  std::printf("  certificate: %s\n", simulation.worst_certificate().certificate.worst() < 1e-12 ? "ok" : "BROKEN");

  SceneSpec wrong = swing();
  wrong.controllers[0].joint = "pim";
  wrong.run.step = -1.0;
  std::printf("\na scene with two mistakes\n");
  for (const Diagnostic& problem : compile(wrong).diagnostics()) std::printf("%s\n", format(problem).c_str());
  return report.ok() && closed ? 0 : 1;
}
