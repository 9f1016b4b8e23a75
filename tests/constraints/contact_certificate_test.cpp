#include "pintle/constraints/contact_certificate.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "pintle/base/usage_error.h"
#include "pintle/constraints/impact_replay.h"
#include "support/random_model.h"

using namespace test;

namespace {

using Numbers = std::vector<double>;

/// A free body of 2 kg that strikes the ground with a corner; the impact is of point_impact.
struct Impact {
  explicit Impact(ImpactLaw impact_law = ImpactLaw::stronge, double mu = 0.3, const SurfaceVelocity& a = {},
                  const SurfaceVelocity& b = {})
      : law(impact_law), model(make()), work(model), friction{mu} {
    KinematicsWorkspace places(model);
    kinematics(model, q, before, Numbers(6), places);
    touches[0].link_b = 0;
    touches[0].X_BC = {from_columns(Vec3<>{0, 0, 1}, Vec3<>{1, 0, 0}, Vec3<>{0, 1, 0}), {0.3, 0.1, -0.2}};
    touches[0].X_AC = touches[0].X_BC;
    touches[0].surfaces_move = a.moves() || b.moves();
    touches[0].surface_a = a;
    touches[0].surface_b = b;
    ContactRowsWorkspace rows(model, 1);
    contact_rows(model, places, touches, rows);
    ResponseWorkspace response(model);
    REQUIRE(prepare_response(model, q, response).ok());
    contact_delassus(model, {}, response, rows, A);
    const CoulombPoint point{A[0], {A[1], A[2]}, {A[4], A[5], A[8]}, {rows.speed[0], rows.speed[1], rows.speed[2]}};
    const PointImpactSolution answer = point_impact({point, restitution[0], friction[0]}, law);
    REQUIRE(answer.ok);
    P.assign(answer.P.begin(), answer.P.end());
    after = before;
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t i = 0; i < 6; ++i) after[i] += rows.responses[r * 6 + i] * P[r];
  }

  static Model make() {
    ModelSpec spec;
    BodySpec body;
    body.name = "body";
    body.inertia = {2.0, {0, 0, 0}, {0.05, 0.01, 0, 0.06, 0, 0.04}};
    spec.bodies.push_back(body);
    JointSpec joint;
    joint.name = joint.child = "body";
    joint.parent = kWorld;
    joint.kind = JointKind::free;
    spec.joints.push_back(joint);
    return compile(spec).value();
  }

  ImpactVerdict verdict() {
    return certify_impact(model,
                          {.q = q,
                           .before = before,
                           .after = after,
                           .touches = touches,
                           .P = P,
                           .efforts = efforts,
                           .given = given,
                           .friction = friction,
                           .restitution = restitution,
                           .rule = ImpactRule::point,
                           .law = law,
                           .A = A,
                           .sides = sides},
                          work);
  }

  ImpactLaw law;
  Model model;
  ImpactCertificateWorkspace work;
  Numbers q{0, 0, 0, 0, 0, 0, 1}, before{0.5, -0.3, -1.0, 0.2, 0.4, -0.6}, after, P, efforts = Numbers(6), friction,
                                                                                     restitution{0.6};
  Numbers A = Numbers(9);
  std::vector<unsigned char> given = std::vector<unsigned char>(6);
  std::vector<ContactFrame> touches = std::vector<ContactFrame>(1);
  std::vector<LimitSide> sides;
};

}  // namespace

TEST_CASE("contact certificate: an impact at one point is lawful to rounding, by every law") {
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::stronge}) {
    for (const double mu : {0.0, 0.05, 0.1, 0.3, 1.0}) {  // it slides to the end, turning; it comes to rest
      Impact impact(law, mu);
      const ImpactVerdict verdict = impact.verdict();
      CHECK(verdict.residuals.worst() <= 1e-12);  // seen: 2e-14
      CHECK(verdict.energy_gain < 0.0);
    }
  }
}

TEST_CASE("contact certificate: an impact of surfaces that move is lawful by their slip, and may gain energy") {
  const SurfaceVelocity on_a{{3.0, 0.5, -0.2}, {0.0, 0.1, -0.4}}, on_b{{-9.0, -0.6, 0.3}, {5.0, -0.2, 0.7}};
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::stronge}) {
    for (const double mu : {0.05, 0.3, 1.0}) {
      CHECK(Impact(law, mu, on_a, {}).verdict().residuals.worst() <= 1e-12);
      CHECK(Impact(law, mu, {}, on_b).verdict().residuals.worst() <= 1e-12);
      Impact both(law, mu, on_a, on_b);
      CHECK(both.verdict().residuals.worst() <= 1e-12);
      both.touches[0].surface_b = {};
      CHECK(both.verdict().residuals.dissipation > 1e-3);
    }
  }
  CHECK(Impact(ImpactLaw::stronge, 1.0, {{0.0, 9.0, 0.0}, {}}, {}).verdict().energy_gain > 0.1);
}

