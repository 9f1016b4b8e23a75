#include "configuration_models.h"
#include "pintle/model/links/joint_chart_impl.h"

using namespace test;

namespace {

std::vector<double> integrated(const Model& model, const std::vector<double>& q, const std::vector<double>& v) {
  std::vector<double> result(q.size());
  integrate(model, q, v, result);
  return result;
}

std::vector<double> differing(const Model& model, const std::vector<double>& q0, const std::vector<double>& q1) {
  std::vector<double> v(size(model.nv()));
  difference(model, q0, q1, v);
  return v;
}

std::vector<double> negative(std::vector<double> v) {
  for (double& x : v) x = -x;
  return v;
}

/// The other sign of every quaternion: the same configuration.
std::vector<double> flipped(const Model& model, std::vector<double> q) {
  for (const IndependentJoint& joint : model.independent_joints()) {
    const int place = quaternion_place(joint.kind);
    if (place < 0) continue;
    for (int i = 0; i < 4; ++i) q[size(joint.q + place + i)] *= -1.0;
  }
  return q;
}

/// Largest difference of two configurations, the signs of quaternions left aside.
double apart(const Model& model, std::vector<double> a, const std::vector<double>& b) {
  for (const IndependentJoint& joint : model.independent_joints()) {
    const int place = quaternion_place(joint.kind);
    if (place < 0) continue;
    double* const r = a.data() + joint.q + place;
    const double sign = copysign(1.0, dot(load_quaternion(r), load_quaternion(b.data() + joint.q + place)));
    for (int i = 0; i < 4; ++i) r[i] *= sign;
  }
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = max(most, abs(a[i] - b[i]));
  return most;
}

}  // namespace

// Tolerances: angles and positions are of size pi and 1, quaternions of unit length, so the scale is 1 throughout. Each
// number takes a few roundings of the exponential, the product and the norm, a free joint's position some more of its
// Jacobian: the bounds are about three times the worst seen.

TEST_CASE("integrate: difference gives back the velocity, integrate the configuration") {
  for_random_models([](const Model& model, const RandomState& state, RandomStream& stream) {
    const std::vector<double> q1 = integrated(model, state.q, state.v);
    CHECK(apart(differing(model, state.q, q1), state.v) <= 12 * kEps);
    const RandomState other(model, stream);
    const std::vector<double> there = integrated(model, state.q, differing(model, state.q, other.q));
    CHECK(apart(model, there, other.q) <= 20 * kEps);
  });
}

TEST_CASE("integrate: along zero stays, along v and back returns, and the result may overwrite q") {
  for_random_models([](const Model& model, const RandomState& state, RandomStream&) {
    const std::vector<double> zero(state.v.size(), 0.0);
    CHECK(apart(integrated(model, state.q, zero), state.q) <= 2 * kEps);
    const std::vector<double> q1 = integrated(model, state.q, state.v);
    CHECK(apart(model, integrated(model, q1, negative(state.v)), state.q) <= 15 * kEps);
    std::vector<double> in_place = state.q;
    integrate(model, in_place, state.v, in_place);
    CHECK(in_place == q1);
  });
}

TEST_CASE("difference: of a configuration and itself is zero, of a quaternion and its negative too") {
  for_random_models([](const Model& model, const RandomState& state, RandomStream& stream) {
    const std::vector<double> zero(state.v.size(), 0.0);
    CHECK(apart(differing(model, state.q, state.q), zero) <= 1 * kEps);
    CHECK(apart(differing(model, state.q, flipped(model, state.q)), zero) <= 1 * kEps);
    const RandomState other(model, stream);
    const std::vector<double> v = differing(model, state.q, other.q);
    CHECK(differing(model, state.q, flipped(model, other.q)) == v);
    CHECK(differing(model, flipped(model, state.q), other.q) == v);
  });
}

