#include "pintle/dynamics/response.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/impulse_dynamics.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/dynamics/mass_matrix_factor.h"
#include "pintle/dynamics/operational_inertia.h"
#include "properties/dynamics_of.h"
#include "properties/positive_definite.h"

using namespace test;

namespace {

/// A random mechanism with its mass matrix and the plain way to divide by it.
struct Case {
  Case(std::uint64_t seed, std::uint64_t run, double mass_ratio = 10.0)
      : stream(seed, run), dynamics(random_spec(stream, options(run, mass_ratio))), state(dynamics.model, stream) {
    M = dynamics.mass(state.q);
    L = cholesky(M, n());
    REQUIRE(!L.empty());
  }

  static RandomModelOptions options(std::uint64_t run, double mass_ratio) {
    RandomModelOptions result = variety(run, run % 50 == 0 ? 60 : 16);
    result.mass_ratio = mass_ratio;
    return result;
  }

  std::size_t n() const { return state.v.size(); }

  /// By how much M x misses b, in units of n eps of the terms that M^-1 b is found from: row i of a factored M has
  /// terms up to sqrt(M_ii M_jj).
  double residual(const Numbers& x, const Numbers& b) const { return residual(x, b, b); }
  /// The same for a b that is a sum itself, of terms of the size `terms`.
  double residual(const Numbers& x, const Numbers& b, const Numbers& terms) const {
    Numbers product(n()), scale(n());
    for (std::size_t i = 0; i < n(); ++i) {
      scale[i] = abs(terms[i]);
      for (std::size_t j = 0; j < n(); ++j) {
        product[i] += M[i * n() + j] * x[j];
        scale[i] += std::sqrt(M[i * n() + i] * M[j * n() + j]) * abs(x[j]);
      }
    }
    return worst(product, b, scale) / static_cast<double>(n());
  }

  /// Places on the last body, on the first and on one in between.
  std::vector<Place> places() {
    std::vector<Place> result;
    const int bodies = static_cast<int>(dynamics.model.bodies().size());
    for (const int body : {bodies - 1, 0, bodies / 2}) {
      Place place = body_place(dynamics.model, body);
      place.X_LF = place.X_LF * random_pose(stream);
      result.push_back(place);
    }
    return result;
  }

  Numbers jacobian_of(const std::vector<Place>& places, Axes axes) {
    KinematicsWorkspace work(dynamics.model);
    kinematics(dynamics.model, state.q, state.v, state.vdot, work);
    Numbers J;
    for (const Place& place : places) {
      Numbers block(6 * n());
      jacobian(dynamics.model, work, place, axes, block);
      J.insert(J.end(), block.begin(), block.end());
    }
    return J;
  }

  RandomStream stream;
  DynamicsOf dynamics;
  RandomState state;
  Numbers M, L;
};

Numbers row_of(const Numbers& J, std::size_t row, std::size_t n) {
  return Numbers(J.begin() + static_cast<std::ptrdiff_t>(row * n),
                 J.begin() + static_cast<std::ptrdiff_t>((row + 1) * n));
}

}  // namespace

TEST_CASE("mass matrix factor: solves as the dense matrix does, reading nothing off the branches") {
  double most = 0.0;
  for (std::uint64_t run = 0; run < 500; ++run) {
    CAPTURE(run);
    Case c(121, run);
    const Model& model = c.dynamics.model;
    // A dof's branch: those with an entry in its row of M.
    Numbers poisoned(c.M.size(), __builtin_nan(""));
    for (std::size_t k = 0; k < c.n(); ++k) {
      poisoned[k * c.n() + k] = c.M[k * c.n() + k];
      for (int i = model.dof_parents()[k]; i >= 0; i = model.dof_parents()[size(i)]) {
        REQUIRE(size(i) < k);
        poisoned[k * c.n() + size(i)] = c.M[k * c.n() + size(i)];
      }
      for (std::size_t i = 0; i < k; ++i)
        if (poisoned[k * c.n() + i] != poisoned[k * c.n() + i]) CHECK(c.M[k * c.n() + i] == 0.0);
    }
    MassMatrixFactor<> factor(model);
    REQUIRE(factor_mass_matrix(model, poisoned, factor).ok());
    Numbers x = c.state.tau;
    solve_mass_matrix(model, factor, x);
    most = max(most, c.residual(x, c.state.tau));
  }
  CHECK(most <= 1.0);  // the worst seen is 0.27
}

