// Laws of the Coriolis matrix and of the rate of the mass matrix, over random trees of every joint, with couplings and
// welds. Errors are in units of eps times the number of links times the sum of the sizes of all terms of an entry.
#include "pintle/dynamics/coriolis_matrix.h"

#include <doctest/doctest.h>

#include "pintle/dynamics/coupled_coordinates.h"
#include "pintle/dynamics/kinematics.h"
#include "pintle/dynamics/recursions/mass_matrix_impl.h"
#include "pintle/dynamics/velocity_efforts.h"
#include "properties/body_motion.h"
#include "properties/jacobian_columns.h"
#include "properties/motion_sizes.h"

using namespace test;

namespace {

/// dM/dt of the independent dofs along v, by the composite-body algorithm on dual numbers.
Numbers mass_rate_by_duals(DynamicsOf& dynamics, const Numbers& q, const Numbers& v) {
  const Model& model = dynamics.model;
  const std::size_t n = size(model.joint_nv());
  std::vector<Rate> moving, M(n * n);
  for (const Jet& x : path(model, dynamics.joint_q(q), dynamics.joint_v(v), Numbers(n))) moving.push_back(x.value);
  MassMatrixWorkspace<Rate> work(model);
  mass_matrix_kernel(model.tree(), moving.data(), work.view(), M.data());
  Numbers joint_rate, rate(size(model.nv()) * size(model.nv()));
  for (const Rate& m : M) joint_rate.push_back(m.derivative[0]);
  independent_matrix(model, joint_rate, rate);
  return rate;
}

Numbers coriolis(const Model& model, const Numbers& q, const Numbers& v) {
  CoriolisMatrixWorkspace<> work(model);
  Numbers C(v.size() * v.size());
  coriolis_matrix(model, q, v, work, C);
  return C;
}

Numbers transposed(const Numbers& C) {
  const std::size_t n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(C.size()))));
  Numbers result(C.size());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) result[j * n + i] = C[i * n + j];
  return result;
}

Numbers sum(const Numbers& a, const Numbers& b, double factor = 1.0) {
  Numbers result = a;
  for (std::size_t i = 0; i < a.size(); ++i) result[i] += factor * b[i];
  return result;
}

Numbers sizes(Numbers a) {
  for (double& x : a) x = abs(x);
  return a;
}

/// Per entry of C, the sum of the sizes of the terms of S_k' (I Sdot_j + B S_j) over the bodies outboard of both
/// joints: every product as the product of lengths, every lever arm taken in full.
Numbers coriolis_scale(DynamicsOf& dynamics, const Numbers& q, const Numbers& v) {
  struct Size {
    double linear = 0.0, angular = 0.0, linear_rate = 0.0, angular_rate = 0.0;
  };
  const Model& model = dynamics.model;
  const std::span<const Link> links = model.links();
  const TreeMotion<double> motion = dynamics.recursion(q, v, Numbers(v.size())).motion;
  const Numbers all_v = dynamics.joint_v(v);
  const std::size_t n = size(model.joint_nv());
  const MotionSizes sizes(links, motion, all_v, Numbers(n));
  std::vector<Size> columns(n);
  Numbers joint_scale(n * n);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const double u = sizes.u[i], w = sizes.w[i];
    for (std::size_t k = size(link.v); k < size(link.v + link.nv); ++k) {
      const double linear = norm(motion.S[k].linear), angular = norm(motion.S[k].angular);
      const Twist<> change = column_rate(link, motion.S + link.v, all_v.data() + link.v, static_cast<int>(k) - link.v);
      columns[k] = {linear, angular, w * linear + u * angular + norm(change.linear),
                    w * angular + norm(change.angular)};
    }
    const SpatialInertia<>& I = link.inertia;
    const double m = I.mass, h = norm(I.first_moment), J = I.inertia.xx + I.inertia.yy + I.inertia.zz;
    const double p = m * u + h * w, Q = h * u + J * w;
    std::vector<std::pair<std::size_t, Size>> inboard;
    double lever = 0.0;
    for (int at = static_cast<int>(i); at >= 0; at = links[size(at)].parent) {
      const Link& ancestor = links[size(at)];
      for (std::size_t k = size(ancestor.v); k < size(ancestor.v + ancestor.nv); ++k) {
        Size moved = columns[k];
        moved.linear += lever * moved.angular;
        moved.linear_rate += lever * moved.angular_rate;
        inboard.push_back({k, moved});
      }
      lever += norm(motion.X_PL[at].translation);
    }
    for (const auto& [k, S_k] : inboard)
      for (const auto& [j, S_j] : inboard)
        joint_scale[k * n + j] += S_k.linear * (m * S_j.linear_rate + h * S_j.angular_rate + p * S_j.angular) +
                                  S_k.angular * (J * S_j.angular_rate + h * S_j.linear_rate + Q * S_j.angular);
  }
  Numbers scale(size(model.nv()) * size(model.nv()));
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) {
      const CoordinateSource &row = model.v_sources()[k], &column = model.v_sources()[j];
      scale[size(row.source) * size(model.nv()) + size(column.source)] +=
          abs(row.ratio * column.ratio) * joint_scale[k * n + j];
    }
  }
  return scale;
}