TEST_CASE("difference: takes the shorter way, at most half a turn") {
  RandomStream stream(63);
  const Model model = one_joint(JointKind::spherical, stream);
  for (int i = 0; i < 100; ++i) {
    const Vec3<> axis = uniform_direction(stream);
    const double angle = stream.uniform(kPi<double> + 0.1, 2.0 * kPi<double>);
    std::vector<double> q(4), v{angle * axis.x, angle * axis.y, angle * axis.z};
    random_configuration(model, stream, q);
    const std::vector<double> d = differing(model, q, integrated(model, q, v));
    const Vec3<> shorter = (angle - 2.0 * kPi<double>)*axis;
    check_close<double>(Vec3<>{d[0], d[1], d[2]}, shorter, 18);
  }
}

TEST_CASE("integrate: quaternions stay of unit length over many steps") {
  RandomStream stream(64);
  for (const JointKind kind : {JointKind::spherical, JointKind::free}) {
    const Model model = one_joint(kind, stream);
    RandomState state(model, stream);
    for (int step = 0; step < 10000; ++step) {
      integrate(model, state.q, state.v, state.q);
      CHECK(worst_length_error(model, state.q) <= 3 * kEps);
    }
  }
}

// With a constant v of the joint: dX/dt = X (sum S v) at every time along the way, not only at its start.
TEST_CASE("integrate: moves as the columns of joint_motion say, all along the way") {
  using D = Dual<double, 1>;
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    if (fact.kind == JointKind::fixed) continue;
    for (std::uint64_t run = 0; run < 50; ++run) {
      RandomStream stream(65, run);
      const Model model = one_joint(fact.kind, stream);
      const RandomState state(model, stream);
      const Link& link = model.links()[0];
      const D t = D::variable(run == 0 ? 0.0 : stream.uniform(-1.0, 1.0), 0);
      D q[7], v_t[kMaxDofs], q_t[7];
      for (int i = 0; i < fact.nq; ++i) q[i] = D(state.q[size(i)]);
      for (int i = 0; i < fact.nv; ++i) v_t[i] = t * D(state.v[size(i)]);
      integrate_joint(fact.kind, q, v_t, q_t);
      Twist<D> S[kMaxDofs];
      const Pose<D> X = joint_motion(link, q_t, S);
      Twist<D> V = zero_twist<D>();
      for (int k = 0; k < fact.nv; ++k) V += S[k] * D(state.v[size(k)]);
      const Mat3<D> R_dot = X.rotation * skew(V.angular);
      const Vec3<D> p_dot = X.rotation * V.linear;
      for (std::size_t i = 0; i < 9; ++i)
        check_close<double>(to_array(X.rotation)[i].derivative[0], to_array(R_dot)[i].value, 8);
      for (std::size_t i = 0; i < 3; ++i)
        check_close<double>(to_array(X.translation)[i].derivative[0], to_array(p_dot)[i].value, 12);
    }
  }
}

TEST_CASE("integrate: a joint with constant columns moves along the screw of its velocity") {
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::screw, JointKind::cylindrical,
                               JointKind::spherical, JointKind::translational, JointKind::free}) {
    CAPTURE(facts(kind).name);
    for (std::uint64_t run = 0; run < 50; ++run) {
      RandomStream stream(66, run);
      const Model model = one_joint(kind, stream);
      const RandomState state(model, stream);
      const Link& link = model.links()[0];
      Twist<> S[kMaxDofs];
      const Pose<> X0 = joint_motion(link, state.q.data(), S);
      Twist<> V = zero_twist<double>();
      for (int k = 0; k < model.nv(); ++k) V += S[k] * state.v[size(k)];
      const std::vector<double> q1 = integrated(model, state.q, state.v);
      check_close<double>(joint_motion(link, q1.data(), S), X0 * exp(V), 10);
    }
  }
}

