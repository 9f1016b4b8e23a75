// Laws of the centre of mass and of the momentum of a whole mechanism, over random trees of every joint, with
// couplings, welds and bodies welded to the world. Errors are in units of eps times the number of links times the sum
// of the sizes of all terms.
#include <doctest/doctest.h>

#include "pintle/dynamics/center_of_mass.h"
#include "pintle/dynamics/centroidal_momentum.h"
#include "pintle/dynamics/energy.h"
#include "properties/body_motion.h"
#include "properties/five_points.h"
#include "properties/motion_sizes.h"
#include "support/pillar.h"

using namespace test;

namespace {

/// A mechanism with, now and then, a body that is welded to the world.
ModelSpec spec_with_pillar(RandomStream& stream, std::uint64_t run, const RandomModelOptions& options) {
  ModelSpec spec = random_spec(stream, options);
  if (run % 3 == 0) add_pillar(spec, stream);
  return spec;
}

/// A mechanism whose one root is free and has no rotors or springs: nothing but tau's first six numbers holds it.
ModelSpec floating_spec(RandomStream& stream, const RandomModelOptions& options) {
  ModelSpec spec = random_spec(stream, options);
  spec.couplings.clear();
  for (std::size_t j = 0; j < spec.joints.size(); ++j) {
    if (j == 0) {
      spec.joints[0].kind = JointKind::free;
      spec.joints[0].passive.clear();
    } else if (spec.joints[j].parent == kWorld) {
      spec.joints[j].parent = "body0";
    }
  }
  return spec;
}

/// A state of a mechanism, with its kinematics.
struct Moving {
  Moving(const ModelSpec& spec_, RandomStream& stream)
      : spec(spec_), dynamics(spec), model(dynamics.model), state(model, stream), work(model), scratch(model) {
    go(state.v, state.vdot);
  }
  void go(const Numbers& v, const Numbers& vdot) { kinematics(model, state.q, v, vdot, work); }

  Numbers jacobian_of_center() {
    Numbers J(3 * state.v.size());
    center_of_mass_jacobian(model, work, scratch, J);
    return J;
  }
  Numbers matrix() {
    Numbers A_G(6 * state.v.size());
    centroidal_momentum_matrix(model, work, scratch, A_G);
    return A_G;
  }
  double links() const { return static_cast<double>(model.links().size()); }

  ModelSpec spec;
  DynamicsOf dynamics;
  const Model& model;
  RandomState state;
  KinematicsWorkspace work;
  CentroidalWorkspace scratch;
};

template <class Six>
Numbers numbers(const Six& six) {
  const auto a = to_array(six);
  return Numbers(a.begin(), a.end());
}

/// Sizes of the terms of the sums over links: momentum and its rate, each linear and angular about the centre of mass.
struct Sizes {
  explicit Sizes(Moving& m, bool gravity = false) {
    const TreeMotion<double> motion = m.work.motion.view();
    const std::span<const Link> links = m.model.links();
    const CentroidalMomentum whole = centroidal_momentum(m.model, m.work, m.scratch);
    mass = whole.mass;
    const MotionSizes sizes(links, motion, m.dynamics.joint_v(m.state.v), m.dynamics.joint_v(m.state.vdot),
                            gravity ? norm(m.model.gravity()) : 0.0);
    for (std::size_t i = 0; i < links.size(); ++i) {
      const double u = sizes.u[i], w = sizes.w[i], a = sizes.a[i], alpha = sizes.alpha[i];
      const SpatialInertia<>& I = links[i].inertia;
      const double mass_i = I.mass, h = norm(I.first_moment), J = trace(I.inertia);
      const double lever = norm(m.work.X_WL[i].translation - whole.center);
      const double p = mass_i * u + h * w, L = J * w + h * u;
      const double f = mass_i * a + h * alpha + w * p, n = J * alpha + h * a + w * L + u * p;
      linear += p;
      angular += L + lever * p;
      force += f;
      torque += n + lever * f;
    }
  }
  Numbers momentum() const { return {linear, linear, linear, angular, angular, angular}; }
  Numbers rate() const { return {force, force, force, torque, torque, torque}; }

