// Screws and cylindrical joints, alone and among the other joints that have kernels of their own: the planned kernels
// against the plain ones.
#include <doctest/doctest.h>

#include "pintle/dynamics/response.h"
#include "support/planned_distances.h"

using namespace test;

namespace {

/// Of screws: none, as small as may be, those of machines, as long as links are, and much longer; left and right.
constexpr double kPitches[] = {0.0, 1e-12, -1e-12, 1e-3, -1e-3, 0.05, -0.05, 0.3, -0.3, 4.0, -4.0, 500.0};

double some_pitch(RandomStream& stream) {
  return kPitches[stream.below(std::size(kPitches))];
}

/// Whether axes are anywhere, or parallel, or almost.
enum class Lines { anywhere, parallel, almost_parallel };

/// Joints of the given kinds, in a chain or a tree; spherical joints without rotors.
ModelSpec joints_of(std::span<const JointKind> kinds, RandomStream& stream, std::uint64_t run, double mass_ratio,
                    Lines lines = Lines::anywhere) {
  ModelSpec spec = random_spec(stream, {.links = 1 + static_cast<int>(run % 16),
                                        .branching = run % 3 == 0 ? 0.4 : 0.0,
                                        .mass_ratio = mass_ratio,
                                        .armature = run % 2 == 0});
  for (JointSpec& joint : spec.joints) {
    joint.kind = kinds[stream.below(kinds.size())];
    joint.pitch_m_per_rad = some_pitch(stream);
    if (joint.kind == JointKind::spherical) joint.passive.clear();
    if (lines == Lines::anywhere) continue;
    joint.axis = {0.0, 0.0, 1.0};
    joint.X_CJ.rotation = identity3<double>();
    const double tilt = lines == Lines::parallel ? 0.0 : pow(10.0, stream.uniform(-15.0, -1.5));
    joint.X_PJ.rotation = rotation_x(cos(tilt), sin(tilt));
  }
  if (run % 5 == 4) {
    spec.joints[0].kind = JointKind::free;
    spec.joints[0].passive.clear();
  }
  return spec;
}

/// A random state in which long pitches do not carry anything far: that would cost digits of all kernels.
RandomState state_of(const Model& model, RandomStream& stream) {
  RandomState state(model, stream);
  for (const Link& link : model.links()) {
    if (link.kind != JointKind::screw) continue;
    const double longest = max(1.0, 4.0 * abs(link.pitch));
    state.q[static_cast<std::size_t>(link.q)] /= longest;
    state.v[static_cast<std::size_t>(link.v)] /= longest;
    state.vdot[static_cast<std::size_t>(link.v)] /= longest;
  }
  return state;
}

/// |M X - 1| over |M||X| + 1, in n eps: M by the plain kernel, X = M^-1 by the planned one.
double distance_of_inverse(const Model& model, const RandomState& state) {
  const PlainAnswers plain(model, state);
  const std::size_t n = state.v.size();
  std::vector<double> X(n * n);
  MassMatrixInverseWorkspace work(model);
  CHECK(dynamics_kernels_in_use().planned_mass_matrix_inverse(model.plan().view<double>(), state.q.data(),
                                                              work.columns.data(), X.data()));
  double worst = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = i == j ? -1.0 : 0.0, terms = 1.0;
      for (std::size_t k = 0; k < n; ++k) {
        sum += plain.M[i * n + k] * X[k * n + j];
        terms += abs(plain.M[i * n + k] * X[k * n + j]);
      }
      worst = max(worst, abs(sum) / terms);
    }
  }
  return worst / (static_cast<double>(n) * kEpsilon<double>);
}

/// The worst of many mechanisms, and of their inverse mass matrices.
struct Worst {
  Distances of_answers;
  double of_inverse = 0.0;
};

Worst worst_of(std::span<const JointKind> kinds, std::uint64_t runs, double mass_ratio, Lines lines = Lines::anywhere) {
  Worst worst;
  for (std::uint64_t run = 0; run < runs; ++run) {
    CAPTURE(run);
    RandomStream stream(141, run);
    const Model model = compile(joints_of(kinds, stream, run, mass_ratio, lines)).value();
    const RandomState state = state_of(model, stream);
    worst.of_answers = worse(worst.of_answers, distances(planned_kernels_in_use().one, model, state));
    worst.of_inverse = max(worst.of_inverse, distance_of_inverse(model, state));
  }
  const auto& [inverse, forward, mass] = worst.of_answers;
  MESSAGE("worst, in n eps: inverse ", inverse, ", forward ", forward, ", mass ", mass, ", M^-1 ", worst.of_inverse);
  return worst;
}

void check(const Worst& worst, const Worst& bounds) {
  CHECK(worst.of_answers.inverse < bounds.of_answers.inverse);
  CHECK(worst.of_answers.forward < bounds.of_answers.forward);
  CHECK(worst.of_answers.mass < bounds.of_answers.mass);
  CHECK(worst.of_inverse < bounds.of_inverse);
}

constexpr JointKind kScrew[] = {JointKind::screw};
constexpr JointKind kCylindrical[] = {JointKind::cylindrical};
constexpr JointKind kMixed[] = {JointKind::screw, JointKind::cylindrical, JointKind::revolute, JointKind::prismatic,
                                JointKind::spherical};

}  // namespace

// Three times the worst seen, or more; of M^-1 where masses differ by a million as in response_test.cpp.
TEST_CASE("planned kernels: screws of any pitch, alone and among all others with kernels, equal the plain ones") {
  check(worst_of(kScrew, 4000, 10.0), {{32.0, 32.0, 64.0}, 96.0});
  check(worst_of(kScrew, 1000, 1e6), {{32.0, 32.0, 200.0}, 16000.0});
  check(worst_of(kMixed, 4000, 10.0), {{32.0, 32.0, 64.0}, 96.0});
  check(worst_of(kMixed, 1000, 1e6), {{32.0, 32.0, 200.0}, 16000.0});
}

TEST_CASE("planned kernels: cylindrical joints equal the plain ones") {
  check(worst_of(kCylindrical, 4000, 10.0), {{32.0, 32.0, 64.0}, 96.0});
  check(worst_of(kCylindrical, 1000, 1e6), {{32.0, 32.0, 200.0}, 16000.0});
}

TEST_CASE("planned kernels: screws and cylindrical joints whose axes are parallel, or almost") {
  for (const Lines lines : {Lines::parallel, Lines::almost_parallel}) {
    check(worst_of(kCylindrical, 300, 10.0, lines), {{32.0, 32.0, 64.0}, 96.0});
    check(worst_of(kScrew, 300, 10.0, lines), {{32.0, 32.0, 64.0}, 96.0});
    check(worst_of(kMixed, 300, 10.0, lines), {{32.0, 32.0, 64.0}, 96.0});
  }
}