TEST_CASE("contact certificate: what is wrong by 1e-6 shows in the law that it breaks") {
  const auto with = [](auto change) {
    Impact impact;
    change(impact);
    return impact.verdict().residuals;
  };
  CHECK(with([](Impact& b) { b.after[4] += 1e-6; }).momentum > 1e-9);
  CHECK(with([](Impact& b) { b.P[0] *= 1.0 + 1e-6; }).momentum > 1e-9);
  CHECK(with([](Impact& b) { b.P[0] *= 1.0 + 1e-6; }).energy > 1e-9);
  CHECK(with([](Impact& b) { b.P[0] *= 1.0 + 1e-6; }).restitution > 1e-9);
  CHECK(with([](Impact& b) { b.restitution[0] += 1e-6; }).restitution > 1e-9);
  CHECK(with([](Impact& b) { b.P[1] += 1e-6 * b.P[0]; }).dissipation > 1e-9);
  CHECK(with([](Impact& b) { b.friction[0] = 0.2; }).cone > 1e-3);
  CHECK(with([](Impact& b) { b.P[0] = -b.P[0]; }).complementarity > 0.1);
  CHECK(with([](Impact& b) { b.after = b.before; }).complementarity > 0.1);
  CHECK(std::isnan(with([](Impact& b) { b.after[2] = __builtin_nan(""); }).worst()));
}

TEST_CASE("contact certificate: a motor's impulse is found, its work is no gain") {
  Impact impact;
  impact.given[3] = 1;
  const double det = 0.05 * 0.06 - 0.01 * 0.01;  // as if a motor had turned it: M dv = (.., 0.02, 0, 0)
  impact.after[3] += 0.02 * 0.06 / det;
  impact.after[4] -= 0.02 * 0.01 / det;
  const ImpactVerdict verdict = impact.verdict();
  CHECK(verdict.residuals.momentum <= 1e-14);
  CHECK(verdict.residuals.energy <= 1e-14);
  double by_motor = 0.5 * 0.02 * (impact.after[3] + impact.before[3]), change = verdict.energy_gain + by_motor;
  CHECK(std::abs(change) > 1e-3);
  impact.given[3] = 0;
  CHECK(impact.verdict().energy_gain == doctest::Approx(change).epsilon(1e-9));
  CHECK(impact.verdict().residuals.momentum > 1e-3);
}

TEST_CASE("contact certificate: a point at rest, one that slides, and their breaches") {
  const Model model = Impact::make();
  KinematicsWorkspace places(model);
  const Numbers q{0, 0, 0, 0, 0, 0, 1};
  ContactClaim claim;
  claim.touch.link_b = 0;
  claim.touch.X_BC = {from_columns(Vec3<>{0, 0, 1}, Vec3<>{1, 0, 0}, Vec3<>{0, 1, 0}), {0, 0, -0.2}};
  claim.touch.X_AC = claim.touch.X_BC;
  claim.static_friction = 0.5;
  claim.kinetic_friction = 0.4;
  claim.size = 0.4;
  claim.mass = 2.0;
  claim.max_force = 20.0;
  const auto residuals = [&](const Numbers& v, const Numbers& vdot, std::array<double, 3> force, bool sticks,
                             double gap) {
    kinematics(model, q, v, vdot, places);
    claim.force = force;
    claim.sticks = sticks;
    claim.gap = gap;
    return certify_contact(places, claim, 9.81);
  };
  const Numbers rest(6), slides{2, 0, 0, 0, 0, 0}, slows{-4, 0, 0, 0, 0, 0};
  CHECK(residuals(rest, rest, {20, 10, 0}, true, 0.0).worst() <= 1e-15);
  CHECK(residuals(slides, slows, {20, -8, 0}, false, 0.0).worst() <= 1e-15);
  CHECK(residuals(rest, rest, {20, 10.1, 0}, true, 0.0).cone > 1e-3);
  CHECK(residuals(rest, rest, {-1, 0, 0}, true, 0.0).complementarity > 0.04);
  CHECK(residuals(rest, rest, {20, 0, 0}, true, 1e-6).complementarity > 1e-6);
  CHECK(residuals({0, 0, 1e-6, 0, 0, 0}, rest, {20, 0, 0}, true, 0.0).complementarity > 1e-8);
  CHECK(residuals(rest, {0, 0, 1e-6, 0, 0, 0}, {20, 0, 0}, true, 0.0).complementarity > 1e-8);
  CHECK(residuals(slides, rest, {20, 0, 0}, true, 0.0).dissipation > 0.1);
  CHECK(residuals(slides, slows, {20, 8, 0}, false, 0.0).dissipation > 0.1);
  CHECK(residuals(slides, slows, {20, -8 * std::cos(1e-6), 8 * std::sin(1e-6)}, false, 0.0).dissipation > 1e-7);
}