  double mass = 0.0, linear = 0.0, angular = 0.0, force = 0.0, torque = 0.0;
};

/// Centre of mass and momentum about it along the path of dq/dt = v, dv/dt = vdot, from the poses of the bodies alone.
struct ByDuals {
  ByDuals(Moving& m, const Numbers& v, const Numbers& vdot) {
    const Model& model = m.model;
    const SpecTree tree(m.spec, model);
    const std::vector<Jet> q =
        path(model, m.dynamics.joint_q(m.state.q), m.dynamics.joint_v(v), m.dynamics.joint_v(vdot));
    const std::vector<Pose<Jet>> X_WB = tree.poses(q);
    const std::vector<BodyMotion> motions = body_motions(tree, q);
    Vec3<Jet> moment = as<Jet>(Vec3<>{0, 0, 0});
    double mass = 0.0;
    for (std::size_t b = 0; b < X_WB.size(); ++b) {
      if (model.bodies()[b].link < 0) continue;
      const SpatialInertia<>& I = model.bodies()[b].inertia;
      mass += I.mass;
      moment += Jet(I.mass) * X_WB[b].translation + X_WB[b].rotation * as<Jet>(I.first_moment);
    }
    const Vec3<Jet> c = moment / Jet(mass);
    for (const Jet& x : {c.x, c.y, c.z}) {
      position.push_back(x.value.value);
      velocity.push_back(x.value.derivative[0]);
      acceleration.push_back(x.derivative[0].derivative[0]);
    }
    const Vec3<Rate> center{c.x.value, c.y.value, c.z.value};
    Wrench<Rate> M = zero_wrench<Rate>();
    for (std::size_t b = 0; b < X_WB.size(); ++b) {
      if (model.bodies()[b].link < 0) continue;
      const Pose<Rate> X_GB{motions[b].X_WB.rotation, motions[b].X_WB.translation - center};
      M += X_GB * (as<Rate>(model.bodies()[b].inertia) * motions[b].V);
    }
    for (const Rate& x : to_array(M)) {
      momentum.push_back(x.value);
      rate.push_back(x.derivative[0]);
    }
  }

  Numbers position, velocity, acceleration, momentum, rate;
};

}  // namespace

TEST_CASE(
    "law: centre of mass and momentum, with their rates, are those of the bodies' poses differentiated by duals") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(301, run);
    Moving m(spec_with_pillar(stream, run, variety(run)), stream);
    const ByDuals expected(m, m.state.v, m.state.vdot), bias(m, m.state.v, Numbers(m.state.v.size()));
    const CenterOfMass c = center_of_mass(m.model, m.work, m.scratch);
    const CentroidalMomentum whole = centroidal_momentum(m.model, m.work, m.scratch);
    const Sizes sizes(m);
    const double links = m.links();
    const auto uniform = [](double s) { return Numbers(3, s); };
    const double p_error = worst(numbers(c.position), expected.position, uniform(1.0 + links));
    const double c_error = worst(numbers(c.velocity), expected.velocity, uniform(sizes.linear / sizes.mass)) / links;
    const double a_error =
        max(worst(numbers(c.acceleration), expected.acceleration, uniform(sizes.force / sizes.mass)),
            worst(numbers(c.bias_acceleration), bias.acceleration, uniform(sizes.force / sizes.mass))) /
        links;
    const double m_error = worst(numbers(whole.momentum), expected.momentum, sizes.momentum()) / links;
    const double r_error = max(worst(numbers(whole.rate), expected.rate, sizes.rate()),
                               worst(numbers(whole.bias), bias.rate, sizes.rate())) /
                           links;
    // The duals go by way of world positions: what is wrong with those is part of what is seen.
    CHECK(p_error <= 6.0);   // the worst seen is 2.0
    CHECK(c_error <= 11.0);  // 3.6
    CHECK(a_error <= 7.0);   // 2.3
    CHECK(m_error <= 18.0);  // 6.1
    CHECK(r_error <= 14.0);  // 4.5
    CHECK(c.mass == moving_mass(m.model));
    CHECK(c.mass == whole.mass);
    CHECK(numbers(c.position) == numbers(whole.center));
  }
}