TEST_CASE("difference: its change with the second configuration, for every kind of joint") {
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    if (fact.kind == JointKind::fixed) continue;
    RandomStream stream(74);
    const Model model = one_joint(fact.kind, stream);
    for (int run = 0; run < 20; ++run) {
      std::vector<double> q0(size(model.nq())), q(q0.size());
      random_configuration(model, stream, q0);
      random_configuration(model, stream, q);
      const std::vector<double> d = differing(model, q0, q);
      Matrix6<double> J;
      difference_jacobian_joint(fact.kind, d.data(), J);
      // Symmetric differences with h = 1e-5: h^2 of the third derivative, which is large towards half a turn's double.
      const double h = 1e-5;
      for (std::size_t j = 0; j < d.size(); ++j) {
        std::vector<double> v(d.size());
        v[j] = h;
        const std::vector<double> after = differing(model, q0, integrated(model, q, v));
        const std::vector<double> before = differing(model, q0, integrated(model, q, negative(v)));
        std::vector<double> rate(d.size());
        difference_rate_joint(fact.kind, d.data(), v.data(), rate.data());
        for (std::size_t i = 0; i < d.size(); ++i) {
          CHECK(abs((after[i] - before[i]) / (2 * h) - J.m[i][j]) < 1e-8);
          CHECK(abs(rate[i] / h - J.m[i][j]) < 1e-12);  // J is up to 10 here
        }
      }
    }
  }
}

TEST_CASE("integrate apart: position and orientation on their own, and efforts that do the same work") {
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    if (fact.kind == JointKind::fixed) continue;
    RandomStream stream(75);
    const Model model = one_joint(fact.kind, stream);
    for (int run = 0; run < 20; ++run) {
      const RandomState state(model, stream);
      std::vector<double> apart_v = state.v, apart_tau = state.tau, there(state.q.size());
      efforts_of_joint_apart(fact.kind, state.q.data(), apart_tau.data());
      efforts_of_joint_apart(fact.kind, state.q.data(), apart_v.data());  // the same turn of the linear part
      double work = 0.0, apart_work = 0.0;
      for (std::size_t i = 0; i < apart_v.size(); ++i) {
        work += state.v[i] * state.tau[i];
        apart_work += apart_v[i] * apart_tau[i];
      }
      CHECK(abs(work - apart_work) < 1e-14);
      // The same tangent: after h = 1e-6 the two ways differ by h^2.
      const double h = 1e-6;
      std::vector<double> v = state.v;
      for (std::size_t i = 0; i < v.size(); ++i) {
        v[i] *= h;
        apart_v[i] *= h;
      }
      integrate_joint_apart(fact.kind, state.q.data(), apart_v.data(), there.data());
      CHECK(apart(there, integrated(model, state.q, v)) < 3e-12);
    }
  }
}

