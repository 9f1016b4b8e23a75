// The differences between planned and plain kernels.
#pragma once

#include <doctest/doctest.h>

#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/kernels/kernels.h"
#include "pintle/dynamics/mass_matrix.h"
#include "support/planned_states.h"

namespace test {

/// The differences between planned and plain results: tau and M of the results, and the efforts that vdot requires by
/// the plain recursion, in n eps of the terms in the sum.
struct Distances {
  double inverse = 0.0, forward = 0.0, mass = 0.0;
};

inline Distances worse(const Distances& a, const Distances& b) {
  return {max(a.inverse, b.inverse), max(a.forward, b.forward), max(a.mass, b.mass)};
}

/// The results of the plain kernels at a state. `load` is what a joint carries: |s_linear| |force| + |s_angular|
/// |torque| of the wrench through it, of which tau is a part.
struct PlainAnswers {
  /// Under external wrenches on the links, each in its frame (null: none), and with a moving world.
  PlainAnswers(const Model& model, const RandomState& state, const Wrench<>* external = nullptr,
               const RootMotion& root = {})
      : work(model), mass(model), tau(state.v.size()), load(tau.size()), M(tau.size() * tau.size()) {
    external_ = external;
    root_ = root;
    const std::vector<double> vdot = state.vdot;
    efforts(model, state, vdot);
    dynamics_kernels_in_use().mass_matrix(model.tree(), state.q.data(), mass.view(), M.data());
  }

  void efforts(const Model& model, const RandomState& state, const std::vector<double>& vdot) {
    const InverseDynamicsBuffers<double> at = work.view();
    LinkTree tree = model.tree();
    tree.root = root_;
    dynamics_kernels_in_use().inverse_dynamics(tree, state.q.data(), state.v.data(), vdot.data(), external_, at,
                                               tau.data());
    for (std::size_t i = 0; i < model.links().size(); ++i) {
      const Link& link = model.links()[i];
      for (int k = link.v; k < link.v + link.nv; ++k) {
        const Twist<>& S = at.motion.S[k];
        load[static_cast<std::size_t>(k)] =
            norm(S.linear) * norm(at.F[i].force) + norm(S.angular) * norm(at.F[i].torque);
      }
    }
  }

  /// The largest |a - b| over |M||vdot| + load + |tau| of the joint.
  double distance(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& vdot) const {
    const std::size_t n = a.size();
    double worst = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      double scale = load[i] + abs(a[i]);
      for (std::size_t j = 0; j < n; ++j) scale += abs(M[i * n + j] * vdot[j]);
      worst = max(abs(a[i] - b[i]) / scale, worst);
    }
    return worst;
  }

  InverseDynamicsWorkspace<> work;
  MassMatrixWorkspace<> mass;
  std::vector<double> tau, load, M;

 private:
  const Wrench<>* external_;
  RootMotion root_;
};

template <class B>
std::vector<double> widened(const std::vector<B>& numbers) {
  return {numbers.begin(), numbers.end()};
}

template <class B>
Distances distances(const PlannedKernels<B>& kernels, const Model& model, const RandomState& state) {
  const PlannedAnswers<B> planned = answers_in_every_lane(kernels, model, state);
  CHECK(planned.moves);
  PlainAnswers plain(model, state);
  const double unit = static_cast<double>(model.nv()) * static_cast<double>(kEpsilon<B>);
  Distances found;
  found.inverse = plain.distance(plain.tau, widened(planned.tau), state.vdot) / unit;
  const std::size_t n = state.v.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double difference = abs(static_cast<double>(planned.M[i * n + j]) - plain.M[i * n + j]);
      found.mass = max(difference / sqrt(plain.M[i * n + i] * plain.M[j * n + j]) / unit, found.mass);
    }
  }
  const std::vector<double> vdot = widened(planned.vdot);
  plain.efforts(model, state, vdot);
  found.forward = plain.distance(plain.tau, state.tau, vdot) / unit;
  return found;
}

}  // namespace test
