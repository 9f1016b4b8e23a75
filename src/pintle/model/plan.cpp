#include "pintle/model/plan.h"

#include <algorithm>
#include <optional>

#include "pintle/math/elementary.h"
#include "pintle/model/chain_planner.h"
#include "pintle/model/common_normal.h"
#include "pintle/model/limb_planner.h"

namespace pintle {
namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

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
           .lift = vector(from.lift)}};
}

}  // namespace

/// Makes the plan of a tree.
class Planner {
 public:
  Planner(const LinkTree& tree, Plan& plan)
      : tree_(tree),
        plan_(plan),
        most_(size(tree.count)),
        kinds_(size(tree.count)),
        slender_(size(tree.count)),
        seats_(size(tree.count)),
        carried_(size(tree.count)) {}

  void take_for_no_more_than(std::span<const LinkTraits> most) { most_.assign(most.begin(), most.end()); }

  void run(std::optional<PlanWay> way) {
    for (int i = 0; i < tree_.count; ++i) kinds_[size(i)] = kind_of_joint(i);
    place_frames();
    for (int i = 0; i < tree_.count; ++i) plan_.links_.push_back(planned(i));
    for (int i = tree_.count - 1; i >= 0; --i) regroup(i);
    share_sums();
    find_gaps();
    if (way.value_or(PlanWay::bodies_in_lanes) == PlanWay::bodies_in_lanes) {
      plan_.chain_ = plan_chain(plan_.links_, slender_, plan_.angles_, way.has_value());
      plan_.chain_factored_ = can_be_factored(plan_.links_);
    }
    if (way.value_or(PlanWay::side_by_side) == PlanWay::side_by_side)
      plan_.limbs_ = plan_limbs(plan_.links_, slender_, plan_.angles_, way.has_value());
    finish();
  }

 private:
  /// Hinges and sliders are told apart later.
  PlanKind kind_of_joint(int i) const {
    const Link& link = tree_.links[i];
    if (is_hinge(i)) return link.parent < 0 ? PlanKind::root_hinge : PlanKind::hinge;
    if (is_slider(i)) return link.parent < 0 ? PlanKind::root_slider : PlanKind::slider;
    bool bare = most_[size(i)].bare;
    for (int k = link.v; k < link.v + link.nv; ++k) bare = bare && tree_.armature[k] == 0.0;
    if (bare && link.kind == JointKind::spherical) return PlanKind::ball;
    return bare && link.kind == JointKind::free && link.parent < 0 ? PlanKind::free_root : PlanKind::general;
  }

  /// A screw without pitch is a hinge, with the same bits.
  static bool turns_only(const Link& link) {
    return link.kind == JointKind::revolute || (link.kind == JointKind::screw && link.pitch == 0.0);
  }

  bool is_hinge(int i) const { return most_[size(i)].turns && turns_only(tree_.links[i]); }

  bool is_slider(int i) const { return tree_.links[i].kind == JointKind::prismatic; }

  /// Whether the first joint on a link decides where the link's frame stands. That of a slider is turned as the way to
  /// it from its parent asks for, if it has one.
  bool can_be_placed(int i) const { return is_hinge(i) || kinds_[size(i)] == PlanKind::root_slider; }

  /// The frame of a hinge, or of a slider on the world, goes to the common normal with the first hinge on it whose
  /// normal is sound, or slider; a slider whose normal is not sound turns it only.
  void place_frames() {
    std::vector<bool> placed(size(tree_.count), false);
    for (int i = 0; i < tree_.count; ++i) {
      const int parent = tree_.links[i].parent;
      if (parent < 0 || !(is_hinge(i) || is_slider(i))) continue;
      const CommonNormal normal = common_normal(axis_on_parent(i));
      if (is_hinge(i) && (!normal.sound || !most_[size(i)].near)) {
        kinds_[size(i)] = PlanKind::posed_hinge;
      } else if (can_be_placed(parent) && !placed[size(parent)]) {
        seats_[size(parent)] = normal.foot;
        if (!normal.sound) seats_[size(parent)].height = 0.0;
        placed[size(parent)] = true;
      } else {
        kinds_[size(i)] = is_hinge(i) ? PlanKind::turned_hinge : PlanKind::turned_slider;
      }
      if (is_slider(i)) seats_[size(i)] = seat_of_slider(i, normal);
    }
  }

