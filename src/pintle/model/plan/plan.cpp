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
  const auto single = [](double x) { return static_cast<float>(x); };
  const auto vector = [&](const Vec3<>& a) { return Vec3<float>{single(a.x), single(a.y), single(a.z)}; };
  const Mat3<>& R = from.rotation;
  const SymMat3<>& I = from.inertia.inertia;
  return {static_cast<const PlanTopology&>(from),
          {.cos_alpha = single(from.cos_alpha),
           .sin_alpha = single(from.sin_alpha),
           .a = single(from.a),
           .d = single(from.d),
           .inertia = {single(from.inertia.mass),
                       vector(from.inertia.first_moment),
                       {single(I.xx), single(I.xy), single(I.xz), single(I.yy), single(I.yz), single(I.zz)}},
           .whole_trace = single(from.whole_trace),
           .armature = single(from.armature),
           .cos_gamma = single(from.cos_gamma),
           .sin_gamma = single(from.sin_gamma),
           .b = single(from.b),
           .rotation = {single(R.xx), single(R.xy), single(R.xz), single(R.yx), single(R.yy), single(R.yz),
                        single(R.zx), single(R.zy), single(R.zz)},
           .translation = vector(from.translation),
           .minus_gravity = vector(from.minus_gravity),
           .pitch = single(from.pitch),
           .unit_force = single(from.unit_force),
           .unit_torque = single(from.unit_torque)}};
}

}  // namespace

/// Makes the plan of a tree.
class Planner {
 public:
  Planner(const LinkTree& tree, Plan& plan)
      : tree_(tree), plan_(plan), allowed_(size(tree.count)), kinds_(size(tree.count)), seats_(size(tree.count)) {}

  void restrict_to(std::span<const LinkTraits> allowed) { allowed_.assign(allowed.begin(), allowed.end()); }

  void run(std::optional<KernelLayout> layout) {
    for (int i = 0; i < tree_.count; ++i) kinds_[size(i)] = kind_of_joint(i);
    place_frames();
    for (int i = 0; i < tree_.count; ++i) plan_.links_.push_back(planned(i));
    for (const Seat& seat : seats_) plan_.frames_.push_back(seat.pose());
    base_parameters_ = to_base_parameters(tree_, allowed_, plan_.links_, plan_.ground_);
    share_sums();
    find_gaps();
    if (layout.value_or(KernelLayout::bodies_in_lanes) == KernelLayout::bodies_in_lanes) {
      plan_.chain_ = plan_chain(plan_.links_, base_parameters_, plan_.angles_, layout.has_value());
      plan_.chain_factored_ = can_be_factored(plan_.links_);
    }
    if (layout.value_or(KernelLayout::side_by_side) == KernelLayout::side_by_side)
      plan_.lane_groups_ = plan_lane_groups(plan_.links_, base_parameters_, plan_.angles_, layout.has_value());
    finish();
  }

 private:
  /// The placement of those with an axis is found later.
  PlanKind kind_of_joint(int i) const {
    const Link& link = tree_.links[i];
    const LinkTraits& allowed = allowed_[size(i)];
    const PlanPlacement placement = link.parent < 0 ? PlanPlacement::root : PlanPlacement::straight;
    bool bare = allowed.bare;
    for (int k = link.v; k < link.v + link.nv; ++k) bare = bare && tree_.armature[k] == 0.0;
    switch (link.kind) {
      case JointKind::revolute:
        return {PlanJoint::revolute, placement};
      case JointKind::screw:  // with zero pitch it is a revolute joint, with the same bits
        return {allowed.revolute && link.pitch == 0.0 ? PlanJoint::revolute : PlanJoint::screw, placement};
      case JointKind::prismatic:
        return {PlanJoint::prismatic, placement};
      case JointKind::cylindrical:
        return {PlanJoint::cylindrical, placement};
      case JointKind::spherical:
        return {bare ? PlanJoint::spherical : PlanJoint::general};
      case JointKind::free:
        if (bare && link.parent < 0) return {PlanJoint::free, PlanPlacement::root};
        return {PlanJoint::general};
      default:
        return {PlanJoint::general};
    }
  }

  bool is(int i, PlanJoint joint) const { return kinds_[size(i)].joint == joint; }

  /// Rotates about an axis at a fixed position.
  bool rotates(int i) const {
    return is(i, PlanJoint::revolute) || is(i, PlanJoint::screw) || is(i, PlanJoint::cylindrical);
  }

  bool has_axis(int i) const { return rotates(i) || is(i, PlanJoint::prismatic); }

  /// Whether the first joint on a link determines the frame of the link. The frame of a prismatic joint is rotated as
  /// the transform to it requires, if it has one.
  bool can_be_placed(int i) const {
    return rotates(i) || kinds_[size(i)] == PlanKind{PlanJoint::prismatic, PlanPlacement::root};
  }

