#include "pintle/geometry/collision/surface_contact.h"

#include <limits>

#include "geometry/surfaces.h"
#include "pintle/geometry/collision/contact_feature.h"
#include "pintle/geometry/collision/convex_separation.h"
#include "pintle/geometry/ray/ray_cast.h"
#include "pintle/geometry/shapes/surface_features.h"
#include "pintle/spatial/exp_log.h"

using namespace test;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

std::string shape_name(const ContactShape& shape) {
  return name(shape);
}

/// Two planes that meet in a valley along y, at 45 degrees each.
TriangleMesh valley() {
  return {{{-5, -5, 5}, {0, -5, 0}, {0, 5, 0}, {-5, 5, 5}, {5, -5, 5}, {5, 5, 5}},
          {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}}};
}

/// on_b - on_a = distance * normal, and all within their bounds.
void check_valid(const ContactManifold& manifold, double margin) {
  for (int i = 0; i < manifold.count; ++i) {
    const ContactPoint& c = manifold.points[static_cast<std::size_t>(i)];
    CHECK(c.distance <= margin);
    CHECK(abs(norm(c.normal) - 1.0) < 1e-14);
    CHECK(norm(c.on_b - c.on_a - c.distance * c.normal) < 1e-13);
    for (int k = 0; k < i; ++k) CHECK(manifold.points[static_cast<std::size_t>(k)].feature != c.feature);
  }
}

const ContactPoint* with_feature(const ContactManifold& manifold, Feature of_b) {
  for (int i = 0; i < manifold.count; ++i)
    if (feature_of_b(manifold.points[static_cast<std::size_t>(i)].feature) == of_b)
      return &manifold.points[static_cast<std::size_t>(i)];
  return nullptr;
}

}  // namespace

TEST_CASE("surface contact: the distance is the least over all triangles") {
  RandomStream stream(20);
  const SurfaceMesh surfaces[] = {*surface_mesh(box_mesh({1, 1.4, 0.6})), *surface_mesh(inscribed(Sphere{0.7}, 8)),
                                  *surface_mesh(triangles_of(random_hills(stream, 4, 5, 0.4, 0.5)))};
  double worst = 0.0;
  int apart = 0, overlapping = 0;
  for (const ContactShape& shape : one_of_every_convex()) {
    CAPTURE(shape_name(shape));
    const ConvexView view = convex_view(shape);
    for (const SurfaceMesh& mesh : surfaces) {
      for (int i = 0; i < 400; ++i) {
        const Pose<> X = random_pose(stream, 2.0);
        double least = kInf;
        for (int t = 0; t < triangle_count(mesh); ++t) {
          const auto points = corner_points(mesh, t);
          least = std::min(least, convex_separation(triangle_view(points.data()), view, X).at.distance);
        }
        const Separation s = separation(mesh, shape, X);
        CHECK(norm(s.on_b - s.on_a - s.distance * s.normal) < 1e-13);
        if (least > 0.0) {
          // Behind the hills, or wholly inside the ball, the distance is negative.
          if (s.distance < 0.0) continue;
          ++apart;
          worst = std::max(worst, abs(s.distance - least));
        } else {
          ++overlapping;
          CHECK(s.distance < 0.0);
        }
      }
    }
  }
  CHECK(apart > 5000);
  CHECK(overlapping > 500);
  CHECK(worst < 1e-13);  // the worst seen, 2e-15; over 1e5 pairs, 9e-15
}

TEST_CASE("surface contact: a box of triangles is as far as the box, and as deep as it came") {
  RandomStream stream(21);
  const Vec3<> size{1.0, 1.4, 0.6};
  const ContactShape box = Box{size}, mesh = *surface_mesh(box_mesh(size));
  double worst_apart = 0.0, worst_round = 0.0;
  for (const ContactShape& shape : one_of_every_convex()) {
    CAPTURE(shape_name(shape));
    const bool round = std::holds_alternative<Sphere>(shape) || std::holds_alternative<Ellipsoid>(shape) ||
                       std::holds_alternative<Capsule>(shape);
    for (int i = 0; i < 200; ++i) {
      Pose<> X = random_pose(stream, 2.0);
      const Separation apart = separation(box, shape, X);
      if (apart.distance < 0.05) continue;
      worst_apart = std::max(worst_apart, abs(separation(mesh, shape, X).distance - apart.distance));
      const Pose<> start = X;
      for (const double depth : {1e-12, 1e-9, 1e-6, 1e-3}) {
        CAPTURE(depth);
        X.translation = start.translation - (apart.distance + depth) * apart.normal;
        const double exact = separation(box, shape, X).distance, found = separation(mesh, shape, X).distance;
        if (round) {
          worst_round = std::max(worst_round, abs(found - exact));
        } else {
          // Sharp shapes may have several ways out; it is hardly deeper than along the normal by which it came.
          CHECK(found < 0.0);
          CHECK(found >= -1.1 * depth - 1e-13);
        }
      }
    }
  }
  CHECK(worst_apart < 1e-13);
  CHECK(worst_round < 1e-13);
}