  /// Whether the frame of the plan is not on the axis that the model's frame is on.
  bool is_aside(int i) const { return seats_[size(i)].aside[0] != 0.0 || seats_[size(i)].aside[1] != 0.0; }

  /// The joint's frame in its parent's: in that of the model, where the plan's is on the same axis.
  Pose<> axis_on_parent(int i) const {
    const Link& link = tree_.links[i];
    return is_aside(link.parent) ? pose_on_parent(i) : link.X_PJ;
  }

  /// The joint's frame in the parent's frame of the plan.
  Pose<> pose_on_parent(int i) const {
    const Link& link = tree_.links[i];
    return link.parent < 0 ? link.X_PJ : inverse(seats_[size(link.parent)].pose()) * link.X_PJ;
  }

  /// As high as the joint, on its axis; where the normal is not sound on the line along it through the parent's origin,
  /// since what slides along a line slides along all that are parallel.
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
    out.lift = transpose_times(link.X_PJ.rotation, -tree_.gravity);
    const Pose<> X_PJ = pose_on_parent(i);
    if (kinds_[size(i)] == PlanKind::general || kinds_[size(i)] == PlanKind::ball) {
      out.general = static_cast<int>(plan_.general_.size());
      plan_.general_.push_back(link);
      plan_.general_.back().X_PJ = X_PJ;
    }
    if (is_slider(i)) plan_slider(i, X_PJ, out);
    if (is_hinge(i)) plan_hinge(i, X_PJ, out);
    return out;
  }

  void plan_hinge(int i, const Pose<>& X_PJ, PlanLink<double>& out) {
    const Seat& seat = seats_[size(i)];
    out.armature = tree_.armature[out.v];
    double offset = seat.angle();
    out.rotation = X_PJ.rotation;
    out.translation = X_PJ.translation;
    if (kinds_[size(i)] == PlanKind::hinge || kinds_[size(i)] == PlanKind::turned_hinge) {
      offset += plan_normal(i, out).offset;
    }
    out.d += seat.height;
    out.hinge = static_cast<int>(plan_.angles_.size());
    plan_.angles_.push_back({out.q, offset});
  }

  void plan_slider(int i, const Pose<>& X_PJ, PlanLink<double>& out) {
    out.armature = tree_.armature[out.v];
    if (out.parent < 0) {
      out.lift = transpose_times(seats_[size(i)].pose().rotation, out.lift);
      return;
    }
    if (plan_normal(i, out).sound) return;
    out.a = out.b = 0.0;
    out.d = transpose_times(X_PJ.rotation, X_PJ.translation).z;
  }

  /// The way to the axis of a joint by the common normal.
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

  /// The pose of the frame of a hinge or a slider at q + offset = 0, in its parent's frame.
  Pose<> pose_at_zero(int i) const {
    const PlanLink<double>& link = plan_.links_[size(i)];
    const Pose<> along{identity3<double>(), {0.0, 0.0, link.d}};
    const Pose<> turn{rotation_z(link.cos_gamma, link.sin_gamma), {0.0, 0.0, link.b}};
    return turn * Pose<>{rotation_x(link.cos_alpha, link.sin_alpha), {link.a, 0.0, 0.0}} * along;
  }

  void regroup(int i) {
    PlanLink<double>& link = plan_.links_[size(i)];
    link.whole_trace = trace(link.inertia.inertia) + link.armature;
    if (is_slider(i)) {
      regroup_slider(i);
    } else if (is_hinge(i) && kinds_[size(i)] != PlanKind::posed_hinge && most_[size(i)].slender) {
      regroup_hinge(i);
    }
  }

  /// Masses on a hinge's axis move alike whether they belong to the link or to its parent, and neither loads the hinge.
  /// So the mass, h_z and as much rotational inertia diag(J, J, 0) as makes I_yy vanish go to the parent; what a root
  /// has, the ground takes. Only where the parent is not much lighter: the sums in which what was moved cancels again
  /// cost digits otherwise.  [eq. regrouping]
  void regroup_hinge(int i) {
    constexpr double kMostMass = 16.0;
    PlanLink<double>& link = plan_.links_[size(i)];
    SpatialInertia<>& I = link.inertia;
    const double J = I.inertia.yy;
    if (link.parent >= 0) {
      if (I.mass + carried_[size(i)] > kMostMass * tree_.links[link.parent].inertia.mass) return;
      const SpatialInertia<> moved{I.mass, {0.0, 0.0, I.first_moment.z}, {J, 0.0, 0.0, J, 0.0, 0.0}};
      SpatialInertia<>& parent = plan_.links_[size(link.parent)].inertia;
      parent = parent + pose_at_zero(i) * moved;
      carried_[size(link.parent)] += carried_[size(i)];
    }
    I.mass = I.first_moment.z = I.inertia.yy = 0.0;
    I.inertia.xx -= J;
    slender_[size(i)] = true;
  }

  /// A slider turns as its parent does: all its rotational inertia goes there. The parent has to turn it in any case,
  /// so nothing cancels however light the parent is. What turns on the world does not move.  [eq. regrouping]
  void regroup_slider(int i) {
    PlanLink<double>& link = plan_.links_[size(i)];
    SpatialInertia<>& I = link.inertia;
    link.whole_trace = 3.0 * I.mass + link.armature;
    if (link.parent >= 0) {
      SymMat3<>& parent = plan_.links_[size(link.parent)].inertia.inertia;
      parent = parent + congruence(pose_at_zero(i).rotation, I.inertia);
      carried_[size(link.parent)] += I.mass + carried_[size(i)];
    } else {
      I.first_moment = {0.0, 0.0, 0.0};
    }
    I.inertia = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    slender_[size(i)] = true;
  }

  /// From the tips inwards: a link that adds itself to its parent's sum is done with its own.
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

  /// Between the freedoms of the links that carry each other, from a link to its root.
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
      const PlanRun run{plan_.links_[size(i)].kind, slender_[size(i)], i, 1};
      if (i > 0 && plan_.runs_.back().kind == run.kind && plan_.runs_.back().slender == run.slender) {
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
  std::vector<bool> slender_;
  std::vector<Seat> seats_;
  std::vector<double> carried_;  ///< masses of the sliders whose rotational inertia a link has been given
};

Plan::Plan(const LinkTree& tree) {
  Planner(tree, *this).run({});
}
Plan::Plan(const LinkTree& tree, PlanWay way) {
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
      traits.push_back({.turns = links_[size(i)].hinge >= 0,
                        .bare = run.kind == PlanKind::free_root || run.kind == PlanKind::ball,
                        .near = run.kind != PlanKind::posed_hinge,
                        .slender = run.slender});
    }
  }
  return traits;
}

PlanWay Plan::way() const {
  if (!chain_.empty()) return PlanWay::bodies_in_lanes;
  return limbs_.packs.empty() ? PlanWay::one_by_one : PlanWay::side_by_side;
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
          .limbs = limbs_.view(),
          .chain = {.packs = chain_.data(),
                    .count = static_cast<int>(chain_.size()),
                    .links = static_cast<int>(links_.size()),
                    .factored = chain_factored_,
                    .lift = chain_.empty() ? Vec3<>{} : links_[0].lift},
          .nv = static_cast<int>(armature_.size()),
          .armature = armature_.data(),
          .gravity = gravity_};
}

}  // namespace pintle
