#include "pintle/model/plan/lane_group_planner.h"

#include <algorithm>

#include "pintle/base/size.h"

namespace pintle {
namespace {

/// A revolute joint with the identity as its transform and an inertia of its own: fills an empty lane.
PlanParameters<double> idle_revolute() {
  PlanParameters<double> idle{};
  idle.cos_alpha = idle.cos_gamma = 1.0;
  idle.rotation = identity3<double>();
  idle.inertia.inertia.zz = idle.whole_trace = 1.0;
  return idle;
}

/// The first lane that is not empty.
int first_lane(const LaneGroupPack& pack) {
  return static_cast<int>(std::ranges::find_if(pack.links, [](int link) { return link >= 0; }) - pack.links);
}

/// Calls f(a, b) for the parameters of two links.
template <class A, class B, class F>
void each_component(PlanParameters<A>& a, const PlanParameters<B>& b, const F& f) {
  const auto vector = [&f](Vec3<A>& x, const Vec3<B>& y) { f(x.x, y.x), f(x.y, y.y), f(x.z, y.z); };
  f(a.cos_alpha, b.cos_alpha), f(a.sin_alpha, b.sin_alpha), f(a.a, b.a), f(a.d, b.d);
  f(a.cos_gamma, b.cos_gamma), f(a.sin_gamma, b.sin_gamma), f(a.b, b.b);
  Mat3<A>& R = a.rotation;
  const Mat3<B>& Q = b.rotation;
  f(R.xx, Q.xx), f(R.xy, Q.xy), f(R.xz, Q.xz), f(R.yx, Q.yx), f(R.yy, Q.yy), f(R.yz, Q.yz);
  f(R.zx, Q.zx), f(R.zy, Q.zy), f(R.zz, Q.zz);
  vector(a.translation, b.translation);
  vector(a.minus_gravity, b.minus_gravity);
  f(a.inertia.mass, b.inertia.mass);
  vector(a.inertia.first_moment, b.inertia.first_moment);
  SymMat3<A>& I = a.inertia.inertia;
  const SymMat3<B>& J = b.inertia.inertia;
  f(I.xx, J.xx), f(I.xy, J.xy), f(I.xz, J.xz), f(I.yy, J.yy), f(I.yz, J.yz), f(I.zz, J.zz);
  f(a.whole_trace, b.whole_trace), f(a.armature, b.armature);
  f(a.pitch, b.pitch), f(a.unit_force, b.unit_force), f(a.unit_torque, b.unit_torque);
}

/// Measured on random trees (docs/kernels.md): forward dynamics gains from 2.5 links per row on, inverse dynamics from 3;
/// in between, lane groups without branches gain in both.
bool pays(const std::vector<LaneGroupRow>& rows) {
  constexpr double kLinksInRow = 2.75;
  std::ptrdiff_t links = 0;
  for (const LaneGroupRow& row : rows) links += kLaneGroupLanes - std::ranges::count(row, -1);
  return static_cast<double>(links) >= kLinksInRow * static_cast<double>(rows.size());
}

/// Makes packs of the rows of a schedule.
class LaneGroupPlanner {
 public:
  LaneGroupPlanner(std::vector<PlanLink<double>>& links, const std::vector<bool>& base_parameters)
      : links_(links),
        base_parameters_(base_parameters),
        place_(links.size(), -1),
        lane_(links.size(), 0),
        children_(links.size()) {
    for (std::size_t i = links.size(); i-- > 0;)
      if (links[i].parent >= 0) children_[size(links[i].parent)].push_back(static_cast<int>(i));
  }

  LaneGroupPlan run(bool always) {
    const std::vector<LaneGroupRow> rows = schedule();
    if (!always && !pays(rows)) return {};
    count_ = static_cast<int>(rows.size());
    for (const LaneGroupRow& row : rows) add_pack(row);
    find_carriers();
    for (LaneGroupPack& pack : plan_.packs) {
      find_parents(pack);
      find_children(pack);
    }
    if (count_ > 0) divide_remainder();
    return std::move(plan_);
  }

 private:
  std::vector<LaneGroupRow> schedule() const {
    std::vector<LaneGroupLink> asked;
    for (std::size_t i = 0; i < links_.size(); ++i) asked.push_back({links_[i].parent, group(i)});
    return schedule_lane_groups(asked);
  }