/// A random mechanism in a random state, with its Coriolis matrix.
struct Case {
  Case(std::uint64_t seed, std::uint64_t run, const RandomModelOptions& options)
      : stream(seed, run),
        spec(random_spec(stream, options)),
        dynamics(spec),
        state(dynamics.model, stream),
        n(state.v.size()),
        links(static_cast<double>(dynamics.model.links().size())),
        C(coriolis(dynamics.model, state.q, state.v)),
        scale(coriolis_scale(dynamics, state.q, state.v)) {}

  RandomStream stream;
  ModelSpec spec;
  DynamicsOf dynamics;
  RandomState state;
  std::size_t n;
  double links;
  Numbers C, scale;
};

bool has_quaternion(const Model& model) {
  for (const Link& link : model.links())
    if (link.kind == JointKind::spherical || link.kind == JointKind::free) return true;
  return false;
}

}  // namespace

TEST_CASE("law: C v + g = h, the efforts of inverse dynamics at zero acceleration") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    Case c(201, run, variety(run));
    const Numbers g = c.dynamics.gravity(c.state.q), h = c.dynamics.bias(c.state.q, c.state.v);
    const Numbers scale = c.dynamics.scale(c.state.q, c.state.v, Numbers(c.n), {.passive = false});
    const double error =
        worst(sum(times(c.C, c.state.v), g), h, sum(scale, times(c.scale, sizes(c.state.v)))) / c.links;
    CHECK(error <= 1.6);  // the worst seen is 0.54
  }
}

TEST_CASE("law: dM/dt = C + C', so that dM/dt - 2 C is skew; M differentiated by duals") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    Case c(202, run, variety(run));
    const Numbers expected = mass_rate_by_duals(c.dynamics, c.state.q, c.state.v);
    const Numbers scale = sum(c.scale, transposed(c.scale));
    const double error = worst(sum(c.C, transposed(c.C)), expected, scale) / c.links;
    CHECK(error <= 2.0);  // the worst seen is 1.1
    Numbers rate(c.n * c.n);
    CoriolisMatrixWorkspace<> work(c.dynamics.model);
    mass_matrix_rate(c.dynamics.model, c.state.q, c.state.v, work, rate);
    CHECK(rate == sum(c.C, transposed(c.C)));
    // 2 C - dM/dt with the independent dM/dt: its symmetric part vanishes. N + N' is off by twice the error above.
    const Numbers N = sum(expected, c.C, -2.0);
    CHECK(worst(N, sum(Numbers(N.size()), transposed(N), -1.0), scale) <= 4.0 * c.links);
  }
}

TEST_CASE("law: v'(dM/dt - 2 C) v = 0 for every C with C v + g = h, skew or not") {
  int different = 0, not_skew = 0;
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    Case c(203, run, variety(run));
    const Numbers none(c.n), g = c.dynamics.gravity(c.state.q), h = c.dynamics.bias(c.state.q, c.state.v);
    // h - g is quadratic in v; its polar form is symmetric in the two velocities, also where their fields do not
    // commute.
    Numbers other(c.n * c.n), other_scale(c.n * c.n);
    for (std::size_t j = 0; j < c.n; ++j) {
      const Numbers e = unit(c.n, j), more = sum(c.state.v, e);
      const Numbers h_more = c.dynamics.bias(c.state.q, more), h_e = c.dynamics.bias(c.state.q, e);
      const Numbers scale = c.dynamics.scale(c.state.q, sum(sizes(c.state.v), e), none, {.passive = false});
      for (std::size_t i = 0; i < c.n; ++i) {
        other[i * c.n + j] = 0.5 * ((h_more[i] - h[i]) - (h_e[i] - g[i]));
        other_scale[i * c.n + j] = scale[i] + c.scale[i * c.n + j];
      }
    }
    const Numbers rate = mass_rate_by_duals(c.dynamics, c.state.q, c.state.v);
    const Numbers N = sum(rate, other, -2.0);
    const Numbers speeds = sizes(c.state.v);
    double power = 0.0, scale = 0.0;
    const Numbers efforts = times(N, c.state.v), effort_scale = times(other_scale, speeds);
    for (std::size_t i = 0; i < c.n; ++i) {
      power += c.state.v[i] * efforts[i];
      scale += speeds[i] * effort_scale[i];
    }
    const double error = abs(power) / (kEpsilon<double> * scale * c.links);
    CHECK(error <= 0.5);  // the worst seen is 0.15
    // Rates of coordinates commute: then C is this symmetric form and no other.
    if (!has_quaternion(c.dynamics.model)) {
      const double same = worst(c.C, other, other_scale) / c.links;
      CHECK(same <= 1.0);  // the worst seen is 0.28
    } else {
      different += worst(c.C, other, other_scale) > 1e6 ? 1 : 0;
      not_skew += worst(N, sum(Numbers(N.size()), transposed(N), -1.0), other_scale) > 1e6 ? 1 : 0;
    }
  }
  CHECK(different > 500);
  CHECK(not_skew > 500);
}

