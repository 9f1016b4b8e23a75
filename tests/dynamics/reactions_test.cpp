#include "pintle/dynamics/reactions.h"

#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/external_wrench.h"
#include "pintle/dynamics/net_wrench.h"
#include "properties/body_motion.h"
#include "properties/dynamics_of.h"

using namespace test;

namespace {

struct Case {
  explicit Case(std::uint64_t run)
      : stream(131, run), spec(spec_of(run)), dynamics(spec), model(dynamics.model), state(model, stream), work(model) {
    for (std::size_t b = 0; b < model.bodies().size(); ++b)
      external.push_back({uniform_direction(stream), uniform_direction(stream)});
    reactions(model, state.q, state.v, state.vdot, work, {.external = external});
  }

  ModelSpec spec_of(std::uint64_t run) {
    RandomModelOptions options = variety(run, 16);
    options.welds = true;
    ModelSpec result = random_spec(stream, options);
    // A body on the world itself too.
    result.bodies.push_back({.name = "post", .inertia = random_inertia(stream, 1.0)});
    JointSpec weld;
    weld.name = "foot";
    weld.parent = kWorld;
    weld.child = "post";
    weld.X_PJ = random_pose(stream);
    weld.X_CJ = random_pose(stream);
    result.joints.push_back(weld);
    return result;
  }

  RandomStream stream;
  ModelSpec spec;
  DynamicsOf dynamics;
  const Model& model;
  RandomState state;
  ReactionsWorkspace work;
  std::vector<Wrench<>> external;
};

double size_of(const Wrench<>& F) {
  return norm(F.force) + norm(F.torque);
}

}  // namespace

TEST_CASE("reactions: at moving joints they are the joint wrenches of inverse dynamics") {
  for (std::uint64_t run = 0; run < 200; ++run) {
    CAPTURE(run);
    Case c(run);
    const InverseDynamicsBuffers<double> at =
        c.dynamics.recursion(c.state.q, c.state.v, c.state.vdot, {.external = c.external});
    double largest = 0.0;
    for (std::size_t i = 0; i < c.model.links().size(); ++i) largest = max(largest, size_of(at.F[i]));
    for (const ModelJoint& joint : c.model.joints()) {
      if (joint.link < 0) continue;
      const ModelBody& child = c.model.bodies()[size(joint.child_body)];
      const Wrench<> F = child.X_LB * c.work.on_body[size(joint.child_body)];
      CHECK(size_of(F - at.F[joint.link]) <= 1e-13 * largest);
    }
  }
}

TEST_CASE("reactions: at every joint and weld they are what all bodies outboard of it need, by dual numbers") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    Case c(run);
    const SpecTree tree(c.spec, c.model);
    const Numbers q = c.dynamics.joint_q(c.state.q), v = c.dynamics.joint_v(c.state.v);
    const std::vector<BodyMotion> motions = body_motions(tree, path(c.model, q, v, c.dynamics.joint_v(c.state.vdot)));
    std::vector<Wrench<>> sums(motions.size());  // about the world's origin
    for (std::size_t b = 0; b < motions.size(); ++b) {
      const SpatialInertia<>& I = c.model.bodies()[b].inertia;
      const Twist<> A =
          motions[b].acceleration() - translation(transpose_times(motions[b].pose().rotation, c.spec.gravity));
      const Wrench<> need = I * A + cross_dual(motions[b].velocity(), I * motions[b].velocity()) - c.external[b];
      sums[b] = motions[b].pose() * need;
    }
    double largest = 0.0;
    for (std::size_t i = tree.entries.size(); i-- > 0;) {
      const SpecTree::Entry& entry = tree.entries[i];
      if (entry.parent >= 0) sums[size(entry.parent)] += sums[entry.body];
      largest = max(largest, size_of(sums[entry.body]));
    }
    for (std::size_t j = 0; j < c.model.joints().size(); ++j) {
      const ModelJoint& joint = c.model.joints()[j];
      const std::size_t child = size(joint.child_body);
      const Wrench<> in_joint = inverse_times(motions[child].pose() * joint.X_CJ, sums[child]);
      CHECK(size_of(reaction_of(c.model, c.work, static_cast<int>(j)) - in_joint) <= 1e-12 * largest);
      // About any place, in any axes.
      const Place about = body_place(c.model, static_cast<int>(c.stream.below(motions.size())));
      const Pose<> X_WF = motions[size(about.body)].pose();
      const Wrench<> local = reaction_of(c.model, c.work, static_cast<int>(j), about, Axes::local);
      const Wrench<> world = reaction_of(c.model, c.work, static_cast<int>(j), about, Axes::world);
      const Wrench<> aligned = reaction_of(c.model, c.work, static_cast<int>(j), about, Axes::local_world_aligned);
      CHECK(size_of(local - inverse_times(X_WF, sums[child])) <= 1e-12 * largest);
      CHECK(size_of(world - sums[child]) <= 1e-12 * largest);
      CHECK(size_of(aligned - Wrench<>{X_WF.rotation * local.force, X_WF.rotation * local.torque}) <= 1e-13 * largest);
    }
  }
}

