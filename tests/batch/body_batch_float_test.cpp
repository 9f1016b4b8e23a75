// BodyBatch<float>: as good as its numbers, by the rounding of every step, and nothing at the plane is worse than that.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "pintle/base/thread_pool.h"
#include "pintle/batch/body_batch.h"
#include "pintle/math/scalar.h"
#include "support/random_model.h"

using namespace test;

namespace {

constexpr std::size_t kBodies = 71;  // no multiple of any number of lanes
constexpr double kStep = 1e-3;
constexpr double kUnit = 0x1p-24;  // what one rounding may do, of a number
const Vec3<> kDown{0, 0, -10};

using State = FreeBodyState<float>;

Vec3<float> rounded(const Vec3<>& a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

Vec3<> wide(const Vec3<float>& a) {
  return {static_cast<double>(a.x), static_cast<double>(a.y), static_cast<double>(a.z)};
}

Quaternion<> wide(const Quaternion<float>& q) {
  return {static_cast<double>(q.x), static_cast<double>(q.y), static_cast<double>(q.z), static_cast<double>(q.w)};
}

FreeBodyState<> wide(const State& state) {
  return {wide(state.position), wide(state.orientation), {wide(state.momentum.linear), wide(state.momentum.angular)}};
}

/// Bodies of all shapes, whose point b is the centre of mass or is not.
std::vector<BatchBody> some_bodies(RandomStream& stream, bool centered) {
  std::vector<BatchBody> bodies;
  const BatchShape shapes[] = {batch_sphere(0.05), batch_box({0.1, 0.05, 0.02}), batch_cylinder(0.03, 0.09),
                               batch_capsule(0.02, 0.1)};
  for (std::size_t i = 0; i < kBodies; ++i) {
    const FreeBody<> of = free_body(random_inertia(stream, 10.0));
    const Vec3<> center = centered ? Vec3<>{0, 0, 0} : of.center;
    bodies.push_back({free_body(of.mass, center, of.inertia), shapes[i % 4]});
    bodies.back().shape.place = center;
  }
  return bodies;
}

std::vector<State> some_states(RandomStream& stream, const std::vector<BatchBody>& bodies, double height) {
  std::vector<State> states;
  for (const BatchBody& body : bodies) {
    const Quaternion<> q = uniform_rotation(stream);
    const Vec3<> v{stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1)};
    const Momentum<> p = momentum(body.body, q, Twist<>{v, 5.0 * uniform_direction(stream)});
    states.push_back(
        {rounded({stream.uniform(-1, 1), stream.uniform(-1, 1), height}),
         {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)},
         {rounded(p.linear), rounded(p.angular)}});
  }
  return states;
}

Vec3<> center_of(const BatchBody& body, const FreeBodyState<>& state) {
  return state.position + rotate(state.orientation, body.body.center);
}

/// [J] above the plane z = 0.
double energy(const BatchBody& body, const FreeBodyState<>& state) {
  return kinetic_energy(body.body, state) - body.body.mass * dot(kDown, center_of(body, state));
}

/// Of the lowest point above the plane z = 0 [m].
double height(const BatchBody& body, const FreeBodyState<>& state) {
  const Vec3<> n = transpose_times(rotation_matrix(state.orientation), Vec3<>{0, 0, 1});
  const auto& [place, ball, disc, sides] = body.shape;
  return state.position.z + dot(place, n) - ball - disc * std::sqrt(n.x * n.x + n.y * n.y) -
         (sides.x * std::abs(n.x) + sides.y * std::abs(n.y) + sides.z * std::abs(n.z));
}

}  // namespace

