#include "pintle/geometry/shapes/shape.h"

namespace pintle {

const char* name(const Shape& shape) {
  constexpr const char* kNames[] = {"box", "sphere", "ellipsoid", "cylinder", "capsule", "cone", "mesh"};
  static_assert(std::size(kNames) == std::variant_size_v<Shape>);
  return kNames[shape.index()];
}

Diagnostics check(const Shape& shape) {
  return std::visit([](const auto& s) { return check(s); }, shape);
}

VolumeProperties volume_properties(const Shape& shape) {
  return std::visit([](const auto& s) { return volume_properties(s); }, shape);
}

double volume(const Shape& shape) {
  return volume_properties(shape).volume;
}

Vec3<> centroid(const Shape& shape) {
  return volume_properties(shape).centroid;
}

SpatialInertia<> unit_density_inertia(const Shape& shape) {
  const VolumeProperties solid = volume_properties(shape);
  return spatial_inertia(solid.volume, solid.centroid, solid.inertia);
}

Vec3<> support_point(const Shape& shape, const Vec3<>& direction) {
  return std::visit([&](const auto& s) { return support_point(s, direction); }, shape);
}

BoundingBox bounding_box(const Shape& shape) {
  return std::visit([](const auto& s) { return bounding_box(s); }, shape);
}

}  // namespace pintle
