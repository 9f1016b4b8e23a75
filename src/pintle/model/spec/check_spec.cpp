#include "pintle/model/spec/check_spec.h"

#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

#include "pintle/base/nearest_name.h"
#include "pintle/model/spec/check_joint_parameters.h"
#include "pintle/model/spec/cycles.h"
#include "pintle/model/spec/welded_inertias.h"
#include "pintle/spatial/check_inertia.h"

namespace pintle {
namespace {

std::string text(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", value);
  return buffer;
}

std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

bool is_finite(const Mat3<>& A) {
  return is_finite(row(A, 0)) && is_finite(row(A, 1)) && is_finite(row(A, 2));
}

/// How far a matrix is from a rotation: the largest entry of R'R - 1, or 2 for a reflection.
double distance_from_rotation(const Mat3<>& R) {
  double largest = determinant(R) > 0.0 ? 0.0 : 2.0;
  for (const double e : to_array(transpose_times(R, R) - identity3<double>())) largest = max(largest, abs(e));
  return largest;
}

/// A rotation matrix from a file of eight digits passes; one with a wrong entry does not.
constexpr double kRotationTolerance = 1e-6;

class SpecChecker {
 public:
  SpecChecker(const ModelSpec& spec, bool masses_unknown) : spec_(spec), masses_unknown_(masses_unknown) {}

  Diagnostics run() {
    check_names();
    if (!is_finite(spec_.gravity))
      add("gravity-not-finite", Origin{}, "gravity is not finite", "", "give three finite components in m/s^2");
    check_bodies();
    for (const JointSpec& joint : spec_.joints) check_joint(joint);
    check_tree();
    for (const FrameSpec& frame : spec_.frames) check_frame(frame);
    for (const CouplingSpec& coupling : spec_.couplings) check_coupling(coupling);
    check_coupling_graph();
    return std::move(problems_);
  }

 private:
  void add(const char* code, const Origin& origin, std::string what, std::string why, std::string fix) {
    problems_.push_back(make_error(code, origin, std::move(what), std::move(why), std::move(fix)));
  }

  // ---- names

  template <class Elements>
  std::map<std::string, std::size_t> index_of(const Elements& elements, const char* kind) {
    std::map<std::string, std::size_t> index;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const std::string& name = elements[i].name;
      if (name.empty()) {
        add("name-missing", elements[i].origin, std::string(kind) + " number " + std::to_string(i + 1) + " has no name",
            "elements are addressed by name", "give it a name");
      } else if (!index.emplace(name, i).second) {
        add("name-double", elements[i].origin, std::string("two ") + kind + " elements are called " + quoted(name),
            "names of one kind must differ", "rename one of them");
      }
    }
    return index;
  }

  void check_names() {
    bodies_ = index_of(spec_.bodies, "body");
    joints_ = index_of(spec_.joints, "joint");
    index_of(spec_.frames, "frame");
    for (const BodySpec& body : spec_.bodies) {
      if (body.name == kWorld) {
        add("name-reserved", body.origin, "a body is called 'world'", "that name is reserved for the inertial frame",
            "rename the body");
      }
    }
    for (const FrameSpec& frame : spec_.frames) {
      if (frame.name == kWorld) {
        add("name-reserved", frame.origin, "a frame is called 'world'", "that name is reserved for the inertial frame",
            "rename the frame");
      }
    }
  }

  static std::string suggestion(std::string_view wanted, const std::map<std::string, std::size_t>& known, bool world) {
    std::vector<std::string> names;
    for (const auto& entry : known) names.push_back(entry.first);
    if (world) names.emplace_back(kWorld);
    const std::string nearest = nearest_name(wanted, names);
    return nearest.empty() ? "correct the name" : "did you mean " + quoted(nearest) + "?";
  }

  bool known_body(const std::string& name, const Origin& origin, const std::string& user, bool world_allowed) {
    if ((world_allowed && name == kWorld) || bodies_.count(name) > 0) return true;
    add("body-unknown", origin, user + " names the body " + quoted(name) + ", which does not exist", "",
        suggestion(name, bodies_, world_allowed));
    return false;
  }

  bool known_joint(const std::string& name, const Origin& origin, const std::string& user) {
    if (joints_.count(name) > 0) return true;
    add("joint-unknown", origin, user + " names the joint " + quoted(name) + ", which does not exist", "",
        suggestion(name, joints_, false));
    return false;
  }

  // ---- bodies and joints, each on its own

  void check_bodies() {
    std::vector<SpatialInertia<>> welded;  // computed on demand
    for (std::size_t i = 0; i < spec_.bodies.size(); ++i) {
      const BodySpec& body = spec_.bodies[i];
      if (check_inertia(body.inertia).empty()) continue;
      if (welded.empty()) welded = welded_inertias(spec_);
      for (Diagnostic& problem : check_welded_inertia(body.inertia, masses_unknown_ ? body.inertia : welded[i])) {
        problem.what = "body " + quoted(body.name) + ": " + problem.what;
        problem.origin = body.origin;
        problems_.push_back(std::move(problem));
      }
    }
  }

  void check_pose(const Pose<>& X, const Origin& origin, const std::string& what) {
    if (!is_finite(X.translation) || !is_finite(X.rotation)) {
      add("pose-not-finite", origin, what + " is not finite", "", "give finite values");
    } else if (distance_from_rotation(X.rotation) > kRotationTolerance) {
      add("pose-not-a-rotation", origin,
          what + " has a matrix that is not a rotation (off by " + text(distance_from_rotation(X.rotation)) + ")",
          "its columns must be orthonormal and right-handed", "give a rotation, e.g. as a quaternion");
    }
  }

