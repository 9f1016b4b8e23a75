// The engine against the seeds' own recursion in world coordinates and their equations in vector form.
#include <doctest/doctest.h>

#include "oracles/vector_form.h"
#include "oracles/world_recursion.h"
#include "pintle/dynamics/articulated_body.h"
#include "pintle/spatial/matrices.h"
#include "properties/dynamics_of.h"
#include "properties/positive_definite.h"

using namespace test;

namespace {

/// A random tree of revolute, prismatic and screw joints without armature; joints in the order of their bodies, parents
/// first.
ModelSpec screw_tree(RandomStream& stream, std::uint64_t run) {
  RandomModelOptions options;
  options.links = 1 + static_cast<int>(run % 16);
  options.branching = run % 2 == 0 ? 0.0 : 0.4;
  options.armature = false;
  ModelSpec spec = random_spec(stream, options);
  constexpr JointKind kinds[] = {JointKind::revolute, JointKind::prismatic, JointKind::screw};
  for (JointSpec& joint : spec.joints) joint.kind = kinds[stream.below(3)];
  return spec;
}

/// Numbers in the order of the spec's joints, from those in the order of the model.
Numbers by_joint(const Model& model, const Numbers& numbers) {
  Numbers result;
  for (const ModelJoint& joint : model.joints()) result.push_back(numbers[size(joint.v)]);
  return result;
}

}  // namespace

TEST_CASE("oracle: forward dynamics equals the seeds' recursion in world coordinates, on 200 trees") {
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    RandomStream stream(62, run);
    const ModelSpec spec = screw_tree(stream, run);
    DynamicsOf dynamics(spec);
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    const double n = static_cast<double>(model.links().size());
    const Numbers q = by_joint(model, state.q), v = by_joint(model, state.v), tau = by_joint(model, state.tau);

    // In extended precision, so that what differs is the engine's error.
    const std::vector<WorldBody<long double>> world = world_recursion<long double>(spec, q, v, tau);
    Numbers expected(state.v.size());
    for (std::size_t i = 0; i < world.size(); ++i)
      expected[size(model.joints()[i].v)] = static_cast<double>(world[i].qdd);
    const Numbers vdot = dynamics.forward(state.q, state.v, state.tau);
    const Numbers M = dynamics.mass(state.q), L = cholesky(M, state.v.size());
    REQUIRE(!L.empty());
    const Numbers scale = acceleration_scale(M, L, dynamics.scale(state.q, state.v, vdot));
    const double error = worst(vdot, expected, scale) / n;
    CHECK(error <= 3.0);  // the worst seen is 1.04

    // The joint wrenches, from each link's frame to the world's origin.
    const InverseDynamicsBuffers<double> at = dynamics.recursion(state.q, state.v, vdot);
    std::vector<Pose<>> X_WL(model.links().size());
    double largest = 0.0, difference = 0.0;
    for (std::size_t i = 0; i < X_WL.size(); ++i) {
      const int parent = model.links()[i].parent;
      X_WL[i] = parent < 0 ? at.motion.X_PL[i] : X_WL[size(parent)] * at.motion.X_PL[i];
    }
    for (std::size_t j = 0; j < world.size(); ++j) {
      const std::size_t i = size(model.joints()[j].link);
      const std::array<double, 6> F = to_array(X_WL[i] * at.F[i]);
      for (std::size_t k = 0; k < 6; ++k) {
        difference = max(difference, abs(F[k] - static_cast<double>(world[j].f[k])));
        largest = max(largest, abs(F[k]));
      }
    }
    // Wrenches inherit the condition of the accelerations they are computed from. The worst seen is 1.7.
    const double condition = 1.0 + norm(scale) / norm(vdot);
    CHECK(difference <= 5.0 * n * kEpsilon<double> * largest * condition);
  }
}