TEST_CASE("body batch in float: in flight every step rounds place, momentum and orientation, and no more") {
  constexpr int kSteps = 200;
  for (const bool centered : {true, false}) {
    RandomStream stream(201);
    const std::vector<BatchBody> bodies = some_bodies(stream, centered);
    std::vector<State> states = some_states(stream, bodies, 1.0);
    const std::vector<State> start = states;
    std::vector<FreeBodyState<>> exact;
    for (const State& state : states) exact.push_back(wide(state));
    BodyBatch<float> batch(bodies, kDown);
    BodyBatch<double> doubles(bodies, kDown);
    CHECK(batch.step(kStep, kSteps, states).empty());
    CHECK(doubles.step(kStep, kSteps, exact).empty());
    for (std::size_t i = 0; i < kBodies; ++i) {
      const FreeBodyState<> found = wide(states[i]);
      // Two roundings of a place of at most 2 m in every step; half as much as momentum is rounded, by m g t or less.
      const double p = norm(exact[i].momentum.linear) + 10.0 * bodies[i].body.mass * kSteps * kStep;
      CHECK(norm(center_of(bodies[i], found) - center_of(bodies[i], exact[i])) < kSteps * 2.0 * 2.0 * kUnit);
      CHECK(norm(found.momentum.linear - exact[i].momentum.linear) < kSteps * p * kUnit);
      const Quaternion<> turn = found.orientation - exact[i].orientation;
      CHECK(std::sqrt(dot(turn, turn)) < kSteps * 8.0 * kUnit);
      if (!centered) continue;
      CHECK(states[i].momentum.angular.x == start[i].momentum.angular.x);
      CHECK(states[i].momentum.angular.z == start[i].momentum.angular.z);
      CHECK(states[i].momentum.linear.y == start[i].momentum.linear.y);
    }
  }
}

TEST_CASE("body batch in float: the same bits in every lane, beside any others and on any number of threads") {
  RandomStream stream(202);
  const std::vector<BatchBody> bodies = some_bodies(stream, false);
  const std::vector<State> start = some_states(stream, bodies, 0.2);
  const BatchGround ground{.normal = {0.1, 0, 2.0}, .restitution = 0.8, .friction = 0.2};
  std::vector<State> one_thread = start, two_threads = start;
  BodyBatch<float> batch(bodies, kDown, ground);
  const std::span<const StoppedBody> stopped = batch.step(kStep, 300, one_thread);
  CHECK(batch.impacts() > static_cast<std::int64_t>(kBodies));
  ThreadPool two(2);
  BodyBatch<float> shared(bodies, kDown, ground, &two);
  CHECK(shared.step(kStep, 300, two_threads).size() == stopped.size());
  CHECK(shared.impacts() == batch.impacts());
  const auto same_bits = [](const State& a, const State& b) { return std::memcmp(&a, &b, sizeof a) == 0; };
  for (std::size_t i = 0; i < kBodies; ++i) {
    CHECK(same_bits(one_thread[i], two_threads[i]));
    std::vector<State> single{start[i]};
    BodyBatch<float> alone({&bodies[i], 1}, kDown, ground);
    (void)alone.step(kStep, 300, single);
    CHECK(same_bits(one_thread[i], single[0]));
  }
}

TEST_CASE("body batch in float: balls bounce when and as high as they must") {
  constexpr double kRadius = 0.05, kHeight = 0.3, kRestitution = 0.8;
  const BatchBody ball{free_body(2.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{0.01, 0.01, 0.01})), batch_sphere(kRadius)};
  const std::vector<BatchBody> balls(kBodies, ball);
  std::vector<State> states;
  for (std::size_t i = 0; i < kBodies; ++i)
    states.push_back({rounded({0, 0, kRadius + kHeight + 0.001 * static_cast<double>(i)}), {0, 0, 0, 1}, {}});
  const std::vector<State> start = states;
  BodyBatch<float> batch(balls, kDown, BatchGround{.restitution = kRestitution});
  CHECK(batch.step(kStep, 400, states).empty());
  CHECK(batch.impacts() == static_cast<std::int64_t>(kBodies));
  for (std::size_t i = 0; i < kBodies; ++i) {
    const double fall = wide(start[i]).position.z - kRadius, touch = std::sqrt(2.0 * fall / 10.0);
    const double after = 0.4 - touch, speed = kRestitution * 10.0 * touch;
    // 400 steps round a place below 0.5 m twice and a momentum of less than 6 kg m/s once.
    const double place = 400 * 2.0 * 0.5 * kUnit, push = 400 * 6.0 * kUnit;
    const FreeBodyState<> found = wide(states[i]);
    CHECK(std::abs(found.position.z - (kRadius + speed * after - 5.0 * after * after)) < place + 0.4 * push);
    CHECK(std::abs(found.momentum.linear.z - 2.0 * (speed - 10.0 * after)) < push + 30.0 * place);
  }
}