TEST_CASE("law: C is the connection of the kinetic energy by Koszul's formula, for every kind of joint") {
  // 2 g(nabla_X Y, Z) = X g(Y, Z) + Y g(X, Z) - Z g(X, Y) + g([X, Y], Z) - g([X, Z], Y) - g([Y, Z], X) with X = v,
  // Y = E_j, Z = E_k. The fields of a joint commute but for ball and free joints, whose brackets are those of se(3).
  bool seen[kJointKinds] = {true};
  for (std::uint64_t run = 0; run < 300; ++run) {
    CAPTURE(run);
    RandomModelOptions options = variety(run, 7);
    options.armature = false;
    Case c(204, run, options);
    const Model& model = c.dynamics.model;
    const std::size_t n = c.n;
    const Numbers M = c.dynamics.mass(c.state.q), &v = c.state.v;
    // bracket[(i * n + j) * n + l]: [E_i, E_j] = sum of bracket E_l.
    Numbers bracket(n * n * n);
    for (const IndependentJoint& joint : model.independent_joints()) {
      seen[static_cast<int>(joint.kind)] = true;
      const std::size_t first = size(joint.v), count = size(facts(joint.kind).nv);
      if (joint.kind != JointKind::spherical && joint.kind != JointKind::free) continue;
      const std::size_t skipped = 6 - count;  // a ball joint has the last three of the six unit motions
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
          std::array<double, 6> a{}, b{};
          a[skipped + i] = b[skipped + j] = 1.0;
          const std::array<double, 6> ab = to_array(cross(twist_from_array(a), twist_from_array(b)));
          for (std::size_t l = 0; l < count; ++l)
            bracket[((first + i) * n + first + j) * n + first + l] = ab[skipped + l];
        }
      }
    }
    std::vector<Numbers> along(n);  // E_i(M)
    for (std::size_t i = 0; i < n; ++i) along[i] = mass_rate_by_duals(c.dynamics, c.state.q, unit(n, i));
    // g([E_a, E_b], E_c)
    const auto g_bracket = [&](std::size_t a, std::size_t b, std::size_t third) {
      double result = 0.0;
      for (std::size_t l = 0; l < n; ++l) result += bracket[(a * n + b) * n + l] * M[l * n + third];
      return result;
    };
    Numbers expected(n * n), scale = sum(c.scale, transposed(c.scale));
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < n; ++i) {
          const double terms[6] = {along[i][j * n + k], along[j][i * n + k], -along[k][i * n + j],
                                   g_bracket(i, j, k),  -g_bracket(i, k, j), -g_bracket(j, k, i)};
          for (const double term : terms) {
            expected[k * n + j] += 0.5 * v[i] * term;
            scale[k * n + j] += abs(0.5 * v[i] * term);
          }
        }
      }
    }
    const double error = worst(c.C, expected, scale) / c.links;
    CHECK(error <= 1.8);  // the worst seen is 0.61
  }
  for (const bool kind : seen) CHECK(kind);
}