TEST_CASE("oracle: forward dynamics hands out the seeds' quantities, each as their own recursion has it") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    RandomStream stream(63, run);
    const ModelSpec spec = screw_tree(stream, run);
    DynamicsOf dynamics(spec);
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    const Numbers q = by_joint(model, state.q), v = by_joint(model, state.v), tau = by_joint(model, state.tau);
    const std::vector<WorldBody<long double>> world = world_recursion<long double>(spec, q, v, tau);
    (void)dynamics.forward(state.q, state.v, state.tau, {.keep_recursion = true});
    for (std::size_t j = 0; j < world.size(); ++j) {
      const WorldBody<long double>& expected = world[j];
      const ArticulatedBody body = articulated_body(model, dynamics.forward_work, model.joints()[j].link, Axes::world);
      CHECK(body.nv == 1);
      const auto close = [](const std::array<double, 6>& a, const Six<long double>& b, double bound) {
        double difference = 0.0, largest = 1e-3;
        for (std::size_t k = 0; k < 6; ++k) {
          difference = max(difference, abs(a[k] - static_cast<double>(b[k])));
          largest = max(largest, abs(static_cast<double>(b[k])));
        }
        CHECK(difference <= bound * largest);
      };
      close(to_array(body.s[0]), expected.s, 1e-13);
      close(to_array(body.v), expected.v, 1e-13);
      close(to_array(body.kappa), expected.kappa, 1e-12);
      close(to_array(body.w), expected.w, 1e-13);
      close(to_array(body.p), expected.p, 1e-12);
      // These inherit the condition of what hangs on the body.
      close(to_array(body.T[0]), expected.T_, 1e-10);
      close(to_array(body.d), expected.d, 1e-9);
      close(to_array(body.a), expected.a, 1e-9);
      close(to_array(body.f), expected.f, 1e-9);
      const Matrix6<double> A = to_matrix(body.A);
      for (std::size_t r = 0; r < 6; ++r) {
        std::array<double, 6> A_row, Phi_row;
        for (std::size_t k = 0; k < 6; ++k) {
          A_row[k] = A.m[r][k];
          Phi_row[k] = body.Phi.m[r][k];
        }
        close(A_row, expected.A[r], 1e-10);
        close(Phi_row, expected.Phi[r], 1e-10);
      }
    }
  }
}

TEST_CASE("law: the seeds' equations hold between the quantities handed out, for every kind of joint") {
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    RandomStream stream(64, run);
    RandomModelOptions options = variety(run, 16);
    options.couplings = options.passive = false;
    DynamicsOf dynamics(random_spec(stream, options));
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    std::vector<Wrench<>> external(model.bodies().size());
    for (Wrench<>& F : external) F = {uniform_direction(stream), uniform_direction(stream)};
    const DynamicsOptions pushed{.refine = true, .external = external};
    const Numbers vdot = dynamics.forward(state.q, state.v, state.tau, pushed);
    std::vector<ArticulatedBody> body;
    for (int i = 0; i < static_cast<int>(model.links().size()); ++i)
      body.push_back(articulated_body(model, dynamics.forward_work, i, Axes::world, pushed));
    std::vector<Wrench<>> children(body.size(), zero_wrench()), passed(body.size(), zero_wrench());
    const auto size_of = [](const auto& six) {
      double most = 0.0;
      for (const double x : to_array(six)) most = max(most, abs(x));
      return most;
    };
    for (std::size_t i = body.size(); i-- > 0;) {
      const Link& link = model.links()[i];
      const ArticulatedBody& b = body[i];
      // p = v x I v - w, so that f = I a + p + sum of child f: the force balance of seed 000.
      Pose<> X_WL = identity_pose();
      for (int at = static_cast<int>(i); at >= 0; at = model.links()[size(at)].parent)
        X_WL = dynamics.forward_work.view().motion.X_PL[at] * X_WL;
      const SpatialInertia<> I = X_WL * link.inertia;
      const Wrench<> balance = I * b.a + b.p + children[i];
      // A a + d is a difference of large terms where a light body carries heavy ones. The worst seen are 7e-14 and
      // 3.2e-10.
      const double bound = options.mass_ratio > 100.0 ? 1e-9 : 1e-12;
      CHECK(size_of(b.f - balance) <= bound * (size_of(I * b.a) + size_of(b.p) + size_of(b.f) + size_of(children[i])));
      CHECK(size_of(b.p - (cross_dual(b.v, I * b.v) - b.w)) <= 1e-12 * (size_of(b.w) + size_of(b.p) + 1.0));
      // d = p + sum of (T Q + Phi (A kappa + d)) of the children, on bodies without armature.
      if (!options.armature) CHECK(size_of(b.d - (b.p + passed[i])) <= 1e-9 * (size_of(b.d) + size_of(b.p) + 1.0));
      if (link.parent < 0) continue;
      children[size(link.parent)] += b.f;
      const Wrench<> bias = b.A * b.kappa + b.d;
      Wrench<> shown = bias;
      for (int k = 0; k < b.nv; ++k) {
        shown -= b.T[size(k)] * dot(b.s[size(k)], bias);
        shown += b.T[size(k)] * state.tau[size(link.v + k)];
      }
      passed[size(link.parent)] += shown;
    }
  }
}