TEST_CASE("net wrench: of every body it is what its joint, its weight, its load and what hangs on it come to") {
  for (std::uint64_t run = 0; run < 100; ++run) {
    CAPTURE(run);
    Case c(run);
    KinematicsWorkspace& at = c.work.kinematics;
    std::vector<Wrench<>> acting(c.model.bodies().size());  // in world axes about the centre of mass
    std::vector<double> scale(acting.size());
    for (std::size_t b = 0; b < acting.size(); ++b) {
      const ModelBody& body = c.model.bodies()[b];
      const Place center = point_place(c.model, static_cast<int>(b), center_of_mass(body.inertia));
      const Pose<> X_WB = pose_of(at, body_place(c.model, static_cast<int>(b)));
      const auto add = [&](const Wrench<>& F) {
        acting[b] += F;
        scale[b] += size_of(F);
      };
      add(reaction_of(c.model, c.work, body.joint, center, Axes::local_world_aligned));
      add({body.inertia.mass * c.model.gravity(), {0, 0, 0}});
      const Vec3<> arm = -(X_WB.rotation * center_of_mass(body.inertia));
      const Wrench<> F{X_WB.rotation * c.external[b].force, X_WB.rotation * c.external[b].torque};
      add({F.force, F.torque + cross(arm, F.force)});
      for (std::size_t j = 0; j < c.model.joints().size(); ++j) {
        if (c.model.joints()[j].parent_body != static_cast<int>(b)) continue;
        add(-reaction_of(c.model, c.work, static_cast<int>(j), center, Axes::local_world_aligned));
      }
    }
    for (std::size_t b = 0; b < acting.size(); ++b) {
      const Wrench<> net = net_wrench(c.model, at, static_cast<int>(b));
      CHECK(size_of(net - acting[b]) <= 1e-13 * scale[b]);
      const ModelBody& body = c.model.bodies()[b];
      const ModelJoint& joint = c.model.joints()[size(body.joint)];
      const Pose<> X_WB = pose_of(at, body_place(c.model, static_cast<int>(b)));
      const Vec3<> r = X_WB.rotation * (center_of_mass(body.inertia) - joint.X_CJ.translation);
      const Wrench<> about_joint = net_wrench(c.model, at, static_cast<int>(b), About::joint);
      CHECK(size_of(about_joint - Wrench<>{net.force, net.torque + cross(r, net.force)}) <= 1e-13 * scale[b]);
    }
  }
}

TEST_CASE("reactions: a lamp on a bracket on a wall, closed form") {
  ModelSpec spec{.name = "lamp"};
  spec.bodies = {{.name = "bracket", .inertia = spatial_inertia(2.0, Vec3<>{0.2, 0, 0}, diagonal(Vec3<>{0, 0, 0}))},
                 {.name = "lamp", .inertia = spatial_inertia(3.0, Vec3<>{0, 0, 0}, diagonal(Vec3<>{0, 0, 0}))}};
  JointSpec wall, hook;
  wall.name = "wall";
  wall.parent = kWorld;
  wall.child = "bracket";
  hook.name = "hook";
  hook.parent = "bracket";
  hook.child = "lamp";
  hook.X_PJ.translation = {0.5, 0, 0};
  spec.joints = {wall, hook};
  spec.gravity = {0, 0, -10};
  const Model model = compile(spec).value();
  ReactionsWorkspace work(model);
  std::vector<Wrench<>> external(2, zero_wrench());
  // A hand pushes the lamp up with 5 N.
  kinematics(model, {}, {}, {}, work.kinematics);
  add_external(model, work.kinematics, place_named(model, "lamp"), {{0, 0, 5}, {0, 0, 0}}, Axes::local_world_aligned,
               external);
  reactions(model, {}, {}, {}, work, {.external = external});
  const Wrench<> at_hook = reaction_of(model, work, model.joint("hook"));
  const Wrench<> at_wall = reaction_of(model, work, model.joint("wall"));
  CHECK(at_hook.force.z == 25.0);
  CHECK(at_wall.force.z == 45.0);
  CHECK(at_wall.torque.y == -(0.2 * 20.0 + 0.5 * 25.0));
  // From the wall's joint about the hook's place.
  CHECK(reaction_of(model, work, model.joint("wall"), place_named(model, "lamp"), Axes::world).torque.y ==
        doctest::Approx(-16.5));
}

