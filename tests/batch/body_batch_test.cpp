#include "pintle/batch/body_batch.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "base/count_allocations.h"
#include "pintle/base/thread_pool.h"
#include "pintle/base/usage_error.h"
#include "pintle/simulation/integrators/free_body_impl.h"
#include "simulation/free_body_distance.h"
#include "support/random_model.h"

using namespace test;

namespace {

constexpr std::size_t kBodies = 37;  // no multiple of any number of lanes
constexpr double kStep = 1e-3;
const Vec3<> kGravity{0.3, -0.2, -9.7};
const Vec3<> kDown{0, 0, -10};

bool same_bits(const FreeBodyState<>& a, const FreeBodyState<>& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// Bodies of all shapes, with principal axes or without.
std::vector<BatchBody> some_bodies(RandomStream& stream, bool principal, bool centered) {
  std::vector<BatchBody> bodies;
  const BatchShape shapes[] = {batch_sphere(0.05), batch_box({0.1, 0.05, 0.02}), batch_cylinder(0.03, 0.09),
                               batch_capsule(0.02, 0.1)};
  for (std::size_t i = 0; i < kBodies; ++i) {
    const SpatialInertia<> I = random_inertia(stream, 10.0);
    BatchBody body{free_body(I), shapes[i % 4]};
    if (principal) body.body.inertia = diagonal(Vec3<>{0.02, 0.03, 0.045});
    const Vec3<> center = centered ? Vec3<>{0, 0, 0} : body.body.center;
    body.body = free_body(body.body.mass, center, body.body.inertia);
    body.shape.place = center;
    bodies.push_back(body);
  }
  return bodies;
}

std::vector<FreeBodyState<>> some_states(RandomStream& stream, const std::vector<BatchBody>& bodies, double height) {
  std::vector<FreeBodyState<>> states;
  for (const BatchBody& body : bodies) {
    FreeBodyState<> state{{stream.uniform(-1, 1), stream.uniform(-1, 1), height}, uniform_rotation(stream), {}};
    const Vec3<> v{stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1)};
    state.momentum = momentum(body.body, state.orientation, Twist<>{v, 5.0 * uniform_direction(stream)});
    states.push_back(state);
  }
  return states;
}

/// [J] of a body above the plane z = 0.
double energy(const BatchBody& body, const FreeBodyState<>& state) {
  const Vec3<> c = state.position + rotate(state.orientation, body.body.center);
  return kinetic_energy(body.body, state) - body.body.mass * dot(kDown, c);
}

}  // namespace

TEST_CASE("body batch: in flight its error is no larger than that of rk4_quaternion_step, and nothing turns the spin") {
  for (const bool principal : {true, false}) {
    for (const bool centered : {true, false}) {
      RandomStream stream(101, principal ? 1 : 0);
      const std::vector<BatchBody> bodies = some_bodies(stream, principal, centered);
      std::vector<FreeBodyState<>> states = some_states(stream, bodies, 1.0), alone = states;
      BodyBatch batch(bodies, kGravity);
      CHECK(batch.step(kStep, 100, states).empty());
      for (std::size_t i = 0; i < kBodies; ++i) {
        const FreeBody<>& body = bodies[i].body;
        const auto weight = [&](double, const FreeBodyState<>& at, const Twist<>&) {
          const Vec3<> F = body.mass * kGravity;
          return Wrench<>{F, cross(rotate(at.orientation, body.center), F)};
        };
        const FreeBodyState<> from = alone[i];
        FreeBodyState<> exact = from;
        for (int k = 0; k < 100; ++k) alone[i] = rk4_quaternion_step(body, alone[i], k * kStep, kStep, weight);
        for (int k = 0; k < 1000; ++k) exact = rk4_quaternion_step(body, exact, k * kStep / 10, kStep / 10, weight);
        // Within a stage q has no unit length, of which the two make different use: errors alike, not the same. What
        // they have of rounding is less than 1e-13.
        CHECK(apart(states[i], exact) < 2.0 * apart(alone[i], exact) + 1e-13);
        if (centered) CHECK(largest(states[i].momentum.angular - from.momentum.angular) == 0.0);
      }
    }
  }
}

TEST_CASE("body batch: a body moves by the same bits in every lane, beside any others and on any number of threads") {
  RandomStream stream(102);
  const std::vector<BatchBody> bodies = some_bodies(stream, false, false);
  const std::vector<FreeBodyState<>> start = some_states(stream, bodies, 0.2);
  const BatchGround ground{.normal = {0.1, 0, 2.0}, .restitution = 0.8, .friction = 0.2};
  std::vector<FreeBodyState<>> one_thread = start, two_threads = start;
  BodyBatch batch(bodies, kDown, ground);
  const std::span<const StoppedBody> stopped = batch.step(kStep, 300, one_thread);
  CHECK(batch.impacts() > static_cast<std::int64_t>(kBodies));
  ThreadPool two(2);
  BodyBatch shared(bodies, kDown, ground, &two);
  CHECK(shared.step(kStep, 300, two_threads).size() == stopped.size());
  CHECK(shared.impacts() == batch.impacts());
  for (std::size_t i = 0; i < kBodies; ++i) {
    CHECK(same_bits(one_thread[i], two_threads[i]));
    std::vector<FreeBodyState<>> single{start[i]};
    BodyBatch alone({&bodies[i], 1}, kDown, ground);
    (void)alone.step(kStep, 300, single);
    CHECK(same_bits(one_thread[i], single[0]));
  }
}

