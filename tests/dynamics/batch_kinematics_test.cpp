#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "base/count_allocations.h"
#include "pintle/base/thread_pool.h"
#include "pintle/base/usage_error.h"
#include "pintle/dynamics/batch.h"
#include "pintle/dynamics/coriolis_matrix.h"
#include "pintle/dynamics/kinematics.h"
#include "support/random_model.h"

using namespace test;

namespace {

constexpr std::size_t kStates = 21;  // no multiple of any number of lanes

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// Random states, state after state, and the answers of a batch.
template <class T>
struct Answers {
  Answers(const Model& model, RandomStream& stream, std::size_t count)
      : states{count},
        q(batch_size<T>(states, model.nq())),
        v(batch_size<T>(states, model.nv())),
        poses(batch_size<T>(states, model.tree().count * kPoseNumbers)),
        velocities(batch_size<T>(states, model.tree().count * kTwistNumbers)),
        C(batch_size<T>(states, model.nv() * model.nv())) {
    for (std::size_t s = 0; s < count; ++s) {
      const RandomState state(model, stream);
      for (std::size_t k = 0; k < state.q.size(); ++k) q[s * state.q.size() + k] = static_cast<T>(state.q[k]);
      for (std::size_t k = 0; k < state.v.size(); ++k) v[s * state.v.size() + k] = static_cast<T>(state.v[k]);
    }
  }
  void find(const Model& model, BatchWorkspace<T>& work) {
    batch_kinematics(model, states, q, v, work, poses, velocities);
    batch_coriolis_matrix(model, states, q, v, work, C);
  }

  BatchStates states;
  std::vector<T> q, v, poses, velocities, C;
};

template <class T>
std::vector<double> part(const std::vector<T>& of, std::size_t s, std::size_t count) {
  return std::vector<double>(of.begin() + static_cast<std::ptrdiff_t>(s * count),
                             of.begin() + static_cast<std::ptrdiff_t>((s + 1) * count));
}

double largest(const std::vector<double>& of) {
  double most = 1.0;
  for (const double x : of) most = max(most, abs(x));
  return most;
}

template <class Numbers>
void check_near(const std::vector<double>& found, const Numbers& expected, double eps) {
  REQUIRE(found.size() == expected.size());
  const double bound = eps * largest(found);
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(abs(found[i] - expected[i]) <= bound);
}

}  // namespace

TEST_CASE_TEMPLATE("batch kinematics: links and Coriolis matrices are those of one state", T, double, float) {
  ThreadPool two(2);
  for (std::uint64_t tree = 0; tree < 6; ++tree) {
    RandomStream stream(111, tree);
    const Model model = compile(random_spec(stream, {.links = 14, .couplings = tree % 2 == 0})).value();
    Answers<T> batch(model, stream, kStates);
    BatchWorkspace<T> work(model, tree % 3 == 0 ? &two : nullptr, true);
    batch.find(model, work);
    KinematicsWorkspace places(model);
    CoriolisMatrixWorkspace<> coriolis(model);
    const std::size_t links = model.links().size(), nq = size(model.nq()), nv = size(model.nv());
    std::vector<double> C(nv * nv);
    // Sums over the links of a branch and over its freedoms, each rounded a few times.
    const double eps = 64.0 * 14.0 * static_cast<double>(kEpsilon<T>);
    for (std::size_t s = 0; s < kStates; ++s) {
      const std::vector<double> q = part(batch.q, s, nq), v = part(batch.v, s, nv);
      kinematics(model, q, v, v, places);
      for (std::size_t i = 0; i < links; ++i) {
        const Pose<>& X = places.X_WL[i];
        const Twist<>& V = places.motion.view().V[i];
        const Mat3<>& R = X.rotation;
        const std::array<double, 12> pose{
            R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz, X.translation.x, X.translation.y, X.translation.z};
        check_near(part(batch.poses, s * links + i, 12), pose, eps);
        check_near(part(batch.velocities, s * links + i, 6), to_array(V), eps);
      }
      coriolis_matrix(model, q, v, coriolis, C);
      check_near(part(batch.C, s, nv * nv), C, eps);
    }
  }
}

TEST_CASE_TEMPLATE("batch kinematics: a state has the same bits in every lane and on any number of threads", T, double,
                   float) {
  RandomStream stream(112);
  const Model model = compile(random_spec(stream, {.links = 14, .couplings = true})).value();
  Answers<T> batch(model, stream, kStates);
  ThreadPool two(2);
  BatchWorkspace<T> work(model, nullptr, true), shared(model, &two, true);
  batch.find(model, work);
  Answers<T> again = batch;
  again.find(model, shared);
  CHECK(again.poses == batch.poses);
  CHECK(again.velocities == batch.velocities);
  CHECK(again.C == batch.C);
  const std::size_t nq = size(model.nq()), nv = size(model.nv());
  for (std::size_t s = 0; s < kStates; ++s) {
    Answers<T> one(model, stream, 1);
    std::copy_n(batch.q.data() + s * nq, nq, one.q.data());
    std::copy_n(batch.v.data() + s * nv, nv, one.v.data());
    one.find(model, work);
    CHECK(part(one.poses, 0, one.poses.size()) == part(batch.poses, s, one.poses.size()));
    CHECK(part(one.velocities, 0, one.velocities.size()) == part(batch.velocities, s, one.velocities.size()));
    CHECK(part(one.C, 0, one.C.size()) == part(batch.C, s, one.C.size()));
  }
  const std::size_t before = count_allocations();
  again.find(model, shared);
  CHECK(count_allocations() == before);
  BatchWorkspace<T> small(model);
  CHECK_THROWS_AS(batch_coriolis_matrix(model, batch.states, batch.q, batch.v, small, batch.C), UsageError);
  CHECK_THROWS_AS(batch_kinematics(model, batch.states, batch.q, batch.v, work, batch.velocities, batch.velocities),
                  UsageError);
}
