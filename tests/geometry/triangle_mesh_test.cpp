#include "pintle/geometry/shapes/triangle_mesh.h"

#include "geometry/solids.h"
#include "pintle/base/usage_error.h"

using namespace test;

namespace {

/// A closed mesh without any symmetry: an ellipsoid with every vertex pushed in or out.
TriangleMesh random_solid(RandomStream& stream) {
  TriangleMesh mesh = inscribed(Ellipsoid{{0.5, 0.8, 1.0}}, 16);
  for (Vec3<>& p : mesh.vertices) p = stream.uniform(0.7, 1.2) * p;
  return mesh;
}

TriangleMesh shifted(TriangleMesh mesh, const Vec3<>& by) {
  for (Vec3<>& p : mesh.vertices) p += by;
  return mesh;
}

}  // namespace

TEST_CASE("meshes: a box has the properties of the box") {
  const Vec3<> size{0.3, 0.5, 0.7};
  const VolumeProperties mesh = volume_properties(box_mesh(size)), box = volume_properties(Box{size});
  check_close(mesh.volume, box.volume, 16, box.volume);
  check_close(mesh.centroid, box.centroid, 4, 1.0);
  check_close(mesh.inertia, box.inertia, 32, trace(box.inertia));
}

TEST_CASE("meshes: the six tetrahedra of a cut box add up to the box") {
  const Vec3<> size{0.3, 0.5, 0.7};
  SpatialInertia<> sum = zero_inertia<double>();
  // Kuhn's cut: from corner to opposite corner along x, y, z in each of the six orders.
  constexpr int kOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int k = 0; k < 6; ++k) {
    std::array<double, 3> corner{0, 0, 0};
    std::vector<Vec3<>> path{{0, 0, 0}};
    for (const int axis : kOrders[k]) {
      corner[static_cast<std::size_t>(axis)] = to_array(size)[static_cast<std::size_t>(axis)];
      path.push_back(vec3_from_array(corner));
    }
    const TriangleMesh part = tetrahedron(path[0], path[1], path[2], path[3]);
    const bool even = k < 3;  // the others are mirrored
    sum = sum + unit_density_inertia(even ? part : flipped(part));
  }
  const Pose<> from_corner{identity3<double>(), 0.5 * size};
  check_close(sum, from_corner * unit_density_inertia(Box{size}), 16, sum.mass);
}

TEST_CASE("meshes: properties turn and move with the mesh") {
  RandomStream stream(2);
  for (int i = 0; i < 20; ++i) {
    const TriangleMesh mesh = random_solid(stream);
    const Pose<> X = random_pose(stream);
    const VolumeProperties here = volume_properties(mesh), there = volume_properties(moved(X, mesh));
    // A few hundred triangles are summed, with signs that mostly agree.
    check_close(there.volume, here.volume, 64, here.volume);
    check_close(there.centroid, transform_point(X, here.centroid), 64, 2.0);
    check_close(there.inertia, congruence(X.rotation, here.inertia), 128, trace(here.inertia));
    check_close(unit_density_inertia(moved(X, mesh)), X * unit_density_inertia(mesh), 256, 4.0 * here.volume);
  }
}

TEST_CASE("meshes: 100 km from the origin the properties are as good as at it") {
  RandomStream stream(3);
  TriangleMesh mesh = random_solid(stream);
  // Coordinates that both places can hold exactly: multiples of 2^-30, 2^17 m = 131 km away.
  for (Vec3<>& p : mesh.vertices)
    p = 0x1p-30 * Vec3<>{std::round(p.x * 0x1p30), std::round(p.y * 0x1p30), std::round(p.z * 0x1p30)};
  const Vec3<> far{0x1p17, -0x1p17, 0x1p16};
  const VolumeProperties here = volume_properties(mesh), there = volume_properties(shifted(mesh, far));
  check_close(there.volume, here.volume, 16, here.volume);
  check_close(there.inertia, here.inertia, 16, trace(here.inertia));
  check_close(there.centroid - far, here.centroid, 1, 0x1p17);  // a coordinate is no finer there

  // With coordinates rounded there, the mesh itself is off by eps times the distance, and the result by as much.
  const Vec3<> anywhere{1.1e5, 0.9e5, -1.3e5};
  const VolumeProperties rounded = volume_properties(shifted(mesh, anywhere));
  check_close(rounded.volume, here.volume, 1, 2e5 * here.volume);
  check_close(rounded.inertia, here.inertia, 1, 2e5 * trace(here.inertia));

  check_close(support_point(shifted(mesh, far), {1, 2, 3}) - far, support_point(mesh, {1, 2, 3}), 1, 1.0);
}