TEST_CASE("oracle: the seeds' recursion balances its forces") {
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    RandomStream stream(62, run);
    const ModelSpec spec = screw_tree(stream, run);
    const Model model = compile(spec).value();
    const RandomState state(model, stream);
    const ForceBalance balance = force_balance(
        world_recursion<double>(spec, by_joint(model, state.q), by_joint(model, state.v), by_joint(model, state.tau)));
    // The seed program stops above 2^-43, for forces of about 1 N: 512 eps of the largest. The worst here is 73 eps.
    CHECK(balance.residual <= 512 * kEpsilon<double> * balance.largest_force);
  }
}

namespace {

/// A body of a spec in vector form.
template <class T>
struct VectorBody {
  int parent;
  VectorJoint<T> joint;
  VectorMotion<T> motion;
  T m;
  Vec3<T> c;    // from the joint to the centre of mass
  Mat3<T> I_c;  // world axes
};

/// The motion of every body by the equations of seed 003, from the ground outwards.
template <class T>
std::vector<VectorBody<T>> vector_motion(const ModelSpec& spec, const std::vector<T>& q, const std::vector<T>& qd,
                                         const std::vector<T>& qdd) {
  std::vector<VectorBody<T>> bodies;
  std::vector<Pose<T>> X_WB;
  std::map<std::string, int> number{{kWorld, -1}};
  const Vec3<T> nil{T(0), T(0), T(0)};
  for (std::size_t i = 0; i < spec.joints.size(); ++i) {
    const JointSpec& joint = spec.joints[i];
    const int parent = number.at(joint.parent);
    number[joint.child] = static_cast<int>(i);
    const Pose<T> X_WJ = (parent < 0 ? identity_pose<T>() : X_WB[size(parent)]) * as<T>(joint.X_PJ);
    const Pose<T> X_WC = X_WJ * across(joint, &q[i]);
    X_WB.push_back(X_WC * inverse(as<T>(joint.X_CJ)));
    const bool slides = joint.kind == JointKind::prismatic;
    const double h = joint.kind == JointKind::screw ? joint.pitch_m_per_rad : 0.0;

    VectorBody<T> b;
    b.parent = parent;
    b.joint = {X_WJ.rotation * as<T>(normalized(joint.axis)), X_WC.translation, T(slides ? 0.0 : 1.0),
               T(slides ? 1.0 : h)};
    const VectorMotion<T> before = parent < 0 ? VectorMotion<T>{nil, nil, nil, nil, nil} : bodies[size(parent)].motion;
    const Vec3<T> omega = vec_vel_rot(before, b.joint, qd[i]);
    const Vec3<T> v = vec_vel_lin(before, b.joint, omega, qd[i]);
    const Vec3<T> alpha = vec_acc_rot(before, b.joint, omega, qd[i], qdd[i]);
    b.motion = {b.joint.r, v, omega, vec_acc_lin(before, b.joint, v, omega, alpha, qd[i], qdd[i]), alpha};
    const SpatialInertia<>& I = spec.bodies[i].inertia;
    const Mat3<> own = full(inertia_about_center_of_mass(I));
    const Mat3<T> R = X_WB.back().rotation;
    b.m = T(I.mass);
    b.c = transform_point(X_WB.back(), as<T>(center_of_mass(I))) - b.joint.r;
    b.I_c = R * from_rows(as<T>(row(own, 0)), as<T>(row(own, 1)), as<T>(row(own, 2))) * transpose(R);
    bodies.push_back(b);
  }
  return bodies;
}

}  // namespace