TEST_CASE("mass matrix factor: only branches that a coupling ties together are merged") {
  RandomStream stream(122);
  ModelSpec spec{.name = "two arms"};
  for (int arm = 0; arm < 2; ++arm) {
    for (int i = 0; i < 3; ++i) {
      const std::string name = std::to_string(arm) + std::to_string(i);
      spec.bodies.push_back({.name = name, .inertia = random_inertia(stream, 1.0)});
      JointSpec joint;
      joint.name = "joint" + name;
      joint.kind = JointKind::revolute;
      joint.parent = i == 0 ? kWorld : std::to_string(arm) + std::to_string(i - 1);
      joint.child = name;
      joint.X_PJ = random_pose(stream);
      spec.joints.push_back(joint);
    }
  }
  const auto parents = [&] {
    const Model model = compile(spec).value();
    return std::vector<int>(model.dof_parents().begin(), model.dof_parents().end());
  };
  CHECK(parents() == std::vector<int>{-1, 0, 1, -1, 3, 4});
  spec.couplings = {{.joint = "joint11", .driver = "joint01", .ratio = 0.5}};
  // Independent: 00, 01, 02, 10, 12. The motion of 01 goes with 10, 11 and 12 now.
  CHECK(parents() == std::vector<int>{-1, 0, 1, 1, 3});
}

TEST_CASE("mass matrix factor: a matrix without a pivot names the joint") {
  Case c(123, 3);
  const Model& model = c.dynamics.model;
  MassMatrixFactor<> factor(model);
  Numbers M = c.M;
  const int joint = model.independent_joints().back().joint;
  M.back() = 0.0;
  CHECK(factor_mass_matrix(model, M, factor).singular_joint == joint);
  M.back() = __builtin_nan("");
  CHECK(factor_mass_matrix(model, M, factor).singular_joint == joint);
  M.pop_back();
  CHECK_THROWS_WITH_AS((void)factor_mass_matrix(model, M, factor), doctest::Contains("'M'"), UsageError);
}

TEST_CASE("M^-1: times M is one, symmetric to the bit, over all trees") {
  double most = 0.0, max_extreme = 0.0;
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    const bool extreme = run % 5 == 0;
    Case c(124, run, extreme ? 1e6 : 10.0);
    MassMatrixInverseWorkspace work(c.dynamics.model);
    Numbers inverse(c.n() * c.n());
    REQUIRE(mass_matrix_inverse(c.dynamics.model, c.state.q, work, inverse).ok());
    for (std::size_t j = 0; j < c.n(); ++j) {
      Numbers unit(c.n()), column(c.n());
      unit[j] = 1.0;
      for (std::size_t i = 0; i < c.n(); ++i) {
        column[i] = inverse[i * c.n() + j];
        REQUIRE(inverse[i * c.n() + j] == inverse[j * c.n() + i]);
      }
      double& worst_so_far = extreme ? max_extreme : most;
      worst_so_far = max(worst_so_far, c.residual(column, unit));
    }
  }
  CHECK(most <= 5.0);  // the worst seen is 1.5
  // Light links between heavy ones: the recursion loses digits there that factors of M keep. The worst seen is 3800.
  CHECK(max_extreme <= 12000.0);
}

