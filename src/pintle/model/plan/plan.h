// Plan: a model made ready for the fast kernels (docs/speed.md). The links of the model are the definition; a plan says
// the same mechanism in frames and inertias that cost fewer operations. Nothing of it is visible in any answer.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "pintle/model/links/link.h"
#include "pintle/model/plan/lane_group_schedule.h"

namespace pintle {

/// What a link of a plan is to the kernels. A hinge is a revolute joint about z; its frame L is placed on its axis so
/// that the way to it from the parent's frame P is cheap.  [eq. plan-hinge] So is that of a slider, a prismatic joint
/// along z, which turns as its parent does  [eq. plan-slider], and those of a screw and of a cylindrical joint, which
/// turn about z and travel along it.  [eq. plan-screw] [eq. plan-cylinder]
enum class PlanKind : unsigned char {
  root_hinge,       ///< a hinge on the world
  hinge,            ///< X_PL = Rx(alpha) Tx(a) Rz(q + offset) Tz(d): the parent's frame stands on the common normal
  turned_hinge,     ///< X_PL = Rz(gamma) Tz(b) Rx(alpha) Tx(a) Rz(q + offset) Tz(d)
  posed_hinge,      ///< X_PL = X Rz(q + offset) Tz(d) with any constant X: axes that are almost parallel
  root_slider,      ///< a slider on the world
  slider,           ///< X_PL = Rx(alpha) Tx(a) Tz(q + d)
  turned_slider,    ///< X_PL = Rz(gamma) Tz(b) Rx(alpha) Tx(a) Tz(q + d)
  root_screw,       ///< a screw on the world
  screw,            ///< X_PL = Rx(alpha) Tx(a) Rz(q + offset) Tz(pitch q + d)
  turned_screw,     ///< X_PL = Rz(gamma) Tz(b) Rx(alpha) Tx(a) Rz(q + offset) Tz(pitch q + d)
  posed_screw,      ///< X_PL = X Rz(q + offset) Tz(pitch q + d) with any constant X
  root_cylinder,    ///< a cylindrical joint on the world
  cylinder,         ///< X_PL = Rx(alpha) Tx(a) Rz(q_1 + offset) Tz(q_0 + d)
  turned_cylinder,  ///< X_PL = Rz(gamma) Tz(b) Rx(alpha) Tx(a) Rz(q_1 + offset) Tz(q_0 + d)
  posed_cylinder,   ///< X_PL = X Rz(q_1 + offset) Tz(q_0 + d) with any constant X
  free_root,        ///< a free joint without armature on the world
  ball,             ///< a spherical joint without armature, by blocks  [eq. plan-ball]
  general,          ///< any other joint: by its columns, as in the plain kernels
  lane_group,       ///< of runs alone: hinges on one link whose own work is done side by side with others
};

/// What kernels compute with of a link. B is float or double, or as many of them as there are links, or models, side by
/// side.
template <class B>
struct PlanNumbers {
  // What most hinges need comes first, so that it is together in the cache.
  B cos_alpha, sin_alpha, a;
  B d;
  SpatialInertia<B> inertia;  ///< in the plan's frame, regrouped
  /// Of a hinge: of its rotational inertia before its own was regrouped, and the armature. Of a slider: of m 1, and the
  /// armature. Of a screw: of both, m 1 times the square of the pitch.
  B whole_trace;
  B armature;  ///< of a joint of one dof

  B cos_gamma, sin_gamma, b;
  Mat3<B> rotation;       ///< of the constant pose where there is no common normal
  Vec3<B> translation;    ///< likewise; of a ball: its centre
  Vec3<B> minus_gravity;  ///< of a root: minus gravity, in the joint's frame on the world's side

  B pitch;                    ///< of a screw
  B unit_force, unit_torque;  ///< of a screw: along z, a wrench that does unit work on its motion
};

/// Where a link of a plan stands.
struct PlanPlace {
  PlanKind kind;
  int parent;   ///< -1 for the world
  int q;        ///< its first number in a configuration
  int v;        ///< its first number in a velocity
  int nv;       ///< its degrees of freedom
  int end_v;    ///< after the last dof of what hangs on it
  int hinge;    ///< its number among those that turn about an axis, or -1
  int general;  ///< its number among the general links, balls and cylinders, or -1