TEST_CASE("body batch in float: nothing is lost below the plane, and without losses bodies keep their energy") {
  constexpr int kSteps = 2000;
  RandomStream stream(203);
  const std::vector<BatchBody> bodies = some_bodies(stream, false);
  const std::vector<State> start = some_states(stream, bodies, 0.3);
  std::vector<State> states = start;
  BodyBatch<float> batch(bodies, kDown, BatchGround{.restitution = 1.0});
  std::int64_t impacts = 0;
  double lowest = 1.0;
  for (int k = 0; k < kSteps; ++k) {
    REQUIRE(batch.step(kStep, 1, states).empty());
    impacts += batch.impacts();
    for (std::size_t i = 0; i < kBodies; ++i) lowest = std::min(lowest, height(bodies[i], wide(states[i])));
  }
  CHECK(impacts > 5 * static_cast<std::int64_t>(kBodies));
  // The numbers of a place of less than 2 m and of a rotation are rounded, here after every step, and once more from c
  // to b.
  CHECK(lowest > -8.0 * 2.0 * kUnit);
  for (std::size_t i = 0; i < kBodies; ++i) {
    const FreeBodyState<> found = wide(states[i]);
    const double before = energy(bodies[i], wide(start[i]));
    CHECK(std::abs(energy(bodies[i], found) / before - 1.0) < kSteps * 8.0 * kUnit);
    CHECK(norm(found.position) < 10.0);
  }
}

TEST_CASE("body batch in float: where rounding puts a body below the plane it goes on, up or down") {
  const BatchBody ball{free_body(2.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{0.01, 0.01, 0.01})), batch_sphere(0.05)};
  const std::vector<BatchBody> balls(kBodies, ball);
  const float below = std::nextafter(0.05f, 0.0f);
  std::vector<State> states(kBodies, State{{0, 0, below}, {0, 0, 0, 1}, {{0, 0, 2e-6f}, {}}});
  states[1].momentum.linear.z = -2e-6f;
  states[2].momentum.linear.z = -2.0f;
  BodyBatch<float> batch(balls, {0, 0, 0}, BatchGround{.restitution = 0.5});
  CHECK(batch.step(kStep, 100, states).empty());
  CHECK(batch.impacts() == 2);
  CHECK(states[0].momentum.linear.z == 2e-6f);
  CHECK(wide(states[1]).momentum.linear.z == doctest::Approx(1e-6));
  CHECK(wide(states[2]).momentum.linear.z == doctest::Approx(1.0));
  CHECK(wide(states[2]).position.z == doctest::Approx(0.1).epsilon(1e-5));
}

TEST_CASE("body batch in float: bodies that come to rest or to numbers that are none stop, the others go on") {
  const BatchBody ball{free_body(2.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{0.01, 0.01, 0.01})), batch_sphere(0.05)};
  const std::vector<BatchBody> balls(kBodies, ball);
  std::vector<State> states(kBodies, State{{0, 0, 10.0f}, {0, 0, 0, 1}, {}});
  states[3].position.z = 0.06f;
  states[20].momentum.linear.z = __builtin_nanf("");
  BodyBatch<float> batch(balls, kDown, BatchGround{.restitution = 0.0});
  const std::span<const StoppedBody> stopped = batch.step(kStep, 100, states);
  REQUIRE(stopped.size() == 2);
  CHECK(stopped[0].body == 3);
  CHECK(stopped[0].finite);
  CHECK(stopped[1].body == 20);
  CHECK_FALSE(stopped[1].finite);
  CHECK(std::abs(wide(states[36]).position.z - (10.0 - 5.0 * 0.01)) < 100 * 2.0 * 10.0 * kUnit);
}