TEST_CASE("response: to wrenches as to the efforts J'F") {
  double most = 0.0;
  for (std::uint64_t run = 0; run < 300; ++run) {
    CAPTURE(run);
    Case c(125, run);
    const Model& model = c.dynamics.model;
    const std::vector<Place> places = c.places();
    const Numbers J = c.jacobian_of(places, Axes::local);
    std::vector<Wrench<>> on_links(model.links().size(), zero_wrench());
    Numbers efforts = c.state.tau, terms(c.n());
    for (std::size_t p = 0; p < places.size(); ++p) {
      const Wrench<> F{uniform_direction(c.stream), uniform_direction(c.stream)};
      on_links[size(places[p].link)] += places[p].X_LF * F;
      for (std::size_t row = 0; row < 6; ++row)
        for (std::size_t k = 0; k < c.n(); ++k) {
          efforts[k] += J[(6 * p + row) * c.n() + k] * to_array(F)[row];
          terms[k] += 1.0;  // J and F are of unit size
        }
    }
    ResponseWorkspace work(model);
    REQUIRE(prepare_response(model, c.state.q, work).ok());
    Numbers vdot(c.n());
    apply_mass_inverse(model, work, c.state.tau, on_links, {}, vdot);
    most = max(most, c.residual(vdot, efforts, terms));
    // The answers of the links are J vdot.
    const Twist<> A = inverse_times(places[0].X_LF, work.articulated.response().A[places[0].link]);
    for (std::size_t row = 0; row < 6; ++row) {
      double expected = 0.0, scale = 0.0;
      for (std::size_t k = 0; k < c.n(); ++k) {
        expected += J[row * c.n() + k] * vdot[k];
        scale += abs(J[row * c.n() + k] * vdot[k]);
      }
      // The size of what the link's numbers come from is that of the whole motion, not of one row.
      CHECK(abs(to_array(A)[row] - expected) <= 1e-13 * (scale + norm(vdot)));
    }
  }
  CHECK(most <= 1.0);  // the worst seen is 0.27
}

TEST_CASE("operational inertia: J M^-1 J' of several places, in all axes") {
  for (std::uint64_t run = 0; run < 300; ++run) {
    CAPTURE(run);
    Case c(126, run);
    const Model& model = c.dynamics.model;
    const std::vector<Place> places = c.places();
    OperationalInertiaWorkspace work(model, 3);
    Numbers result(18 * 18);
    for (const Axes axes : {Axes::local, Axes::world, Axes::local_world_aligned}) {
      const Numbers J = c.jacobian_of(places, axes);
      REQUIRE(inverse_operational_inertia(model, c.state.q, places, axes, work, result).ok());
      for (std::size_t b = 0; b < 18; ++b) {
        const Numbers column = solve(c.L, row_of(J, b, c.n()));
        for (std::size_t a = 0; a < 18; ++a) {
          double expected = 0.0;
          const Numbers row = row_of(J, a, c.n()), other = solve(c.L, row);
          double scale_a = 0.0, scale_b = 0.0;
          for (std::size_t k = 0; k < c.n(); ++k) {
            expected += row[k] * column[k];
            scale_a += row[k] * other[k];
            scale_b += J[b * c.n() + k] * column[k];
          }
          CHECK(result[a * 18 + b] == result[b * 18 + a]);
          // Cauchy: an entry is at most the geometric mean of its diagonal entries; the condition of M on top.
          CHECK(abs(result[a * 18 + b] - expected) <= 1e-10 * std::sqrt(scale_a * scale_b) + 1e-13);
        }
      }
    }
  }
}

TEST_CASE("operational inertia: its inverse where the places can move, a row where they cannot") {
  int free = 0, rigid = 0;
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    Case c(127, run);
    const Model& model = c.dynamics.model;
    const std::vector<Place> places{c.places()[0]};
    OperationalInertiaWorkspace work(model, 1);
    Numbers inverse(36), inertia(36);
    REQUIRE(inverse_operational_inertia(model, c.state.q, places, Axes::local, work, inverse).ok());
    const OperationalInertiaReport report = operational_inertia(model, c.state.q, places, Axes::local, work, inertia);
    int on_branch = 0;  // dofs that move the place
    const Numbers J = c.jacobian_of(places, Axes::local);
    for (std::size_t k = 0; k < c.n(); ++k) {
      bool moves = false;
      for (std::size_t row = 0; row < 6; ++row) moves = moves || J[row * c.n() + k] != 0.0;
      on_branch += moves ? 1 : 0;
    }
    if (on_branch < 6) {
      ++rigid;
      CHECK(report.rigid_row >= 0);
      CHECK(report.rigid_row <= on_branch);
    } else if (report.ok()) {
      ++free;
      const double condition = norm(inverse) * norm(inertia);
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
          double product = 0.0;
          for (std::size_t k = 0; k < 6; ++k) product += inverse[i * 6 + k] * inertia[k * 6 + j];
          CHECK(abs(product - (i == j ? 1.0 : 0.0)) <= 32.0 * kEpsilon<double> * condition);
        }
      }
    }
  }
  CHECK(free > 50);
  CHECK(rigid > 20);
}

