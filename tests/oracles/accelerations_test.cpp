// Accelerations and joint wrenches that nobody here computed: from public test suites and closed forms.
#include <doctest/doctest.h>

#include <string>

#include "properties/dynamics_of.h"

using namespace test;

namespace {

constexpr Vec3<> kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1};

/// A mechanism at hand: bodies are called by their numbers, their joints likewise.
struct Chain {
  explicit Chain(const Vec3<>& gravity) {
    spec.name = "oracle";
    spec.gravity = gravity;
  }

  /// Adds a body on `parent` (-1: world) by a joint at the point `at` of the parent, its own origin there.
  int add(int parent, JointKind kind, const Vec3<>& axis, const Vec3<>& at, const SpatialInertia<>& inertia) {
    const std::string name = std::to_string(spec.bodies.size());
    BodySpec body;
    body.name = name;
    body.inertia = inertia;
    JointSpec joint;
    joint.name = name;
    joint.kind = kind;
    joint.parent = parent < 0 ? kWorld : std::to_string(parent);
    joint.child = name;
    joint.axis = axis;
    joint.X_PJ = {identity3<double>(), at};
    spec.bodies.push_back(body);
    spec.joints.push_back(joint);
    return static_cast<int>(spec.bodies.size()) - 1;
  }

  ModelSpec spec;
};

/// m = 1, rotational inertia 1 about the centre of mass.
SpatialInertia<> unit_body(const Vec3<>& c) {
  return spatial_inertia(1.0, c, diagonal(Vec3<>{1.0, 1.0, 1.0}));
}

const SpatialInertia<> kMassless = zero_inertia<double>();

/// Checks vdot against a source to the digits given, and that inverse dynamics gives the efforts (none) back.
void check_accelerations(const Chain& chain, const Numbers& q, const Numbers& v, const Numbers& expected,
                         double relative, double absolute = 0.0) {
  DynamicsOf dynamics(chain.spec);
  const Numbers tau(v.size());
  const Numbers vdot = dynamics.forward(q, v, tau);
  REQUIRE(vdot.size() == expected.size());
  for (std::size_t i = 0; i < vdot.size(); ++i) {
    CAPTURE(i);
    CHECK(abs(vdot[i] - expected[i]) <= relative * norm(expected) + absolute);
  }
  CHECK(worst(dynamics.inverse(q, v, vdot), tau, dynamics.scale(q, v, vdot)) <= 16.0);
}

void check_at_rest(const Chain& chain, const Numbers& q, const Numbers& expected, double relative,
                   double absolute = 0.0) {
  check_accelerations(chain, q, Numbers(q.size()), expected, relative, absolute);
}

}  // namespace

TEST_CASE("oracle: RBDL's dynamics tests") {
  // Models and numbers: RBDL, tests/DynamicsTests.cc; each is a closed form too.
  constexpr double kDigits = 1e-12;
  const Vec3<> gravity{0, -9.81, 0};
  SUBCASE("one pin, unit inertia") {
    Chain chain(gravity);
    chain.add(-1, JointKind::revolute, kZ, {0, 0, 0}, unit_body(kX));
    check_at_rest(chain, {0}, {-4.905}, kDigits);
  }
  SUBCASE("one pin, unequal inertia and a centre of mass off every axis") {
    Chain chain(gravity);
    chain.add(-1, JointKind::revolute, kZ, {0, 0, 0},
              spatial_inertia(1.0, Vec3<>{1.5, 1, 1}, diagonal(Vec3<>{1.0, 2.0, 3.0})));
    check_at_rest(chain, {0}, {-2.3544}, kDigits);
  }
  SUBCASE("two pins") {
    Chain chain(gravity);
    const int first = chain.add(-1, JointKind::revolute, kZ, {0, 0, 0}, unit_body(kX));
    chain.add(first, JointKind::revolute, kZ, kX, unit_body(kX));
    check_at_rest(chain, {0, 0}, {-5.886, 3.924}, kDigits);
  }
  SUBCASE("three pins: g (-8, 5, 2) / 13") {
    Chain chain(gravity);
    const int first = chain.add(-1, JointKind::revolute, kZ, {0, 0, 0}, unit_body(kX));
    const int second = chain.add(first, JointKind::revolute, kZ, kX, unit_body(kX));
    chain.add(second, JointKind::revolute, kZ, kX, unit_body(kX));
    check_at_rest(chain, {0, 0, 0}, {-9.81 * 8 / 13, 9.81 * 5 / 13, 9.81 * 2 / 13}, kDigits);
  }
  SUBCASE("pins about z and y") {
    Chain chain(gravity);
    const int first = chain.add(-1, JointKind::revolute, kZ, {0, 0, 0}, unit_body(kX));
    chain.add(first, JointKind::revolute, kY, kX, unit_body(kY));
    check_at_rest(chain, {0, 0}, {-3.924, 0}, kDigits);
  }
  SUBCASE("two branches of two") {
    Chain chain(gravity);
    const int a = chain.add(-1, JointKind::revolute, kZ, {0, 0, 0}, unit_body(kX));
    const int b1 = chain.add(a, JointKind::revolute, kY, kX, unit_body(kY));
    chain.add(b1, JointKind::revolute, kX, kY, unit_body(kZ));
    const int b2 = chain.add(a, JointKind::revolute, kY, {-0.5, 0, 0}, unit_body(kY));
    chain.add(b2, JointKind::revolute, kX, {0, -0.5, 0}, unit_body(kZ));
    check_at_rest(
        chain, {0, 0, 0, 0, 0},
        {-1.6031906614785992, -0.53439688715953307, 4.1034046692607004, 0.26719844357976654, 5.3057976653696498},
        kDigits);
  }
  SUBCASE("pins about z, y, x at one point, two links without mass") {
    Chain chain(gravity);
    const int z = chain.add(-1, JointKind::revolute, kZ, {0, 0, 0}, kMassless);
    const int y = chain.add(z, JointKind::revolute, kY, {0, 0, 0}, kMassless);
    chain.add(y, JointKind::revolute, kX, {0, 0, 0}, unit_body({0, 0.5, 0}));
    check_at_rest(chain, {1, 0, 0}, {3.3019321443861859, 0, 0}, kDigits);
  }
}

