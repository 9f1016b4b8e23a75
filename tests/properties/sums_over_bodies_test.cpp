// Laws of the equations of motion as sums over the bodies: M = sum J'IJ, g = -sum J'I a_g, and the balance of forces of
// every link; over random trees of every joint, with couplings, welds and mass ratios of 1e6.
#include <doctest/doctest.h>

#include "pintle/dynamics/kinematics.h"
#include "properties/dynamics_of.h"
#include "properties/jacobian_columns.h"

using namespace test;

namespace {

/// M and g as sums over the bodies, with the sums of the sizes of their terms.
struct BodySums {
  BodySums(const Model& model, const Numbers& q) : n(size(model.nv())), M(n * n), M_scale(n * n), g(n), g_scale(n) {
    KinematicsWorkspace work(model);
    const Numbers none(n);
    kinematics(model, q, none, none, work);
    Numbers J(6 * n);
    for (std::size_t b = 0; b < model.bodies().size(); ++b) {
      const Place place = body_place(model, static_cast<int>(b));
      jacobian(model, work, place, Axes::local, J);
      const SpatialInertia<>& I = model.bodies()[b].inertia;
      add(columns_of(J), I, translation(transpose_times(pose_of(work, place).rotation, model.gravity())));
    }
    for (std::size_t k = 0; k < model.dofs().size(); ++k) {
      const CoordinateSource& source = model.v_sources()[k];
      const double armature = source.ratio * source.ratio * model.dofs()[k].passive.armature;
      M[size(source.source) * (n + 1)] += armature;
      M_scale[size(source.source) * (n + 1)] += armature;
    }
  }

  void add(const std::vector<Column>& columns, const SpatialInertia<>& I, const Twist<>& a_g) {
    const double m = I.mass, h = norm(I.first_moment), inertia = trace(I.inertia);
    for (const auto& [j, S] : columns) {
      const Wrench<> F = I * S;
      const double force = m * norm(S.linear) + h * norm(S.angular);
      const double torque = h * norm(S.linear) + inertia * norm(S.angular);
      for (const auto& [k, S_k] : columns) {
        M[k * n + j] += dot(S_k, F);
        M_scale[k * n + j] += norm(S_k.linear) * force + norm(S_k.angular) * torque;
      }
      g[j] -= dot(a_g, F);
      g_scale[j] += norm(a_g.linear) * force;
    }
  }

  std::size_t n;
  Numbers M, M_scale, g, g_scale;
};

Numbers sum(const Numbers& a, const Numbers& b) {
  Numbers result = a;
  for (std::size_t i = 0; i < a.size(); ++i) result[i] += b[i];
  return result;
}

}  // namespace

TEST_CASE("law: M = sum J'IJ and armature, g = -sum J'I a_g, with the Jacobians of kinematics") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(401, run);
    DynamicsOf dynamics(random_spec(stream, variety(run)));
    const RandomState state(dynamics.model, stream);
    const BodySums sums(dynamics.model, state.q);
    const double M_error = kEpsilon<double> * worst(dynamics.mass(state.q), sums.M, sums.M_scale);
    const double g_error = kEpsilon<double> * worst(dynamics.gravity(state.q), sums.g, sums.g_scale);
    CHECK(M_error <= 6e-14);  // the worst seen is 1.8e-14
    CHECK(g_error <= 8e-15);  // 2.5e-15
  }
}

TEST_CASE("law: M and g are linear in the inertias of the bodies") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(402, run);
    RandomModelOptions options = variety(run);
    options.armature = false;  // is in M without being an inertia of a body
    const ModelSpec spec = random_spec(stream, options);
    ModelSpec other = spec, both = spec;
    for (std::size_t b = 0; b < other.bodies.size(); ++b) {
      other.bodies[b].inertia = random_inertia(stream, options.mass_ratio);
      both.bodies[b].inertia = spec.bodies[b].inertia + other.bodies[b].inertia;
    }
    DynamicsOf one(spec), two(other), whole(both);
    const RandomState state(whole.model, stream);
    const BodySums scale(whole.model, state.q);
    const double M_error =
        kEpsilon<double> * worst(whole.mass(state.q), sum(one.mass(state.q), two.mass(state.q)), scale.M_scale);
    const double g_error = kEpsilon<double> * worst(whole.gravity(state.q),
                                                    sum(one.gravity(state.q), two.gravity(state.q)), scale.g_scale);
    CHECK(M_error <= 6e-14);  // the worst seen is 2.1e-14
    CHECK(g_error <= 3e-15);  // 9.9e-16
  }
}

TEST_CASE("law: the wrench of every joint is that of its link's motion and of the joints that hang on it") {
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    RandomStream stream(403, run);
    DynamicsOf dynamics(random_spec(stream, variety(run)));
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    std::vector<Wrench<>> external(model.bodies().size());
    for (Wrench<>& F : external) F = {5.0 * uniform_direction(stream), 5.0 * uniform_direction(stream)};
    const Wrench<>* const F = dynamics.recursion(state.q, state.v, state.vdot, {.external = external}).F;
    // The motion is that of `kinematics`, body by body.
    KinematicsWorkspace work(model);
    kinematics(model, state.q, state.v, state.vdot, work);
    const std::size_t links = model.links().size();
    std::vector<Wrench<>> needed(links, zero_wrench());
    Numbers force(links), torque(links);  // sizes of the terms
    const auto add = [&](std::size_t i, const Wrench<>& term) {
      needed[i] += term;
      force[i] += norm(term.force);
      torque[i] += norm(term.torque);
    };
    for (std::size_t b = 0; b < model.bodies().size(); ++b) {
      const ModelBody& body = model.bodies()[b];
      const Place place = body_place(model, static_cast<int>(b));
      const Twist<> V = velocity_of(work, place, Axes::local);
      Twist<> A = acceleration_of(work, place, Axes::local);
      A.linear -= cross(V.angular, V.linear);  // the rate of the numbers
      A.linear -= transpose_times(pose_of(work, place).rotation, model.gravity());
      for (const Wrench<>& term : {body.inertia * A, cross_dual(V, body.inertia * V), -external[b]})
        add(size(body.link), body.X_LB * term);
    }
    for (std::size_t i = 0; i < links; ++i)
      if (model.links()[i].parent >= 0) add(size(model.links()[i].parent), work.motion.view().X_PL[i] * F[i]);
    double error = 0.0;
    for (std::size_t i = 0; i < links; ++i) {
      const Wrench<> rest = F[i] - needed[i];
      const double worse = max(norm(rest.force) / force[i], norm(rest.torque) / torque[i]);
      if (!(worse <= error)) error = worse;
    }
    CHECK(error <= 2.3e-14);  // the worst seen is 7.5e-15
  }
}