TEST_CASE("operational inertia: a free body shows its own inertia, a place on the world none") {
  RandomStream stream(128);
  ModelSpec spec{.name = "one body"};
  spec.bodies = {{.name = "body", .inertia = random_inertia(stream, 1.0)}};
  spec.joints = {{.name = "free", .kind = JointKind::free, .parent = kWorld, .child = "body"}};
  spec.frames = {{.name = "ground", .body = kWorld}};
  const Model model = compile(spec).value();
  const std::vector<Place> here{body_place(model, 0)}, ground{frame_place(model, 0)};
  const Numbers q{1, 2, 3, 0.6, 0, 0, 0.8};
  OperationalInertiaWorkspace work(model, 1);
  Numbers inertia(36);
  REQUIRE(operational_inertia(model, q, here, Axes::local, work, inertia).ok());
  const SpatialInertia<>& I = spec.bodies[0].inertia;
  for (std::size_t j = 0; j < 6; ++j) {
    Numbers e(6);
    e[j] = 1.0;
    const std::array<double, 6> column = to_array(I * Twist<>{{e[0], e[1], e[2]}, {e[3], e[4], e[5]}});
    for (std::size_t i = 0; i < 6; ++i) CHECK(inertia[i * 6 + j] == doctest::Approx(column[i]).epsilon(1e-13));
  }
  CHECK(operational_inertia(model, q, ground, Axes::local, work, inertia).rigid_row == 0);
  Numbers two(144);
  const std::vector<Place> both{here[0], ground[0]};
  CHECK_THROWS_WITH_AS((void)operational_inertia(model, q, both, Axes::local, work, two),
                       doctest::Contains("max_places"), UsageError);
}

TEST_CASE("impulse dynamics: the jump is M^-1 of the impulses, and the reactions balance every joint") {
  double most = 0.0;
  for (std::uint64_t run = 0; run < 500; ++run) {
    CAPTURE(run);
    Case c(129, run);
    const Model& model = c.dynamics.model;
    std::vector<Wrench<>> impulses(model.bodies().size());
    for (Wrench<>& P : impulses) P = {uniform_direction(c.stream), uniform_direction(c.stream)};
    Numbers efforts = c.state.tau, terms(c.n());
    for (std::size_t b = 0; b < impulses.size(); ++b) {
      const Numbers J = c.jacobian_of({body_place(model, static_cast<int>(b))}, Axes::local);
      for (std::size_t row = 0; row < 6; ++row)
        for (std::size_t k = 0; k < c.n(); ++k) {
          efforts[k] += J[row * c.n() + k] * to_array(impulses[b])[row];
          terms[k] += 1.0;  // J and the impulses are of unit size
        }
    }
    ImpulseWorkspace work(model);
    Numbers dv(c.n());
    REQUIRE(impulse_dynamics(model, c.state.q, c.state.tau, impulses, work, dv).ok());
    most = max(most, c.residual(dv, efforts, terms));

    // Along its dofs a joint passes on what is applied there: S'f + armature dv = impulse, couplings by G'.
    const Numbers joint_dv = c.dynamics.joint_v(dv);
    Numbers along(size(model.joint_nv()));
    for (const ModelJoint& joint : model.joints()) {
      if (joint.link < 0) continue;
      const ModelBody& child = model.bodies()[size(joint.child_body)];
      const Wrench<> F = child.X_LB * work.on_body[size(joint.child_body)];
      for (int k = joint.v; k < joint.v + facts(joint.kind).nv; ++k) {
        const Twist<>& S = work.response.articulated.view().S[k];
        along[size(k)] = dot(S, F) + model.dofs()[size(k)].passive.armature * joint_dv[size(k)];
      }
    }
    const Numbers found = c.dynamics.reduced(along);
    for (std::size_t k = 0; k < c.n(); ++k) CHECK(abs(found[k] - c.state.tau[k]) <= 1e-11 * (1.0 + norm(efforts)));
  }
  CHECK(most <= 1.0);  // the worst seen is 0.27
}

