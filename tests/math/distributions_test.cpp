#include "pintle/math/distributions.h"

#include <doctest/doctest.h>

#include "pintle/math/mat3.h"

using namespace pintle;

// With n samples a mean has a standard error of sigma / sqrt(n); five of them are exceeded once in two million runs,
// and the stream is fixed.
constexpr int kSamples = 40000;
constexpr double kFiveSigma = 5.0 / 200.0;

TEST_CASE("distributions: normal numbers have the moments 0, 1, 0, 3") {
  RandomStream stream(1);
  double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
  for (int i = 0; i < kSamples; ++i) {
    const double x = standard_normal(stream);
    m1 += x / kSamples;
    m2 += x * x / kSamples;
    m3 += x * x * x / kSamples;
    m4 += x * x * x * x / kSamples;
  }
  CHECK(abs(m1) < kFiveSigma);
  CHECK(abs(m2 - 1) < kFiveSigma * sqrt(2.0));
  CHECK(abs(m3) < kFiveSigma * sqrt(15.0));
  CHECK(abs(m4 - 3) < kFiveSigma * sqrt(96.0));
}

TEST_CASE("distributions: directions are unit and prefer none") {
  RandomStream stream(2);
  Vec3<> mean{0, 0, 0};
  SymMat3<> second{0, 0, 0, 0, 0, 0};
  for (int i = 0; i < kSamples; ++i) {
    const Vec3<> d = uniform_direction(stream);
    CHECK(norm(d) == doctest::Approx(1.0).epsilon(1e-15));
    mean += d / kSamples;
    second = second + (1.0 / kSamples) * outer(d);
  }
  for (const double m : to_array(mean)) CHECK(abs(m) < kFiveSigma);
  for (const double m : to_array(second - diagonal(Vec3<>{1.0 / 3, 1.0 / 3, 1.0 / 3}))) CHECK(abs(m) < kFiveSigma);
}

TEST_CASE("distributions: rotations are unit quaternions, all four components alike") {
  RandomStream stream(3);
  std::array<double, 4> second{};
  for (int i = 0; i < kSamples; ++i) {
    const Quaternion<> q = uniform_rotation(stream);
    CHECK(norm(q) == doctest::Approx(1.0).epsilon(1e-15));
    const std::array<double, 4> a = to_array(q);
    for (std::size_t k = 0; k < 4; ++k) second[k] += a[k] * a[k] / kSamples;
  }
  for (const double m : second) CHECK(abs(m - 0.25) < kFiveSigma);
}