TEST_CASE("body batch: balls bounce when and as high as they must") {
  constexpr double kRadius = 0.05, kHeight = 0.3, kRestitution = 0.8;
  const BatchBody ball{free_body(2.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{0.01, 0.01, 0.01})), batch_sphere(kRadius)};
  const std::vector<BatchBody> balls(kBodies, ball);
  std::vector<FreeBodyState<>> states;
  for (std::size_t i = 0; i < kBodies; ++i)
    states.push_back({{0, 0, kRadius + kHeight + 0.001 * static_cast<double>(i)}, {0, 0, 0, 1}, {}});
  BodyBatch batch(balls, kDown, BatchGround{.restitution = kRestitution});
  CHECK(batch.step(kStep, 400, states).empty());
  CHECK(batch.impacts() == static_cast<std::int64_t>(kBodies));
  for (std::size_t i = 0; i < kBodies; ++i) {
    const double height = kHeight + 0.001 * static_cast<double>(i), touch = std::sqrt(2.0 * height / 10.0);
    const double after = 0.4 - touch, speed = kRestitution * 10.0 * touch;
    // The instant is known to 1e-12 s, at some metres a second.
    CHECK(abs(states[i].position.z - (kRadius + speed * after - 5.0 * after * after)) < 1e-11);
    CHECK(abs(states[i].momentum.linear.z - 2.0 * (speed - 10.0 * after)) < 1e-10);
  }
}

TEST_CASE("body batch: without friction and losses bodies of all shapes keep their energy") {
  RandomStream stream(103);
  const std::vector<BatchBody> bodies = some_bodies(stream, false, false);
  std::vector<FreeBodyState<>> states = some_states(stream, bodies, 0.3);
  std::vector<double> before;
  for (std::size_t i = 0; i < kBodies; ++i) before.push_back(energy(bodies[i], states[i]));
  BodyBatch batch(bodies, kDown, BatchGround{.restitution = 1.0});
  CHECK(batch.step(kStep, 1000, states).empty());
  CHECK(batch.impacts() > 3 * static_cast<std::int64_t>(kBodies));
  // The error of the method where impacts make small bodies turn fast; 2e-8 at most.
  for (std::size_t i = 0; i < kBodies; ++i) CHECK(abs(energy(bodies[i], states[i]) / before[i] - 1.0) < 1e-7);
}

TEST_CASE("body batch: bodies that come to rest or to numbers that are none stop, the others go on") {
  const BatchBody ball{free_body(2.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{0.01, 0.01, 0.01})), batch_sphere(0.05)};
  const std::vector<BatchBody> balls(kBodies, ball);
  std::vector<FreeBodyState<>> states(kBodies, FreeBodyState<>{{0, 0, 10.0}, {0, 0, 0, 1}, {}});
  states[3].position.z = 0.06;
  states[20].momentum.linear.z = std::nan("");
  BodyBatch batch(balls, kDown, BatchGround{.restitution = 0.0});
  const std::span<const StoppedBody> stopped = batch.step(kStep, 100, states);
  REQUIRE(stopped.size() == 2);
  CHECK(stopped[0].body == 3);
  CHECK(stopped[0].finite);
  CHECK(stopped[0].steps >= 44);  // sqrt(2 * 0.01 / 10) s of fall
  CHECK(stopped[0].steps <= 45);
  CHECK(abs(states[3].position.z - 0.05) < 1e-3);
  CHECK(stopped[1].body == 20);
  CHECK_FALSE(stopped[1].finite);
  CHECK(stopped[1].steps == 0);
  CHECK(abs(states[36].position.z - (10.0 - 5.0 * 0.01)) < 1e-13);
}

TEST_CASE_TEMPLATE("body batch: a body that starts within the ground is given back, however it moves", T, double,
                   float) {
  const BatchBody ball{free_body(2.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{0.01, 0.01, 0.01})), batch_sphere(0.05)};
  for (const double momentum : {-4.0, 0.0, 4.0, 12.0}) {
    CAPTURE(momentum);
    std::vector<FreeBodyState<T>> states(1);
    states[0].position = {T(0), T(0), T(-1)};
    states[0].orientation = {T(0), T(0), T(0), T(1)};
    states[0].momentum.linear = {T(0), T(0), static_cast<T>(momentum)};
    BodyBatch<T> batch(std::span(&ball, 1), kDown, BatchGround{.restitution = 0.5});
    const std::span<const StoppedBody> stopped = batch.step(kStep, 1000, states);
    REQUIRE(stopped.size() == 1);
    CHECK(stopped[0].steps == 0);
    CHECK(states[0].position.z == T(-1));
    CHECK(batch.impacts() == 0);
  }
}

TEST_CASE("body batch: wrong calls are refused, and no step allocates") {
  RandomStream stream(104);
  std::vector<BatchBody> bodies = some_bodies(stream, true, true);
  std::vector<FreeBodyState<>> states = some_states(stream, bodies, 0.2);
  CHECK_THROWS_AS(BodyBatch(bodies, kDown, BatchGround{.normal = {0, 0, 0}}), UsageError);
  CHECK_THROWS_AS(BodyBatch(bodies, kDown, BatchGround{.restitution = 1.1}), UsageError);
  CHECK_THROWS_AS(BodyBatch(bodies, kDown, BatchGround{.friction = -0.1}), UsageError);
  ThreadPool two(2);
  BodyBatch batch(bodies, kDown, BatchGround{.restitution = 0.9}, &two);
  CHECK_THROWS_AS((void)batch.step(kStep, -1, states), UsageError);
  CHECK_THROWS_AS((void)batch.step(kStep, 1, std::span(states).first(3)), UsageError);
  const std::size_t before = count_allocations();
  (void)batch.step(kStep, 200, states);
  CHECK(count_allocations() == before);
  CHECK(batch.impacts() > 0);
  bodies[5].body.mass = 0.0;
  CHECK_THROWS_AS(BodyBatch(bodies, kDown), UsageError);
}
