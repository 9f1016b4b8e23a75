#include "pintle/dynamics/coriolis_matrix.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "support/random_model.h"

using namespace test;

namespace {

std::vector<double> coriolis(const Model& model, const std::vector<double>& q, const std::vector<double>& v) {
  CoriolisMatrixWorkspace<> work(model);
  std::vector<double> C(v.size() * v.size());
  coriolis_matrix(model, q, v, work, C);
  return C;
}

/// One body on the world.
Model one_body(JointKind kind, const SpatialInertia<>& inertia, double pitch = 0.0) {
  ModelSpec spec;
  BodySpec body;
  body.name = "body";
  body.inertia = inertia;
  JointSpec joint;
  joint.name = "joint";
  joint.kind = kind;
  joint.parent = kWorld;
  joint.child = "body";
  joint.pitch_m_per_rad = pitch;
  spec.bodies = {body};
  spec.joints = {joint};
  return compile(spec).value();
}

/// Two links in a plane, turning about z.
Model planar_arm(double m1, double c1, double J1, double l1, double m2, double c2, double J2) {
  ModelSpec spec;
  const auto add = [&spec](const std::string& name, const std::string& parent, double at, double m, double c,
                           double J) {
    BodySpec body;
    body.name = name;
    body.inertia = spatial_inertia(m, Vec3<>{c, 0, 0}, diagonal(Vec3<>{J, J, J}));
    JointSpec joint;
    joint.name = name + " joint";
    joint.kind = JointKind::revolute;
    joint.parent = parent;
    joint.child = name;
    joint.X_PJ.translation = {at, 0, 0};
    spec.bodies.push_back(body);
    spec.joints.push_back(joint);
  };
  add("upper", kWorld, 0.0, m1, c1, J1);
  add("fore", "upper", l1, m2, c2, J2);
  return compile(spec).value();
}

}  // namespace

TEST_CASE("coriolis matrix: the textbook's arm of two links") {
  // Spong, Hutchinson, Vidyasagar: Robot Modeling and Control, the planar elbow manipulator: with
  // k = -m2 l1 c2 sin(q2), C = [k v2, k (v1 + v2); -k v1, 0].
  const double l1 = 0.7, m2 = 1.3, c2 = 0.4;
  const Model arm = planar_arm(2.0, 0.3, 0.05, l1, m2, c2, 0.02);
  const std::vector<double> q{0.4, -1.1}, v{0.8, 1.7};
  const double k = -m2 * l1 * c2 * sin(q[1]);
  const std::vector<double> expected{k * v[1], k * (v[0] + v[1]), -k * v[0], 0.0};
  const std::vector<double> C = coriolis(arm, q, v);
  for (std::size_t i = 0; i < 4; ++i) CHECK(abs(C[i] - expected[i]) <= 4e-16);  // numbers up to 1
  CoriolisMatrixWorkspace<> work(arm);
  std::vector<double> rate(4);
  mass_matrix_rate(arm, q, v, work, rate);
  const std::vector<double> expected_rate{2.0 * k * v[1], k * v[1], k * v[1], 0.0};
  for (std::size_t i = 0; i < 4; ++i) CHECK(abs(rate[i] - expected_rate[i]) <= 8e-16);
}

TEST_CASE("coriolis matrix: of a free body, whose mass matrix is constant") {
  // Skew, because dM/dt = 0, but not zero. About the centre of mass the body's numbers of a steady velocity of the
  // centre turn with -w, so the block of the centre is m [w x]; the connection of the rotation group gives
  // k.(w x I j + I (w x j) + j x I w) / 2 for the block of the rotation, and there is nothing between the two.
  const double m = 2.0;
  const Vec3<> principal{0.3, 0.5, 0.6};
  const Model body = one_body(JointKind::free, spatial_inertia(m, Vec3<>{0, 0, 0}, diagonal(principal)));
  const std::vector<double> q{1, 2, 3, 0, 0, 0, 1}, v{0.5, -0.25, 2.0, 0.75, -1.5, 1.0};
  const Vec3<> w{v[3], v[4], v[5]};
  const std::vector<double> C = coriolis(body, q, v);
  const SymMat3<> I = diagonal(principal);
  const Vec3<> units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t j = 0; j < 3; ++j) {
      const Vec3<> e = units[j], turn = 0.5 * (cross(w, I * e) + I * cross(w, e) + cross(e, I * w));
      CHECK(abs(C[k * 6 + j] - m * dot(units[k], cross(w, e))) <= 1e-15);
      CHECK(abs(C[(k + 3) * 6 + j + 3] - dot(units[k], turn)) <= 1e-15);
      CHECK(abs(C[k * 6 + j + 3]) <= 1e-15);
      CHECK(abs(C[(k + 3) * 6 + j]) <= 1e-15);
    }
  }
}

TEST_CASE("coriolis matrix: nothing for one screw on the world") {
  RandomStream stream(41);
  for (int run = 0; run < 100; ++run) {
    const Model screw = one_body(JointKind::screw, random_inertia(stream, 10.0), stream.uniform(-0.5, 0.5));
    CHECK(coriolis(screw, {stream.uniform(-3, 3)}, {stream.uniform(-5, 5)})[0] == 0.0);
  }
}

TEST_CASE("coriolis matrix: dofs on different branches have a zero; far from the origin it is the same") {
  for (std::uint64_t run = 0; run < 50; ++run) {
    CAPTURE(run);
    RandomStream stream(42, run), same_stream(42, run);
    const Model model = compile(random_spec(stream, {.links = 10, .branching = 0.6})).value();
    const Model far =
        compile(random_spec(same_stream, {.links = 10, .branching = 0.6, .root_offset = {1e5, -1e5, 1e5}})).value();
    const RandomState state(model, stream);
    const std::size_t n = state.v.size();
    const std::vector<double> C = coriolis(model, state.q, state.v);
    CHECK(coriolis(far, state.q, state.v) == C);  // to the bit
    for (const Link& a : model.links()) {
      for (const Link& b : model.links()) {
        const auto carries = [&model](const Link& inner, const Link& outer) {
          const Link* at = &outer;
          while (at != &inner && at->parent >= 0) at = &model.links()[static_cast<std::size_t>(at->parent)];
          return at == &inner;
        };
        if (carries(a, b) || carries(b, a)) continue;
        for (int i = a.v; i < a.v + a.nv; ++i)
          for (int j = b.v; j < b.v + b.nv; ++j)
            CHECK(C[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)] == 0.0);
      }
    }
  }
}

TEST_CASE("coriolis matrix: arrays of a wrong size are refused") {
  const Model arm = planar_arm(1, 0.1, 0.1, 1, 1, 0.1, 0.1);
  CoriolisMatrixWorkspace<> work(arm);
  std::vector<double> two(2), three(3), four(4);
  CHECK_THROWS_WITH_AS(coriolis_matrix(arm, three, two, work, four),
                       "coriolis_matrix: argument 'q' has size 3, expected 2", UsageError);
  CHECK_THROWS_AS(coriolis_matrix(arm, two, three, work, four), UsageError);
  CHECK_THROWS_AS(coriolis_matrix(arm, two, two, work, three), UsageError);
  CHECK_THROWS_WITH_AS(mass_matrix_rate(arm, two, two, work, three),
                       "mass_matrix_rate: argument 'M_rate' has size 3, expected 4", UsageError);
}
