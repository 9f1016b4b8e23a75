#include <algorithm>
#include <map>
#include <utility>

#include "pintle/model/compiled/check_couplings.h"
#include "pintle/model/compiled/check_model.h"
#include "pintle/model/compiled/check_moved_inertia.h"
#include "pintle/model/compiled/model_data.h"
#include "pintle/model/spec/check_spec.h"
#include "pintle/model/spec/joint_rotations.h"
#include "pintle/model/spec/valid_spec.h"

namespace pintle {
namespace {

/// Orthonormalises a rotation matrix to rounding (the checks accept a matrix of few digits).
Pose<> cleaned(const Pose<>& X) {
  return pose(quaternion(X.rotation), X.translation);
}

void append(Diagnostics& problems, const Diagnostics& more) {
  problems.insert(problems.end(), more.begin(), more.end());
}

}  // namespace

/// Compiles a validated spec.
class ModelCompiler {
 public:
  explicit ModelCompiler(const ModelSpec& spec) : spec_(spec), compiled_(new ModelData), model_(*compiled_.data_) {
    static std::atomic<std::uint64_t> models = 0;
    model_.serial = ++models;
  }

  Model run() {
    model_.name = spec_.name;
    model_.gravity = spec_.gravity;
    make_bodies_and_joints();
    for (const std::size_t joint : children_of(kWorld)) add_subtree(joint);
    make_dofs();
    make_frames();
    make_couplings();
    make_sources();
    make_dof_parents();
    make_dof_branches();
    look_for_passive_efforts();
    model_.plan = Plan(compiled_.tree());
    return compiled_;
  }

 private:
  void make_bodies_and_joints() {
    for (const BodySpec& body : spec_.bodies) {
      body_number_[body.name] = static_cast<int>(model_.bodies.size());
      model_.bodies.push_back({body.name, -1, identity_pose<double>(), body.inertia, -1});
    }
    for (const JointSpec& joint : spec_.joints) {
      const int number = static_cast<int>(model_.joints.size());
      const int child = body_number_.at(joint.child);
      const int parent = joint.parent == kWorld ? -1 : body_number_.at(joint.parent);
      model_.joints.push_back({joint.name, joint.kind, parent, child, cleaned(joint.X_PJ), cleaned(joint.X_CJ), -1, -1,
                               -1, joint.prescribed});
      body(child).joint = number;
      children_[joint.parent].push_back(static_cast<std::size_t>(number));
    }
  }

  ModelBody& body(int number) { return model_.bodies[static_cast<std::size_t>(number)]; }

  const std::vector<std::size_t>& children_of(const std::string& name) { return children_[name]; }

  /// Depth first, without recursion: a chain may be long.
  void add_subtree(std::size_t first) {
    std::vector<std::size_t> waiting{first};
    while (!waiting.empty()) {
      const std::size_t joint = waiting.back();
      waiting.pop_back();
      add_joint(joint);
      const std::vector<std::size_t>& children = children_of(spec_.joints[joint].child);
      waiting.insert(waiting.end(), children.rbegin(), children.rend());
    }
  }

  void add_joint(std::size_t number) {
    model_.joints_outwards.push_back(static_cast<int>(number));
    const JointSpec& spec = spec_.joints[number];
    ModelJoint& joint = model_.joints[number];
    ModelBody& child = body(joint.child_body);
    const int parent_link = joint.parent_body < 0 ? -1 : body(joint.parent_body).link;
    const Pose<> X_LP = joint.parent_body < 0 ? identity_pose<double>() : body(joint.parent_body).X_LB;
    if (joint.kind == JointKind::fixed) {
      child.link = parent_link;
      child.X_LB = X_LP * joint.X_PJ * inverse(joint.X_CJ);
    } else {
      const JointRotations rotations = joint_rotations(spec);
      const Vec3<> nil{0.0, 0.0, 0.0};
      joint.link = static_cast<int>(model_.links.size());
      joint.q = joint_nq_;
      joint.v = joint_nv_;
      child.link = joint.link;
      child.X_LB = inverse(joint.X_CJ * Pose<>{rotations.child_side, nil});
      model_.links.push_back({.parent = parent_link,
                              .kind = joint.kind,
                              .q = joint_nq_,
                              .v = joint_nv_,
                              .nv = facts(joint.kind).nv,
                              .pitch = joint.kind == JointKind::screw ? spec.pitch_m_per_rad : 0.0,
                              .X_PJ = X_LP * joint.X_PJ * Pose<>{rotations.parent_side, nil},
                              .axis_rotation = transpose_times(rotations.parent_side, rotations.child_side),
                              .inertia = zero_inertia<double>()});
      joint_nq_ += facts(joint.kind).nq;
      joint_nv_ += facts(joint.kind).nv;
    }
    if (child.link >= 0) {
      SpatialInertia<>& inertia = model_.links[static_cast<std::size_t>(child.link)].inertia;
      inertia = inertia + child.X_LB * child.inertia;
    }
  }