TEST_CASE("law: C = sum J'(I dJ/dt + B J) over the bodies, with the Jacobians of kinematics and their rates by duals") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    Case c(205, run, variety(run));
    const Model& model = c.dynamics.model;
    const SpecTree tree(c.spec, model);
    const Numbers all_q = c.dynamics.joint_q(c.state.q), all_v = c.dynamics.joint_v(c.state.v);
    std::vector<std::vector<BodyMotion>> motions;  // per dof, of every body
    for (std::size_t j = 0; j < c.n; ++j)
      motions.push_back(body_motions(tree, sideways(model, all_q, all_v, c.dynamics.joint_v(unit(c.n, j)))));
    KinematicsWorkspace work(model);
    kinematics(model, c.state.q, c.state.v, Numbers(c.n), work);
    Numbers C(c.n * c.n), J(6 * c.n), scale = c.scale;
    for (std::size_t b = 0; b < model.bodies().size(); ++b) {
      const Place place = body_place(model, static_cast<int>(b));
      jacobian(model, work, place, Axes::local, J);
      const Twist<> V = velocity_of(work, place, Axes::local);
      const SpatialInertia<>& I = model.bodies()[b].inertia;
      const std::vector<Column> columns = columns_of(J);
      for (const auto& [j, S] : columns) {
        const Twist<> S_rate = motions[j][b].acceleration();
        const Wrench<> terms[] = {I * S_rate, 0.5 * (I * cross(V, S)), 0.5 * cross_dual(V, I * S),
                                  0.5 * cross_dual(S, I * V)};
        for (const Wrench<>& F : terms) {
          for (const auto& [k, S_k] : columns) {
            C[k * c.n + j] += dot(S_k, F);
            scale[k * c.n + j] += norm(S_k.linear) * norm(F.force) + norm(S_k.angular) * norm(F.torque);
          }
        }
      }
    }
    const double error = worst(c.C, C, scale) / c.links;
    CHECK(error <= 8.0);  // the worst seen is 2.6
  }
}

TEST_CASE("law: C is linear in the inertias and in v, and knows nothing of rotors") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    Case c(206, run, variety(run));
    ModelSpec other = c.spec, both = c.spec, bare = c.spec;
    for (std::size_t b = 0; b < other.bodies.size(); ++b) {
      other.bodies[b].inertia = random_inertia(c.stream, 10.0);
      both.bodies[b].inertia = c.spec.bodies[b].inertia + other.bodies[b].inertia;
    }
    for (JointSpec& joint : bare.joints)
      for (JointPassive& passive : joint.passive) passive.armature = 0.0;
    const Numbers C_other = coriolis(compile(other).value(), c.state.q, c.state.v);
    DynamicsOf heavy(both);
    const double error = worst(coriolis(heavy.model, c.state.q, c.state.v), sum(c.C, C_other),
                               coriolis_scale(heavy, c.state.q, c.state.v)) /
                         c.links;
    CHECK(error <= 2.0);  // the worst seen is 0.60
    Numbers doubled = c.state.v;
    for (double& x : doubled) x *= 2.0;
    CHECK(coriolis(c.dynamics.model, c.state.q, doubled) == sum(c.C, c.C));  // a power of two: to the bit
    CHECK(coriolis(compile(bare).value(), c.state.q, c.state.v) == c.C);
  }
}

TEST_CASE("law: centripetal and Coriolis efforts add up to h - g; each has the velocities it claims") {
  for (std::uint64_t run = 0; run < 300; ++run) {
    CAPTURE(run);
    Case c(207, run, variety(run));
    const Model& model = c.dynamics.model;
    VelocityEffortsWorkspace work(model);
    Numbers centripetal(c.n), coriolis_part(c.n), changed(c.n), changed_part(c.n), single(c.n), rest(c.n);
    velocity_efforts(model, c.state.q, c.state.v, work, centripetal, coriolis_part);
    const Numbers g = c.dynamics.gravity(c.state.q), h = c.dynamics.bias(c.state.q, c.state.v);
    Numbers scale = c.dynamics.scale(c.state.q, c.state.v, Numbers(c.n), {.passive = false});
    const double error = worst(sum(sum(centripetal, coriolis_part), g), h, scale) / c.links;
    CHECK(error <= 1.5);  // the worst seen is 0.48
    // One velocity backwards: squares do not notice.
    const std::size_t j = run % c.n;
    Numbers v = c.state.v;
    v[j] = -v[j];
    velocity_efforts(model, c.state.q, v, work, changed, changed_part);
    CHECK(changed == centripetal);
    // Column j of the matrix at the velocity v_j alone, times v_j.
    for (std::size_t k = 0; k < c.n; ++k) {
      const Numbers alone = sum(Numbers(c.n), unit(c.n, k), c.state.v[k]);
      single = sum(single, times(coriolis(model, c.state.q, alone), alone));
    }
    const double square = worst(single, centripetal, scale) / c.links;
    CHECK(square <= 0.2);  // the worst seen is 0.041
    // One velocity alone has no products.
    const Numbers alone = sum(Numbers(c.n), unit(c.n, j), c.state.v[j]);
    velocity_efforts(model, c.state.q, alone, work, changed, changed_part);
    CHECK(changed_part == rest);
  }
}
