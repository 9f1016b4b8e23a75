// A mechanism in some state, on which single force elements are tried.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "pintle/dynamics/kinematics.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/simulation/system/force_element.h"
#include "properties/five_points.h"

namespace test {

/// What an element did, and the power of all of it.
struct Acted {
  ForcePower said;
  Numbers tau;
  std::vector<Wrench<>> external;
  Numbers derivatives;
  double total = 0.0;  ///< tau.v + sum of F.V
  double size = 0.0;   ///< sum of the sizes of its terms
};

class ElementBench {
 public:
  explicit ElementBench(const ModelSpec& spec)
      : model(compile(spec).value()), q(size(model.nq())), v(size(model.nv())), zero_(v.size()), work_(model) {
    neutral(model, q);
  }

  ForceInput input() {
    kinematics(model, q, v, zero_, work_);
    return {.t = t, .q = q, .v = v, .states = states, .kinematics = &work_};
  }

  Acted act(ForceElement& element) {
    Acted done;
    done.tau.resize(v.size());
    done.external.assign(model.bodies().size(), zero_wrench());
    done.derivatives.resize(size(element.state_count()));
    states.resize(done.derivatives.size());
    done.said = element.apply(model, input(), {done.tau, done.external, done.derivatives});
    const auto add = [&](double term) {
      done.total += term;
      done.size += abs(term);
    };
    for (std::size_t i = 0; i < v.size(); ++i) add(done.tau[i] * v[i]);
    for (std::size_t b = 0; b < done.external.size(); ++b) {
      const Twist<> V = velocity_of(work_, body_place(model, static_cast<int>(b)), Axes::local);
      add(dot(V.linear, done.external[b].force));
      add(dot(V.angular, done.external[b].torque));
    }
    return done;
  }

  double energy(const ForceElement& element) { return element.energy(model, input()); }

  /// The rate of its energy along v.
  double energy_rate(const ForceElement& element) {
    const Numbers here = q;
    Numbers step(v.size());
    const auto at = [&](double h) {
      for (std::size_t i = 0; i < v.size(); ++i) step[i] = h * v[i];
      integrate(model, here, step, q);
      return Numbers{energy(element)};
    };
    const double rate = rate_of(at, short_step(v))[0];
    q = here;
    return rate;
  }

  /// The sum of all external wrenches about the world's origin, in its axes.
  Wrench<> sum(const Acted& acted) {
    (void)input();
    Wrench<> all = zero_wrench();
    for (std::size_t b = 0; b < acted.external.size(); ++b)
      all += pose_of(work_, body_place(model, static_cast<int>(b))) * acted.external[b];
    return all;
  }

  void random_state(RandomStream& stream) {
    random_configuration(model, stream, q);
    for (double& x : v) x = stream.uniform(-1, 1);
    t = stream.uniform(0, 2);
  }

  Model model;
  double t = 0.0;
  Numbers q, v, states;

 private:
  Numbers zero_;
  KinematicsWorkspace work_;
};

/// The codes of a failure, and its first problem told in full.
template <class T>
std::string codes(const Result<T>& result) {
  std::string all;
  for (const Diagnostic& problem : result.diagnostics()) {
    CHECK(!problem.what.empty());
    all += (all.empty() ? "" : " ") + problem.code;
  }
  return all;
}

/// One body on one joint along or about z.
inline ModelSpec one_joint(JointKind kind, double mass = 1.0) {
  ModelSpec spec;
  spec.name = "one";
  BodySpec body;
  body.name = "body";
  body.inertia = spatial_inertia(mass, Vec3<>{0, 0, 0}, mass * diagonal(Vec3<>{1, 1, 1}));
  spec.bodies.push_back(body);
  JointSpec joint;
  joint.name = "joint";
  joint.kind = kind;
  joint.parent = kWorld;
  joint.child = "body";
  spec.joints.push_back(joint);
  return spec;
}

/// A second body on a joint that follows the first one: q = ratio q1 + offset.
inline ModelSpec with_follower(double ratio, double offset) {
  ModelSpec spec = one_joint(JointKind::revolute);
  BodySpec body = spec.bodies[0];
  body.name = "second";
  spec.bodies.push_back(body);
  JointSpec joint = spec.joints[0];
  joint.name = "follower";
  joint.child = "second";
  joint.kind = JointKind::prismatic;
  spec.joints.push_back(joint);
  CouplingSpec coupling;
  coupling.joint = "follower";
  coupling.driver = "joint";
  coupling.ratio = ratio;
  coupling.offset = offset;
  spec.couplings.push_back(coupling);
  return spec;
}

}  // namespace test
