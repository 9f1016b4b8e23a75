// Inverse kinematics over random trees of all joints.
#include "pintle/dynamics/solve/inverse_kinematics.h"

#include <doctest/doctest.h>

#include "base/count_allocations.h"
#include "pintle/spatial/exp_log.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

/// Limits on about half of the joints, wide enough for a start and a solution between them.
void add_limits(ModelSpec& spec, RandomStream& stream) {
  for (JointSpec& joint : spec.joints) {
    if (stream.uniform() < 0.5) continue;
    JointLimits limits;
    limits.lower = stream.uniform(-1.5, -0.5);
    limits.upper = stream.uniform(0.5, 1.5);
    bool bound = false;
    for (const CouplingSpec& coupling : spec.couplings)
      bound = bound || coupling.joint == joint.name || coupling.driver == joint.name;
    if (bound) limits.lower *= 4.0, limits.upper *= 4.0;  // so that driver and follower leave some room
    // Dofs of a quaternion have no limits; far followers go without, so that all leave their driver some room.
    const bool positions = facts(joint.kind).nv == facts(joint.kind).nq && facts(joint.kind).nv > 0;
    if (positions && !follows_a_follower(spec, joint.name)) joint.limits = {limits};
  }
}

struct Problem {
  explicit Problem(std::uint64_t run) : stream(91, run), model(make(run)), q(size(model.nq())) {
    random_configuration(model, stream, q);
    KinematicsWorkspace work(model);
    const Numbers zero(size(model.nv()));
    kinematics(model, q, zero, zero, work);
    const std::size_t count = 1 + run % 3;
    for (std::size_t i = 0; i < count; ++i) {
      const int body = static_cast<int>(model.bodies().size() - 1 - i % model.bodies().size());
      PoseTarget target{.place = body_place(model, body)};
      target.place.X_LF = target.place.X_LF * random_pose(stream);
      target.X_WT = pose_of(work, target.place);
      if (run % 4 == 1) target.orientation_weight = {0, 0, 0};
      if (run % 4 == 2) target.position_weight = {0, 0, 0};
      if (run % 4 == 3) target.position_weight = {2, 0.5, 1};
      targets.push_back(target);
    }
  }

  Model make(std::uint64_t run) {
    ModelSpec spec = random_spec(stream, variety(run, 16));
    add_limits(spec, stream);
    return compile(spec).value();
  }

  Numbers perturbed(double by) {
    Numbers v(size(model.nv())), moved(q.size());
    for (double& x : v) x = stream.uniform(-by, by);
    integrate(model, q, v, moved);
    return moved;
  }

  /// How far a configuration is outside the limits, followers included; 0 within.
  double outside(const Numbers& at) {
    Numbers all(size(model.joint_nq()));
    const double* const joint_q = joint_configuration(model, at, all);
    double most = 0.0;
    for (const ModelJoint& joint : model.joints()) {
      const JointFacts& fact = facts(joint.kind);
      if (fact.nq != fact.nv) continue;
      for (int i = 0; i < fact.nv; ++i) {
        const JointLimits& limits = model.dofs()[size(joint.v + i)].limits;
        most = max(most, max(limits.lower - joint_q[joint.q + i], joint_q[joint.q + i] - limits.upper));
      }
    }
    return most;
  }

  /// The weighted squares of all errors, by the poses in the world.
  double cost(const Numbers& at, double length) {
    KinematicsWorkspace work(model);
    const Numbers zero(size(model.nv()));
    kinematics(model, at, zero, zero, work);
    double sum = 0.0;
    for (const PoseTarget& target : targets) {
      const Pose<> X_TF = inverse_times(target.X_WT, pose_of(work, target.place));
      sum += norm_squared(componentwise_product(target.position_weight, X_TF.translation)) +
             norm_squared(length * componentwise_product(target.orientation_weight, log_so3(X_TF.rotation)));
    }
    return sum;
  }

  RandomStream stream;
  Model model;
  Numbers q;
  std::vector<PoseTarget> targets;
};

}  // namespace