  void make_dofs() {
    model_.dofs.resize(static_cast<std::size_t>(joint_nv_));
    for (std::size_t j = 0; j < spec_.joints.size(); ++j) {
      const JointSpec& spec = spec_.joints[j];
      for (int k = 0; k < facts(spec.kind).nv; ++k) {
        const auto entry = [k](const auto& entries) {
          using Entry = typename std::decay_t<decltype(entries)>::value_type;
          if (entries.empty()) return Entry{};
          return entries.size() == 1 ? entries[0] : entries[static_cast<std::size_t>(k)];
        };
        model_.dofs[static_cast<std::size_t>(model_.joints[j].v + k)] = {static_cast<int>(j), k, entry(spec.passive),
                                                                         entry(spec.limits)};
      }
    }
    for (const ModelDof& dof : model_.dofs) model_.armature.push_back(dof.passive.armature);
  }

  void make_frames() {
    for (const FrameSpec& frame : spec_.frames) {
      const int number = frame.body == kWorld ? -1 : body_number_.at(frame.body);
      model_.frames.push_back({frame.name, number, cleaned(frame.X_BF)});
    }
  }

  void make_couplings() {
    std::map<std::string, const CouplingSpec*> by_joint;
    for (const CouplingSpec& coupling : spec_.couplings) by_joint[coupling.joint] = &coupling;
    for (const CouplingSpec& coupling : spec_.couplings) {
      // A coupling to a coupled joint becomes a coupling to that joint's driver.
      double ratio = coupling.ratio, offset = coupling.offset;
      std::string driver = coupling.driver;
      for (auto next = by_joint.find(driver); next != by_joint.end(); next = by_joint.find(driver)) {
        offset += ratio * next->second->offset;
        ratio *= next->second->ratio;
        driver = next->second->driver;
      }
      model_.couplings.push_back({compiled_.joint(coupling.joint), compiled_.joint(driver), ratio, offset});
      model_.has_couplings = true;
    }
  }

  /// Independent coordinates in the order of their joints; a coupled joint uses its driver's.
  void make_sources() {
    std::vector<const ModelCoupling*> coupling_of(model_.joints.size(), nullptr);
    for (const ModelCoupling& coupling : model_.couplings)
      coupling_of[static_cast<std::size_t>(coupling.joint)] = &coupling;
    model_.q_sources.resize(static_cast<std::size_t>(joint_nq_));
    model_.v_sources.resize(static_cast<std::size_t>(joint_nv_));
    std::vector<const ModelJoint*> in_order(model_.links.size());
    for (const ModelJoint& joint : model_.joints)
      if (joint.link >= 0) in_order[static_cast<std::size_t>(joint.link)] = &joint;
    for (const ModelJoint* joint : in_order) {
      const int number = static_cast<int>(joint - model_.joints.data());
      if (coupling_of[static_cast<std::size_t>(number)] != nullptr) continue;
      model_.independent_joints.push_back({number, joint->kind, model_.nq, model_.nv});
      for (int i = 0; i < facts(joint->kind).nq; ++i) q_source(joint->q + i) = {model_.nq++, 1.0, 0.0};
      for (int i = 0; i < facts(joint->kind).nv; ++i) v_source(joint->v + i) = {model_.nv++, 1.0, 0.0};
    }
    for (const ModelCoupling& coupling : model_.couplings) {
      const ModelJoint& joint = model_.joints[static_cast<std::size_t>(coupling.joint)];
      const ModelJoint& driver = model_.joints[static_cast<std::size_t>(coupling.driver)];
      q_source(joint.q) = {q_source(driver.q).source, coupling.ratio, coupling.offset};
      v_source(joint.v) = {v_source(driver.v).source, coupling.ratio, 0.0};
    }
  }