  void check_joint(const JointSpec& joint) {
    const std::string user = "joint " + quoted(joint.name);
    known_body(joint.parent, joint.origin, user + " (its parent)", true);
    if (joint.child == kWorld && bodies_.count(kWorld) == 0) {
      add("child-world", joint.origin, user + " has 'world' as its child", "the world does not move",
          "swap parent and child");
    } else {
      known_body(joint.child, joint.origin, user + " (its child)", false);
    }
    check_pose(joint.X_PJ, joint.origin, user + ": its pose in the parent");
    check_pose(joint.X_CJ, joint.origin, user + ": its pose in the child");
    check_joint_parameters(joint, problems_);
  }

  // ---- the tree

  void check_tree() {
    std::map<std::string, std::string> parent_of;  // child body -> parent body; the world has no parent
    std::map<std::string, const JointSpec*> carried_by;
    for (const JointSpec& joint : spec_.joints) {
      const auto [entry, fresh] = carried_by.emplace(joint.child, &joint);
      if (fresh) {
        if (joint.child != kWorld) parent_of[joint.child] = joint.parent;
      } else if (bodies_.count(joint.child) > 0) {
        add("body-two-joints", joint.origin,
            "body " + quoted(joint.child) + " is the child of two joints, " + quoted(entry->second->name) + " and " +
                quoted(joint.name),
            "in a tree each body is the child of one joint", "remove one; closed loops are not supported");
      }
    }
    for (const BodySpec& body : spec_.bodies) {
      if (carried_by.count(body.name) == 0) {
        add("body-without-joint", body.origin, "body " + quoted(body.name) + " is not the child of any joint",
            "a body is neither fixed nor free by default",
            "add a joint of kind 'free' or 'fixed' from 'world' to " + quoted(body.name));
      }
    }
    check_cycles(parent_of);
  }

  void check_cycles(const std::map<std::string, std::string>& parent_of) {
    std::vector<std::string> names;
    for (const BodySpec& body : spec_.bodies) names.push_back(body.name);
    for (const std::vector<std::string>& cycle : cycles(names, parent_of)) {
      const auto body = bodies_.find(cycle.front());
      if (body == bodies_.end()) continue;  // only joints use that name, which is already reported
      add("cycle", spec_.bodies[body->second].origin, "the joints form a cycle: " + arrows(cycle),
          "every tree must be connected to 'world'", "give one of them a joint from 'world'");
    }
  }

  static std::string arrows(const std::vector<std::string>& names) {
    std::string text = quoted(names.front());
    for (std::size_t i = 1; i < names.size(); ++i) text += " -> " + quoted(names[i]);
    return text;
  }

  // ---- frames and couplings

  void check_frame(const FrameSpec& frame) {
    known_body(frame.body, frame.origin, "frame " + quoted(frame.name), true);
    check_pose(frame.X_BF, frame.origin, "frame " + quoted(frame.name) + ": its pose");
  }

  void check_coupling(const CouplingSpec& coupling) {
    const std::string user = "the coupling of " + quoted(coupling.joint);
    for (const std::string& name : {coupling.joint, coupling.driver}) {
      if (!known_joint(name, coupling.origin, user)) continue;
      const JointSpec& joint = spec_.joints[joints_.at(name)];
      if (facts(joint.kind).nv != 1) {
        add("coupling-dofs", coupling.origin,
            user + " needs joints with one dof; " + quoted(name) + " is " + std::string(facts(joint.kind).name), "",
            "couple revolute, prismatic or screw joints");
      }
    }
    if (!std::isfinite(coupling.ratio) || !std::isfinite(coupling.offset) || coupling.ratio == 0.0) {
      add("coupling-ratio", coupling.origin,
          user + " has the ratio " + text(coupling.ratio) + " and the offset " + text(coupling.offset),
          "both must be finite and the ratio not zero", "for a joint that does not move use kind 'fixed'");
    }
  }

  void check_coupling_graph() {
    std::map<std::string, const CouplingSpec*> by_joint;
    for (const CouplingSpec& coupling : spec_.couplings) {
      if (!by_joint.emplace(coupling.joint, &coupling).second) {
        add("coupling-double", coupling.origin, "joint " + quoted(coupling.joint) + " is coupled twice",
            "only one coupling can determine its position", "remove one");
      }
    }
    std::vector<std::string> names;
    std::map<std::string, std::string> driver_of;
    for (const auto& [joint, coupling] : by_joint) {
      names.push_back(joint);
      driver_of[joint] = coupling->driver;
    }
    for (const std::vector<std::string>& cycle : cycles(names, driver_of)) {
      add("coupling-cycle", by_joint.at(cycle.front())->origin, "the couplings form a cycle: " + arrows(cycle), "",
          "leave one joint of the cycle uncoupled");
    }
  }

  const ModelSpec& spec_;
  bool masses_unknown_;
  Diagnostics problems_;
  std::map<std::string, std::size_t> bodies_;
  std::map<std::string, std::size_t> joints_;
};

}  // namespace

Diagnostics check_spec(const ModelSpec& spec, bool masses_unknown) {
  return SpecChecker(spec, masses_unknown).run();
}

}  // namespace pintle
