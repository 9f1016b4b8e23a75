#include <cmath>

#include "pintle/io/scene_reader.h"
#include "pintle/spatial/exp_log.h"

namespace pintle {
namespace {

constexpr double kUnitLength = 1e-6;

Mat3<> about(const Vec3<>& axis, double angle) {
  return exp_so3(angle * axis);
}

Mat3<> read_rotation(TomlTable& table, const std::string& key) {
  if (!table.has(key)) return identity3<double>();
  TomlTable rotation = table.table(key, table.who() + ", " + key);
  const int ways = (rotation.has("axis") ? 1 : 0) + (rotation.has("rpy") ? 1 : 0) + (rotation.has("quaternion") ? 1 : 0);
  Mat3<> R = identity3<double>();
  if (ways != 1) {
    table.problem(key, "scene-rotation", "'" + key + "' must say one of: axis and angle, rpy, quaternion", "",
                  "write { axis = [0, 0, 1], angle = \"30 deg\" }");
  } else if (rotation.has("axis")) {
    const Vec3<> axis = rotation.vector("axis", kNumber, {0, 0, 1});
    const double angle = rotation.required_quantity("angle", kAngle);
    const double length = std::sqrt(dot(axis, axis));
    if (length > 0.0) {
      R = about((1.0 / length) * axis, angle);
    } else {
      rotation.problem("axis", "scene-axis", "an axis of length zero has no direction", "", "write [0, 0, 1], say");
    }
  } else if (rotation.has("rpy")) {
    const Vec3<> rpy = rotation.vector("rpy", kAngle, {0, 0, 0});
    R = about({0, 0, 1}, rpy.z) * about({0, 1, 0}, rpy.y) * about({1, 0, 0}, rpy.x);
  } else {
    const Dimension four[] = {kNumber, kNumber, kNumber, kNumber};
    const std::vector<double> q = rotation.quantities("quaternion", four);
    double square = 0.0;
    for (const double x : q) square += x * x;
    if (q.size() == 4 && std::abs(std::sqrt(square) - 1.0) <= kUnitLength) {
      const double s = 1.0 / std::sqrt(square);
      R = rotation_matrix(Quaternion<>{s * q[0], s * q[1], s * q[2], s * q[3]});
    } else if (q.size() == 4) {
      rotation.problem("quaternion", "scene-quaternion", "a quaternion of another length than 1 is no rotation",
                       "its four numbers are x, y, z, w", "divide them by their length");
    }
  }
  rotation.finish();
  return R;
}

}  // namespace

Pose<> read_pose(TomlTable& table, const std::string& prefix) {
  const Vec3<> at = table.vector(prefix + "at", kLength, {0, 0, 0});
  return {read_rotation(table, prefix + "rotation"), at};
}

}  // namespace pintle
