// A model with its workspaces, whose answers are arrays: what laws are written with. And the sizes of the terms that an
// answer is the sum of, by which its rounding error is judged.
#pragma once

#include <cmath>
#include <stdexcept>
#include <vector>

#include "pintle/dynamics/coupled_coordinates.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/mass_matrix.h"
#include "pintle/dynamics/passive_efforts.h"
#include "support/random_model.h"

namespace test {

using Numbers = std::vector<double>;

inline std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

/// Trees of every variety of up to max_links links; unless told, of up to 24, and one in twenty of up to 100. Every
/// option is drawn on its own, so that all combinations occur; one tree in five has masses of ratio 1e6.
inline RandomModelOptions variety(std::uint64_t run, int max_links = 0) {
  RandomStream draw(60, run);
  const auto one_in = [&](std::uint64_t n) { return draw.below(n) == 0; };
  if (one_in(20) && max_links == 0) max_links = 100;
  if (max_links == 0) max_links = 24;
  RandomModelOptions options;
  options.links = 1 + static_cast<int>(draw.below(static_cast<std::uint64_t>(max_links)));
  options.branching = one_in(3) ? 0.0 : 0.4;
  options.mass_ratio = one_in(5) ? 1e6 : 10.0;
  options.armature = one_in(2);
  options.passive = one_in(3);
  options.couplings = one_in(3);
  options.welds = one_in(3);
  return options;
}

class DynamicsOf {
 public:
  explicit DynamicsOf(const ModelSpec& spec)
      : model(compile(spec).value()), inverse_work(model), forward_work(model), mass_work(model) {}

  Numbers inverse(const Numbers& q, const Numbers& v, const Numbers& vdot, const DynamicsOptions& options = {}) {
    Numbers tau(v.size());
    inverse_dynamics(model, q, v, vdot, inverse_work, tau, options);
    return tau;
  }
  /// What the plain recursion of inverse dynamics leaves in its buffers.
  InverseDynamicsBuffers<double> recursion(const Numbers& q, const Numbers& v, const Numbers& vdot,
                                           DynamicsOptions options = {}) {
    options.keep_recursion = true;
    (void)inverse(q, v, vdot, options);
    return inverse_work.view();
  }
  Numbers forward(const Numbers& q, const Numbers& v, const Numbers& tau, const DynamicsOptions& options = {}) {
    Numbers vdot(v.size());
    const DynamicsReport report = forward_dynamics(model, q, v, tau, forward_work, vdot, options);
    if (!report.ok()) throw std::runtime_error("a joint moves no inertia");
    return vdot;
  }
  Numbers mass(const Numbers& q) {
    Numbers M(size(model.nv()) * size(model.nv()));
    mass_matrix(model, q, mass_work, M);
    return M;
  }
  Numbers bias(const Numbers& q, const Numbers& v) {
    Numbers h(v.size());
    bias_efforts(model, q, v, inverse_work, h);
    return h;
  }
  Numbers gravity(const Numbers& q) {
    Numbers g(size(model.nv()));
    gravity_efforts(model, q, inverse_work, g);
    return g;
  }

  Numbers joint_q(const Numbers& q) {
    Numbers room(size(model.joint_nq()));
    const double* const numbers = joint_configuration(model, q, room);
    return Numbers(numbers, numbers + room.size());
  }
  Numbers joint_v(const Numbers& v) {
    Numbers room(size(model.joint_nv()));
    const double* const numbers = joint_velocity(model, v, room);
    return Numbers(numbers, numbers + room.size());
  }
  Numbers passive(const Numbers& q, const Numbers& v) {
    Numbers tau(size(model.joint_nv()));
    joint_passive_efforts(model, joint_q(q), joint_v(v), tau);
    return reduced(tau);
  }
  Numbers reduced(const Numbers& joint_tau) {
    Numbers tau(size(model.nv()));
    independent_efforts(model, joint_tau, tau);
    return tau;
  }