  /// Straight and turned revolute joints may share a pack, a link with base parameters and one without may not: their
  /// computations differ.
  int group(std::size_t i) const {
    if (links_[i].kind.joint != PlanJoint::revolute) return -1;
    switch (links_[i].kind.placement) {
      case PlanPlacement::root:
        return 0;
      case PlanPlacement::posed:
        return 3;
      default:
        return base_parameters_[i] ? 1 : 2;
    }
  }

  void add_pack(const LaneGroupRow& row) {
    const auto first = std::ranges::find_if(row, [](int link) { return link >= 0; });
    const bool turned = std::ranges::any_of(row, [&](int link) { return link >= 0 && is_turned(links_[size(link)]); });
    LaneGroupPack pack{};
    PlanParameters<LaneValues> parameters;
    for (int lane = 0; lane < kLaneGroupLanes; ++lane) {
      const int link = pack.links[lane] = row[size(lane)];
      pack.v[lane] = links_[size(link < 0 ? *first : link)].v;
      if (link >= 0 && turned) make_turned(links_[size(link)]);
      each_component(parameters, link < 0 ? idle_revolute() : links_[size(link)],
                     [lane](LaneValues& to, double value) { to.lanes[lane] = value; });
      if (link < 0) continue;
      place_[size(link)] = static_cast<int>(plan_.packs.size());
      lane_[size(link)] = lane;
    }
    append_run(plan_.runs, links_[size(*first)].kind, base_parameters_[size(*first)],
               static_cast<int>(plan_.packs.size()));
    plan_.packs.push_back(pack);
    plan_.parameters.push_back(parameters);
  }

  static bool is_turned(const PlanLink<double>& link) { return link.kind.placement == PlanPlacement::turned; }

  static void make_turned(PlanLink<double>& link) {
    if (is_turned(link)) return;
    link.kind.placement = PlanPlacement::turned;
    link.cos_gamma = 1.0;
    link.sin_gamma = link.b = 0.0;
  }

  static void append_run(std::vector<PlanRun>& runs, PlanKind kind, bool base_parameters, int i) {
    if (!runs.empty() && runs.back().kind == kind && runs.back().base_parameters == base_parameters &&
        runs.back().first + runs.back().count == i) {
      ++runs.back().count;
    } else {
      runs.push_back({kind, base_parameters, i, 1});
    }
  }

  bool in_pack(int link) const { return place_[size(link)] >= 0 && place_[size(link)] < count_; }

  /// Carriers of the remainder are numbered after all packs.
  void find_carriers() {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const int parent = links_[i].parent;
      if (place_[i] < 0 || parent < 0 || place_[size(parent)] >= 0) continue;
      place_[size(parent)] = count_ + static_cast<int>(plan_.carriers.size());
      plan_.carriers.push_back(parent);
    }
  }

  void find_parents(LaneGroupPack& pack) const {
    const int first = first_lane(pack);
    pack.only_parent = -1;
    if (links_[size(pack.links[first])].parent < 0) return;  // a row of roots
    bool straight = true;
    for (int lane = 0; lane < kLaneGroupLanes; ++lane) {
      const int link = pack.links[lane], parent = links_[size(link < 0 ? pack.links[first] : link)].parent;
      pack.parent[lane] = place_[size(parent)];
      pack.parent_lane[lane] = in_pack(parent) ? lane_[size(parent)] : lane;
      straight = straight && (link < 0 || pack.parent_lane[lane] == lane);
    }
    for (const int place : pack.parent) straight = straight && place == pack.parent[first];
    if (straight) pack.only_parent = pack.parent[first];
  }