  // Where the articulated inertias of what hangs on a link are summed up: few places, used again and again.
  int sum;            ///< of what hangs on this link; 0, which stays empty: nothing does
  int parent_sum;     ///< to which this link adds its own; 0 for a root
  bool first_in_sum;  ///< it is the first to add there
};

/// A link in a plan; B is float or double, or as many of them as there are models side by side.
template <class B>
struct PlanLink : PlanPlace, PlanNumbers<B> {};

/// What a plan takes a link for. Models side by side are planned alike: what does not hold of one is used of none.
struct LinkTraits {
  bool turns = true;  ///< a hinge, no screw
  bool bare = true;   ///< a free root or a ball, without armature
  bool near = true;   ///< its common normal with its parent's axis is sound: not posed
  bool base_parameters =
      true;  ///< a hinge that has given to its parent what base parameters gives it; all sliders have

  bool operator==(const LinkTraits&) const = default;
};

/// The angle of a hinge, a screw or a cylindrical joint: q + offset.
template <class B>
struct PlanAngle {
  int q;
  B offset;
};

/// Dofs first ... end - 1 come before `row` and are on other branches: the mass matrix has zeros between them.
struct PlanGap {
  int row;
  int first, end;
};

/// Links of one kind that follow each other.
struct PlanRun {
  PlanKind kind;
  bool base_parameters;  ///< what base parameters takes is gone: m, h_z and I_yy of hinges, I of sliders; so are all
                         ///< roots
  int first;
  int count;
};

/// A number of each of the links that stand side by side.
struct alignas(kLaneGroupLanes * sizeof(double)) LaneNumbers {
  double lanes[kLaneGroupLanes];
};

/// Which sums of other packs a pack begins with.
enum class LaneGroupChildren : unsigned char {
  none,       ///< tips
  straight,   ///< those of one pack, lane by lane
  some,       ///< likewise, where has_child is 1; the other lanes are tips
  scattered,  ///< those that inlets tell
};

/// Hinges of one kind that stand side by side.
struct LaneGroupPack {
  int links[kLaneGroupLanes];  ///< -1: an empty lane, a hinge of its own that nothing depends on
  int v[kLaneGroupLanes];      ///< their dofs; of an empty lane that of another
  // What carries them: a pack, or after all packs a carrier of the trunk, which is in all lanes.
  int parent[kLaneGroupLanes];
  int parent_lane[kLaneGroupLanes];
  int only_parent;  ///< that of all lanes, lane by lane; or -1
  LaneGroupChildren children;
  int child;  ///< the pack of the children, straight or some
  LaneNumbers has_child;
  int first_inlet, inlet_count;
};

/// What one link on another adds to its sum.
struct LaneGroupInlet {
  int lane;
  int child, child_lane;
  bool first;  ///< in that lane
};

/// The hinges of similar lane groups side by side, one lane group to a lane, pack by pack outwards. All other links are
/// the trunk, which no pack carries. Hinge number k * kLaneGroupLanes + lane is in that lane of pack k; those of the
/// trunk follow.
struct PlanLaneGroups {
  const LaneGroupPack* packs;
  int count;                                ///< packs; 0: link after link
  const PlanNumbers<LaneNumbers>* numbers;  ///< of the packs
  const PlanRun* runs;                      ///< of packs
  int run_count;
  const LaneGroupInlet* inlets;
  const int* carriers;  ///< the links of the trunk that carry lane groups
  int carrier_count;
  const int* roots;          ///< the innermost links of the lane groups, in the order of the links
  const PlanRun* remainder;  ///< of links of the trunk, and (kind lane group) of roots that one link carries
  int remainder_count;
};

/// What general joints are given in: double, also where hinges are in float.
template <class B>
using general_t = std::conditional_t<std::is_floating_point_v<B>, double, B>;

/// Links of a chain side by side: as many as a register of AVX2 has doubles.
inline constexpr int kChainLanes = kLaneGroupLanes;

/// Longer chains have their accelerations found link after link: the condition of M grows with the chain
/// (docs/speed.md), and what its factors cost with the cube of its length.
inline constexpr int kMaxFactoredLinks = 3 * kChainLanes;

/// What kernels compute with of a link of a chain: the numbers of a slender hinge, those that are not zero.
template <class B>
struct ChainNumbers {
  B offset;                      ///< of the angle
  B cos_alpha, sin_alpha, a, d;  ///< of a root: those of no way at all
  B hx, hy;                      ///< of the first moment
  B xx, xy, xz, yz, zz;          ///< of the rotational inertia
  B moved_trace;                 ///< of the rotational inertia that base parameters took away, and the armature
  B armature;
};

/// A chain of hinges with its links side by side, one after the other. Lanes beyond the tip have a hinge that moves a
/// rotor and nothing else.
struct PlanChain {
  const ChainNumbers<LaneNumbers>* packs;
  int count;             ///< packs; 0: link after link
  int links;             ///< more than a pack has
  bool factored;         ///< whether accelerations are found by factors of M, else link after link
  Vec3<> minus_gravity;  ///< minus gravity, in the axes of the root's joint
};

/// What kernels read.
template <class B>
struct PlanView {
  const PlanRun* runs;
  int run_count;
  const PlanLink<B>* links;
  const PlanAngle<B>* angles;           ///< of those that turn about an axis
  const LinkOf<general_t<B>>* general;  ///< and balls and cylinders, in the plan's frames
  int count;                            ///< links
  int hinge_count;                      ///< and other angles
  int general_count;
  int sums;
  const PlanGap* gaps;
  int gap_count;
  PlanLaneGroups lane_groups;
  PlanChain chain;
  int nv;
  const general_t<B>* armature;  ///< per dof
  Vec3<general_t<B>> gravity;
};

/// Holds what PlanLaneGroups shows.
struct LaneGroupPlan {
  std::vector<LaneGroupPack> packs;
  std::vector<PlanNumbers<LaneNumbers>> numbers;
  std::vector<PlanRun> runs;
  std::vector<LaneGroupInlet> inlets;
  std::vector<int> carriers;
  std::vector<int> roots;
  std::vector<PlanRun> remainder;

