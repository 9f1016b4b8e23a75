#include <pintle/pintle.h>

#include <cstdio>
#include <string>
#include <vector>

int main() {
  using namespace pintle;
  // Six bars, each on a revolute joint at the end of the one before, released from the horizontal.
  const double L = 0.25, m = 0.1, I = m * L * L / 12.0;
  const SpatialInertia bar = spatial_inertia(m, Vec3{L / 2.0, 0.0, 0.0}, diagonal(Vec3{0.0, I, I}));
  ModelBuilder chain("chain");
  chain.gravity({0.0, -10.0, 0.0});
  for (int i = 1; i <= 6; ++i) chain.body("bar" + std::to_string(i), bar).revolute().at({i == 1 ? 0.0 : L, 0.0, 0.0});

  const Model model = chain.compile().value();
  const std::vector<double> q(6), qd(6), tau(6);
  std::vector<double> qdd(6);
  ForwardDynamicsWorkspace<> work(model);
  if (!forward_dynamics(model, q, qd, tau, work, qdd).ok()) return 1;
  CertificateWorkspace check(model);
  const Certificate certificate = certify(model, {.q = q, .v = qd, .vdot = qdd, .tau = tau}, check);
  for (const double a : qdd) std::printf("%.12f rad/s^2\n", a);
  std::printf("laws of mechanics hold to %.1e\n", certificate.worst());
}