TEST_CASE("surface contact: a flat floor of triangles is a half-space") {
  RandomStream stream(22);
  const ContactShape floor = *surface_mesh(flat_floor(20.0, 23)), half_space = HalfSpace{};
  const ContactShape field = *height_field(31, 31, 0.7, std::vector<double>(31 * 31, 0.0));
  for (const ContactShape& shape : one_of_every_convex()) {
    CAPTURE(shape_name(shape));
    for (int i = 0; i < 60; ++i) {
      Pose<> X = random_pose(stream, 3.0);
      if (i % 3 == 0) X.rotation = identity3();  // faces and caps flat on the floor
      const double gap = i % 2 == 0 ? -1e-9 : 1e-3;
      X.translation.z += gap - separation(half_space, shape, X).distance;
      const ContactManifold expected = contact_manifold(half_space, shape, X, 0.01);
      REQUIRE(expected.count > 0);
      const Pose<> X_field{identity3(), {-10.5, -10.5, 0.0}};
      const Pose<> in_field = inverse_times(X_field, X);
      for (const auto& [surface, pose] : {std::pair{&floor, X}, std::pair{&field, in_field}}) {
        const ContactManifold found = contact_manifold(*surface, shape, pose, 0.01);
        check_valid(found, 0.01);
        CHECK(found.count == expected.count);
        CHECK(abs(separation(*surface, shape, pose).distance - gap) < 1e-13);
        for (int k = 0; k < expected.count; ++k) {
          const ContactPoint& e = expected.points[static_cast<std::size_t>(k)];
          const ContactPoint* const c = with_feature(found, feature_of_b(e.feature));
          REQUIRE(c != nullptr);
          CHECK(feature_of_a(c->feature) == feature(FeatureKind::plane, 0));
          CHECK(abs(c->distance - e.distance) < 1e-13);
          CHECK(norm(c->normal - e.normal) == 0.0);
          CHECK(c->curvature_a.along == 0.0);
          CHECK(c->curvature_a.across == 0.0);
          const double curvature = c->curvature_b.along, same = e.curvature_b.along;
          CHECK((curvature == same || abs(curvature - same) <= 1e-12 * abs(same)));
        }
      }
    }
  }
}

TEST_CASE("surface contact: a ball that rolls over a tessellated floor feels no edge") {
  const ContactShape floor = *surface_mesh(flat_floor(4.0, 9)), ball = Sphere{0.3};
  std::uint64_t feature = 0;
  for (int i = 0; i < 2000; ++i) {
    // Over edges, along edges and through vertices.
    const double s = -1.7 + 3.4 * i / 2000.0;
    for (const Vec3<>& place : {Vec3<>{s, 0.37 * s, 0.3}, Vec3<>{s, 2.0 / 9.0, 0.3}, Vec3<>{s, s, 0.3},
                                Vec3<>{2.0 / 9.0, s, 0.3 - 1e-9}, Vec3<>{s, -s, 0.3 + 1e-9}}) {
      const ContactManifold m = contact_manifold(floor, ball, {identity3(), place}, 0.01);
      REQUIRE(m.count == 1);
      CHECK(norm(m.points[0].normal - Vec3<>{0, 0, 1}) == 0.0);
      CHECK(abs(m.points[0].distance - (place.z - 0.3)) < 1e-15);
      if (feature == 0) feature = m.points[0].feature;
      CHECK(m.points[0].feature == feature);
      CHECK(norm(separation(floor, ball, {identity3(), place}).normal - Vec3<>{0, 0, 1}) < 1e-15);
    }
  }
}

