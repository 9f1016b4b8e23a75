#include <pintle/pintle.h>

#include <cstdio>

int main() {
  using namespace pintle;
  const Twist V = twist(Vec3{0.0, 0.0, 2.0}, Vec3{0.3, 0.1, 0.0}, 0.05);    // 2 rad/s about a line, 0.05 m/rad along it
  const Wrench F = wrench(Vec3{0.0, 10.0, 0.0}, Vec3{1.0, 0.0, 0.0}, 0.0);  // 10 N along y at the point (1, 0, 0)
  const Pose X_AB = exp(0.5 * V);                                           // where half a second takes the body
  const Screw s = screw_of(X_AB);                                           // Mozzi-Chasles: one screw does it
  std::printf("turns %.2f rad about the vertical line at x = %.1f, y = %.1f", s.magnitude, s.point.x, s.point.y);
  std::printf(" and advances %.3f m\n", s.pitch * s.magnitude);
  std::printf("power %.3f W; seen from B %.3f W\n", dot(V, F), dot(inverse_times(X_AB, V), inverse_times(X_AB, F)));
}