  /// Without couplings the elimination tree of the mass matrix is that of the links, each as a chain of its dofs.
  void make_dof_parents() {
    if (!model_.couplings.empty()) {
      make_coupled_dof_parents();
      return;
    }
    for (const Link& link : model_.links) {
      const Link* const parent = link.parent < 0 ? nullptr : &model_.links[static_cast<std::size_t>(link.parent)];
      model_.dof_parents.push_back(parent == nullptr ? -1 : parent->v + parent->nv - 1);
      for (int k = link.v; k < link.v + link.nv - 1; ++k) model_.dof_parents.push_back(k);
    }
  }

  /// The elimination tree of the mass matrix from the tips inwards (Liu 1990). Its entries are between each dof and
  /// those of its own joint and of the joints that carry it, or rather between their sources.
  void make_coupled_dof_parents() {
    const std::size_t n = static_cast<std::size_t>(model_.nv);
    std::vector<std::vector<int>> outer(n);  // per independent dof: later dofs that it shares an entry with
    for (const Link& link : model_.links) {
      for (int k = link.v; k < link.v + link.nv; ++k) {
        int inner = k;
        for (const Link* at = &link;;) {
          for (; inner >= at->v; --inner) {
            const auto [low, high] = std::minmax(v_source(inner).source, v_source(k).source);
            if (low < high) outer[static_cast<std::size_t>(low)].push_back(high);
          }
          if (at->parent < 0) break;
          at = &model_.links[static_cast<std::size_t>(at->parent)];
          inner = at->v + at->nv - 1;
        }
      }
    }
    model_.dof_parents.assign(n, -1);
    std::vector<int> top(n, -1);  // shortcuts to the last known ancestor dof
    for (int i = model_.nv - 1; i >= 0; --i) {
      for (int k : outer[static_cast<std::size_t>(i)]) {
        while (k != i) {
          const int next = std::exchange(top[static_cast<std::size_t>(k)], i);
          if (next < 0) model_.dof_parents[static_cast<std::size_t>(k)] = i;
          k = next < 0 ? i : next;
        }
      }
    }
  }

  void look_for_passive_efforts() {
    for (const ModelDof& dof : model_.dofs) {
      const JointPassive& passive = dof.passive;
      if (passive.damping != 0.0 || passive.stiffness != 0.0 || passive.friction != 0.0) model_.has_passive = true;
    }
  }

  void make_dof_branches() {
    int longest = 0;
    for (int k = 0; k < model_.nv; ++k) {
      const int parent = model_.dof_parents[static_cast<std::size_t>(k)];
      const int depth = parent < 0 ? 0 : model_.dof_depths[static_cast<std::size_t>(parent)] + 1;
      model_.dof_depths.push_back(depth);
      model_.dof_runs.push_back(k > 0 && parent == k - 1 ? model_.dof_runs.back() : k);
      longest = std::max(longest, depth + 1);
    }
    model_.branch_row = (longest + kRowLanes - 1) / kRowLanes * kRowLanes;
  }

  CoordinateSource& q_source(int number) { return model_.q_sources[static_cast<std::size_t>(number)]; }
  CoordinateSource& v_source(int number) { return model_.v_sources[static_cast<std::size_t>(number)]; }

  const ModelSpec& spec_;
  Model compiled_;
  ModelData& model_;  // of compiled_, which nothing else refers to yet
  int joint_nq_ = 0;
  int joint_nv_ = 0;
  std::map<std::string, int> body_number_;
  std::map<std::string, std::vector<std::size_t>> children_;  // joints by the name of their parent body
};

ModelCheck check_model(const ModelSpec& spec, bool masses_unknown) {
  ModelCheck check{check_spec(spec, masses_unknown)};
  ValidSpec valid{spec};
  if (has_errors(check.problems)) {
    valid = valid_spec(spec);
    if (has_errors(check_spec(valid.spec))) return check;
    check.tree_unknown = valid.tree_changed;
  }
  check.model = ModelCompiler(valid.spec).run();
  append(check.problems, check_couplings(*check.model, valid.spec));
  append(check.problems, check_moved_inertia(*check.model, valid.spec));
  return check;
}

Result<Model> compile(const ModelSpec& spec) {
  ModelCheck check = check_model(spec);
  if (has_errors(check.problems)) return std::move(check.problems);
  return {*check.model, std::move(check.problems)};
}

}  // namespace pintle
