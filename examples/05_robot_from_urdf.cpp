// A robot from a URDF file: matrices, efforts and accelerations, one line a question; then a loop that allocates
// nothing.
#include <pintle/io.h>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace pintle;

int main(int count, char** words) {
  const Result<Model> robot = load(count > 1 ? words[1] : "models/arm6.urdf");
  if (!robot) {
    for (const Diagnostic& problem : robot.diagnostics()) std::printf("%s\n", format(problem).c_str());
    return 1;
  }
  const Model& arm = *robot;
  const std::size_t n = static_cast<std::size_t>(arm.nv());
  std::vector<double> q(static_cast<std::size_t>(arm.nq())), v(n), tau(n);
  position_in(arm, q, "lift")[0] = 0.6;
  position_in(arm, q, "elbow")[0] = 1.1;
  velocity_in(arm, v, "pan")[0] = 0.5;

  const std::vector<double> M = mass_matrix(arm, q), g = gravity_efforts(arm, q), J = jacobian(arm, q, "flange");
  const Vec3<> tip = pose_of(arm, q, "flange").translation;
  std::printf("%d degrees of freedom, %.1f kg\n", arm.nv(), moving_mass(arm));
  std::printf("flange at (%.4f, %.4f, %.4f) m\n", tip.x, tip.y, tip.z);
  std::printf("inertia about the pan axis %.4f kg m^2, gravity at the lift %.3f N m\n", M[0], g[1]);
  std::printf("1 rad/s of the lift moves the flange by (%.3f, %.3f, %.3f) m/s\n", J[1], J[n + 1], J[2 * n + 1]);

  const std::vector<double> vdot = forward_dynamics(arm, q, v, g).value();
  std::printf("held against gravity while it pans, the elbow accelerates at %.4f rad/s^2\n",
              joint_velocity(arm, vdot, "elbow")[0]);

  // In a loop: one workspace, arrays of one's own.
  Workspace work(arm);
  std::vector<double> acceleration(n), back(n);
  double worst = 0.0;
  RandomStream random(1);
  for (int i = 0; i < 1000; ++i) {
    random_configuration(arm, random, q);
    for (double& effort : tau) effort = random.uniform(-10.0, 10.0);
    if (!forward_dynamics(arm, q, v, tau, work, acceleration).ok()) return 1;
    inverse_dynamics(arm, q, v, acceleration, work, back);
    for (std::size_t k = 0; k < n; ++k) worst = std::max(worst, std::abs(back[k] - tau[k]));
  }
  std::printf("inverse dynamics of forward dynamics, 1000 states: efforts differ by %s 1e-10 N m\n",
              worst < 1e-10 ? "less than" : "MORE than");
  return worst < 1e-10 ? 0 : 1;
}
