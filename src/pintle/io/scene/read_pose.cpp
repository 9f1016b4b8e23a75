#include <cmath>

#include "pintle/io/scene/scene_reader.h"
#include "pintle/math/number_text.h"
#include "pintle/spatial/exp_log.h"

namespace pintle {
namespace {

/// How far the norm of a quaternion written with a few digits may be from 1.
constexpr double kUnitLength = 1e-6;

/// How far a matrix, which is used as it is, may be from a rotation.
constexpr double kOrthonormal = 1e-12;

Mat3<> about(const Vec3<>& axis, double angle) {
  return exp_so3(angle * axis);
}

Mat3<> about_axis(TomlTable& table) {
  const Vec3<> axis = table.vector("axis", {0, 0, 1});
  if (!table.has("angle")) {
    table.problem("axis", "scene-missing", "its 'axis' has no 'angle'", "it has no default", "add angle = \"90 deg\"");
  }
  const double angle = table.quantity("angle", 0.0);
  // Scaled first: the square of an axis such as [1e-200, 0, 0] would underflow.
  const double largest = std::fmax(std::abs(axis.x), std::fmax(std::abs(axis.y), std::abs(axis.z)));
  if (largest == 0.0) {
    table.problem("axis", "scene-axis", "an axis of length zero has no direction", "", "write [0, 0, 1], say");
    return identity3<double>();
  }
  const Vec3<> scaled{axis.x / largest, axis.y / largest, axis.z / largest};
  return about((1.0 / std::sqrt(dot(scaled, scaled))) * scaled, angle);
}

Mat3<> of_quaternion(TomlTable& table) {
  const Dimension four[] = {kNumber, kNumber, kNumber, kNumber};
  const std::vector<double> q = table.quantities("quaternion", four);
  if (q.empty()) return identity3<double>();
  double square = 0.0;
  for (const double x : q) square += x * x;
  const double length = std::sqrt(square);
  if (!(std::abs(length - 1.0) <= kUnitLength)) {
    table.problem("quaternion", "scene-quaternion", "its quaternion has the length " + number_text(length),
                  "only quaternions of length 1 are rotations; the four numbers are x, y, z, w",
                  "divide them by that length");
    return identity3<double>();
  }
  return rotation_matrix(Quaternion<>{q[0] / length, q[1] / length, q[2] / length, q[3] / length});
}

/// Its rows one after the other. It is used as written, so that a rotation can be given to the last bit.
Mat3<> of_matrix(TomlTable& table) {
  const std::vector<Dimension> nine(9, kNumber);
  const std::vector<double> r = table.quantities("matrix", nine);
  if (r.empty()) return identity3<double>();
  const Mat3<> R{r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]};
  double off = std::abs(dot(row(R, 0), cross(row(R, 1), row(R, 2))) - 1.0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) off = std::fmax(off, std::abs(dot(row(R, i), row(R, j)) - (i == j ? 1.0 : 0.0)));
  if (off <= kOrthonormal) return R;
  table.problem("matrix", "scene-matrix", "its matrix is not a rotation: its error is " + number_text(off),
                "its rows must have the length 1, be at right angles and make a right-handed frame",
                "give its numbers with more digits, or write rpy or axis and angle instead");
  return identity3<double>();
}

Mat3<> read_rotation(TomlTable& table, const std::string& key) {
  if (!table.has(key)) {
    table.ignore(key);
    return identity3<double>();
  }
  TomlTable rotation = table.table(key);
  const bool by_axis = rotation.has("axis") || rotation.has("angle");
  const int ways = (by_axis ? 1 : 0) + (rotation.has("rpy") ? 1 : 0) + (rotation.has("quaternion") ? 1 : 0) +
                   (rotation.has("matrix") ? 1 : 0);
  Mat3<> R = identity3<double>();
  if (ways != 1 || (by_axis && !rotation.has("axis"))) {
    if (table.value(key)->is_table()) {
      table.problem(key, "scene-rotation", "'" + key + "' must say one of: axis and angle, rpy, quaternion, matrix", "",
                    "write { axis = [0, 0, 1], angle = \"30 deg\" }, say");
    }
    rotation.ignore_all();
  } else if (by_axis) {
    R = about_axis(rotation);
  } else if (rotation.has("rpy")) {
    const Vec3<> rpy = rotation.vector("rpy", {0, 0, 0});
    R = about({0, 0, 1}, rpy.z) * about({0, 1, 0}, rpy.y) * about({1, 0, 0}, rpy.x);
  } else if (rotation.has("matrix")) {
    R = of_matrix(rotation);
  } else {
    R = of_quaternion(rotation);
  }
  rotation.finish();
  return R;
}

}  // namespace

Pose<> read_pose(TomlTable& table, const std::string& prefix) {
  const Vec3<> at = table.vector(prefix + "at", {0, 0, 0});
  return {read_rotation(table, prefix + "rotation"), at};
}

}  // namespace pintle
