#include "pintle/model/plan/plan.h"

#include <algorithm>
#include <optional>

#include "pintle/base/size.h"
#include "pintle/math/elementary.h"
#include "pintle/model/plan/base_parameters.h"
#include "pintle/model/plan/chain_planner.h"
#include "pintle/model/plan/common_normal.h"
#include "pintle/model/plan/lane_group_planner.h"

namespace pintle {
namespace {

/// Rounded to float.
PlanLink<float> rounded(const PlanLink<double>& from) {
  const auto number = [](double x) { return static_cast<float>(x); };
  const auto vector = [&](const Vec3<>& a) { return Vec3<float>{number(a.x), number(a.y), number(a.z)}; };
  const Mat3<>& R = from.rotation;
  const SymMat3<>& I = from.inertia.inertia;
  return {static_cast<const PlanPlace&>(from),
          {.cos_alpha = number(from.cos_alpha),
           .sin_alpha = number(from.sin_alpha),
           .a = number(from.a),
           .d = number(from.d),
           .inertia = {number(from.inertia.mass),
                       vector(from.inertia.first_moment),
                       {number(I.xx), number(I.xy), number(I.xz), number(I.yy), number(I.yz), number(I.zz)}},
           .whole_trace = number(from.whole_trace),
           .armature = number(from.armature),
           .cos_gamma = number(from.cos_gamma),
           .sin_gamma = number(from.sin_gamma),
           .b = number(from.b),
           .rotation = {number(R.xx), number(R.xy), number(R.xz), number(R.yx), number(R.yy), number(R.yz),
                        number(R.zx), number(R.zy), number(R.zz)},
           .translation = vector(from.translation),
           .minus_gravity = vector(from.minus_gravity),
           .pitch = number(from.pitch),
           .unit_force = number(from.unit_force),
           .unit_torque = number(from.unit_torque)}};
}

/// The plan kinds of one type of joint with an axis.
struct AxisKinds {
  PlanKind root, straight, turned, posed;
};
constexpr AxisKinds kHinges = {PlanKind::root_hinge, PlanKind::hinge, PlanKind::turned_hinge, PlanKind::posed_hinge};
constexpr AxisKinds kScrews = {PlanKind::root_screw, PlanKind::screw, PlanKind::turned_screw, PlanKind::posed_screw};
constexpr AxisKinds kCylinders = {PlanKind::root_cylinder, PlanKind::cylinder, PlanKind::turned_cylinder,
                                  PlanKind::posed_cylinder};
/// Never posed: all parallel lines are equivalent for them.
constexpr AxisKinds kSliders = {PlanKind::root_slider, PlanKind::slider, PlanKind::turned_slider, PlanKind::slider};

}  // namespace

/// Makes the plan of a tree.
class Planner {
 public:
  Planner(const LinkTree& tree, Plan& plan)
      : tree_(tree), plan_(plan), most_(size(tree.count)), kinds_(size(tree.count)), seats_(size(tree.count)) {}

  void take_for_no_more_than(std::span<const LinkTraits> most) { most_.assign(most.begin(), most.end()); }

  void run(std::optional<KernelLayout> way) {
    for (int i = 0; i < tree_.count; ++i) kinds_[size(i)] = kind_of_joint(i);
    place_frames();
    for (int i = 0; i < tree_.count; ++i) plan_.links_.push_back(planned(i));
    base_parameters_ = to_base_parameters(tree_, most_, plan_.links_);
    share_sums();
    find_gaps();
    if (way.value_or(KernelLayout::bodies_in_lanes) == KernelLayout::bodies_in_lanes) {
      plan_.chain_ = plan_chain(plan_.links_, base_parameters_, plan_.angles_, way.has_value());
      plan_.chain_factored_ = can_be_factored(plan_.links_);
    }
    if (way.value_or(KernelLayout::side_by_side) == KernelLayout::side_by_side)
      plan_.lane_groups_ = plan_lane_groups(plan_.links_, base_parameters_, plan_.angles_, way.has_value());
    finish();
  }