TEST_CASE("oracle: net force and torque in vector form reproduce inverse dynamics, on 200 trees") {
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    RandomStream stream(63, run);
    const ModelSpec spec = screw_tree(stream, run);
    DynamicsOf dynamics(spec);
    const Model& model = dynamics.model;
    const RandomState state(model, stream);
    const double n = static_cast<double>(model.links().size());
    const std::vector<VectorBody<double>> bodies =
        vector_motion<double>(spec, by_joint(model, state.q), by_joint(model, state.v), by_joint(model, state.vdot));

    std::vector<Vec3<>> F, tau;  // of the joint on the body, the torque about the joint
    for (const VectorBody<double>& b : bodies) {
      const Vec3<> F_net = vec_frc_lin(b.m, b.c, b.motion), weight = b.m * spec.gravity;
      F.push_back(F_net - weight);
      tau.push_back(vec_frc_ang(b.I_c, b.c, F_net, b.motion) - cross(b.c, weight));
    }
    Numbers expected(state.v.size());
    for (std::size_t i = bodies.size(); i-- > 0;) {
      expected[size(model.joints()[i].v)] = vec_joint_condition(bodies[i].joint, tau[i], F[i]);
      if (bodies[i].parent < 0) continue;
      const std::size_t p = size(bodies[i].parent);
      F[p] += F[i];
      tau[p] += tau[i] + cross(bodies[i].joint.r - bodies[p].joint.r, F[i]);
    }
    const Numbers efforts = dynamics.inverse(state.q, state.v, state.vdot);
    const Numbers scale = dynamics.scale(state.q, state.v, state.vdot);
    const double error = worst(efforts, expected, scale) / n;
    CHECK(error <= 5.0);  // the worst seen is 1.7

    // The engine's joint wrenches are in the links' frames, whose origins are the joints' points.
    const InverseDynamicsBuffers<double> at = dynamics.recursion(state.q, state.v, state.vdot);
    std::vector<Mat3<>> R_WL(model.links().size());
    double difference = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < R_WL.size(); ++i) {
      const int parent = model.links()[i].parent;
      R_WL[i] = parent < 0 ? at.motion.X_PL[i].rotation : R_WL[size(parent)] * at.motion.X_PL[i].rotation;
    }
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      const std::size_t i = size(model.joints()[j].link);
      difference = max(difference, norm(R_WL[i] * at.F[i].force - F[j]));
      difference = max(difference, norm(R_WL[i] * at.F[i].torque - tau[j]));
      largest = max(largest, norm(F[j]) + norm(tau[j]));
    }
    CHECK(difference <= 10.0 * n * kEpsilon<double> * largest);  // the worst seen is 3.2
  }
}

TEST_CASE("oracle: seed 003 agrees with itself: rates of position, velocity and momentum, by dual numbers") {
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    RandomStream stream(64, run);
    const ModelSpec spec = screw_tree(stream, run);
    std::vector<Rate> q, qd, qdd;
    for (std::size_t i = 0; i < spec.joints.size(); ++i) {
      const double v = stream.uniform(-1, 1), vdot = stream.uniform(-1, 1);
      q.push_back(Rate::variable(stream.uniform(-3, 3), 0));
      q.back().derivative[0] = v;
      qd.push_back(Rate(v));
      qd.back().derivative[0] = vdot;
      qdd.push_back(Rate(vdot));
    }
    const auto value = [](const Vec3<Rate>& a) { return Vec3<>{a.x.value, a.y.value, a.z.value}; };
    const auto rate = [](const Vec3<Rate>& a) {
      return Vec3<>{a.x.derivative[0], a.y.derivative[0], a.z.derivative[0]};
    };
    const std::vector<VectorBody<Rate>> bodies = vector_motion<Rate>(spec, q, qd, qdd);
    const double n = static_cast<double>(bodies.size());
    double difference = 0.0, largest = 1.0;
    const auto compare = [&](const Vec3<>& a, const Vec3<>& b) {
      difference = max(difference, norm(a - b));
      largest = max(largest, norm(a));
    };
    for (const VectorBody<Rate>& b : bodies) {
      const VectorMotion<Rate>& at = b.motion;
      const Vec3<Rate> p = vec_mom_lin(b.m, b.c, at), L = vec_mom_ang(b.I_c, b.c, p, at);
      const Vec3<Rate> F = vec_frc_lin(b.m, b.c, at), tau = vec_frc_ang(b.I_c, b.c, F, at);
      compare(rate(at.r), value(at.v));
      compare(rate(at.v), value(at.a));
      compare(rate(at.omega), value(at.alpha));
      compare(rate(p), value(F));
      // About a point that moves: dL/dt = tau - v x p.
      compare(rate(L), value(tau) - cross(value(at.v), value(p)));
    }
    CHECK(difference <= 4.0 * n * kEpsilon<double> * largest);  // the worst seen is 1.4
  }
}