TEST_CASE("law: the Jacobian's columns are the velocities of unit motions, and sum m_i J_i / m; A_G likewise") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(302, run);
    Moving m(spec_with_pillar(stream, run, variety(run)), stream);
    const Model& model = m.model;
    const std::size_t n = m.state.v.size();
    const Numbers J = m.jacobian_of_center(), A_G = m.matrix();
    const double mass = moving_mass(model);
    // No lever of the mechanism is longer.
    double reach = 1.0;
    for (const Link& link : model.links())
      reach += norm(m.work.motion.view().X_PL[&link - model.links().data()].translation);
    Numbers also(3 * n), body_J(6 * n);
    for (std::size_t b = 0; b < model.bodies().size(); ++b) {
      const ModelBody& body = model.bodies()[b];
      if (body.link < 0) continue;
      jacobian(model, m.work, point_place(model, static_cast<int>(b), center_of_mass(body.inertia)),
               Axes::local_world_aligned, body_J);
      for (std::size_t k = 0; k < 3 * n; ++k) also[k] += body.inertia.mass / mass * body_J[k];
    }
    const double j_error = worst(J, also, Numbers(3 * n, 2.0 * reach));
    CHECK(j_error <= 6.0);  // the worst seen is 2.0
    for (std::size_t j = 0; j < n; ++j) {
      const ByDuals along(m, unit(n, j), Numbers(n));
      Numbers column(3), momentum(6);
      for (std::size_t i = 0; i < 3; ++i) column[i] = J[i * n + j];
      for (std::size_t i = 0; i < 6; ++i) momentum[i] = A_G[i * n + j];
      const double d_error = worst(column, along.velocity, Numbers(3, 2.0 * reach));
      const double a_error = worst(momentum, along.momentum,
                                   Numbers{mass * reach, mass * reach, mass * reach, mass * reach * reach,
                                           mass * reach * reach, mass * reach * reach});
      CHECK(d_error <= 9.0);   // the worst seen is 2.9
      CHECK(a_error <= 15.0);  // the worst seen is 4.9
    }
    Numbers scaled(J), linear(A_G.begin(), A_G.begin() + static_cast<std::ptrdiff_t>(3 * n));
    for (double& x : scaled) x *= mass;
    const double l_error = worst(linear, scaled, Numbers(3 * n, 2.0 * mass * reach));
    CHECK(l_error <= 0.4);  // the worst seen is 0.13
  }
}

