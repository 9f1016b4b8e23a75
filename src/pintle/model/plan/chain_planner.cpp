#include "pintle/model/plan/chain_planner.h"

namespace pintle {
namespace {

/// The indices of a link among the links, the dofs and the coordinates are equal.
bool is_in_chain(const PlanLink<double>& link, int i, bool base_parameters) {
  const PlanKind kind{PlanJoint::revolute, i == 0 ? PlanPlacement::root : PlanPlacement::straight};
  return link.kind == kind && base_parameters && link.parent == i - 1 && link.q == i && link.v == i && link.angle == i;
}

/// A rotor on an axis that coincides with the previous one: fills the lanes beyond the tip.
ChainParameters<double> idle_link() {
  ChainParameters<double> idle{};
  idle.cos_alpha = idle.moved_trace = idle.armature = 1.0;
  return idle;
}

ChainParameters<double> parameters_of(const PlanLink<double>& link, double offset) {
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

void put(const ChainParameters<double>& from, std::size_t lane, ChainParameters<LaneValues>& to) {
  const auto set = [lane](double x, LaneValues& lanes) { lanes.lanes[lane] = x; };
  set(from.offset, to.offset);
  set(from.cos_alpha, to.cos_alpha), set(from.sin_alpha, to.sin_alpha);
  set(from.a, to.a), set(from.d, to.d);
  set(from.hx, to.hx), set(from.hy, to.hy);
  set(from.xx, to.xx), set(from.xy, to.xy), set(from.xz, to.xz);
  set(from.yz, to.yz), set(from.zz, to.zz);
  set(from.moved_trace, to.moved_trace), set(from.armature, to.armature);
}

}  // namespace

std::vector<ChainParameters<LaneValues>> plan_chain(const std::vector<PlanLink<double>>& links,
                                                    const std::vector<bool>& base_parameters,
                                                    const std::vector<PlanAngle<double>>& angles, bool always) {
  constexpr std::size_t kLanes = kChainLanes, kMinLinks = 6;  // measured: docs/kernels.md
  if (links.size() < (always ? kLanes + 1 : kMinLinks)) return {};
  for (std::size_t i = 0; i < links.size(); ++i)
    if (!is_in_chain(links[i], static_cast<int>(i), base_parameters[i])) return {};
  std::vector<ChainParameters<LaneValues>> packs((links.size() + kLanes - 1) / kLanes);
  for (std::size_t i = 0; i < packs.size() * kLanes; ++i) {
    put(i < links.size() ? parameters_of(links[i], angles[i].offset) : idle_link(), i % kLanes, packs[i / kLanes]);
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
