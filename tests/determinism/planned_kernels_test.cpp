// Kernels on plans, built once per instruction set: a lane has the bits of the kernel of one state, and bits are the
// same within a bit family.
#include <doctest/doctest.h>

#include "pintle/base/isa.h"
#include "support/planned_states.h"

#define DECLARE_KERNELS(isa)                                      \
  namespace pintle::isa {                                         \
  const PlannedKernelTable& planned_kernels();                    \
  const PlannedKernels<double>& planned_pack_kernels_of_double(); \
  const PlannedKernels<float>& planned_pack_kernels_of_float();   \
  }
DECLARE_KERNELS(kernels_baseline)
#if defined(__x86_64__)
DECLARE_KERNELS(kernels_avx2)
DECLARE_KERNELS(kernels_avx512)
#endif

using namespace test;

namespace {

constexpr std::uint64_t kTrees = 30;

Model tree(RandomStream& stream, std::uint64_t run) {
  ModelSpec spec = random_spec(stream, {.links = 12, .armature = run % 3 != 0});  // general with rotors
  for (JointSpec& joint : spec.joints) {
    if (run % 2 == 0) joint.kind = JointKind::revolute;
    if (run % 5 == 3) joint.kind = stream.uniform() < 0.5 ? JointKind::screw : JointKind::cylindrical;
  }
  if (run % 4 == 0) {
    spec.joints[0].kind = JointKind::free;
    spec.joints[0].passive.clear();
  }
  return compile(spec).value();
}

/// The kernels of an instruction set.
struct Kernels {
  const PlannedKernels<double>& one;
  const PlannedKernels<double>& pack;
  const PlannedKernels<float>& pack_float;

  template <class B>
  const PlannedKernels<B>& packs() const {
    if constexpr (sizeof(B) == sizeof(double)) {
      return pack;
    } else {
      return pack_float;
    }
  }

  /// Of one state: by the kernel of one state, or, where there is none, by a pack that has it in every lane.
  template <class B>
  PlannedAnswers<B> alone(const Model& model, const RandomState& state) const {
    if constexpr (sizeof(B) == sizeof(double)) {
      return planned_answers(one, model, {state});
    } else {
      return answers_in_every_lane(pack_float, model, state);
    }
  }
};

#define KERNELS_OF(isa)                                                                                     \
  Kernels {                                                                                                 \
    isa::planned_kernels().one, isa::planned_pack_kernels_of_double(), isa::planned_pack_kernels_of_float() \
  }

template <class B>
void append(std::vector<B>& all, const PlannedAnswers<B>& answers) {
  for (const std::vector<B>* part : {&answers.tau, &answers.vdot, &answers.M})
    all.insert(all.end(), part->begin(), part->end());
}

/// Everything the kernels of one state compute on random trees, one after the other.
template <class B>
std::vector<B> everything(const Kernels& kernels) {
  std::vector<B> all;
  for (std::uint64_t run = 0; run < kTrees; ++run) {
    RandomStream stream(54, run);
    const Model model = tree(stream, run);
    append(all, kernels.alone<B>(model, RandomState(model, stream)));
  }
  return all;
}

template <class B>
void check_lanes(const Kernels& kernels) {
  const PlannedKernels<B>& pack = kernels.packs<B>();
  const std::size_t lanes = static_cast<std::size_t>(pack.lanes);
  REQUIRE(lanes > 1);
  for (std::uint64_t run = 0; run < kTrees; ++run) {
    RandomStream stream(55, run);
    const Model model = tree(stream, run);
    std::vector<RandomState> states;
    for (std::size_t lane = 0; lane < lanes; ++lane) states.emplace_back(model, stream);
    std::vector<B> side_by_side;
    append(side_by_side, planned_answers(pack, model, states));
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      std::vector<B> alone, of_lane;
      append(alone, kernels.alone<B>(model, states[lane]));
      for (std::size_t k = lane; k < side_by_side.size(); k += lanes) of_lane.push_back(side_by_side[k]);
      CHECK(of_lane == alone);
    }
  }
}

/// Lane groups of unequal lengths on each other, mostly of revolute joints; every third has other joints among them.
Model lane_groups(RandomStream& stream, std::uint64_t run) {
  ModelSpec spec = random_spec(stream, {.links = 8 + static_cast<int>(run % 24),
                                        .branching = run % 2 == 0 ? 0.3 : 0.7,
                                        .mass_ratio = run % 5 == 0 ? 1e3 : 10.0,
                                        .armature = run % 7 != 0});
  for (JointSpec& joint : spec.joints)
    if (run % 3 != 0 || stream.uniform() < 0.85) joint.kind = JointKind::revolute;
  if (run % 4 == 0) {
    spec.joints[0].kind = JointKind::free;
    spec.joints[0].passive.clear();
  }
  return compile(spec).value();
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i) same = to_bits(a[i]) == to_bits(b[i]);
  return same;
}

/// How the packs of all plans that were compared begin with those outside of them.
struct LaneGroupsSeen {
  int of_children[4] = {0, 0, 0, 0};
  int mixed_parents = 0, roots = 0, empty_lanes = 0;
};