  /// Per dof, the sum of the sizes of all terms of tau = sum S'(I A + V x* I V - external) + armature vdot -
  /// passive over the outboard links, every product as the product of lengths, every lever arm taken in full, and V and
  /// A themselves as sums of sizes from the roots outwards: the rounding error of each effort is some eps of this.
  Numbers scale(const Numbers& q, const Numbers& v, const Numbers& vdot, const DynamicsOptions& options = {}) {
    const InverseDynamicsBuffers<double> at = recursion(q, v, vdot, options);
    const std::span<const Link> links = model.links();
    const Numbers all_v = joint_v(v), all_vdot = joint_v(vdot);
    Numbers u(links.size()), w(links.size()), a(links.size()), alpha(links.size());  // linear, angular; of V and of A
    Numbers forces(links.size()), torques(links.size()), scale(size(model.joint_nv()));
    for (std::size_t i = 0; i < links.size(); ++i) {
      const double lever = links[i].parent < 0 ? 0.0 : norm(at.motion.X_PL[i].translation);
      if (links[i].parent < 0) {
        a[i] = norm(model.gravity());
      } else {
        const std::size_t p = size(links[i].parent);
        u[i] = u[p] + lever * w[p];
        w[i] = w[p];
        a[i] = a[p] + lever * alpha[p];
        alpha[i] = alpha[p];
      }
      a[i] += norm(at.motion.c[i].linear);
      alpha[i] += norm(at.motion.c[i].angular);
      for (std::size_t k = size(links[i].v); k < size(links[i].v + links[i].nv); ++k) {
        const double linear = norm(at.motion.S[k].linear), angular = norm(at.motion.S[k].angular);
        u[i] += linear * abs(all_v[k]);
        w[i] += angular * abs(all_v[k]);
        a[i] += linear * abs(all_vdot[k]);
        alpha[i] += angular * abs(all_vdot[k]);
      }
      const SpatialInertia<>& I = links[i].inertia;
      const double m = I.mass, h = norm(I.first_moment), J = I.inertia.xx + I.inertia.yy + I.inertia.zz;
      forces[i] = m * a[i] + h * alpha[i] + w[i] * (m * u[i] + h * w[i]);
      torques[i] = J * alpha[i] + h * a[i] + w[i] * (J * w[i] + h * u[i]) + u[i] * (m * u[i] + h * w[i]);
    }
    for (std::size_t b = 0; b < options.external.size(); ++b) {
      const ModelBody& body = model.bodies()[b];
      if (body.link < 0) continue;
      const double force = norm(options.external[b].force);
      forces[size(body.link)] += force;
      torques[size(body.link)] += norm(options.external[b].torque) + norm(body.X_LB.translation) * force;
    }
    for (std::size_t i = links.size(); i-- > 0;) {
      for (std::size_t k = size(links[i].v); k < size(links[i].v + links[i].nv); ++k) {
        const Twist<>& S = at.motion.S[k];
        scale[k] = norm(S.linear) * forces[i] + norm(S.angular) * torques[i] +
                   abs(model.dofs()[k].passive.armature * all_vdot[k]);
      }
      if (links[i].parent < 0) continue;
      forces[size(links[i].parent)] += forces[i];
      torques[size(links[i].parent)] += torques[i] + norm(at.motion.X_PL[i].translation) * forces[i];
    }
    if (options.passive) {
      Numbers efforts(scale.size());
      joint_passive_efforts(model, joint_q(q), joint_v(v), efforts);
      for (std::size_t k = 0; k < scale.size(); ++k) scale[k] += abs(efforts[k]);
    }
    Numbers independent(size(model.nv()));
    for (std::size_t k = 0; k < scale.size(); ++k) {
      const CoordinateSource& source = model.v_sources()[k];
      independent[size(source.source)] += abs(source.ratio) * scale[k];
    }
    return independent;
  }

  Model model;
  InverseDynamicsWorkspace<> inverse_work;
  ForwardDynamicsWorkspace<> forward_work;
  MassMatrixWorkspace<> mass_work;
};

/// The largest |a - b| over scale, in units of eps; not finite numbers count as infinitely far.
inline double worst(std::span<const double> a, std::span<const double> b, std::span<const double> scale) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double distance = abs(a[i] - b[i]);
    if (!std::isfinite(distance)) return __builtin_inf();
    if (distance > 0.0) most = max(most, distance / (kEpsilon<double> * scale[i]));
  }
  return most;
}

/// The vector whose number i alone is 1.
inline Numbers unit(std::size_t n, std::size_t i) {
  Numbers e(n);
  e[i] = 1.0;
  return e;
}

/// A matrix by rows times a vector.
inline Numbers times(const Numbers& A, const Numbers& v) {
  Numbers result(A.size() / v.size());
  for (std::size_t i = 0; i < result.size(); ++i)
    for (std::size_t j = 0; j < v.size(); ++j) result[i] += A[i * v.size() + j] * v[j];
  return result;
}

inline double norm(const Numbers& a) {
  double most = 0.0;
  for (const double x : a) most = max(most, abs(x));
  return most;
}

}  // namespace test
