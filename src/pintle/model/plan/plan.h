// Plan: a model made ready for the fast kernels (docs/kernels.md). The links of the model are the definition; a plan
// describes the same mechanism in frames and inertias that cost fewer operations. No result shows it.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "pintle/model/links/link.h"
#include "pintle/model/plan/lane_group_schedule.h"

namespace pintle {

/// The joint of a link of a plan, as the kernels treat it. Those with an axis, which is z, move a link by J:
enum class PlanJoint : unsigned char {
  revolute,     ///< J = Rz(q + offset) Tz(d)  [eq. plan-revolute]
  prismatic,    ///< J = Tz(q + d): the link rotates with its parent  [eq. plan-prismatic]
  screw,        ///< J = Rz(q + offset) Tz(pitch q + d)  [eq. plan-screw]
  cylindrical,  ///< J = Rz(q_1 + offset) Tz(q_0 + d)  [eq. plan-cylindrical]
  spherical,    ///< without armature, by blocks  [eq. plan-spherical]
  free,         ///< without armature, on the world
  general,      ///< any other joint: by its columns, as in the plain kernels
  lane_group,   ///< of runs only: revolute joints on one link that kernels process in lanes with others
};

/// How a joint with an axis lies in the parent's frame P: X_PL = X J with a constant X. The frame L of a link lies on
/// its axis where X is cheapest.
enum class PlanPlacement : unsigned char {
  root,      ///< on the world
  straight,  ///< X = Rx(alpha) Tx(a): the parent's frame lies on the common normal
  turned,    ///< X = Rz(gamma) Tz(b) Rx(alpha) Tx(a)
  posed,     ///< any X: axes that are almost parallel. Prismatic joints are never posed: all parallel lines are
             ///< equivalent for them
  any,       ///< of joints without an axis: not distinguished
};

/// What the kernels are compiled for.
struct PlanKind {
  PlanJoint joint;
  PlanPlacement placement = PlanPlacement::any;

  constexpr bool is_root() const { return placement == PlanPlacement::root; }
  constexpr bool operator==(const PlanKind&) const = default;
};

/// The parameters of a link that kernels compute with. B is float or double, or a pack of them with one value per link
/// or model.
template <class B>
struct PlanParameters {
  // The parameters that most revolute joints need come first, so that they share cache lines.
  B cos_alpha, sin_alpha, a;
  B d;
  SpatialInertia<B> inertia;  ///< in the plan's frame, reduced to base parameters
  /// A trace, plus the armature. Revolute: the trace of the rotational inertia before its own reduction to base
  /// parameters. Prismatic: that of m 1. Screw: that of both, with m 1 times the square of the pitch.
  B whole_trace;
  B armature;  ///< for a joint of one dof

  B cos_gamma, sin_gamma, b;
  Mat3<B> rotation;       ///< of the constant pose of a root, or where there is no well-conditioned common normal
  Vec3<B> translation;    ///< likewise; for a spherical joint its centre
  Vec3<B> minus_gravity;  ///< for a root: minus gravity, in the joint's frame on the world's side

  B pitch;                    ///< of a screw joint
  B unit_force, unit_torque;  ///< of a screw joint: along z, a wrench that does unit work on its motion
};

/// The position of a link of a plan in the tree.
struct PlanTopology {
  PlanKind kind;
  int parent;   ///< -1 for the world
  int q;        ///< index of its first coordinate
  int v;        ///< index of its first dof
  int nv;       ///< its number of degrees of freedom
  int end_v;    ///< one past the last dof of its subtree
  int angle;    ///< its index among the links that rotate about an axis, or -1
  int general;  ///< its index among the general, spherical and cylindrical links, or -1

  // The slots in which the articulated inertias of a link's children are summed: few, and reused.
  int sum;            ///< of the children of this link; 0, which stays empty: it has none
  int parent_sum;     ///< to which this link adds its own; 0 for a root
  bool first_in_sum;  ///< it is the first to add to it
};

/// A link of a plan; B is float or double, or a pack of them with one value per model of a batch.
template <class B>
struct PlanLink : PlanTopology, PlanParameters<B> {};

/// The special cases that a plan may use for a link. All models of a batch share one plan: a special case that does not
/// hold for one is used for none.
struct LinkTraits {
  bool revolute = true;         ///< a revolute joint, not a screw
  bool bare = true;             ///< a free root or a spherical joint, without armature
  bool common_normal = true;    ///< its common normal with its parent's axis is well-conditioned: not posed
  bool base_parameters = true;  ///< a revolute joint reduced to base parameters; all prismatic joints are