 private:
  /// Those with an axis are distinguished later.
  PlanKind kind_of_joint(int i) const {
    const Link& link = tree_.links[i];
    if (has_axis(i)) return link.parent < 0 ? axis_kinds(i).root : axis_kinds(i).straight;
    bool bare = most_[size(i)].bare;
    for (int k = link.v; k < link.v + link.nv; ++k) bare = bare && tree_.armature[k] == 0.0;
    if (bare && link.kind == JointKind::spherical) return PlanKind::ball;
    return bare && link.kind == JointKind::free && link.parent < 0 ? PlanKind::free_root : PlanKind::general;
  }

  /// A screw with zero pitch is a revolute joint, with the same bits.
  static bool turns_only(const Link& link) {
    return link.kind == JointKind::revolute || (link.kind == JointKind::screw && link.pitch == 0.0);
  }

  bool is_hinge(int i) const { return most_[size(i)].turns && turns_only(tree_.links[i]); }

  bool is_slider(int i) const { return tree_.links[i].kind == JointKind::prismatic; }

  bool is_cylinder(int i) const { return tree_.links[i].kind == JointKind::cylindrical; }

  /// Rotates about an axis at a fixed position.
  bool turns(int i) const { return is_hinge(i) || is_cylinder(i) || tree_.links[i].kind == JointKind::screw; }

  bool has_axis(int i) const { return turns(i) || is_slider(i); }

  const AxisKinds& axis_kinds(int i) const {
    if (is_cylinder(i)) return kCylinders;
    return is_slider(i) ? kSliders : is_hinge(i) ? kHinges : kScrews;
  }

  /// Whether the first joint on a link determines the frame of the link. The frame of a prismatic joint is rotated as
  /// the transform to it requires, if it has one.
  bool can_be_placed(int i) const { return turns(i) || kinds_[size(i)] == PlanKind::root_slider; }

  /// The frame of a link that rotates, or of a prismatic joint on the world, moves to the common normal with the first
  /// joint on it that rotates and has a well-conditioned normal, or is prismatic; a prismatic one with an
  /// ill-conditioned normal only rotates it.
  void place_frames() {
    std::vector<bool> placed(size(tree_.count), false);
    for (int i = 0; i < tree_.count; ++i) {
      const int parent = tree_.links[i].parent;
      if (parent < 0 || !has_axis(i)) continue;
      const CommonNormal normal = common_normal(axis_on_parent(i));
      if (turns(i) && (!normal.sound || !most_[size(i)].near)) {
        kinds_[size(i)] = axis_kinds(i).posed;
      } else if (can_be_placed(parent) && !placed[size(parent)]) {
        seats_[size(parent)] = normal.foot;
        if (!normal.sound) seats_[size(parent)].height = 0.0;
        placed[size(parent)] = true;
      } else {
        kinds_[size(i)] = axis_kinds(i).turned;
      }
      if (is_slider(i)) seats_[size(i)] = seat_of_slider(i, normal);
    }
  }

  /// Whether the frame of the plan is off the axis of the model's frame.
  bool is_aside(int i) const { return seats_[size(i)].aside[0] != 0.0 || seats_[size(i)].aside[1] != 0.0; }

  /// The joint's frame in its parent's: in the model's frame where the plan's lies on the same axis.
  Pose<> axis_on_parent(int i) const {
    const Link& link = tree_.links[i];
    return is_aside(link.parent) ? pose_on_parent(i) : link.X_PJ;
  }

  /// The joint's frame in the parent's frame of the plan.
  Pose<> pose_on_parent(int i) const {
    const Link& link = tree_.links[i];
    return link.parent < 0 ? link.X_PJ : inverse(seats_[size(link.parent)].pose()) * link.X_PJ;
  }

  /// At the height of the joint, on its axis; with an ill-conditioned normal on the parallel line through the parent's
  /// origin, since translation along a line is the same along all parallel lines.
  Seat seat_of_slider(int i, const CommonNormal& normal) const {
    Seat seat{cos(normal.offset), -sin(normal.offset)};
    if (normal.sound) return seat;
    const Pose<> X_PJ = pose_on_parent(i);
    const Vec3<> p = transpose_times(X_PJ.rotation, X_PJ.translation);
    seat.aside[0] = -p.x;
    seat.aside[1] = -p.y;
    return seat;
  }

