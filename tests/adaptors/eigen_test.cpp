#include "pintle/eigen.h"

#include <doctest/doctest.h>

#include "pintle/math/distributions.h"

using namespace pintle;

namespace {

Vec3<> random_vec3(RandomStream& stream) {
  return {stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1)};
}

}  // namespace

TEST_CASE("eigen: there and back is the same to the bit") {
  RandomStream stream(1);
  for (int i = 0; i < 20; ++i) {
    const Vec3<> v = random_vec3(stream), w = random_vec3(stream);
    const Quaternion<> q = uniform_rotation(stream);
    const Pose<> X = pose(q, v);
    CHECK(to_array(from_eigen(to_eigen(v))) == to_array(v));
    CHECK(to_array(from_eigen(to_eigen(q))) == to_array(q));
    CHECK(to_array(from_eigen(to_eigen(X.rotation))) == to_array(X.rotation));
    CHECK(to_array(from_eigen(to_eigen(X)).rotation) == to_array(X.rotation));
    CHECK(to_array(from_eigen(to_eigen(X)).translation) == to_array(X.translation));
    CHECK(to_array(twist_from_eigen(to_eigen(Twist<>{v, w}))) == to_array(Twist<>{v, w}));
    CHECK(to_array(wrench_from_eigen(to_eigen(Wrench<>{v, w}))) == to_array(Wrench<>{v, w}));
  }
}

TEST_CASE("eigen: an independent library agrees on what the conventions mean") {
  // Some ten roundings of numbers below 4.
  constexpr double kBound = 40 * kEpsilon<double>;
  RandomStream stream(2);
  for (int i = 0; i < 50; ++i) {
    const Quaternion<> q = uniform_rotation(stream), r = uniform_rotation(stream);
    const Vec3<> p = random_vec3(stream), v = random_vec3(stream), w = random_vec3(stream), u = random_vec3(stream);
    const Pose<> X = pose(q, p), Y = pose(r, u);
    CHECK((to_eigen(q) * to_eigen(v) - to_eigen(rotate(q, v))).norm() < kBound);
    CHECK(((to_eigen(q) * to_eigen(r)).coeffs() - to_eigen(q * r).coeffs()).norm() < kBound);
    CHECK((to_eigen(q).toRotationMatrix() - to_eigen(X.rotation)).norm() < kBound);
    CHECK((to_eigen(X) * to_eigen(v) - to_eigen(transform_point(X, v))).norm() < kBound);
    CHECK(((to_eigen(X) * to_eigen(Y)).matrix() - to_eigen(X * Y).matrix()).norm() < kBound);
    CHECK((to_eigen(X).inverse().matrix() - to_eigen(inverse(X)).matrix()).norm() < kBound);
    CHECK((to_eigen(to_matrix(X)) * to_eigen(Twist<>{v, w}) - to_eigen(X * Twist<>{v, w})).norm() < kBound);
    CHECK((to_eigen(to_dual_matrix(X)) * to_eigen(Wrench<>{v, w}) - to_eigen(X * Wrench<>{v, w})).norm() < kBound);
    // A rotation vector is an angle times an axis.
    const double angle = 2.0 * norm(v);
    const Eigen::AngleAxisd turn(angle, to_eigen(normalized(v)));
    CHECK((turn.toRotationMatrix() - to_eigen(exp_so3(2.0 * v))).norm() < kBound);
    const SymMat3<> S = minus_skew_squared(v) + minus_skew_squared(w) + diagonal(Vec3<>{1, 1, 1});
    CHECK((to_eigen(S) * to_eigen(solve(S, u)) - to_eigen(u)).norm() < 10 * kBound);
  }
}
