#include "exact_answers.h"

#include <stdexcept>

#include "mechanism_spec.h"
#include "pintle/generic.h"

namespace peers {
namespace {

using pintle::Model;
using Real = long double;
using Reals = std::vector<Real>;

Reals wide(const std::vector<double>& x) {
  return {x.begin(), x.end()};
}

Reals forward(const Model& model, const State& s) {
  pintle::ForwardDynamicsWorkspace<Real> work(model);
  const Reals q = wide(s.q), v = wide(s.v), tau = wide(s.tau);
  Reals vdot(v.size());
  if (pintle::forward_dynamics_kernel<Real>(model.tree(), q.data(), v.data(), tau.data(), nullptr, nullptr, work.view(),
                                            vdot.data()) >= 0)
    throw std::runtime_error("a joint has no inertia");
  return vdot;
}

Reals bias(const Model& model, const Reals& q, const Reals& v) {
  pintle::InverseDynamicsWorkspace<Real> work(model);
  const Reals vdot(v.size(), 0.0L);
  Reals tau(v.size());
  pintle::inverse_dynamics_kernel<Real>(model.tree(), q.data(), v.data(), vdot.data(), nullptr, work.view(),
                                        tau.data());
  return tau;
}

Reals coriolis_v(const Model& model, const State& s) {
  Reals moving = bias(model, wide(s.q), wide(s.v));
  const Reals at_rest = bias(model, wide(s.q), Reals(s.v.size(), 0.0L));
  for (std::size_t i = 0; i < moving.size(); ++i) moving[i] -= at_rest[i];
  return moving;
}

Reals coriolis(const Model& model, const State& s) {
  pintle::CoriolisMatrixWorkspace<Real> work(model);
  const Reals q = wide(s.q), v = wide(s.v);
  Reals C(v.size() * v.size());
  pintle::coriolis_matrix_kernel<Real>(model.tree(), q.data(), v.data(), work.view(), C.data());
  return C;
}

Reals energies(const Model& model, const State& s) {
  pintle::MassMatrixWorkspace<Real> work(model);
  const Reals q = wide(s.q), v = wide(s.v);
  const std::size_t n = v.size();
  Reals M(n * n);
  pintle::mass_matrix_kernel<Real>(model.tree(), q.data(), work.view(), M.data());
  Real twice = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) twice += v[i] * M[i * n + j] * v[j];
  pintle::KinematicsWorkspace kinematics(model);
  pintle::kinematics(model, s.q, s.v, s.vdot, kinematics);
  return {twice / 2, static_cast<Real>(pintle::gravity_energy(model, kinematics))};
}

}  // namespace

ExactAnswers::ExactAnswers(const Mechanism& mechanism) : model_(pintle::compile(spec_of(mechanism)).value()) {}

void ExactAnswers::find(Function function, const State& state, std::vector<double>& answer) const {
  Reals exact;
  switch (function) {
    case Function::forward:
    case Function::step:  // its vdot
      exact = forward(model_, state);
      break;
    case Function::coriolis:
      exact = coriolis(model_, state);
      break;
    case Function::coriolis_v:
      exact = coriolis_v(model_, state);
      break;
    case Function::energies:
      exact = energies(model_, state);
      break;
    default:
      throw std::logic_error(std::string("no exact answer for ") + name_of(function));
  }
  answer.clear();
  for (const Real x : exact) answer.push_back(static_cast<double>(x));
}

}  // namespace peers
