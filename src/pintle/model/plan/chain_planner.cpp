#include "pintle/model/plan/chain_planner.h"

namespace pintle {
namespace {

/// The indices of a link among the links, the dofs and the coordinates are equal.
bool is_in_chain(const PlanLink<double>& link, int i, bool base_parameters) {
  const PlanKind kind = i == 0 ? PlanKind::root_hinge : PlanKind::hinge;
  return link.kind == kind && base_parameters && link.parent == i - 1 && link.q == i && link.v == i && link.hinge == i;
}

/// A rotor on an axis that coincides with the previous one: fills the lanes beyond the tip.
ChainNumbers<double> idle_link() {
  ChainNumbers<double> idle{};
  idle.cos_alpha = idle.moved_trace = idle.armature = 1.0;
  return idle;
}

ChainNumbers<double> numbers_of(const PlanLink<double>& link, double offset) {
  const SymMat3<>& I = link.inertia.inertia;
  const bool root = link.parent < 0;  // which has no transform from a parent
  return {.offset = offset,
          .cos_alpha = root ? 1.0 : link.cos_alpha,
          .sin_alpha = root ? 0.0 : link.sin_alpha,
          .a = root ? 0.0 : link.a,
          .d = root ? 0.0 : link.d,
          .hx = link.inertia.first_moment.x,
          .hy = link.inertia.first_moment.y,
          .xx = I.xx,
          .xy = I.xy,
          .xz = I.xz,
          .yz = I.yz,
          .zz = I.zz,
          .moved_trace = link.whole_trace - trace(I),
          .armature = link.armature};
}

void put(const ChainNumbers<double>& from, std::size_t lane, ChainNumbers<LaneNumbers>& to) {
  const auto number = [lane](double x, LaneNumbers& lanes) { lanes.lanes[lane] = x; };
  number(from.offset, to.offset);
  number(from.cos_alpha, to.cos_alpha), number(from.sin_alpha, to.sin_alpha);
  number(from.a, to.a), number(from.d, to.d);
  number(from.hx, to.hx), number(from.hy, to.hy);
  number(from.xx, to.xx), number(from.xy, to.xy), number(from.xz, to.xz);
  number(from.yz, to.yz), number(from.zz, to.zz);
  number(from.moved_trace, to.moved_trace), number(from.armature, to.armature);
}

}  // namespace

std::vector<ChainNumbers<LaneNumbers>> plan_chain(const std::vector<PlanLink<double>>& links,
                                                  const std::vector<bool>& base_parameters,
                                                  const std::vector<PlanAngle<double>>& angles, bool always) {
  constexpr std::size_t kLanes = kChainLanes, kLeast = 6;  // measured: docs/speed.md
  if (links.size() < (always ? kLanes + 1 : kLeast)) return {};
  for (std::size_t i = 0; i < links.size(); ++i)
    if (!is_in_chain(links[i], static_cast<int>(i), base_parameters[i])) return {};
  std::vector<ChainNumbers<LaneNumbers>> packs((links.size() + kLanes - 1) / kLanes);
  for (std::size_t i = 0; i < packs.size() * kLanes; ++i) {
    put(i < links.size() ? numbers_of(links[i], angles[i].offset) : idle_link(), i % kLanes, packs[i / kLanes]);
  }
  return packs;
}

bool can_be_factored(const std::vector<PlanLink<double>>& links) {
  constexpr double kMinSine = 0.3;  // axes nearer to parallel move links almost in a plane
  constexpr int kMaxParallel = 3;
  if (links.size() > kMaxFactoredLinks) return false;
  int parallel = 0;
  for (const PlanLink<double>& link : links) {
    parallel = link.parent >= 0 && link.sin_alpha < kMinSine && link.sin_alpha > -kMinSine ? parallel + 1 : 1;
    if (parallel > kMaxParallel) return false;
  }
  return true;
}

}  // namespace pintle