  /// The frame of a link that rotates, or of a prismatic joint on the world, moves to the common normal with the first
  /// joint on it that rotates and has a well-conditioned normal, or is prismatic; a prismatic one with an
  /// ill-conditioned normal only rotates it.
  void place_frames() {
    std::vector<bool> placed(size(tree_.count), false);
    for (int i = 0; i < tree_.count; ++i) {
      const int parent = tree_.links[i].parent;
      if (parent < 0 || !has_axis(i)) continue;
      const CommonNormal normal = common_normal(axis_on_parent(i));
      if (rotates(i) && (!normal.well_conditioned || !allowed_[size(i)].common_normal)) {
        kinds_[size(i)].placement = PlanPlacement::posed;
      } else if (can_be_placed(parent) && !placed[size(parent)]) {
        seats_[size(parent)] = normal.foot;
        if (!normal.well_conditioned) seats_[size(parent)].height = 0.0;
        placed[size(parent)] = true;
      } else {
        kinds_[size(i)].placement = PlanPlacement::turned;
      }
      if (is(i, PlanJoint::prismatic)) seats_[size(i)] = seat_of_prismatic(i, normal);
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
  Seat seat_of_prismatic(int i, const CommonNormal& normal) const {
    Seat seat{cos(normal.offset), -sin(normal.offset)};
    if (normal.well_conditioned) return seat;
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
    out.angle = out.general = -1;
    out.cos_gamma = 1.0;
    out.inertia = inverse(seat.pose()) * link.inertia;
    out.minus_gravity = transpose_times(link.X_PJ.rotation, -tree_.gravity);
    const Pose<> X_PJ = pose_on_parent(i);
    if (out.parent < 0) out.rotation = X_PJ.rotation;
    if (out.parent < 0 || is(i, PlanJoint::spherical)) out.translation = X_PJ.translation;
    if (is(i, PlanJoint::general) || is(i, PlanJoint::spherical) || is(i, PlanJoint::cylindrical)) {
      out.general = static_cast<int>(plan_.general_.size());
      plan_.general_.push_back(link);
      plan_.general_.back().X_PJ = X_PJ;
    }
    if (is(i, PlanJoint::prismatic)) plan_prismatic(i, X_PJ, out);
    if (rotates(i)) plan_rotating(i, X_PJ, out);
    return out;
  }

  /// A revolute, screw or cylindrical joint.
  void plan_rotating(int i, const Pose<>& X_PJ, PlanLink<double>& out) {
    const Seat& seat = seats_[size(i)];
    if (!is(i, PlanJoint::cylindrical)) out.armature = tree_.armature[out.v];
    if (is(i, PlanJoint::screw)) out.pitch = tree_.links[i].pitch;
    double offset = seat.angle();
    out.rotation = X_PJ.rotation;
    out.translation = X_PJ.translation;
    if (out.kind.placement == PlanPlacement::straight || out.kind.placement == PlanPlacement::turned)
      offset += plan_normal(i, out).offset;
    out.d += seat.height;
    out.angle = static_cast<int>(plan_.angles_.size());
    plan_.angles_.push_back({is(i, PlanJoint::cylindrical) ? out.q + 1 : out.q, offset});
  }

  void plan_prismatic(int i, const Pose<>& X_PJ, PlanLink<double>& out) {
    out.armature = tree_.armature[out.v];
    if (out.parent < 0) {
      const Seat& seat = seats_[size(i)];
      out.minus_gravity = transpose_times(seat.pose().rotation, out.minus_gravity);
      out.rotation = X_PJ.rotation * seat.pose().rotation;
      out.d = seat.height;
      return;
    }
    if (plan_normal(i, out).well_conditioned) return;
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
  std::vector<LinkTraits> allowed_;
  std::vector<PlanKind> kinds_;
  std::vector<bool> base_parameters_;
  std::vector<Seat> seats_;
};

Plan::Plan(const LinkTree& tree) {
  Planner(tree, *this).run({});
}
Plan::Plan(const LinkTree& tree, KernelLayout layout) {
  Planner(tree, *this).run(layout);
}
Plan::Plan(const LinkTree& tree, std::span<const LinkTraits> allowed) {
  Planner planner(tree, *this);
  planner.restrict_to(allowed);
  planner.run({});
}

std::vector<LinkTraits> Plan::traits() const {
  std::vector<LinkTraits> traits;
  for (const PlanRun& run : runs_) {
    for (int i = run.first; i < run.first + run.count; ++i) {
      traits.push_back({.revolute = run.kind.joint == PlanJoint::revolute,
                        .bare = run.kind.joint == PlanJoint::free || run.kind.joint == PlanJoint::spherical,
                        .common_normal = run.kind.placement != PlanPlacement::posed,
                        .base_parameters = run.base_parameters});
    }
  }
  return traits;
}

KernelLayout Plan::layout() const {
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
          .angle_count = static_cast<int>(angles.size()),
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
