#include "pintle/model/plan/base_parameters.h"

#include "pintle/base/size.h"

namespace pintle {
namespace {

class BaseParameters {
 public:
  BaseParameters(const LinkTree& tree, std::vector<PlanLink<double>>& links, SpatialInertia<>& ground)
      : tree_(tree),
        links_(links),
        ground_(ground),
        carried_(links.size()),
        masses_(links.size()),
        traces_(links.size()) {}

  /// Returns whether the link then has base parameters only.
  bool reduce(int i, bool may_have_base_parameters) {
    PlanLink<double>& link = links_[size(i)];
    link.whole_trace = trace(link.inertia.inertia) + link.armature;
    weigh(i);
    switch (link.kind.joint) {
      case PlanJoint::prismatic:
        reduce_prismatic(link, i);
        return true;
      case PlanJoint::revolute:
        return may_have_base_parameters && link.kind.placement != PlanPlacement::posed && reduce_revolute(link, i);
      case PlanJoint::screw:
        link.whole_trace += 3.0 * link.pitch * link.pitch * link.inertia.mass;
        scale_screw_units(link, i);
        reduce_moment(link, i);
        return false;
      case PlanJoint::cylindrical:
        reduce_moment(link, i);
        return false;
      case PlanJoint::spherical:
        reduce_spherical(link);
        return false;
      default:
        return false;
    }
  }

 private:
  /// The pose of the frame of a joint with an axis at q + offset = 0, in its parent's frame.
  static Pose<> pose_at_zero(const PlanLink<double>& link) {
    const Pose<> along{identity3<double>(), {0.0, 0.0, link.d}};
    if (link.kind.placement == PlanPlacement::posed || link.kind.is_root())
      return Pose<>{link.rotation, link.translation} * along;
    const Pose<> to_normal{rotation_z(link.cos_gamma, link.sin_gamma), {0.0, 0.0, link.b}};
    return to_normal * Pose<>{rotation_x(link.cos_alpha, link.sin_alpha), {link.a, 0.0, 0.0}} * along;
  }

  /// A parent that is much lighter than a link takes nothing from it: the sums in which the moved parameters cancel
  /// again would lose digits.
  bool is_light(int parent, double mass) const {
    constexpr double kMaxMass = 16.0;
    return mass > kMaxMass * tree_.links[parent].inertia.mass;
  }

  /// What carries a link: its parent or the ground.
  SpatialInertia<>& carrier_of(const PlanLink<double>& link) {
    return link.parent < 0 ? ground_ : links_[size(link.parent)].inertia;
  }

  /// Masses on the axis of a revolute joint move alike whether they belong to the link or to its parent, and in neither
  /// case load the joint. So the mass, h_z and as much rotational inertia diag(J, J, 0) as makes I_yy vanish move to
  /// the parent; those of a root move to the ground.
  bool reduce_revolute(PlanLink<double>& link, int i) {
    SpatialInertia<>& I = link.inertia;
    const double J = I.inertia.yy;
    if (link.parent >= 0) {
      if (is_light(link.parent, I.mass + carried_[size(i)])) return false;
      carried_[size(link.parent)] += carried_[size(i)];
    }
    const SpatialInertia<> moved{I.mass, {0.0, 0.0, I.first_moment.z}, {J, 0.0, 0.0, J, 0.0, 0.0}};
    carrier_of(link) = carrier_of(link) + pose_at_zero(link) * moved;
    I.mass = I.first_moment.z = I.inertia.yy = 0.0;
    I.inertia.xx -= J;
    return true;
  }

  /// A prismatic joint rotates with its parent: all its rotational inertia moves there. The parent has to rotate it in
  /// any case, so nothing cancels however light the parent is.
  void reduce_prismatic(PlanLink<double>& link, int i) {
    SpatialInertia<>& I = link.inertia;
    link.whole_trace = 3.0 * I.mass + link.armature;
    SymMat3<>& carrier = carrier_of(link).inertia;
    carrier = carrier + congruence(pose_at_zero(link).rotation, I.inertia);
    if (link.parent >= 0) carried_[size(link.parent)] += I.mass + carried_[size(i)];
    I.inertia = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  }

  /// Screw and cylindrical joints move masses along their axes, so the masses stay; but the moment diag(J, J, 0)
  /// rotates with the parent.
  void reduce_moment(PlanLink<double>& link, int i) {
    SpatialInertia<>& I = link.inertia;
    const double J = I.inertia.yy;
    if (link.parent >= 0) {
      if (is_light(link.parent, I.mass + carried_[size(i)])) return;
      carried_[size(link.parent)] += I.mass + carried_[size(i)];
    }
    SymMat3<>& carrier = carrier_of(link).inertia;
    carrier = carrier + congruence(pose_at_zero(link).rotation, SymMat3<>{J, 0.0, 0.0, J, 0.0, 0.0});
    I.inertia.yy = 0.0;
    I.inertia.xx -= J;
  }

  /// The mass of a link on a spherical joint acts on the parent like a mass at the joint's centre. That of a root moves
  /// to the ground.
  void reduce_spherical(PlanLink<double>& link) {
    double& m = link.inertia.mass;
    if (link.parent >= 0 && is_light(link.parent, m)) return;
    carrier_of(link) = carrier_of(link) + spatial_inertia(m, link.translation, SymMat3<>{});
    m = 0.0;
  }

  /// Sums over a link and its subtree.
  void weigh(int i) {
    const Link& link = tree_.links[i];
    masses_[size(i)] += link.inertia.mass;
    traces_[size(i)] += trace(link.inertia.inertia);
    if (link.parent < 0) return;
    masses_[size(link.parent)] += masses_[size(i)];
    traces_[size(link.parent)] += traces_[size(i)];
  }

  /// By the approximate ratio of rotational to translational inertia, as
  /// docs/decisions/0004-projected-articulated-inertia.md requires.
  void scale_screw_units(PlanLink<double>& link, int i) const {
    const double m = 3.0 * masses_[size(i)], J = traces_[size(i)], h = link.pitch;
    const double length_squared = m > 0.0 && J > 0.0 ? J / m : 1.0;
    link.unit_force = h / (h * h + length_squared);
    link.unit_torque = length_squared / (h * h + length_squared);
  }

  const LinkTree& tree_;
  std::vector<PlanLink<double>>& links_;
  SpatialInertia<>& ground_;
  std::vector<double> carried_;  ///< masses whose rotational inertia moved to a link, but not they themselves
  std::vector<double> masses_, traces_;
};

}  // namespace

std::vector<bool> to_base_parameters(const LinkTree& tree, std::span<const LinkTraits> allowed,
                                     std::vector<PlanLink<double>>& links, SpatialInertia<>& ground) {
  BaseParameters parameters(tree, links, ground);
  std::vector<bool> is_base(links.size());
  for (int i = tree.count - 1; i >= 0; --i) is_base[size(i)] = parameters.reduce(i, allowed[size(i)].base_parameters);
  return is_base;
}

}  // namespace pintle