  PlanLink<double> planned(int i) {
    const Link& link = tree_.links[i];
    const Seat& seat = seats_[size(i)];
    PlanLink<double> out{};
    out.kind = kinds_[size(i)];
    out.parent = link.parent;
    out.q = link.q;
    out.v = link.v;
    out.nv = link.nv;
    out.end_v = link.v + link.nv;
    out.hinge = out.general = -1;
    out.cos_gamma = 1.0;
    out.inertia = inverse(seat.pose()) * link.inertia;
    out.minus_gravity = transpose_times(link.X_PJ.rotation, -tree_.gravity);
    const Pose<> X_PJ = pose_on_parent(i);
    if (out.kind == PlanKind::ball) out.translation = X_PJ.translation;
    if (out.kind == PlanKind::general || out.kind == PlanKind::ball || is_cylinder(i)) {
      out.general = static_cast<int>(plan_.general_.size());
      plan_.general_.push_back(link);
      plan_.general_.back().X_PJ = X_PJ;
    }
    if (is_slider(i)) plan_slider(i, X_PJ, out);
    if (turns(i)) plan_turning(i, X_PJ, out);
    return out;
  }

  /// A revolute, screw or cylindrical joint.
  void plan_turning(int i, const Pose<>& X_PJ, PlanLink<double>& out) {
    const Seat& seat = seats_[size(i)];
    if (!is_cylinder(i)) {
      out.armature = tree_.armature[out.v];
      out.pitch = is_hinge(i) ? 0.0 : tree_.links[i].pitch;
    }
    double offset = seat.angle();
    out.rotation = X_PJ.rotation;
    out.translation = X_PJ.translation;
    if (out.kind == axis_kinds(i).straight || out.kind == axis_kinds(i).turned) offset += plan_normal(i, out).offset;
    out.d += seat.height;
    out.hinge = static_cast<int>(plan_.angles_.size());
    plan_.angles_.push_back({is_cylinder(i) ? out.q + 1 : out.q, offset});
  }

  void plan_slider(int i, const Pose<>& X_PJ, PlanLink<double>& out) {
    out.armature = tree_.armature[out.v];
    if (out.parent < 0) {
      out.minus_gravity = transpose_times(seats_[size(i)].pose().rotation, out.minus_gravity);
      return;
    }
    if (plan_normal(i, out).sound) return;
    out.a = out.b = 0.0;
    out.d = transpose_times(X_PJ.rotation, X_PJ.translation).z;
  }

  /// The transform to the axis of a joint by the common normal.
  CommonNormal plan_normal(int i, PlanLink<double>& out) const {
    const CommonNormal normal = common_normal(axis_on_parent(i));
    const Seat foot = is_aside(out.parent) ? normal.foot : relative(seats_[size(out.parent)], normal.foot);
    out.cos_alpha = normal.cos_alpha;
    out.sin_alpha = normal.sin_alpha;
    out.cos_gamma = foot.cos;
    out.sin_gamma = foot.sin;
    out.b = foot.height;
    out.a = normal.a;
    out.d = normal.d;
    return normal;
  }

  /// From the tips inwards: a link that adds itself to its parent's sum no longer needs its own.
  void share_sums() {
    std::vector<int> unused;
    plan_.sums_ = 1;  // the first stays empty, for the tips
    for (int i = tree_.count - 1; i >= 0; --i) {
      PlanLink<double>& link = plan_.links_[size(i)];
      if (link.parent >= 0) {
        PlanLink<double>& parent = plan_.links_[size(link.parent)];
        parent.end_v = std::max(parent.end_v, link.end_v);
        link.first_in_sum = parent.sum == 0;
        if (link.first_in_sum) {
          if (unused.empty()) unused.push_back(plan_.sums_++);
          parent.sum = unused.back();
          unused.pop_back();
        }
        link.parent_sum = parent.sum;
      }
      if (link.sum > 0) unused.push_back(link.sum);
    }
  }