TEST_CASE("surface contact: two walls of a valley hold a ball and a box") {
  const ContactShape groove = *surface_mesh(valley()), ball = Sphere{0.5};
  for (const double gap : {1e-6, 0.0, -1e-12, -1e-6, -1e-3}) {
    CAPTURE(gap);
    const Vec3<> place{0.0, 0.3, (0.5 + gap) * std::sqrt(2.0)};
    const ContactManifold m = contact_manifold(groove, ball, {identity3(), place}, 0.01);
    REQUIRE(m.count == 2);
    for (int k = 0; k < 2; ++k) CHECK(abs(m.points[static_cast<std::size_t>(k)].distance - gap) < 1e-15);
    CHECK(abs(dot(m.points[0].normal, m.points[1].normal)) < 1e-15);
    // A square bar on its edge lies flat on both walls, with four corners on each.
    const Mat3<> tilted = exp_so3(Vec3<>{0.0, kPi<double> / 4.0, 0.0});
    const ContactManifold bar =
        contact_manifold(groove, Box{{1, 1, 1}}, {tilted, {0.0, 0.3, (0.5 + gap) * std::sqrt(2.0)}}, 0.01);
    check_valid(bar, 0.01);
    CHECK(bar.count == 8);
    for (int k = 0; k < bar.count; ++k) {
      const ContactPoint& c = bar.points[static_cast<std::size_t>(k)];
      CHECK(abs(c.distance - gap) < 1e-14);
      const auto again =
          contact_point(groove, Box{{1, 1, 1}}, {tilted, {0.0, 0.3, (0.5 + gap) * std::sqrt(2.0)}}, c.feature);
      CHECK(again.has_value());
    }
  }
}

TEST_CASE("surface contact: a box that stands over the edge of another touches at the corners of what they share") {
  const ContactShape table = *surface_mesh(box_mesh({2, 2, 1})), box = Box{{1, 1, 1}};
  for (const double gap : {1e-6, -1e-12, -1e-6}) {
    CAPTURE(gap);
    const Pose<> X{identity3(), {1.2, 0.9, 1.0 + gap}};
    const ContactManifold m = contact_manifold(table, box, X, 1e-3);
    check_valid(m, 1e-3);
    REQUIRE(m.count == 4);
    double sum = 0.0;
    for (int k = 0; k < 4; ++k) {
      const ContactPoint& c = m.points[static_cast<std::size_t>(k)];
      CHECK(norm(c.normal - Vec3<>{0, 0, 1}) < 1e-14);
      CHECK(abs(c.distance - gap) < 1e-14);
      CHECK((abs(c.on_a.x - 0.7) < 1e-12 || abs(c.on_a.x - 1.0) < 1e-12));
      CHECK((abs(c.on_a.y - 0.4) < 1e-12 || abs(c.on_a.y - 1.0) < 1e-12));
      sum += (c.on_a.x - 0.85) * (c.on_a.y - 0.7);
    }
    CHECK(abs(sum) < 1e-12);  // four different corners
  }
}

TEST_CASE("surface contact: a ball touches ridge and point with their curvature, and rolls over them without a jump") {
  const ContactShape table = *surface_mesh(box_mesh({2, 2, 1}));
  const ContactShape ball = Sphere{0.5};
  const double h = 0.5 / std::sqrt(2.0), p = 0.5 / std::sqrt(3.0);
  const ContactManifold ridge = contact_manifold(table, ball, {identity3(), {1.0 + h, 0.2, 0.5 + h}}, 1e-3);
  REQUIRE(ridge.count == 1);
  CHECK(abs(ridge.points[0].distance) < 1e-15);
  CHECK(kind_of(feature_of_a(ridge.points[0].feature)) == FeatureKind::line);
  CHECK(abs(abs(ridge.points[0].curvature_a.direction.y) - 1.0) < 1e-15);
  CHECK(ridge.points[0].curvature_a.along == 0.0);
  CHECK(ridge.points[0].curvature_a.across == kInf);
  const ContactManifold corner = contact_manifold(table, ball, {identity3(), {1.0 + p, 1.0 + p, 0.5 + p}}, 1e-3);
  REQUIRE(corner.count == 1);
  CHECK(kind_of(feature_of_a(corner.points[0].feature)) == FeatureKind::point);
  CHECK(corner.points[0].curvature_a.along == kInf);
  CHECK(corner.points[0].curvature_a.across == kInf);
  double last = 0.0;
  Vec3<> normal{0, 0, 1};
  for (int i = 0; i <= 4000; ++i) {
    const Separation s = separation(table, ball, {identity3(), {-1.5 + 3.5 * i / 4000.0, 0.3, 0.95}});
    if (i > 0) CHECK(abs(s.distance - last) <= 3.5 / 4000.0 + 1e-15);
    if (i > 0) CHECK(norm(s.normal - normal) < 0.01);
    last = s.distance;
    normal = s.normal;
    const ContactManifold m = contact_manifold(table, ball, {identity3(), {-1.5 + 3.5 * i / 4000.0, 0.3, 0.95}}, 0.05);
    CHECK(m.count == (s.distance <= 0.05 ? 1 : 0));
    if (m.count == 1) CHECK(abs(m.points[0].distance - s.distance) < 1e-15);
  }
}