TEST_CASE("law: momentum = A_G v, and its rate = A_G vdot + dA_G/dt v") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(303, run);
    Moving m(spec_with_pillar(stream, run, variety(run)), stream);
    const Numbers A_G = m.matrix(), J = m.jacobian_of_center();
    const CentroidalMomentum whole = centroidal_momentum(m.model, m.work, m.scratch);
    const CenterOfMass c = center_of_mass(m.model, m.work, m.scratch);
    const Sizes sizes(m);
    Numbers rate = times(A_G, m.state.vdot), acceleration = times(J, m.state.vdot);
    for (std::size_t i = 0; i < 6; ++i) rate[i] += numbers(whole.bias)[i];
    for (std::size_t i = 0; i < 3; ++i) acceleration[i] += numbers(c.bias_acceleration)[i];
    const double m_error = worst(times(A_G, m.state.v), numbers(whole.momentum), sizes.momentum()) / m.links();
    const double r_error = worst(rate, numbers(whole.rate), sizes.rate()) / m.links();
    const double v_error = max(worst(times(J, m.state.v), numbers(c.velocity), Numbers(3, sizes.linear / sizes.mass)),
                               worst(acceleration, numbers(c.acceleration), Numbers(3, sizes.force / sizes.mass))) /
                           m.links();
    CHECK(m_error <= 4.0);  // the worst seen is 1.3
    CHECK(r_error <= 3.0);  // 0.9
    CHECK(v_error <= 4.2);  // 1.4
    const Vec3<> point{stream.uniform(-2, 2), stream.uniform(-2, 2), stream.uniform(-2, 2)};
    Wrench<> about = zero_wrench();
    for (std::size_t i = 0; i < m.model.links().size(); ++i) {
      const Pose<> X{m.work.X_WL[i].rotation, m.work.X_WL[i].translation - point};
      about += X * (m.model.links()[i].inertia * m.work.motion.view().V[i]);
    }
    Numbers scale = sizes.momentum();
    for (std::size_t i = 3; i < 6; ++i) scale[i] += norm(whole.center - point) * sizes.linear;
    const double p_error = worst(numbers(momentum_about(whole, point)), numbers(about), scale) / m.links();
    CHECK(p_error <= 2.2);  // 0.75
  }
}

TEST_CASE("law: dA_G/dt v and dJ/dt v are those of the matrices a little later") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(304, run);
    Moving m(spec_with_pillar(stream, run, variety(run)), stream);
    const Numbers q = m.state.q, v = m.state.v;
    const Sizes sizes(m);
    const CentroidalMomentum whole = centroidal_momentum(m.model, m.work, m.scratch);
    const CenterOfMass c = center_of_mass(m.model, m.work, m.scratch);
    const double step = short_step(m.dynamics.joint_v(v));
    const auto later = [&](double t) {
      Numbers along = v;
      for (double& x : along) x *= t;
      integrate(m.model, q, along, m.state.q);
      m.go(v, v);
      Numbers both = times(m.matrix(), v), velocity = times(m.jacobian_of_center(), v);
      both.insert(both.end(), velocity.begin(), velocity.end());
      return both;
    };
    Numbers expected = numbers(whole.bias), scale = sizes.rate();
    for (std::size_t i = 0; i < 6; ++i) scale[i] += sizes.momentum()[i];  // what is differentiated, per second
    for (const double x : numbers(c.bias_acceleration)) {
      expected.push_back(x);
      scale.push_back((sizes.force + sizes.linear) / sizes.mass);
    }
    const double error = kEpsilon<double> * worst(rate_of(later, step), expected, scale);
    CHECK(error <= 5e-12);  // the worst seen is 1.5e-12
  }
}

TEST_CASE("law: the momentum of a floating mechanism changes by the wrenches from outside and the weight alone") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(305, run);
    Moving m(floating_spec(stream, variety(run)), stream);
    // The efforts of a free joint are a wrench on its link, in the link's frame; all others are internal.
    const Numbers& tau = m.state.tau;
    const Wrench<> F_L{{tau[0], tau[1], tau[2]}, {tau[3], tau[4], tau[5]}};
    m.state.vdot = m.dynamics.forward(m.state.q, m.state.v, tau);
    m.go(m.state.v, m.state.vdot);
    const CentroidalMomentum whole = centroidal_momentum(m.model, m.work, m.scratch);
    const Pose<> X_GL{m.work.X_WL[0].rotation, m.work.X_WL[0].translation - whole.center};
    Wrench<> outside = X_GL * F_L;
    outside.force += whole.mass * m.model.gravity();
    const double error = worst(numbers(whole.rate), numbers(outside), Sizes(m, true).rate()) * kEpsilon<double>;
    CHECK(error <= 3e-15);  // the worst seen is 8.7e-16
  }
}