void look(const PlanLaneGroups& lane_groups, LaneGroupsSeen& seen) {
  for (int k = 0; k < lane_groups.count; ++k) {
    const LaneGroupPack& pack = lane_groups.packs[k];
    ++seen.of_children[static_cast<int>(pack.children)];
    seen.mixed_parents += pack.only_parent < 0 ? 1 : 0;
    for (const int link : pack.links) seen.empty_lanes += link < 0 ? 1 : 0;
  }
  for (int r = 0; r < lane_groups.run_count; ++r) seen.roots += lane_groups.runs[r].kind.is_root() ? 1 : 0;
}

LaneGroupsSeen check_lane_groups(const Kernels& kernels) {
  LaneGroupsSeen seen;
  for (std::uint64_t run = 0; run < 400; ++run) {
    RandomStream stream(56, run);
    const Model model = lane_groups(stream, run);
    const Plan plan(model.tree(), KernelLayout::side_by_side);
    const PlanView<double> side_by_side = plan.view<double>();
    PlanView<double> one_by_one = side_by_side;
    one_by_one.lane_groups.count = 0;
    look(side_by_side.lane_groups, seen);
    const RandomState state(model, stream);
    const PlannedAnswers<double> a = planned_answers(kernels.one, model, side_by_side, {state}),
                                 b = planned_answers(kernels.one, model, one_by_one, {state});
    CHECK(a.moves == b.moves);
    CHECK(same_bits(a.tau, b.tau));
    CHECK(same_bits(a.vdot, b.vdot));
    CHECK(same_bits(a.M, b.M));
    // Against a plan that knows of no lane groups: numerically the same, though straight joints may become turned.
    const Plan without(model.tree(), KernelLayout::one_by_one);
    const PlannedAnswers<double> c = planned_answers(kernels.one, model, without.view<double>(), {state});
    CHECK(a.tau == c.tau);
    CHECK(a.vdot == c.vdot);
  }
  return seen;
}

/// Everything on chains of every number of links that a pack may end with, with their links in lanes or one by one.
std::vector<double> chains(const Kernels& kernels, bool in_lanes) {
  std::vector<double> all;
  for (std::uint64_t run = 0; run < 200; ++run) {
    RandomStream stream(57, run);
    ModelSpec spec =
        random_spec(stream, {.links = 5 + static_cast<int>(run % 12), .branching = 0.0, .mass_ratio = 2.0});
    for (JointSpec& joint : spec.joints) joint.kind = JointKind::revolute;
    const Model model = compile(spec).value();
    const Plan plan(model.tree(), KernelLayout::bodies_in_lanes);
    if (plan.layout() != KernelLayout::bodies_in_lanes) continue;
    const PlanView<double> view = in_lanes ? plan.view<double>() : one_by_one(plan.view<double>());
    append(all, planned_answers(kernels.one, model, view, {RandomState(model, stream)}));
  }
  return all;
}

}  // namespace

TEST_CASE("planned kernels: lane groups side by side have the bits of link after link") {
  const LaneGroupsSeen seen = check_lane_groups(KERNELS_OF(kernels_baseline));
  for (const int packs : seen.of_children) CHECK(packs > 20);
  CHECK(seen.mixed_parents > 20);
  CHECK(seen.roots > 20);
  CHECK(seen.empty_lanes > 20);
#if defined(__x86_64__)
  if (available(Isa::avx2)) check_lane_groups(KERNELS_OF(kernels_avx2));
  if (available(Isa::avx512)) check_lane_groups(KERNELS_OF(kernels_avx512));
#endif
}

TEST_CASE_TEMPLATE("planned kernels: a lane has the bits of the kernel of one state", B, double, float) {
  check_lanes<B>(KERNELS_OF(kernels_baseline));
#if defined(__x86_64__)
  if (available(Isa::avx2)) check_lanes<B>(KERNELS_OF(kernels_avx2));
  if (available(Isa::avx512)) check_lanes<B>(KERNELS_OF(kernels_avx512));
#endif
}

#if defined(__x86_64__)
TEST_CASE("planned kernels: links of chains in lanes have bits of their own, the same with AVX2 and AVX-512") {
  const Kernels baseline = KERNELS_OF(kernels_baseline);
  CHECK(same_bits(chains(baseline, true), chains(baseline, false)));  // it has no such lanes
  if (!available(Isa::avx2)) {
    MESSAGE("not compared: this processor has no AVX2");
    return;
  }
  const std::vector<double> avx2 = chains(KERNELS_OF(kernels_avx2), true);
  CHECK(avx2.size() > 10000);
  CHECK_FALSE(same_bits(avx2, chains(KERNELS_OF(kernels_avx2), false)));
  CHECK(same_bits(avx2, chains(KERNELS_OF(kernels_avx2), true)));
  if (!available(Isa::avx512)) {
    MESSAGE("not compared: this processor has no AVX-512");
    return;
  }
  CHECK(same_bits(avx2, chains(KERNELS_OF(kernels_avx512), true)));
}

TEST_CASE_TEMPLATE("planned kernels: AVX-512 gives the bits of AVX2, the baseline others", B, double, float) {
  if (!available(Isa::avx2)) {
    MESSAGE("not compared: this processor has no AVX2");
    return;
  }
  const std::vector<B> avx2 = everything<B>(KERNELS_OF(kernels_avx2));
  CHECK(everything<B>(KERNELS_OF(kernels_baseline)) != avx2);
  if (!available(Isa::avx512)) {
    MESSAGE("not compared: this processor has no AVX-512");
    return;
  }
  CHECK(everything<B>(KERNELS_OF(kernels_avx512)) == avx2);
}
#endif