TEST_CASE("meshes: triangles facing inwards count negative, flipping them twice changes nothing") {
  const TriangleMesh mesh = box_mesh({1, 2, 3});
  CHECK(volume_properties(flipped(mesh)).volume == -volume_properties(mesh).volume);
  CHECK(flipped(flipped(mesh)).triangles == mesh.triangles);
  // A box with a flipped box inside is a hollow box.
  TriangleMesh hollow = mesh;
  const TriangleMesh inner = flipped(box_mesh({0.5, 1, 1.5}));
  for (std::array<int, 3> triangle : inner.triangles) {
    for (int& i : triangle) i += 8;
    hollow.triangles.push_back(triangle);
  }
  hollow.vertices.insert(hollow.vertices.end(), inner.vertices.begin(), inner.vertices.end());
  const SpatialInertia<> expected = unit_density_inertia(Box{{1, 2, 3}}) - unit_density_inertia(Box{{0.5, 1, 1.5}});
  CHECK(check(hollow).empty());
  check_close(unit_density_inertia(hollow), expected, 16, 6.0);
}

TEST_CASE("meshes: the support point is the farthest vertex, or in the middle of the farthest") {
  RandomStream stream(4);
  for (int i = 0; i < 50; ++i) {
    const TriangleMesh mesh = random_solid(stream);
    const Vec3<> d = uniform_direction(stream);
    Vec3<> farthest = mesh.vertices.front();
    for (const Vec3<>& p : mesh.vertices)
      if (dot(d, p) > dot(d, farthest)) farthest = p;
    CHECK(difference(support_point(mesh, d), farthest) == 0.0);
  }
  // A turned box rests on the middle of its face, however it is turned.
  for (int i = 0; i < 50; ++i) {
    const Pose<> X = random_pose(stream);
    const Vec3<> face = transform_point(X, Vec3<>{0, 0, -0.35});
    check_close(support_point(moved(X, box_mesh({0.3, 0.5, 0.7})), X.rotation * Vec3<>{0, 0, -1}), face, 16, 2.0);
    const Vec3<> edge = transform_point(X, Vec3<>{0.15, 0, -0.35});
    check_close(support_point(moved(X, box_mesh({0.3, 0.5, 0.7})), X.rotation * Vec3<>{1, 0, -1}), edge, 16, 2.0);
  }
}

TEST_CASE("meshes: a wrong call is refused") {
  const TriangleMesh empty;
  TriangleMesh wrong = box_mesh({1, 1, 1});
  wrong.triangles[3][1] = 8;
  CHECK_THROWS_WITH_AS(volume_properties(empty), "volume_properties: argument 'mesh': it has no vertices", UsageError);
  CHECK_THROWS_WITH_AS(bounding_box(empty), "bounding_box: argument 'mesh': it has no vertices", UsageError);
  CHECK_THROWS_AS(support_point(empty, {1, 0, 0}), UsageError);
  CHECK_THROWS_WITH_AS(volume_properties(wrong),
                       "volume_properties: argument 'mesh': a triangle refers to a vertex it does not have",
                       UsageError);
  wrong.triangles[3][1] = -1;
  CHECK(!indices_in_range(wrong));
  // Without triangles there is no volume, and the middle stands for the centroid.
  const VolumeProperties points = volume_properties(TriangleMesh{{{0, 0, 0}, {2, 4, 6}}, {}});
  CHECK(points.volume == 0.0);
  CHECK(difference(points.centroid, Vec3<>{1, 2, 3}) == 0.0);
}
