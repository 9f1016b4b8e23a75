// The cost of contact queries: touching pairs at random orientations, over many pairs so that branches are not learned.
#include <benchmark/benchmark.h>

#include <vector>

#include "pintle/geometry.h"
#include "pintle/math/distributions.h"

namespace {

using namespace pintle;

constexpr std::size_t kPairs = 256;

struct Pairs {
  std::vector<ContactShape> a, b;
  std::vector<Pose<>> X_AB;
};

Vec3<> sizes(RandomStream& stream) {
  const double x = stream.uniform(0.1, 1.0), y = stream.uniform(0.1, 1.0), z = stream.uniform(0.1, 1.0);
  return {x, y, z};
}

template <class Shape>
ContactShape make(RandomStream& stream) {
  const Vec3<> s = sizes(stream);
  if constexpr (std::is_same_v<Shape, HalfSpace>) {
    return HalfSpace{};
  } else if constexpr (std::is_same_v<Shape, Sphere>) {
    return Sphere{s.x};
  } else if constexpr (std::is_same_v<Shape, ConvexHull>) {
    std::vector<Vec3<>> cloud;
    for (int i = 0; i < 24; ++i) cloud.push_back(s.x * uniform_direction(stream));
    return *convex_hull(cloud);
  } else if constexpr (std::is_same_v<Shape, Box> || std::is_same_v<Shape, Ellipsoid>) {
    return Shape{s};
  } else {
    return Shape{s.x, s.y};
  }
}

/// Pairs with this gap [m].
template <class A, class B>
Pairs pairs(double gap) {
  RandomStream stream(1);
  Pairs p;
  for (std::size_t i = 0; i < kPairs; ++i) {
    p.a.push_back(make<A>(stream));
    p.b.push_back(make<B>(stream));
    Pose<> X = pose(uniform_rotation(stream), 2.0 * uniform_direction(stream));
    const Separation s = separation(p.a.back(), p.b.back(), X);
    X.translation += (gap - s.distance) * s.normal;
    p.X_AB.push_back(X);
  }
  return p;
}

template <class A, class B>
void apart(benchmark::State& state) {
  const Pairs p = pairs<A, B>(0.3);
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(separation(p.a[i], p.b[i], p.X_AB[i]));
    i = (i + 1) % kPairs;
  }
}

template <class A, class B>
void touching(benchmark::State& state) {
  const Pairs p = pairs<A, B>(-1e-4);
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(contact_manifold(p.a[i], p.b[i], p.X_AB[i], 1e-3));
    i = (i + 1) % kPairs;
  }
}

template <class A, class B>
void followed(benchmark::State& state) {
  const Pairs p = pairs<A, B>(-1e-4);
  std::vector<std::uint64_t> features;
  for (std::size_t k = 0; k < kPairs; ++k)
    features.push_back(contact_manifold(p.a[k], p.b[k], p.X_AB[k], 1e-3).points[0].feature);
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(contact_point(p.a[i], p.b[i], p.X_AB[i], features[i]));
    i = (i + 1) % kPairs;
  }
}

}  // namespace

#define PINTLE_CONTACT_BENCH(A, B)    \
  BENCHMARK_TEMPLATE(apart, A, B);    \
  BENCHMARK_TEMPLATE(touching, A, B); \
  BENCHMARK_TEMPLATE(followed, A, B);

PINTLE_CONTACT_BENCH(HalfSpace, Sphere)
PINTLE_CONTACT_BENCH(HalfSpace, Box)
PINTLE_CONTACT_BENCH(HalfSpace, Cylinder)
PINTLE_CONTACT_BENCH(HalfSpace, ConvexHull)
PINTLE_CONTACT_BENCH(Sphere, Sphere)
PINTLE_CONTACT_BENCH(Sphere, Box)
PINTLE_CONTACT_BENCH(Sphere, Ellipsoid)
PINTLE_CONTACT_BENCH(Box, Box)
PINTLE_CONTACT_BENCH(Box, Cylinder)
PINTLE_CONTACT_BENCH(Capsule, Capsule)
PINTLE_CONTACT_BENCH(Ellipsoid, Ellipsoid)
PINTLE_CONTACT_BENCH(ConvexHull, ConvexHull)
