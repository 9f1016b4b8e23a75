// Contact queries over many random cases: they allocate nothing, and agree with looking at everything.
#include <doctest/doctest.h>

#include "base/count_allocations.h"
#include "geometry/surfaces.h"
#include "pintle/geometry/broad_phase/broad_phase.h"
#include "pintle/geometry/broad_phase/world_box.h"
#include "pintle/geometry/collision/contact_manifold.h"
#include "pintle/geometry/collision/convex_separation.h"
#include "pintle/geometry/ray/ray_cast.h"
#include "pintle/geometry/shapes/surface_features.h"

using namespace test;

namespace {

/// Sums up what queries give, so that none is left out.
struct Total {
  double distances = 0.0;
  int contacts = 0, followed = 0, hits = 0;
};

/// Every query about every pair of these shapes.
Total ask_everything(const std::vector<ContactShape>& shapes, const std::vector<Pose<>>& poses) {
  Total total;
  for (const Pose<>& X : poses)
    for (const ContactShape& a : shapes) {
      total.hits += ray_cast(a, X, {0.0, 0.0, 3.0}, {0.0, 0.0, -1.0}, 10.0).has_value() ? 1 : 0;
      total.distances += world_box(a, X).max.z > 0.0 ? 1.0 : 0.0;
      for (const ContactShape& b : shapes) {
        if (!can_touch(a, b)) continue;
        total.distances += separation(a, b, X).distance;
        const ContactManifold manifold = contact_manifold(a, b, X, 0.1);
        total.contacts += manifold.count;
        for (int k = 0; k < manifold.count; ++k) {
          const auto point = contact_point(a, b, X, manifold.points[static_cast<std::size_t>(k)].feature);
          total.followed += point ? 1 : 0;
        }
      }
    }
  return total;
}

}  // namespace

TEST_CASE("contact queries: none allocates memory") {
  RandomStream stream(30);
  std::vector<ContactShape> shapes = one_of_every_convex();
  shapes.push_back(HalfSpace{});
  shapes.push_back(*surface_mesh(inscribed(Sphere{0.5}, 12)));
  shapes.push_back(random_hills(stream, 6, 6, 0.2, 0.3));
  std::vector<Pose<>> poses;
  for (int i = 0; i < 10; ++i) poses.push_back(random_pose(stream, 0.8));
  const std::size_t before = count_allocations();
  const Total total = ask_everything(shapes, poses);
  CHECK(count_allocations() == before);
  CHECK(total.contacts > 500);
  CHECK(total.followed > 0.9 * total.contacts);
  CHECK(total.hits > 20);
}

TEST_CASE("contact queries: a broad phase of many moving boxes allocates nothing after its first calls") {
  RandomStream stream(31);
  std::vector<BoundingBox> boxes;
  for (int i = 0; i < 1000; ++i) {
    const Vec3<> corner = random_vector(stream, 5.0);
    boxes.push_back({corner, corner + Vec3<>{1.0, 1.0, 1.0}});
  }
  BroadPhase broad_phase;
  const auto step = [&](double by) {
    for (BoundingBox& box : boxes) {
      const Vec3<> move = random_vector(stream, by);
      box = {box.min + move, box.max + move};
    }
    return broad_phase.pairs(boxes).size();
  };
  // Twice as many pairs as later: memory for the most there are.
  std::vector<BoundingBox> crowded = boxes;
  for (BoundingBox& box : crowded) box = inflated(box, 0.2);
  REQUIRE(broad_phase.pairs(crowded).size() > 1.5 * static_cast<double>(broad_phase.pairs(boxes).size()));
  const std::size_t before = count_allocations();
  std::size_t pairs = 0;
  for (int i = 0; i < 200; ++i) pairs += step(0.05);
  CHECK(count_allocations() == before);
  CHECK(pairs > 100000);
}

TEST_CASE("contact queries: 1e5 pairs of boxes in motion, 1e5 triangles with random shapes") {
  RandomStream stream(32);
  BroadPhase broad_phase;
  std::size_t looked_at = 0;
  for (int i = 0; i < 30; ++i) {
    std::vector<BoundingBox> boxes;
    for (int k = 0; k < 100; ++k) {
      const Pose<> X = random_pose(stream, 2.0);
      boxes.push_back(world_box(Box{{stream.uniform(0.1, 1.0), stream.uniform(0.1, 1.0), 0.2}}, X, 0.01));
    }
    std::vector<std::pair<int, int>> found, expected;
    for (const BoxPair& pair : broad_phase.pairs(boxes)) found.emplace_back(pair.first, pair.second);
    for (int a = 0; a < 100; ++a)
      for (int b = a + 1; b < 100; ++b, ++looked_at)
        if (overlap(boxes[static_cast<std::size_t>(a)], boxes[static_cast<std::size_t>(b)]))
          expected.emplace_back(a, b);
    CHECK(found == expected);
  }
  CHECK(looked_at > 1e5);

  // Random triangles that hang together as hills; the nearest of all to the shape.
  std::size_t triangles = 0;
  double worst = 0.0;
  const std::vector<ContactShape> shapes = one_of_every_convex();
  while (triangles < 100000) {
    const HeightField hills = random_hills(stream, 6, 6, 0.4, stream.uniform(0.05, 1.0));
    for (const ContactShape& shape : shapes) {
      const ConvexView view = convex_view(shape);
      for (int i = 0; i < 20; ++i) {
        Pose<> X = random_pose(stream, 1.0);
        X.translation += Vec3<>{1.0, 1.0, 1.5};
        double least = 1e300;
        for (int t = 0; t < triangle_count(hills); ++t, ++triangles) {
          const auto points = corner_points(hills, t);
          least = std::min(least, convex_separation(triangle_view(points.data()), view, X).at.distance);
        }
        const double distance = separation(hills, shape, X).distance;
        if (least < 0.0) {
          CHECK(distance < 0.0);
        } else if (distance > 0.0) {
          worst = std::max(worst, abs(distance - least));
        }
      }
    }
  }
  CHECK(worst < 1e-13);
}
