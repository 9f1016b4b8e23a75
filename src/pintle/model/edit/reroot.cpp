#include "pintle/model/edit/reroot.h"

#include <map>
#include <utility>

#include "pintle/model/links/configuration_impl.h"
#include "pintle/model/spec/check_spec.h"
#include "pintle/model/spec/spec_place.h"

namespace pintle {
namespace {

/// One entry for each dof, from none, one for all, or one for each.
template <class Entry>
std::vector<Entry> one_for_each(const std::vector<Entry>& entries, JointKind kind) {
  if (entries.size() > 1) return entries;
  return std::vector<Entry>(static_cast<std::size_t>(facts(kind).nv), entries.empty() ? Entry{} : entries[0]);
}

bool does_nothing(const JointPassive& p) {
  return p.armature == 0.0 && p.damping == 0.0 && p.friction == 0.0 && p.stiffness == 0.0;
}

bool same_in_all_directions(const JointPassive& a, const JointPassive& b) {
  return a.armature == b.armature && a.damping == b.damping && a.stiffness == b.stiffness && a.friction == 0.0 &&
         b.friction == 0.0;
}

class Rerooter {
 public:
  explicit Rerooter(const ModelSpec& spec) : spec_(spec), problems_(check_spec(spec)) {}

  Result<ModelSpec> run(const std::string& body) {
    if (has_errors(problems_)) return problems_;
    if (find_named(spec_.bodies, body) == nullptr) return unknown_name("body", body, "reroot", names_of(spec_.bodies));
    const std::vector<std::size_t> path = path_from(body);
    const std::size_t root = path.back();
    check_root(spec_.joints[root], path.size() == 1);
    ModelSpec result = spec_;
    for (const std::size_t joint : path)
      if (joint != root) result.joints[joint] = reversed(spec_.joints[joint]);
    if (has_errors(problems_)) return problems_;
    if (path.size() == 1) return spec_;
    result.joints[root].child = body;
    result.joints[root].X_CJ = identity_pose<double>();
    return result;
  }

 private:
  void add(const char* code, const JointSpec& joint, std::string what, std::string why, std::string fix) {
    problems_.push_back(make_error(code, joint.origin, "reroot: joint '" + joint.name + "' " + std::move(what),
                                   std::move(why), std::move(fix)));
  }

  /// The joints from a body to the world.
  std::vector<std::size_t> path_from(const std::string& body) const {
    std::map<std::string, std::size_t> carried_by;
    for (std::size_t i = 0; i < spec_.joints.size(); ++i) carried_by[spec_.joints[i].child] = i;
    std::vector<std::size_t> path;
    for (std::string at = body; at != kWorld; at = spec_.joints[path.back()].parent) path.push_back(carried_by.at(at));
    return path;
  }

  void check_root(const JointSpec& joint, bool stays) {
    if (joint.kind != JointKind::free) {
      add("reroot-not-free", joint, "connects the tree to the world and is " + std::string(facts(joint.kind).name),
          "only a tree with a floating base can be rerooted", "reroot a tree whose root joint is of kind 'free'");
    }
    if (stays) return;
    bool plain = !joint.prescribed;
    for (const JointPassive& passive : joint.passive) plain = plain && does_nothing(passive);
    for (const JointLimits& limits : joint.limits) plain = plain && limits == JointLimits{};
    if (!plain) {
      add("reroot-root", joint, "acts on the old root",
          "its passive properties, limits or prescribed motion are those of '" + joint.child +
              "', which is no longer its child",
          "remove them, and apply an external force to that body instead");
    }
  }

  JointSpec reversed(const JointSpec& joint) {
    JointSpec flipped = joint;
    std::swap(flipped.parent, flipped.child);
    std::swap(flipped.X_PJ, flipped.X_CJ);
    flipped.axis = -joint.axis;
    const bool axes_change_places = reversed_dof(joint.kind, 0).place != 0;
    if (axes_change_places) {
      flipped.axis = -joint.second_axis;
      flipped.second_axis = -joint.axis;
    }
    const std::vector<JointPassive> passive = one_for_each(joint.passive, joint.kind);
    const std::vector<JointLimits> limits = one_for_each(joint.limits, joint.kind);
    if (!joint.passive.empty()) flipped.passive = passive;
    if (!joint.limits.empty()) flipped.limits = limits;
    check_mixing(joint, passive, limits);
    for (int i = 0; i < facts(joint.kind).nv; ++i) {
      const ReversedDof dof = reversed_dof(joint.kind, i);
      const std::size_t from = static_cast<std::size_t>(i), to = static_cast<std::size_t>(dof.place);
      if (!joint.passive.empty()) {
        flipped.passive[to] = passive[from];
        flipped.passive[to].rest *= dof.sign;
      }
      if (!joint.limits.empty()) {
        flipped.limits[to] = limits[from];
        if (dof.sign < 0.0) {
          flipped.limits[to].lower = -limits[from].upper;
          flipped.limits[to].upper = -limits[from].lower;
        }
      }
    }
    return flipped;
  }

  /// Dofs that are seen from the other body afterwards: an isotropic resistance to rotation keeps its meaning there,
  /// nothing else does.
  void check_mixing(const JointSpec& joint, const std::vector<JointPassive>& passive,
                    const std::vector<JointLimits>& limits) {
    const int place = quaternion_place(joint.kind);
    bool carried = true, unlimited = true;
    for (int i = 0; i < facts(joint.kind).nv; ++i) {
      if (!reversed_dof(joint.kind, i).mixes) continue;
      const bool rotation = place >= 0 && i >= place;
      const JointPassive& own = passive[static_cast<std::size_t>(i)];
      carried = carried &&
                (rotation ? same_in_all_directions(own, passive[static_cast<std::size_t>(place)]) : does_nothing(own));
      unlimited = unlimited && limits[static_cast<std::size_t>(i)] == JointLimits{};
    }
    const std::string kind(facts(joint.kind).name);
    if (!carried) {
      add("reroot-passive", joint, "has passive properties that a reversed " + kind + " joint cannot have",
          "they are defined in the axes and at the origin of the other body; only isotropic resistance to rotation, "
          "without friction, is the same in both",
          "make them equal for the three rotations and zero for translations, or choose another root");
    }
    if (!unlimited) {
      add("reroot-limits", joint, "has limits that a reversed " + kind + " joint cannot have",
          "they are defined along the axes of the other body", "remove the limits, or choose another root");
    }
  }

  const ModelSpec& spec_;
  Diagnostics problems_;
};

}  // namespace

Result<ModelSpec> reroot(const ModelSpec& spec, const std::string& body) {
  return Rerooter(spec).run(body);
}

}  // namespace pintle