  PlanLaneGroups view() const;
};

/// How the kernels of one state go through a plan.
enum class KernelLayout : unsigned char {
  one_by_one,       ///< link after link
  side_by_side,     ///< similar lane groups in SIMD lanes, the rest link after link; the same bits
  bodies_in_lanes,  ///< the links of a chain in SIMD lanes; other bits
};

/// The plan of a model.
class Plan {
 public:
  Plan() = default;
  explicit Plan(const LinkTree& tree);
  /// In a given way; side by side only where there are lane groups, bodies in lanes only where there is a chain of more
  /// links than lanes.
  Plan(const LinkTree& tree, KernelLayout way);
  /// That takes the links for no more than `most` says, one entry each.
  Plan(const LinkTree& tree, std::span<const LinkTraits> most);

  /// What it takes the links for.
  std::vector<LinkTraits> traits() const;

  Plan(Plan&&) = default;
  Plan& operator=(Plan&&) = default;

  /// The numbers as double or float; valid as long as this plan.
  template <class B>
  const PlanView<B>& view() const;

  /// Chosen by what links and packs cost (docs/speed.md). Processors without AVX2 always go link by link.
  KernelLayout way() const;

 private:
  friend class Planner;

  void make_views();
  template <class B>
  PlanView<B> view_of(const std::vector<PlanLink<B>>& links, const std::vector<PlanAngle<B>>& angles) const;

  std::vector<PlanRun> runs_;
  std::vector<PlanLink<double>> links_;
  std::vector<PlanLink<float>> float_links_;
  std::vector<PlanAngle<double>> angles_;
  std::vector<PlanAngle<float>> float_angles_;
  std::vector<Link> general_;
  std::vector<PlanGap> gaps_;
  LaneGroupPlan lane_groups_;
  std::vector<ChainNumbers<LaneNumbers>> chain_;
  bool chain_factored_ = false;
  std::vector<double> armature_;
  Vec3<> gravity_{};
  int sums_ = 0;
  // Of the above, which a plan that is moved takes along; for that it is not copied.
  PlanView<double> view_{};
  PlanView<float> float_view_{};
};

/// The same plan, link after link: what lanes of a batch of states do, bit for bit.
template <class B>
PlanView<B> one_by_one(PlanView<B> plan) {
  plan.lane_groups.count = plan.chain.count = 0;
  return plan;
}

template <>
inline const PlanView<double>& Plan::view<double>() const {
  return view_;
}
template <>
inline const PlanView<float>& Plan::view<float>() const {
  return float_view_;
}

}  // namespace pintle