  void find_children(LaneGroupPack& pack) {
    std::vector<LaneGroupInlet> inlets;
    for (int lane = 0; lane < kLaneGroupLanes; ++lane) {
      if (pack.links[lane] < 0) continue;
      const std::vector<int>& children = children_[size(pack.links[lane])];  // the last first, as they are added
      for (const int child : children)
        inlets.push_back({lane, place_[size(child)], lane_[size(child)], child == children[0]});
      pack.has_child.lanes[lane] = children.empty() ? 0.0 : 1.0;
    }
    if (inlets.empty()) return;  // tips
    pack.child = inlets[0].child;
    const bool lane_by_lane = std::ranges::all_of(inlets, [&](const LaneGroupInlet& inlet) {
      return inlet.first && inlet.child == pack.child && inlet.child_lane == inlet.lane;
    });
    if (lane_by_lane) {
      pack.children = all_lanes_go_on(pack) ? LaneGroupChildren::straight : LaneGroupChildren::some;
      return;
    }
    pack.children = LaneGroupChildren::scattered;
    pack.first_inlet = static_cast<int>(plan_.inlets.size());
    pack.inlet_count = static_cast<int>(inlets.size());
    plan_.inlets.insert(plan_.inlets.end(), inlets.begin(), inlets.end());
  }

  /// Between a pack and that of its children no lane group ends, and none begins in a lane that was empty.
  bool all_lanes_go_on(const LaneGroupPack& pack) const {
    bool all = true;
    for (int lane = 0; lane < kLaneGroupLanes; ++lane) {
      const bool goes_on = pack.has_child.lanes[lane] != 0.0, begins = plan_.packs[size(pack.child)].links[lane] >= 0;
      all = all && (pack.links[lane] >= 0 ? goes_on : !begins);
    }
    return all;
  }

  void divide_remainder() {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const int link = static_cast<int>(i), parent = links_[i].parent;
      if (!in_pack(link)) {
        append_run(plan_.remainder, links_[i].kind, base_parameters_[i], link);
      } else if (parent >= 0 && !in_pack(parent)) {
        const int root = static_cast<int>(plan_.roots.size());
        const bool goes_on = !plan_.remainder.empty() && plan_.remainder.back().kind.joint == PlanJoint::lane_group &&
                             links_[size(plan_.roots.back())].parent == parent;
        if (goes_on) {
          ++plan_.remainder.back().count;
        } else {
          plan_.remainder.push_back({{PlanJoint::lane_group}, false, root, 1});
        }
        plan_.roots.push_back(link);
      }
    }
  }

  std::vector<PlanLink<double>>& links_;
  const std::vector<bool>& base_parameters_;
  std::vector<int> place_, lane_;
  std::vector<std::vector<int>> children_;
  int count_ = 0;
  LaneGroupPlan plan_;
};

/// Numbers the lanes of packs first, then the remainder. An empty lane has the angle of another one.
void order_angles(const LaneGroupPlan& plan, std::vector<PlanLink<double>>& links,
                  std::vector<PlanAngle<double>>& angles) {
  std::vector<PlanAngle<double>> ordered;
  std::vector<bool> done(links.size(), false);
  const auto put = [&](std::size_t link) {
    ordered.push_back(angles[size(links[link].angle)]);
    links[link].angle = static_cast<int>(ordered.size()) - 1;
    done[link] = true;
  };
  for (const LaneGroupPack& pack : plan.packs) {
    const int any_q = links[size(pack.links[first_lane(pack)])].q;
    for (const int link : pack.links) link < 0 ? ordered.push_back({any_q, 0.0}) : put(size(link));
  }
  for (std::size_t i = 0; i < links.size(); ++i)
    if (!done[i] && links[i].angle >= 0) put(i);
  angles = ordered;
}

}  // namespace

LaneGroupPlan plan_lane_groups(std::vector<PlanLink<double>>& links, const std::vector<bool>& base_parameters,
                               std::vector<PlanAngle<double>>& angles, bool always) {
  LaneGroupPlan plan = LaneGroupPlanner(links, base_parameters).run(always);
  order_angles(plan, links, angles);
  return plan;
}

PlanLaneGroups LaneGroupPlan::view() const {
  return {.packs = packs.data(),
          .count = static_cast<int>(packs.size()),
          .parameters = parameters.data(),
          .runs = runs.data(),
          .run_count = static_cast<int>(runs.size()),
          .inlets = inlets.data(),
          .carriers = carriers.data(),
          .carrier_count = static_cast<int>(carriers.size()),
          .roots = roots.data(),
          .remainder = remainder.data(),
          .remainder_count = static_cast<int>(remainder.size())};
}

}  // namespace pintle