TEST_CASE("inverse kinematics: poses taken from a random tree are found again from a start nearby") {
  int converged = 0, iterations = 0;
  for (std::uint64_t run = 0; run < 1000; ++run) {
    CAPTURE(run);
    Problem problem(run);
    Numbers q = problem.perturbed(0.3);
    InverseKinematicsWorkspace work(problem.model, problem.targets.size());
    const InverseKinematicsReport report = inverse_kinematics(problem.model, problem.targets, q, work);
    CHECK(problem.outside(q) == 0.0);
    if (!report.converged()) continue;
    ++converged;
    iterations += report.iterations;
    // The report by a separate way: the poses of the answer.
    KinematicsWorkspace at(problem.model);
    const Numbers zero(size(problem.model.nv()));
    kinematics(problem.model, q, zero, zero, at);
    for (const PoseTarget& target : problem.targets) {
      const Pose<> X_TF = inverse_times(target.X_WT, pose_of(at, target.place));
      if (target.position_weight.x > 0.0) CHECK(norm(X_TF.translation) <= 1.1e-10 * report.length + 1e-13);
      if (target.orientation_weight.x > 0.0) CHECK(norm(log_so3(X_TF.rotation)) <= 1.1e-10);
    }
  }
  CHECK(converged >= 990);             // 999 seen
  CHECK(iterations <= 5 * converged);  // 3.7 each seen
}

TEST_CASE("inverse kinematics: from anywhere it ends at a solution, or where no small move is better") {
  int reached = 0, on_the_way = 0;
  for (std::uint64_t run = 0; run < 300; ++run) {
    CAPTURE(run);
    Problem problem(run);
    Numbers q(problem.q.size());
    random_configuration(problem.model, problem.stream, q);
    InverseKinematicsWorkspace work(problem.model, problem.targets.size());
    const InverseKinematicsReport report = inverse_kinematics(problem.model, problem.targets, q, work);
    CHECK(problem.outside(q) == 0.0);
    for (const double x : q) CHECK(std::isfinite(x));
    if (report.converged()) ++reached;
    if (report.outcome == InverseKinematicsOutcome::iteration_limit) ++on_the_way;
    if (report.outcome != InverseKinematicsOutcome::stationary) continue;
    const double here = problem.cost(q, report.length);
    for (int i = 0; i < 20; ++i) {
      Numbers v(size(problem.model.nv())), beside(q.size());
      for (double& x : v) x = problem.stream.uniform(-1e-3, 1e-3);
      work.space.move(problem.model, q, v, beside);
      CHECK(problem.cost(beside, report.length) >= here * (1.0 - 1e-9));
    }
  }
  CHECK(reached >= 260);   // 283 seen
  CHECK(on_the_way <= 6);  // none seen
}

TEST_CASE("inverse kinematics: every configuration on the way is within the limits") {
  for (std::uint64_t run = 0; run < 60; ++run) {
    CAPTURE(run);
    Problem problem(run);
    Numbers start(problem.q.size());
    random_configuration(problem.model, problem.stream, start);
    InverseKinematicsWorkspace work(problem.model, problem.targets.size());
    double before = problem.cost(start, 1.0);
    for (int most = 0; most < 12; ++most) {
      Numbers q = start;
      const InverseKinematicsOptions options{.max_iterations = most, .length = 1.0};
      (void)inverse_kinematics(problem.model, problem.targets, q, work, options);
      CHECK(problem.outside(q) == 0.0);
      const double here = problem.cost(q, 1.0);
      CHECK(here <= before * (1.0 + 1e-12) + 1e-24);
      before = here;
    }
  }
}

TEST_CASE("inverse kinematics: a posture leaves the targets reached and lies nearer to itself") {
  int nearer = 0, compared = 0;
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    Problem problem(run);
    const Numbers start = problem.perturbed(0.3);
    Numbers plain = start, pulled = start;
    InverseKinematicsWorkspace work(problem.model, problem.targets.size());
    const bool found = inverse_kinematics(problem.model, problem.targets, plain, work).converged();
    const bool found_too =
        inverse_kinematics(problem.model, problem.targets, pulled, work, {.posture = problem.q}).converged();
    if (!found || !found_too) continue;
    Numbers d(size(problem.model.nv()));
    difference(problem.model, problem.q, plain, d);
    const double without = work.space.length_of(d);
    difference(problem.model, problem.q, pulled, d);
    const double with = work.space.length_of(d);
    ++compared;
    // The posture is a solution here: the answer is at it, up to the pull's weight squared.
    if (with <= without * 1.01 + 1e-9) ++nearer;
  }
  CHECK(compared >= 95);
  CHECK(nearer >= compared - 2);
}

TEST_CASE("inverse kinematics: no allocation once its workspace exists") {
  for (const std::uint64_t run : {15u, 31u, 22u, 47u}) {
    Problem problem(run);
    Numbers q = problem.perturbed(0.3);
    InverseKinematicsWorkspace work(problem.model, problem.targets.size());
    const std::size_t before = count_allocations();
    const InverseKinematicsReport report =
        inverse_kinematics(problem.model, problem.targets, q, work, {.posture = problem.q});
    CHECK(count_allocations() == before);
    CHECK(report.iterations > 0);
  }
}