  /// Between the dofs of a link and those of its ancestors.
  void find_gaps() {
    for (int i = 0; i < tree_.count; ++i) {
      const Link& link = tree_.links[i];
      for (int at = i; at >= 0; at = tree_.links[at].parent) {
        const int parent = tree_.links[at].parent;
        const int first = parent < 0 ? 0 : tree_.links[parent].v + tree_.links[parent].nv;
        if (first == tree_.links[at].v) continue;
        for (int k = link.v; k < link.v + link.nv; ++k) plan_.gaps_.push_back({k, first, tree_.links[at].v});
      }
    }
  }

  void finish() {
    for (const PlanAngle<double>& angle : plan_.angles_)
      plan_.float_angles_.push_back({angle.q, static_cast<float>(angle.offset)});
    for (int i = 0; i < tree_.count; ++i) {
      const PlanRun run{plan_.links_[size(i)].kind, base_parameters_[size(i)], i, 1};
      if (i > 0 && plan_.runs_.back().kind == run.kind && plan_.runs_.back().base_parameters == run.base_parameters) {
        ++plan_.runs_.back().count;
      } else {
        plan_.runs_.push_back(run);
      }
      const PlanLink<double>& link = plan_.links_[size(i)];
      if (link.general >= 0) plan_.general_[size(link.general)].inertia = link.inertia;
      plan_.float_links_.push_back(rounded(link));
    }
    plan_.armature_.assign(tree_.armature, tree_.armature + tree_.nv);
    plan_.gravity_ = tree_.gravity;
    plan_.make_views();
  }

  const LinkTree& tree_;
  Plan& plan_;
  std::vector<LinkTraits> most_;
  std::vector<PlanKind> kinds_;
  std::vector<bool> base_parameters_;
  std::vector<Seat> seats_;
};

Plan::Plan(const LinkTree& tree) {
  Planner(tree, *this).run({});
}
Plan::Plan(const LinkTree& tree, KernelLayout way) {
  Planner(tree, *this).run(way);
}
Plan::Plan(const LinkTree& tree, std::span<const LinkTraits> most) {
  Planner planner(tree, *this);
  planner.take_for_no_more_than(most);
  planner.run({});
}

std::vector<LinkTraits> Plan::traits() const {
  std::vector<LinkTraits> traits;
  for (const PlanRun& run : runs_) {
    for (int i = run.first; i < run.first + run.count; ++i) {
      const bool hinge = run.kind == kHinges.root || run.kind == kHinges.straight || run.kind == kHinges.turned ||
                         run.kind == kHinges.posed;
      traits.push_back({.turns = hinge,
                        .bare = run.kind == PlanKind::free_root || run.kind == PlanKind::ball,
                        .near = run.kind != kHinges.posed && run.kind != kScrews.posed && run.kind != kCylinders.posed,
                        .base_parameters = run.base_parameters});
    }
  }
  return traits;
}

KernelLayout Plan::way() const {
  if (!chain_.empty()) return KernelLayout::bodies_in_lanes;
  return lane_groups_.packs.empty() ? KernelLayout::one_by_one : KernelLayout::side_by_side;
}

void Plan::make_views() {
  view_ = view_of(links_, angles_);
  float_view_ = view_of(float_links_, float_angles_);
}

template <class B>
PlanView<B> Plan::view_of(const std::vector<PlanLink<B>>& links, const std::vector<PlanAngle<B>>& angles) const {
  return {.runs = runs_.data(),
          .run_count = static_cast<int>(runs_.size()),
          .links = links.data(),
          .angles = angles.data(),
          .general = general_.data(),
          .count = static_cast<int>(links.size()),
          .hinge_count = static_cast<int>(angles.size()),
          .general_count = static_cast<int>(general_.size()),
          .sums = sums_,
          .gaps = gaps_.data(),
          .gap_count = static_cast<int>(gaps_.size()),
          .lane_groups = lane_groups_.view(),
          .chain = {.packs = chain_.data(),
                    .count = static_cast<int>(chain_.size()),
                    .links = static_cast<int>(links_.size()),
                    .factored = chain_factored_,
                    .minus_gravity = chain_.empty() ? Vec3<>{} : links_[0].minus_gravity},
          .nv = static_cast<int>(armature_.size()),
          .armature = armature_.data(),
          .gravity = gravity_};
}

}  // namespace pintle
