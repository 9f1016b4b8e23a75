#include "pintle/math/distributions.h"

#include "pintle/math/elementary.h"

namespace pintle {

double standard_normal(RandomStream& stream) {
  const double radius = sqrt(-2.0 * log(1.0 - stream.uniform()));  // 1 - u lies in (0, 1]
  return radius * cos(2.0 * kPi<double> * stream.uniform());
}

Vec3<> uniform_direction(RandomStream& stream) {
  // Archimedes: the height on the sphere is uniform.
  const double z = stream.uniform(-1.0, 1.0);
  const SinCos<double> angle = sincos(2.0 * kPi<double> * stream.uniform());
  const double r = sqrt((1.0 - z) * (1.0 + z));
  return {r * angle.cos, r * angle.sin, z};
}

Quaternion<> uniform_rotation(RandomStream& stream) {
  // Two uniform angles and the split of the radius between their planes (Shoemake 1992).
  const double split = stream.uniform();
  const SinCos<double> a = sincos(2.0 * kPi<double> * stream.uniform());
  const SinCos<double> b = sincos(2.0 * kPi<double> * stream.uniform());
  const double r = sqrt(1.0 - split), s = sqrt(split);
  return {r * a.sin, r * a.cos, s * b.sin, s * b.cos};
}

}  // namespace pintle