  bool operator==(const LinkTraits&) const = default;
};

/// The angle of a revolute, screw or cylindrical joint: q + offset.
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

/// Consecutive links of one kind.
struct PlanRun {
  PlanKind kind;
  bool base_parameters;  ///< reduced to base parameters: no m, h_z and I_yy for revolute joints, no I for prismatic
                         ///< ones; holds for all roots too
  int first;
  int count;
};

/// A parameter of each of the links in the lanes.
struct alignas(kLaneGroupLanes * sizeof(double)) LaneValues {
  double lanes[kLaneGroupLanes];
};

/// The children whose sums a pack starts with.
enum class LaneGroupChildren : unsigned char {
  none,       ///< none: all lanes are tips
  straight,   ///< those of one pack, lane by lane
  some,       ///< likewise, where has_child is 1; the other lanes are tips
  scattered,  ///< those that the inlets list
};

/// Revolute joints of one kind in the lanes of a pack.
struct LaneGroupPack {
  int links[kLaneGroupLanes];  ///< -1: an empty lane, filled by a revolute joint that nothing depends on
  int v[kLaneGroupLanes];      ///< their dofs; an empty lane has that of another
  // Their parents: a pack, or an index past all packs for a carrier of the remainder, which is in all lanes.
  int parent[kLaneGroupLanes];
  int parent_lane[kLaneGroupLanes];
  int only_parent;  ///< the parent of all lanes, lane by lane; or -1
  LaneGroupChildren children;
  int child;  ///< the pack of the children, straight or some
  LaneValues has_child;
  int first_inlet, inlet_count;
};

/// The contribution of one link to the sum of another.
struct LaneGroupInlet {
  int lane;
  int child, child_lane;
  bool first;  ///< in that lane
};

/// The revolute joints of similar limbs in SIMD lanes, one limb to a lane, pack by pack outwards. All other links are
/// the remainder, which no pack carries. Revolute joint k * kLaneGroupLanes + lane is in that lane of pack k; those of
/// the remainder follow.
struct PlanLaneGroups {
  const LaneGroupPack* packs;
  int count;                                     ///< number of packs; 0: link after link
  const PlanParameters<LaneValues>* parameters;  ///< of the packs
  const PlanRun* runs;                           ///< of packs
  int run_count;
  const LaneGroupInlet* inlets;
  const int* carriers;  ///< the links of the remainder that carry lane groups
  int carrier_count;
  const int* roots;          ///< the innermost links of the lane groups, in the order of the links
  const PlanRun* remainder;  ///< of links of the remainder, and (kind lane_group) of roots that one link carries
  int remainder_count;
};

/// The type of the parameters of general joints: double, also where revolute joints use float.
template <class B>
using general_t = std::conditional_t<std::is_floating_point_v<B>, double, B>;

/// Links of a chain per pack: the doubles of an AVX2 register.
inline constexpr int kChainLanes = kLaneGroupLanes;

/// The accelerations of longer chains are computed link after link: the condition of M grows with the chain
/// (docs/kernels.md), and the cost of factoring M with the cube of its length.
inline constexpr int kMaxFactoredLinks = 3 * kChainLanes;

/// The parameters of a link of a chain that kernels compute with: those of a revolute joint with base parameters that
/// are not zero.
template <class B>
struct ChainParameters {
  B offset;                      ///< of the angle
  B cos_alpha, sin_alpha, a, d;  ///< for a root: those of the identity
  B hx, hy;                      ///< of the first moment
  B xx, xy, xz, yz, zz;          ///< of the rotational inertia
  B moved_trace;  ///< trace of the rotational inertia that base parameters moved to the parent, plus the armature
  B armature;
};

/// A chain of revolute joints with its links in SIMD lanes, one after the other. Lanes beyond the tip hold a revolute
/// joint that moves only a rotor.
struct PlanChain {
  const ChainParameters<LaneValues>* packs;
  int count;             ///< number of packs; 0: link after link
  int links;             ///< more than a pack has lanes
  bool factored;         ///< whether accelerations are computed from factors of M, else link after link
  Vec3<> minus_gravity;  ///< minus gravity, in the axes of the root's joint
};

/// What kernels read.
template <class B>
struct PlanView {
  const PlanRun* runs;
  int run_count;
  const PlanLink<B>* links;
  const PlanAngle<B>* angles;           ///< of the links that rotate about an axis
  const LinkOf<general_t<B>>* general;  ///< with spherical and cylindrical ones, in the plan's frames
  int count;                            ///< number of links
  int angle_count;                      ///< and other angles
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

/// Owns what PlanLaneGroups refers to.
struct LaneGroupPlan {
  std::vector<LaneGroupPack> packs;
  std::vector<PlanParameters<LaneValues>> parameters;
  std::vector<PlanRun> runs;
  std::vector<LaneGroupInlet> inlets;
  std::vector<int> carriers;
  std::vector<int> roots;
  std::vector<PlanRun> remainder;

  PlanLaneGroups view() const;
};

/// How the kernels of one state walk a plan.
enum class KernelLayout : unsigned char {
  one_by_one,       ///< link after link
  side_by_side,     ///< similar limbs in SIMD lanes, the remainder link after link; the same bits
  bodies_in_lanes,  ///< the links of a chain in SIMD lanes; different bits
};

/// The plan of a model.
class Plan {
 public:
  Plan() = default;
  explicit Plan(const LinkTree& tree);
  /// With a given layout; side_by_side only where there are lane groups, bodies_in_lanes only where there is a chain of
  /// more links than lanes.
  Plan(const LinkTree& tree, KernelLayout layout);
  /// With no more special cases than `allowed` allows, one entry per link.
  Plan(const LinkTree& tree, std::span<const LinkTraits> allowed);

  /// The special cases that the plan uses.
  std::vector<LinkTraits> traits() const;

  Plan(Plan&&) = default;
  Plan& operator=(Plan&&) = default;

  /// The parameters as double or float; valid as long as this plan.
  template <class B>
  const PlanView<B>& view() const;

  /// The plan's frame of each link in the model's.
  std::span<const Pose<>> frames() const { return frames_; }
  /// The inertial parameters that base parameters moved from the roots to the world, in its frame.
  const SpatialInertia<>& ground() const { return ground_; }

  /// Chosen by the cost of links and packs (docs/kernels.md). Processors without AVX2 always go link after link.
  KernelLayout layout() const;

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
  std::vector<ChainParameters<LaneValues>> chain_;
  bool chain_factored_ = false;
  std::vector<double> armature_;
  std::vector<Pose<>> frames_;
  SpatialInertia<> ground_{};
  Vec3<> gravity_{};
  int sums_ = 0;
  // Views of the above, which stay valid when a plan is moved; therefore it is not copied.
  PlanView<double> view_{};
  PlanView<float> float_view_{};
};

/// The same plan, link after link: what the lanes of a batch of states compute, bit for bit.
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