namespace {

/// Slider, pin, ball, pin of Simbody's comparison with SD/FAST (Simbody/tests/TestMobilizerReactionForces.cpp).
Chain simbody_chain() {
  Chain chain({0, -9.8, 0});
  const auto body = [](double mass, double y) {
    return spatial_inertia(mass, Vec3<>{0, y, 0}, SymMat3<>{0.1, 0.01, 0.01, 0.1, 0.01, 0.1});
  };
  const int slider = chain.add(-1, JointKind::prismatic, kX, {0, 0, 0}, body(10, 0));
  const int first_pin = chain.add(slider, JointKind::revolute, kZ, {0.1, 0.1, 0}, body(20, 0.2));
  const int ball = chain.add(first_pin, JointKind::spherical, kZ, {0, 0.4, 0}, body(20, 0.2));
  chain.add(ball, JointKind::revolute, kZ, {0, 0.4, 0}, body(30, 0.2));
  return chain;
}

struct SimbodyCase {
  Numbers q, v;  // slider, pin, ball (quaternion; angular velocity), pin
  Vec3<> torque, force;
  Numbers vdot;  // the ball's in the child's axes
};

void check_simbody(const SimbodyCase& reference) {
  DynamicsOf dynamics(simbody_chain().spec);
  const Numbers tau(6);
  const Numbers vdot = dynamics.forward(reference.q, reference.v, tau);
  CHECK(worst(dynamics.inverse(reference.q, reference.v, vdot), tau, dynamics.scale(reference.q, reference.v, vdot)) <=
        16.0);
  // The joint's wrench on the slider, from the link's frame (whose z is the slider's axis) to the body's: its axes are
  // the world's and its origin is on the joint.
  const ModelBody& slider = dynamics.model.bodies()[0];
  const Wrench<> F = inverse_times(slider.X_LB, dynamics.recursion(reference.q, reference.v, vdot).F[0]);
  const Wrench<> expected{reference.force, reference.torque};
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(i);
    CHECK(abs(to_array(F)[i] - to_array(expected)[i]) <=
          1e-10);  // twelve digits are given, the largest are in the hundreds
  }
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(i);
    CHECK(abs(vdot[i] - reference.vdot[i]) <= 1e-12 * (norm(reference.vdot) + 1.0));
  }
}

}  // namespace

TEST_CASE("oracle: Simbody's reaction wrenches of a slider, a pin, a ball and a pin") {
  SUBCASE("standing upright") {
    check_simbody({.q = {0, 0, 0, 0, 0, 1, 0},
                   .v = Numbers(6),
                   .torque = {0, 0, 68.6},
                   .force = {0, 784, 0},
                   .vdot = Numbers(6)});
  }
  SUBCASE("bent, at rest") {
    const auto turn = [](double angle, auto rotation) {
      const SinCos<double> f = pintle::sincos(angle);
      return rotation(f.cos, f.sin);
    };
    const Mat3<> R = turn(0.2, rotation_z<double>) * turn(-0.1, rotation_x<double>) * turn(2.0, rotation_y<double>);
    const Quaternion<> r = quaternion(R);
    check_simbody({.q = {1, 0.5, r.x, r.y, r.z, r.w, -0.5},
                   .v = Numbers(6),
                   .torque = {1.64732671797, 0.783210831724, 34.0881825462},
                   .force = {0, 359.274099127, 3.34237987219},
                   .vdot = {7.9607726335359, 35.112532533252, 34.954623666839, 5.7520219297132, 25.329639732752,
                            -39.266944048233}});
  }
  SUBCASE("upright, in motion") {
    check_simbody({.q = {0, 0, 0, 0, 0, 1, 0},
                   .v = {0, 1, 3, 4, 2, 5},
                   .torque = {-13.5492532137, 2.72389702132, -6.35591182289},
                   .force = {0, 34.0, -27.0885837251},
                   .vdot = {0.044088177114976, 0.50386488131401, -20.140390169321, 1.0344655855703, 11.484683644111,
                            -1.3856284236135}});
  }
}

