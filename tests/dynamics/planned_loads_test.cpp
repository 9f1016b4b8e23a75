// External wrenches, a moving world and prescribed joints on plans, of every layout, against the plain recursions; and
// what the kernels on plans tell about the root joints.
#include <doctest/doctest.h>

#include "pintle/base/usage_error.h"
#include "pintle/dynamics/articulated_body.h"
#include "pintle/dynamics/forward_dynamics.h"
#include "pintle/dynamics/recursions/tree_motion.h"
#include "support/planned_distances.h"
#include "support/planned_trees.h"

using namespace test;

namespace {

/// Which loads there are.
struct Loads {
  bool external, world, given;
};

/// The largest differences: of efforts in n eps of their terms; of what the roots transmit in eps of the sizes of what
/// all joints transmit and of |M||vdot|; of the first moment in eps of the sum of its sizes.
struct LoadedDistances {
  double inverse = 0.0, forward = 0.0, supports = 0.0, moment = 0.0;
};

LoadedDistances worse(const LoadedDistances& a, const LoadedDistances& b) {
  return {max(a.inverse, b.inverse), max(a.forward, b.forward), max(a.supports, b.supports), max(a.moment, b.moment)};
}

double size_of(const Wrench<>& F) {
  return norm(F.force) + norm(F.torque);
}

/// One state of a model under loads.
class Loaded {
 public:
  Loaded(const Model& model, const Plan& plan, RandomStream& stream, const Loads& loads)
      : model_(model),
        plan_(plan),
        state_(model, stream),
        external_(model.links().size()),
        on_plan_(external_.size()),
        given_(state_.v.size()),
        memory_(kernels_.one.bytes(plan.view<double>())) {
    for (std::size_t i = 0; i < external_.size(); ++i) {
      external_[i] = {5.0 * uniform_direction(stream), uniform_direction(stream)};
      on_plan_[i] = inverse_times(plan.frames()[i], external_[i]);
    }
    if (loads.world) {
      root_ = {{uniform_direction(stream), uniform_direction(stream)},
               {uniform_direction(stream), uniform_direction(stream)}};
      LinkTree tree = model.tree();
      tree.root = root_;
      world_ = {root_.velocity, root_acceleration<double>(tree)};
    }
    if (loads.given)
      for (const Link& link : model.links()) {
        const bool whole = stream.below(3) == 0;
        for (int k = link.v; k < link.v + link.nv; ++k) given_[static_cast<std::size_t>(k)] = whole;
      }
    loads_ = {.external = loads.external ? on_plan_.data() : nullptr,
              .world = loads.world ? &world_ : nullptr,
              .given = loads.given ? given_.data() : nullptr};
    if (!loads.external) external_.clear();
  }

  LoadedDistances distances() {
    PlainAnswers plain(model_, state_, external_.empty() ? nullptr : external_.data(), root_);
    const double unit = static_cast<double>(model_.nv()) * kEpsilon<double>;
    LoadedDistances found;
    std::vector<double> tau(state_.v.size());
    PlannedLoads<double> loads = loads_;
    loads.given = nullptr;
    kernels_.inverse_dynamics(plan(), state_.q.data(), state_.v.data(), state_.vdot.data(), loads, memory_.data(),
                              tau.data());
    found.inverse = plain.distance(plain.tau, tau, state_.vdot) / unit;
    compare_roots(plain, state_.vdot, {.forward = false}, found);

    std::vector<double> vdot = state_.vdot, efforts = state_.tau;
    for (std::size_t i = 0; i < vdot.size(); ++i)
      if (given_[i] == 0) vdot[i] = 0.0;
    loads_.given_efforts = efforts.data();
    CHECK(kernels_.forward_dynamics(plan(), state_.q.data(), state_.v.data(), state_.tau.data(), loads_, memory_.data(),
                                    vdot.data()));
    for (std::size_t i = 0; i < vdot.size(); ++i) {
      if (given_[i] != 0) CHECK(vdot[i] == state_.vdot[i]);
      if (given_[i] == 0) CHECK(efforts[i] == state_.tau[i]);
    }
    plain.efforts(model_, state_, vdot);
    found.forward = plain.distance(plain.tau, efforts, vdot) / unit;
    compare_roots(plain, vdot, {.forward = true, .given = loads_.given != nullptr}, found);
    return found;
  }

 private:
  const PlanView<double>& plan() const { return plan_.view<double>(); }