TEST_CASE("joint chart: coordinates and velocities come back, rates and the Jacobian are their derivatives") {
  // Differences over h = 1e-6 of what is up to 10: h of the second derivative, or h^2 where they are central.
  const double h = 1e-6;
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    if (fact.kind == JointKind::fixed) continue;
    RandomStream stream(76);
    const Model model = one_joint(fact.kind, stream);
    const std::size_t nq = size(model.nq()), nv = size(model.nv());
    for (int run = 0; run < 20; ++run) {
      const RandomState state(model, stream), start(model, stream);
      const Vec3<> c{stream.uniform(-1.0, 1.0), stream.uniform(-1.0, 1.0), stream.uniform(-1.0, 1.0)};
      std::vector<double> xi(nv), q(nq), u(nv), v(nv), rate(nv), u_rate(nv);
      chart_coordinates_joint(fact.kind, c, start.q.data(), state.q.data(), xi.data());
      chart_point_joint(fact.kind, c, start.q.data(), xi.data(), q.data());
      CHECK(apart(model, q, state.q) < 1e-14);
      const Quaternion<> r = chart_rotation_joint(fact.kind, xi.data());
      chart_velocity_joint(fact.kind, c, r, state.v.data(), u.data());
      velocity_of_chart_joint(fact.kind, c, r, u.data(), v.data());
      CHECK(apart(v, state.v) < 1e-14);
      chart_rate_joint(fact.kind, xi.data(), u.data(), rate.data());
      chart_acceleration_joint(fact.kind, c, r, state.v.data(), state.tau.data(), u_rate.data());
      // dxi/dt along v, and du/dt along v and vdot = tau.
      std::vector<double> xi_at[2] = {xi, xi}, u_at[2] = {u, u};
      for (const int side : {0, 1}) {
        std::vector<double> way = state.v, v_there = state.v;
        for (std::size_t i = 0; i < nv; ++i) {
          const double step = side == 0 ? -h : h;
          way[i] = step * state.v[i];
          v_there[i] += step * state.tau[i];
        }
        const std::vector<double> there = integrated(model, state.q, way);
        chart_coordinates_joint(fact.kind, c, start.q.data(), there.data(), xi_at[side].data());
        chart_velocity_joint(fact.kind, c, chart_rotation_joint(fact.kind, xi_at[side].data()), v_there.data(),
                             u_at[side].data());
      }
      const Matrix6<double> J = chart_jacobian_joint(fact.kind, c, xi.data());
      const Matrix6<double> J_inverse = chart_jacobian_inverse_joint(fact.kind, c, xi.data());
      for (std::size_t i = 0; i < nv; ++i) {
        CHECK(abs((xi_at[1][i] - xi_at[0][i]) / (2 * h) - rate[i]) < 1e-7);
        CHECK(abs((u_at[1][i] - u_at[0][i]) / (2 * h) - u_rate[i]) < 1e-7);
        double by_J = 0.0, back = 0.0;
        for (std::size_t j = 0; j < nv; ++j) {
          by_J += J.m[i][j] * state.v[j];
          back += J_inverse.m[i][j] * rate[j];
        }
        CHECK(abs(by_J - rate[i]) < 1e-12);  // J is up to 10
        CHECK(abs(back - state.v[i]) < 1e-12);
      }
    }
  }
}

TEST_CASE("configuration_rate_joint: is the rate of integrate, for every kind; a quaternion of any length keeps it") {
  // Central differences over 2e-5: their error is d^2/6 times the third derivative (|v|^3 ~ 5) plus eps/d of rounding.
  const double d = 1e-5;
  double worst = 0.0;
  for (const JointFacts& kind : kJointFacts) {
    CAPTURE(kind.name);
    for (std::uint64_t run = 0; run < 20; ++run) {
      RandomStream stream(67, run);
      const Model model = one_joint(kind.kind, stream);
      const RandomState state(model, stream);
      const std::size_t nq = state.q.size(), nv = state.v.size();
      std::vector<double> rate(nq), ahead(nv), back(nv);
      configuration_rate_joint(kind.kind, state.q.data(), state.v.data(), rate.data());
      for (std::size_t i = 0; i < nv; ++i) {
        ahead[i] = d * state.v[i];
        back[i] = -ahead[i];
      }
      const std::vector<double> q1 = integrated(model, state.q, ahead), q0 = integrated(model, state.q, back);
      for (std::size_t i = 0; i < nq; ++i) worst = max(worst, abs((q1[i] - q0[i]) / (2.0 * d) - rate[i]));
      const int place = quaternion_place(kind.kind);
      if (place < 0) continue;
      std::vector<double> longer = state.q, rate_of_longer(nq);
      for (std::size_t i = size(place); i < nq; ++i) longer[i] *= 1.5;
      configuration_rate_joint(kind.kind, longer.data(), state.v.data(), rate_of_longer.data());
      // d|q|^2/dt = 2 q.dq/dt = 0: a few roundings of numbers of size 2.
      const double growth = dot(load_quaternion(longer.data() + place), load_quaternion(rate_of_longer.data() + place));
      CHECK(abs(growth) <= 8 * kEps);
    }
  }
  CHECK(worst <= 3e-10);
}