TEST_CASE("contact certificate: forces and impulses that are rounding are not compared with each other") {
  const Model model = Impact::make();
  KinematicsWorkspace places(model);
  const Numbers q{0, 0, 0, 0, 0, 0, 1}, rest(6);
  kinematics(model, q, rest, rest, places);
  ContactClaim claim;
  claim.touch.link_b = 0;
  claim.touch.X_BC = {from_columns(Vec3<>{0, 0, 1}, Vec3<>{1, 0, 0}, Vec3<>{0, 1, 0}), {0, 0, -0.2}};
  claim.touch.X_AC = claim.touch.X_BC;
  claim.static_friction = claim.kinetic_friction = 0.5;
  claim.size = 0.4;
  claim.mass = 2.0;
  claim.max_force = 1e-14;  // of a weight of 19.62 N
  claim.force = {-1e-14, 1e-14, 0.0};
  claim.sticks = true;
  const ContactResiduals at = certify_contact(places, claim, 9.81);
  CHECK(at.complementarity == doctest::Approx(1e-14 / 19.62).epsilon(1e-6));
  CHECK(at.cone == doctest::Approx(1.5e-14 / 19.62).epsilon(1e-6));
  Impact impact;
  impact.after = impact.before;  // it meets nothing, and rounding pulls
  impact.P = {-1e-16, 1e-16, 0.0};
  impact.friction[0] = 0.5;
  CHECK(impact.verdict().residuals.cone <= 1e-9);
}

TEST_CASE("contact certificate: what touches elsewhere and still approaches after an impact is seen") {
  Impact impact;
  const ImpactVerdict verdict = impact.verdict();
  const auto separation = [&](const Vec3<>& place, LimitSide side) {
    std::vector<ContactFrame> touches(2, impact.touches[0]);
    touches[1].X_BC.translation = touches[1].X_AC.translation = place;
    std::vector<LimitSide> sides(6, LimitSide::none);
    sides[0] = side;
    return certify_separation(
        {.before = impact.before, .after = impact.after, .touches = touches, .sides = sides, .speed = verdict.speed},
        impact.work);
  };
  // The speed of another corner is v_z + w_x y - w_y x.
  const Vec3<> corner{-0.3, -0.1, -0.2};
  const double speed = impact.after[2] + impact.after[3] * corner.y - impact.after[4] * corner.x;
  REQUIRE(speed < -0.1);
  CHECK(separation(corner, LimitSide::none) == doctest::Approx(-speed / verdict.speed).epsilon(0.5));
  CHECK(separation(impact.touches[0].X_BC.translation, LimitSide::none) <= 1e-15);
  // Dof 0 moves in the positive direction.
  REQUIRE(impact.after[0] > 0.1);
  CHECK(separation(impact.touches[0].X_BC.translation, LimitSide::lower) <= 1e-15);
  CHECK(separation(impact.touches[0].X_BC.translation, LimitSide::upper) > 0.01);
}

TEST_CASE("contact certificate: a joint limit that pulls in an impact is seen") {
  const auto pulls = [](double effort, LimitSide side) {
    Impact impact;
    impact.efforts[0] = effort;
    impact.sides.assign(6, LimitSide::none);
    impact.sides[0] = side;
    return impact.verdict().residuals.complementarity;
  };
  CHECK(pulls(0.3, LimitSide::lower) <= 1e-15);
  CHECK(pulls(-0.3, LimitSide::upper) <= 1e-15);
  CHECK(pulls(-0.3, LimitSide::both) <= 1e-15);
  CHECK(pulls(-0.3, LimitSide::lower) > 0.01);
  CHECK(pulls(0.3, LimitSide::upper) > 0.01);
}

TEST_CASE("contact certificate: wrong sizes are wrong calls") {
  Impact impact;
  CHECK_THROWS_AS((void)certify_separation({.before = impact.before, .after = {}}, impact.work), UsageError);
  impact.P.pop_back();
  CHECK_THROWS_AS((void)impact.verdict(), UsageError);
}

TEST_CASE("a lever that friction wedges stops; its impulse is finite") {
  // One dof: u = j v, B = j j'/m. Friction can hold more than the normal can push off.
  const double j[3] = {0.5, -1.0, 0.2};
  const CoulombPoint point{
      j[0] * j[0], {j[0] * j[1], j[0] * j[2]}, {j[1] * j[1], j[1] * j[2], j[2] * j[2]}, {-0.5, 1.0, -0.2}};  // v = -1
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::stronge}) {
    const PointImpactSolution answer = point_impact({point, 0.7, 0.9}, law);
    REQUIRE(answer.ok);
    for (const double u : answer.after) CHECK(std::abs(u) <= 1e-9);
    CHECK(answer.P[0] * j[0] + answer.P[1] * j[1] + answer.P[2] * j[2] == doctest::Approx(1.0).epsilon(1e-9));
    CHECK(answer.energy_change() == doctest::Approx(-0.5).epsilon(1e-9));
    const ImpactReplay way = replay_impact({point, 0.7, 0.9}, law, {0.0, 0.0});
    CHECK(way.ended);
    for (std::size_t r = 0; r < 3; ++r) CHECK(way.P[r] == doctest::Approx(answer.P[r]).epsilon(1e-9));
  }
}