TEST_CASE("impulse dynamics: an impact on a rod at its centre of percussion leaves the pin without reaction") {
  // A uniform rod of length l on a pin: the impact at 2 l / 3 turns it without a force in the pin (seed 000's T).
  const double m = 1.5, l = 0.9;
  ModelSpec spec{.name = "rod"};
  spec.bodies = {
      {.name = "rod",
       .inertia = spatial_inertia(m, Vec3<>{l / 2, 0, 0}, diagonal(Vec3<>{0, m * l * l / 12, m * l * l / 12}))}};
  spec.joints = {{.name = "pin", .kind = JointKind::revolute, .parent = kWorld, .child = "rod"}};
  const Model model = compile(spec).value();
  ImpulseWorkspace work(model);
  const Numbers q{0.7};
  Numbers dv(1);
  std::vector<Wrench<>> impact{wrench(Vec3<>{0, 3, 0}, Vec3<>{2 * l / 3, 0, 0}, 0.0)};
  REQUIRE(impulse_dynamics(model, q, {}, impact, work, dv).ok());
  CHECK(dv[0] == doctest::Approx(3.0 * (2 * l / 3) / (m * l * l / 3)).epsilon(1e-15));
  CHECK(norm(reaction_impulse_of(model, work, 0).force) <= 1e-15);
  impact[0] = wrench(Vec3<>{0, 3, 0}, Vec3<>{l, 0, 0}, 0.0);
  REQUIRE(impulse_dynamics(model, q, {}, impact, work, dv).ok());
  // At the tip: 9/2 P/(m l)... of which the centre moves with m l/2 dv = 1.5 P: the pin pulls with half the impact.
  CHECK(reaction_impulse_of(model, work, 0).force.y == doctest::Approx(1.5).epsilon(1e-14));
}

TEST_CASE("response: wrong sizes are wrong calls") {
  Case c(130, 4);
  const Model& model = c.dynamics.model;
  ResponseWorkspace work(model);
  MassMatrixInverseWorkspace inverse(model);
  ImpulseWorkspace impulses(model);
  OperationalInertiaWorkspace operational(model, 1);
  Numbers small(1), n(c.n()), matrix(c.n() * c.n());
  const std::vector<Wrench<>> few(1);
  const std::vector<Place> one{c.places()[0]};
  REQUIRE(c.n() > 1);
  REQUIRE(model.bodies().size() > 1);
  CHECK_THROWS_AS((void)mass_matrix_inverse(model, c.state.q, inverse, small), UsageError);
  CHECK_THROWS_AS((void)mass_matrix_inverse(model, small, inverse, matrix), UsageError);
  CHECK_THROWS_AS((void)prepare_response(model, small, work), UsageError);
  CHECK_THROWS_AS(apply_mass_inverse(model, work, small, {}, {}, n), UsageError);
  CHECK_THROWS_AS(apply_mass_inverse(model, work, {}, {}, {}, small), UsageError);
  CHECK_THROWS_AS((void)impulse_dynamics(model, c.state.q, small, {}, impulses, n), UsageError);
  CHECK_THROWS_AS((void)impulse_dynamics(model, c.state.q, {}, few, impulses, n), UsageError);
  CHECK_THROWS_AS((void)impulse_dynamics(model, c.state.q, {}, {}, impulses, small), UsageError);
  CHECK_THROWS_AS((void)reaction_impulse_of(model, impulses, -1), UsageError);
  CHECK_THROWS_AS((void)inverse_operational_inertia(model, c.state.q, one, Axes::local, operational, small),
                  UsageError);
  CHECK_THROWS_AS(solve_mass_matrix(model, MassMatrixFactor<>(model), small), UsageError);
}