TEST_CASE("law: the momentum of any mechanism changes by the wrenches of the root joints and the weight") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(306, run);
    Moving m(spec_with_pillar(stream, run, variety(run)), stream);
    const Wrench<>* const F = m.dynamics.recursion(m.state.q, m.state.v, m.state.vdot).F;
    const CentroidalMomentum whole = centroidal_momentum(m.model, m.work, m.scratch);
    Wrench<> outside = zero_wrench();
    for (std::size_t i = 0; i < m.model.links().size(); ++i) {
      if (m.model.links()[i].parent >= 0) continue;
      const Pose<> X_GL{m.work.X_WL[i].rotation, m.work.X_WL[i].translation - whole.center};
      outside += X_GL * F[i];
    }
    outside.force += whole.mass * m.model.gravity();
    const double error = worst(numbers(whole.rate), numbers(outside), Sizes(m, true).rate()) * kEpsilon<double>;
    CHECK(error <= 3e-15);  // the worst seen is 9.8e-16
  }
}

TEST_CASE("law: kinetic energy is at least that of the locked mechanism with the same momentum; equal when rigid") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(307, run);
    RandomModelOptions options = variety(run);
    options.armature = false;
    Moving m(floating_spec(stream, options), stream);
    const auto locked_energy = [&m] {
      const CentroidalMomentum whole = centroidal_momentum(m.model, m.work, m.scratch);
      const Momentum<>& M = whole.momentum;
      return 0.5 * (dot(M.linear, M.linear) / whole.mass + dot(M.angular, solve(whole.inertia, M.angular)));
    };
    const double slack = 1e-12 * kinetic_energy(m.model, m.work);
    CHECK(kinetic_energy(m.model, m.work) >= locked_energy() - slack);
    Numbers rigid(m.state.v.size());
    for (std::size_t i = 0; i < 6; ++i) rigid[i] = m.state.v[i];
    m.go(rigid, rigid);
    const double energy = kinetic_energy(m.model, m.work);
    const double error = abs(energy - locked_energy()) / energy;
    CHECK(error <= 1.7e-14);  // the worst seen is 5.7e-15
  }
}

TEST_CASE("law: 100 km from the origin all but the position is as good as at it") {
  int several = 0;
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomModelOptions options = variety(run), far_options = variety(run);
    far_options.root_offset = {1e5, -1e5, 1e5};
    RandomStream stream(308, run), far_stream(308, run);
    Moving here(random_spec(stream, options), stream), far(random_spec(far_stream, far_options), far_stream);
    REQUIRE(here.state.q == far.state.q);
    int roots = 0;
    for (const Link& link : here.model.links()) roots += link.parent < 0 ? 1 : 0;
    several += roots > 1 ? 1 : 0;
    const CentroidalMomentum near_whole = centroidal_momentum(here.model, here.work, here.scratch);
    const CentroidalMomentum far_whole = centroidal_momentum(far.model, far.work, far.scratch);
    CHECK(numbers(center_of_mass(here.model, here.work, here.scratch).velocity) ==
          numbers(center_of_mass(far.model, far.work, far.scratch).velocity));
    CHECK(here.jacobian_of_center() == far.jacobian_of_center());
    if (roots == 1) {  // to the bit
      CHECK(here.matrix() == far.matrix());
      CHECK(numbers(near_whole.momentum) == numbers(far_whole.momentum));
      CHECK(numbers(near_whole.rate) == numbers(far_whole.rate));
      CHECK(numbers(near_whole.inertia) == numbers(far_whole.inertia));
    } else {  // where the roots stand is data with the rounding of 100 km: 1.5e-11 m
      const Sizes sizes(here);
      const double error =
          worst(numbers(near_whole.momentum), numbers(far_whole.momentum), sizes.momentum()) * kEpsilon<double>;
      CHECK(error <= 3e-11);  // the worst seen is 6.1e-12
    }
  }
  CHECK(several > 200);
}