TEST_CASE("surface contact: thin plates and tables are met on the side that is near") {
  const ContactShape plate = *surface_mesh(box_mesh({1, 1, 1e-3})), ball = Sphere{0.05};
  for (const double gap : {1e-4, -1e-9, -4e-4}) {
    const ContactManifold above = contact_manifold(plate, ball, {identity3(), {0.1, 0.2, 0.0505 + gap}}, 1e-3);
    REQUIRE(above.count == 1);
    CHECK(above.points[0].normal.z == 1.0);
    CHECK(abs(above.points[0].distance - gap) < 1e-15);
    const ContactManifold below = contact_manifold(plate, ball, {identity3(), {0.1, 0.2, -0.0505 - gap}}, 1e-3);
    REQUIRE(below.count == 1);
    CHECK(below.points[0].normal.z == -1.0);
  }
  // A pole that leans over the rim of a table, its foot below.
  const ContactShape table = *surface_mesh(box_mesh({1, 1, 0.05}));
  const Pose<> leaning{exp_so3(Vec3<>{0.0, 0.6, 0.0}), {0.75, 0.0, 0.0}};
  const ContactShape pole = Capsule{0.01, 2.0};
  const Separation s = separation(table, pole, leaning);
  CHECK(s.distance > 0.1);
  CHECK(contact_manifold(table, pole, leaning, 0.01).count == 0);
  // One spear, run through the plate: deep, but a number.
  CHECK(separation(plate, Cylinder{0.01, 2.0}, {identity3(), {0.1, 0.1, 0.2}}).distance < 0.0);
}

TEST_CASE("surface contact: the far side of an open sheet is inside, beyond its border is not") {
  const ContactShape sheet = *surface_mesh(flat_floor(2.0, 3));
  for (const ContactShape& shape : one_of_every_convex()) {
    CAPTURE(shape_name(shape));
    CHECK(separation(sheet, shape, {identity3(), {0.1, 0.2, 3.0}}).distance > 1.0);
    CHECK(separation(sheet, shape, {identity3(), {0.1, 0.2, -3.0}}).distance < -1.0);
    CHECK(separation(sheet, shape, {identity3(), {3.0, 0.2, -0.01}}).distance > 0.5);
    CHECK(separation(sheet, shape, {identity3(), {3.0, 0.2, 0.01}}).distance > 0.5);
    CHECK(contact_manifold(sheet, shape, {identity3(), {0.1, 0.2, -3.0}}, 0.1).count == 0);
  }
}