TEST_CASE("oracle: the serial chain of seed 000, exact rationals") {
  // Six bars, all along x: the 6x6 equations solved in rationals.
  const double L = 0.25, m = 0.1, I = m * L * L / 12;
  Chain chain({0, -10, 0});
  for (int i = 0; i < 6; ++i)
    chain.add(i - 1, JointKind::revolute, kZ, {i == 0 ? 0.0 : L, 0, 0},
              spatial_inertia(m, Vec3<>{L / 2, 0, 0}, diagonal(Vec3<>{0.0, I, I})));
  Numbers expected{-68520, 86880, -23280, 6240, -1680, 480};
  for (double& x : expected) x /= 1351;
  check_at_rest(chain, Numbers(6), expected, 1e-12);
}

TEST_CASE("oracle: the chain and the link of seed 001") {
  // Solved in 80 digits for the seed program's data; nine decimals are given.
  const SymMat3<> I_c = diagonal(Vec3<>{0.0, 0.0904 / 12, 0.0904 / 12});
  SUBCASE("six bars with their centres of mass on the joints") {
    Chain chain({0, -9.8065, 0});
    for (int i = 0; i < 6; ++i)
      chain.add(i - 1, JointKind::revolute, kZ, {i == 0 ? 0.0 : 0.15, 0, 0},
                spatial_inertia(1.0, Vec3<>{0, 0, 0}, I_c));
    check_at_rest(chain, Numbers(6), {-51.692106498, 40.872027052, 8.555418089, 1.791495894, 0.378280463, 0.094885000},
                  0.0, 0.5e-9);
  }
  SUBCASE("one bar") {
    Chain chain({0, -9.8065, 0});
    chain.add(-1, JointKind::revolute, kZ, {0, 0, 0}, spatial_inertia(1.0, Vec3<>{0.14905, 0, 0}, I_c));
    check_at_rest(chain, {0}, {-49.132651110}, 0.0, 0.5e-9);
  }
}

TEST_CASE("oracle: the screw joint has a constant inertia and no velocity term") {
  // M = a.I_c.a + m (|a x c|^2 + p^2), qdd = [tau + m g.(p a + a x R c)] / M: Lagrange's equation by hand.
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    RandomStream stream(61, run);
    const SpatialInertia<> I = random_inertia(stream, 100.0);
    const Vec3<> axis = uniform_direction(stream), gravity = 9.81 * uniform_direction(stream);
    const double pitch = stream.uniform(-1.0, 1.0), q = stream.uniform(-3.0, 3.0), v = stream.uniform(-10.0, 10.0);
    const double tau = stream.uniform(-5.0, 5.0);
    Chain chain(gravity);
    chain.add(-1, JointKind::screw, axis, {0.3, -0.2, 0.1}, I);
    chain.spec.joints[0].pitch_m_per_rad = pitch;
    DynamicsOf dynamics(chain.spec);

    const double m = I.mass;
    const Vec3<> c = center_of_mass(I), ac = cross(axis, c);
    const double M = dot(axis, inertia_about_center_of_mass(I) * axis) + m * (dot(ac, ac) + pitch * pitch);
    // a x Rc, the velocity of the centre of mass per unit rate: a x c turned about a.
    const SinCos<double> f = pintle::sincos(q);
    const Vec3<> turned = f.cos * ac + f.sin * cross(axis, ac);
    const double load = m * dot(gravity, pitch * axis + turned);
    // The rotational inertia about the joint and its centripetal terms cancel in h, so their sizes are the scale.
    const double terms = abs(tau) + m * 9.81 * (abs(pitch) + norm(c)) +
                         v * v * (m * (norm(c) + abs(pitch)) * (norm(c) + abs(pitch)) + trace(I.inertia));
    CHECK(abs(dynamics.mass({q})[0] - M) <= 16 * kEpsilon<double> * (trace(I.inertia) + m * pitch * pitch));
    CHECK(abs(dynamics.forward({q}, {v}, {tau})[0] - (tau + load) / M) <=
          8 * kEpsilon<double> * (terms + abs(tau + load) * (trace(I.inertia) + m * pitch * pitch) / M) / M);
    CHECK(abs(dynamics.inverse({q}, {v}, {(tau + load) / M})[0] - tau) <=
          8 * kEpsilon<double> * (terms + abs(tau + load) * (trace(I.inertia) + m * pitch * pitch) / M));
  }
}