TEST_CASE("external wrenches: the same force by body, by frame, at a point and in all axes") {
  RandomStream stream(132);
  ModelSpec spec = random_spec(stream, {.links = 5});
  const Pose<> X_BF = random_pose(stream);
  spec.frames = {{.name = "tool", .body = "body4", .X_BF = X_BF}, {.name = "ground", .body = kWorld}};
  const Model model = compile(spec).value();
  const RandomState state(model, stream);
  KinematicsWorkspace work(model);
  kinematics(model, state.q, state.v, state.vdot, work);
  const Place tool = place_named(model, "tool");
  CHECK(tool.body == model.body("body4"));
  const Pose<> X_WF = pose_of(work, tool);
  const Wrench<> local{uniform_direction(stream), uniform_direction(stream)};
  const auto given_in = [&](const Place& place, const Wrench<>& F, Axes axes) {
    std::vector<Wrench<>> external(model.bodies().size(), zero_wrench());
    add_external(model, work, place, F, axes, external);
    return external[4];
  };
  const Wrench<> expected = X_BF * local;
  CHECK(size_of(given_in(tool, local, Axes::local) - expected) <= 1e-15);
  CHECK(size_of(given_in(tool, X_WF * local, Axes::world) - expected) <= 1e-14);
  const Wrench<> aligned{X_WF.rotation * local.force, X_WF.rotation * local.torque};
  CHECK(size_of(given_in(tool, aligned, Axes::local_world_aligned) - expected) <= 1e-14);
  const Place body = place_named(model, "body4"), point = point_place(model, 4, X_BF.translation);
  CHECK(size_of(given_in(body, expected, Axes::local) - expected) <= 1e-15);
  const Wrench<> turned{X_BF.rotation * local.force, X_BF.rotation * local.torque};
  CHECK(size_of(given_in(point, turned, Axes::local) - expected) <= 1e-15);

  std::vector<Wrench<>> external(model.bodies().size()), few(1);
  CHECK_THROWS_WITH_AS(add_external(model, work, place_named(model, "ground"), local, Axes::local, external),
                       doctest::Contains("not on a body"), UsageError);
  CHECK_THROWS_AS(add_external(model, work, tool, local, Axes::local, few), UsageError);
  CHECK_THROWS_WITH_AS(place_named(model, "tol"), doctest::Contains("'tool'"), UsageError);
  spec.frames[0].name = "body4";
  const Result<Model> both = compile(spec);
  if (both) CHECK_THROWS_WITH_AS(place_named(*both, "body4"), doctest::Contains("a body and a frame"), UsageError);
}

TEST_CASE("reactions: wrong sizes are wrong calls") {
  Case c(4);
  const Numbers small;
  const std::vector<Wrench<>> few(1);
  CHECK_THROWS_AS(reactions(c.model, small, c.state.v, c.state.vdot, c.work), UsageError);
  CHECK_THROWS_AS(reactions(c.model, c.state.q, small, c.state.vdot, c.work), UsageError);
  CHECK_THROWS_AS(reactions(c.model, c.state.q, c.state.v, small, c.work), UsageError);
  CHECK_THROWS_AS(reactions(c.model, c.state.q, c.state.v, c.state.vdot, c.work, {.external = few}), UsageError);
  CHECK_THROWS_AS((void)reaction_of(c.model, c.work, 1000), UsageError);
  CHECK_THROWS_AS((void)reaction_of(c.model, c.work, -1, body_place(c.model, 0), Axes::local), UsageError);
}
