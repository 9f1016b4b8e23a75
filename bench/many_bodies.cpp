// The cost of a step against the number of bodies: balls that fly over a floor and bounce; compared with testing every
// pair of shapes in every step (SimulationParts::all_pairs). Fails if a body in flight among 200 costs more than
// kMaxPerBody times one among 25, or if testing near pairs is slower than testing all.
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "pintle/simulation.h"

namespace {

using namespace pintle;

constexpr double kStep = 1e-3, kRadius = 0.05;
constexpr int kRounds = 5;
constexpr double kLongRound = 0.2;  // [s]
constexpr double kMaxPerBody = 1.5, kMaxSlower = 1.25;

enum class Motion { rising, bouncing, resting };

/// Balls in a square above a floor, one diameter apart.
SceneSpec balls(int count, Motion motion) {
  SceneSpec scene;
  const auto add_shape = [&](const std::string& body, const ContactShape& shape) {
    ContactShapeSpec spec;
    spec.body = body;
    spec.shape = shape;
    spec.material = "rubber";
    scene.contact.shapes.push_back(spec);
  };
  add_shape(kWorld, HalfSpace{});
  scene.contact.surfaces.push_back({"rubber", {motion == Motion::resting ? 0.0 : 0.8, 0.3, 0.3}, {}});
  const int side = static_cast<int>(std::ceil(std::sqrt(count)));
  for (int k = 0; k < count; ++k) {
    const std::string name = "ball" + std::to_string(k);
    BodySpec body;
    body.name = name;
    const double I = 0.4 * kRadius * kRadius;
    body.inertia = {1.0, {0, 0, 0}, {I, 0, 0, I, 0, I}};
    scene.model.bodies.push_back(body);
    JointSpec joint;
    joint.name = joint.child = name;
    joint.parent = kWorld;
    joint.kind = JointKind::free;
    scene.model.joints.push_back(joint);
    add_shape(name, Sphere{kRadius});
    InitialSpec initial;
    initial.joint = name;
    const double x = 4.0 * kRadius * (k % side), y = 4.0 * kRadius * (k / side);
    const double height = motion == Motion::resting ? 0.0 : motion == Motion::rising ? 1.0 : 0.01 + 0.002 * (k % 17);
    initial.q = {x, y, kRadius + height, 0, 0, 0, 1};
    const double push = motion == Motion::resting ? 0.0 : 0.1;
    initial.v = {push * (k % 3 - 1), push * (k % 5 - 2), motion == Motion::rising ? 3.0 : 0.0, 0, push * (k % 7), 0};
    scene.initial.push_back(initial);
  }
  scene.run.step = kStep;
  scene.run.energy_balance = false;
  scene.run.certificate = false;
  return scene;
}

double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// [s] per step, the minimum of some rounds from the start; if one round takes long, of that one.
double time_of_step(int count, Motion motion, bool all_pairs, int steps) {
  Simulation simulation(compile(balls(count, motion)).value(), {.all_pairs = all_pairs});
  double least = 0.0;
  if (!simulation.run({.until = steps * kStep}).ok()) std::abort();  // allocates the memory it needs
  for (int round = 0; round < kRounds && !(least * steps > kLongRound); ++round) {
    simulation.reset();
    const double start = processor_time();
    if (!simulation.run({.until = steps * kStep}).ok()) std::abort();
    const double time = (processor_time() - start) / steps;
    least = round == 0 ? time : std::min(least, time);
  }
  return least;
}

}  // namespace

int main() {
  bool ok = true;
  for (const Motion motion : {Motion::rising, Motion::bouncing, Motion::resting}) {
    std::printf("%s\n bodies   pairs   us a step   us a step and body   all pairs: us a step   ratio\n",
                motion == Motion::rising     ? "in flight, 0.1 s"
                : motion == Motion::bouncing ? "bouncing, 0.1 s"
                                             : "at rest, 0.02 s");
    double of_25 = 0.0;
    for (const int count : {1, 2, 3, 4, 5, 6, 8, 10, 25, 50, 100, 200}) {
      const int steps = motion == Motion::resting ? 20 : 100;
      const double near = time_of_step(count, motion, false, steps);
      const double all = time_of_step(count, motion, true, steps);
      std::printf("%7d %7d %11.2f %20.3f %22.2f %7.2f\n", count, count * (count + 1) / 2, 1e6 * near,
                  1e6 * near / count, 1e6 * all, all / near);
      std::fflush(stdout);
      if (count == 25) of_25 = near / count;
      if (motion != Motion::resting)
        ok = ok && near < kMaxSlower * all;  // at rest, contact forces take almost all of the time
      if (count == 200 && motion == Motion::rising) ok = ok && near / count < kMaxPerBody * of_25;
    }
  }
  return ok ? 0 : 1;
}
