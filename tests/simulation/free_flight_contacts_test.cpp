// Impacts on bodies on free joints are found without a recursion: what it would find, up to rounding.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "pintle/math/distributions.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/simulation/flight/free_flight.h"
#include "pintle/spatial/exp_log.h"

using namespace pintle;

namespace {

constexpr int kBodies = 3;

/// Free bodies with their centres of mass and principal axes anywhere.
Model random_bodies(RandomStream& stream) {
  ModelSpec spec;
  for (int k = 0; k < kBodies; ++k) {
    const std::string name = "body" + std::to_string(k);
    const double x = stream.uniform(0.5, 2.0), y = stream.uniform(0.5, 2.0);
    const SymMat3<> I = congruence(rotation_matrix(uniform_rotation(stream)), diagonal(Vec3<>{x, y, 0.8 * (x + y)}));
    BodySpec body;
    body.name = name;
    body.inertia = spatial_inertia(stream.uniform(0.5, 2.0), uniform_direction(stream), I);
    spec.bodies.push_back(body);
    JointSpec joint;
    joint.name = joint.child = name;
    joint.parent = kWorld;
    joint.kind = JointKind::free;
    joint.X_PJ = pose(uniform_rotation(stream), uniform_direction(stream));
    spec.joints.push_back(joint);
  }
  return compile(spec).value();
}

/// Of two bodies, or of one and the world on either side.
ContactFrame random_touch(RandomStream& stream, int k, const KinematicsWorkspace& places) {
  const Pose<> X_WC{rotation_matrix(uniform_rotation(stream)), uniform_direction(stream)};
  const auto seen_from = [&](int link) {
    return link < 0 ? X_WC : inverse_times(places.X_WL[static_cast<std::size_t>(link)], X_WC);
  };
  ContactFrame touch;
  touch.link_a = k % kBodies - 1;
  touch.link_b = k % 4 == 3 ? -1 : (touch.link_a + 1 + k % 2) % kBodies;
  if (touch.link_a < 0 && touch.link_b < 0) touch.link_b = 1;
  touch.X_AC = seen_from(touch.link_a);
  touch.X_BC = seen_from(touch.link_b);
  return touch;
}

}  // namespace

TEST_CASE("free flight: rows and answers of touches are those of the recursion, up to rounding") {
  RandomStream stream(7);
  const ContactSetup setup;
  const ContactSpec spec;
  double worst = 0.0;
  for (int k = 0; k < 200; ++k) {
    const Model model = random_bodies(stream);
    const std::size_t count = static_cast<std::size_t>(1 + k % 4), n = 3 * count;
    std::vector<double> q(7 * kBodies), v(6 * kBodies), zero(v.size()), found(n * n), known(n * n);
    random_configuration(model, stream, q);
    for (double& number : v) number = stream.uniform(-1.0, 1.0);
    KinematicsWorkspace places(model);
    kinematics(model, q, v, zero, places);
    std::vector<ContactFrame> touches;
    for (std::size_t c = 0; c < count; ++c) touches.push_back(random_touch(stream, k + static_cast<int>(c), places));
    ContactRowsWorkspace by_recursion(model, count), rows(model, count);
    for (double& number : rows.J) number = 1.0;  // what was there before does not count
    for (double& number : rows.responses) number = 1.0;
    ResponseWorkspace response(model);
    contact_rows(model, places, touches, by_recursion, RowDerivatives::zero);
    REQUIRE(prepare_response(model, q, response).ok());
    contact_delassus(model, {}, response, by_recursion, known);
    const Contacts contacts(model, setup, spec);
    FreeFlight(model, contacts).assemble_contacts(touches, places, rows, found);
    REQUIRE(rows.rows == n);
    const auto compare = [&](double a, double b) { worst = std::max(worst, std::abs(a - b)); };
    for (std::size_t i = 0; i < n * v.size(); ++i) {
      compare(rows.J[i], by_recursion.J[i]);
      compare(rows.responses[i], by_recursion.responses[i]);
    }
    for (std::size_t i = 0; i < n; ++i) compare(rows.speed[i], by_recursion.speed[i]);
    for (std::size_t i = 0; i < n * n; ++i) compare(found[i], known[i]);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) CHECK(found[i * n + j] == found[j * n + i]);
  }
  // Numbers up to some 20 of sums of products, of inertias with a condition of up to 10; the worst seen is 5.9e-14.
  CHECK(worst < 2048 * kEpsilon<double>);
}