TEST_CASE("surface contact: contacts are followed by their features, and change as their points move") {
  RandomStream stream(23);
  const ContactShape hills = random_hills(stream, 9, 9, 0.5, 0.3), mesh = *surface_mesh(inscribed(Sphere{1.0}, 12));
  int followed = 0, points = 0;
  double worst = 0.0, worst_rate = 0.0;
  for (const ContactShape& shape : one_of_every_convex()) {
    CAPTURE(shape_name(shape));
    for (int i = 0; i < 60; ++i) {
      const bool on_hills = i % 2 == 0;
      const ContactShape& surface = on_hills ? hills : mesh;
      const Vec3<> from =
          on_hills ? Vec3<>{stream.uniform(1.5, 2.5), stream.uniform(1.5, 2.5), 3.0} : 3.0 * random_direction(stream);
      const Vec3<> target = on_hills ? Vec3<>{from.x, from.y, 0.0} : Vec3<>{0.0, 0.0, 0.0};
      Pose<> X = random_pose(stream);
      X.translation = from;
      const Vec3<> down = normalized(target - from);
      for (int k = 0; k < 60; ++k) {  // let it come near
        const double gap = separation(surface, shape, X).distance;
        if (gap < 1e-3) break;
        X.translation += (gap - 0.5e-3) * down;
      }
      const ContactManifold m = contact_manifold(surface, shape, X, 0.02);
      CHECK(m.count > 0);
      check_valid(m, 0.02);
      for (int k = 0; k < m.count; ++k) {
        const ContactPoint& c = m.points[static_cast<std::size_t>(k)];
        ++points;
        const auto again = contact_point(surface, shape, X, c.feature);
        if (!again) continue;
        ++followed;
        worst = std::max({worst, abs(again->distance - c.distance), norm(again->normal - c.normal)});
        // d(distance)/dt = normal . (velocity of on_b), for a motion of the shape.
        const Vec3<> v = random_direction(stream), w = random_direction(stream);
        const double step = 1e-6;
        const auto moved = [&](double t) { return Pose<>{exp_so3(t * w) * X.rotation, X.translation + t * v}; };
        const auto before = contact_point(surface, shape, moved(-step), c.feature);
        const auto after = contact_point(surface, shape, moved(step), c.feature);
        if (!before || !after) continue;
        const double rate = dot(c.normal, v + cross(w, c.on_b - X.translation));
        worst_rate = std::max(worst_rate, abs((after->distance - before->distance) / (2.0 * step) - rate));
      }
      // A and B exchanged.
      const ContactManifold other = contact_manifold(shape, surface, inverse(X), 0.02);
      CHECK(other.count == m.count);
      CHECK(separation(shape, surface, inverse(X)).distance ==
            doctest::Approx(separation(surface, shape, X).distance).epsilon(1e-12));
    }
  }
  CHECK(followed == points);
  CHECK(worst < 1e-9);
  CHECK(worst_rate < 1e-5);
}

TEST_CASE("surface contact: a height field is the mesh of its triangles") {
  RandomStream stream(24);
  const HeightField field = random_hills(stream, 8, 7, 0.4, 0.4);
  const ContactShape hills = field, mesh = *surface_mesh(triangles_of(field));
  for (const ContactShape& shape : one_of_every_convex()) {
    CAPTURE(shape_name(shape));
    for (int i = 0; i < 60; ++i) {
      Pose<> X = random_pose(stream);
      X.translation = {stream.uniform(0.6, 2.0), stream.uniform(0.6, 1.8), stream.uniform(0.1, 2.0)};
      const Separation a = separation(hills, shape, X), b = separation(mesh, shape, X);
      CHECK(abs(a.distance - b.distance) < 1e-12);
      const ContactManifold m = contact_manifold(hills, shape, X, 0.05), n = contact_manifold(mesh, shape, X, 0.05);
      CHECK(m.count == n.count);
    }
  }
}

TEST_CASE("surface contact: where a ray meets a surface, a small ball touches it") {
  RandomStream stream(25);
  const ContactShape surfaces[] = {random_hills(stream, 8, 8, 0.3, 0.4), *surface_mesh(inscribed(Cone{0.8, 1.2}, 20))};
  for (int i = 0; i < 2000; ++i) {
    const ContactShape& surface = surfaces[i % 2];
    const Vec3<> o = Vec3<>{1.0, 1.0, 0.0} + 3.0 * random_direction(stream);
    const auto hit = ray_cast(surface, o, normalized(Vec3<>{0.5, 0.4, 0.3} - o), kInf);
    if (!hit) continue;
    const double radius = 1e-6;
    const Pose<> X{identity3(), hit->point};
    CHECK(abs(separation(surface, Sphere{radius}, X).distance + radius) < 1e-14);
  }
}

TEST_CASE("surface contact: precision does not depend on where the surface is") {
  RandomStream stream(26);
  TriangleMesh floor = flat_floor(4.0, 5);
  for (Vec3<>& p : floor.vertices) p += Vec3<>{1e6, -1e6, 1e6};
  const ContactShape far = *surface_mesh(floor);
  for (const ContactShape& shape : one_of_every_convex()) {
    CAPTURE(shape_name(shape));
    Pose<> X = random_pose(stream);
    X.translation.z += 1e-3 - separation(HalfSpace{}, shape, X).distance;
    const Pose<> there{X.rotation, X.translation + Vec3<>{1e6, -1e6, 1e6}};
    // Coordinates of 1e6 m are rounded to 1e-10 m.
    CHECK(abs(separation(far, shape, there).distance - 1e-3) < 1e-9);
    CHECK(contact_manifold(far, shape, there, 0.01).count == contact_manifold(HalfSpace{}, shape, X, 0.01).count);
  }
}