  /// With the wrenches of the plain recursion, and with the ground that base parameters were moved to.
  void compare_roots(PlainAnswers& plain, const std::vector<double>& vdot, const PlannedCall& call,
                     LoadedDistances& found) {
    const Wrench<> on_plan = kernels_.supports(plan(), state_.q.data(), call, memory_.data());
    const InverseDynamicsBuffers<double> at = plain.work.view();
    LinkTree tree = model_.tree();
    tree.root = root_;
    const Twist<>& V_W = root_.velocity;
    const SpatialInertia<>& ground = plan_.ground();
    Wrench<> supports = on_plan + ground * root_acceleration<double>(tree) + cross_dual(V_W, ground * V_W);
    Vec3<> moment =
        kernels_.first_moment(plan(), state_.q.data(), call, memory_.data()) + ground.first_moment;
    double force = 0.0, size = 0.0, size_of_moment = 0.0;
    for (std::size_t i = 0; i < plain.M.size(); ++i) size += abs(plain.M[i] * vdot[i % vdot.size()]);
    std::vector<Pose<>> X_WL(model_.links().size());
    for (std::size_t i = 0; i < X_WL.size(); ++i) {
      const Link& link = model_.links()[i];
      X_WL[i] = at.motion.X_PL[i];
      if (link.parent >= 0) X_WL[i] = X_WL[static_cast<std::size_t>(link.parent)] * X_WL[i];
      if (link.parent < 0) supports -= X_WL[i] * at.F[i];
      const Vec3<> h = fma(link.inertia.mass, X_WL[i].translation, X_WL[i].rotation * link.inertia.first_moment);
      moment -= h;
      size_of_moment += link.inertia.mass * norm(X_WL[i].translation) + norm(link.inertia.first_moment);
      force += link.inertia.mass * norm(model_.gravity());
      size += size_of(X_WL[i] * at.F[i]) + (1.0 + norm(X_WL[i].translation)) * size_of(at.F[i]);
    }
    found.supports = max(found.supports, size_of(supports) / (kEpsilon<double> * (size + force)));
    found.moment = max(found.moment, norm(moment) / (kEpsilon<double> * size_of_moment));
  }

  const PlannedKernelTable& kernels_ = planned_kernels_in_use();
  const Model& model_;
  const Plan& plan_;
  RandomState state_;
  std::vector<Wrench<>> external_, on_plan_;
  std::vector<unsigned char> given_;
  RootMotion root_{};
  PlannedMotion<double> world_{};
  PlannedLoads<double> loads_;
  KernelScratch memory_;
};

constexpr Loads kLoads[] = {{true, false, false}, {false, true, false}, {false, false, true}, {true, true, true}};

void check(const LoadedDistances& worst, const LoadedDistances& bounds) {
  MESSAGE("worst: inverse ", worst.inverse, ", forward ", worst.forward, ", supports ", worst.supports, ", moment ",
          worst.moment);
  CHECK(worst.inverse < bounds.inverse);
  CHECK(worst.forward < bounds.forward);
  CHECK(worst.supports < bounds.supports);
  CHECK(worst.moment < bounds.moment);
}

}  // namespace

// Three times the worst seen.
TEST_CASE("planned loads: as the plain recursions have them, on trees of every kind of joint") {
  for (const Joints joints :
       {Joints::every, Joints::revolute, Joints::revolute_and_prismatic, Joints::revolute_and_spherical}) {
    CAPTURE(static_cast<int>(joints));
    LoadedDistances worst;
    for (std::uint64_t run = 0; run < 2000; ++run) {
      RandomStream stream(71, run);
      const Model model = compile(planned_tree(stream, run, joints, 10.0)).value();
      worst = worse(worst, Loaded(model, model.plan(), stream, kLoads[run % 4]).distances());
    }
    check(worst, {20.0, 15.0, 7.0, 22.0});
  }
}

TEST_CASE("planned loads: in lane groups, link after link and in chains") {
  for (const KernelLayout layout :
       {KernelLayout::side_by_side, KernelLayout::one_by_one, KernelLayout::bodies_in_lanes}) {
    CAPTURE(static_cast<int>(layout));
    LoadedDistances worst;
    int seen = 0;
    for (std::uint64_t run = 0; run < 2000; ++run) {
      RandomStream stream(72, run);
      const bool chain = layout == KernelLayout::bodies_in_lanes;
      const int links = static_cast<int>(chain ? 5 + run % 12 : 8 + run % 24);
      ModelSpec spec = random_spec(stream, {.links = links,
                                            .branching = chain ? 0.0 : 0.5,
                                            .mass_ratio = 2.0,
                                            .armature = run % 2 == 0});
      for (JointSpec& joint : spec.joints)
        if (chain || run % 3 != 0 || stream.uniform() < 0.85) joint.kind = JointKind::revolute;
      const Model model = compile(spec).value();
      const Plan plan(model.tree(), layout);
      if (plan.layout() != layout) continue;
      ++seen;
      worst = worse(worst, Loaded(model, plan, stream, kLoads[run / 2 % 4]).distances());
    }
    CHECK(seen > 300);
    check(worst, {20.0, 15.0, 7.0, 22.0});
  }
}

TEST_CASE("planned workspace: what the recursion keeps is there when asked for, else it is refused") {
  RandomStream stream(92);
  const Model model = compile(random_spec(stream, {.links = 5})).value();
  const RandomState state(model, stream);
  std::vector<double> vdot(state.v.size()), kept(state.v.size());
  ForwardDynamicsWorkspace<> work(model);
  REQUIRE(forward_dynamics(model, state.q, state.v, state.tau, work, vdot).ok());
  CHECK_THROWS_WITH_AS((void)articulated_body(model, work, 0, Axes::local), doctest::Contains("keep_recursion"),
                       UsageError);
  REQUIRE(forward_dynamics(model, state.q, state.v, state.tau, work, kept, {.keep_recursion = true}).ok());
  const ArticulatedBody body = articulated_body(model, work, 0, Axes::local);
  CHECK(norm(body.f.force) > 0.0);
  for (std::size_t i = 0; i < kept.size(); ++i) CHECK(kept[i] == doctest::Approx(vdot[i]).epsilon(1e-9));
}
