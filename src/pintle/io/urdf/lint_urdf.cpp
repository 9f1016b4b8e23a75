#include "pintle/io/urdf/lint_urdf.h"

#include <algorithm>
#include <tuple>

#include "pintle/base/nearest_name.h"
#include "pintle/io/urdf/urdf_linter.h"
#include "pintle/io/urdf/urdf_scene.h"
#include "pintle/model/spec/cycles.h"

namespace pintle {

Diagnostics lint_urdf(const UrdfRobot& robot, std::span<const UrdfMeshRoom> meshes) {
  return UrdfLinter(robot, meshes).run();
}

std::string text_of(const UrdfLink& link) {
  return "link '" + link.name.value + "'";
}

std::string text_of(const UrdfJoint& joint) {
  return "joint '" + joint.name.value + "'";
}

std::string did_you_mean(const std::string& name, const std::string& otherwise) {
  return name.empty() ? otherwise : "did you mean '" + name + "'?";
}

bool moves(const UrdfJoint& joint) {
  return joint.type.given && joint.type.value != UrdfJointType::fixed;
}

namespace {

/// Of very many problems only the first are reported, and the number of searches for similar names is limited.
constexpr std::size_t kMaxLintProblems = 200;
constexpr int kMaxSearches = 50;

template <class Element>
std::vector<std::string> names_of(const std::vector<Element>& elements) {
  std::vector<std::string> names;
  for (const Element& element : elements) names.push_back(element.name.value);
  return names;
}

std::string arrows(const std::vector<std::string>& names) {
  std::string text = "'" + names.front() + "'";
  for (std::size_t i = 1; i < names.size(); ++i) text += " -> '" + names[i] + "'";
  return text;
}

}  // namespace

UrdfLinter::UrdfLinter(const UrdfRobot& robot, std::span<const UrdfMeshRoom> meshes)
    : robot_(robot), meshes_(meshes), link_names_(names_of(robot.links)), joint_names_(names_of(robot.joints)) {}

Diagnostics UrdfLinter::run() {
  check_names();
  find_ends();
  place_links();
  count_from_the_tips();
  check_tree();
  check_roots();
  check_materials();
  check_links();
  check_massless();
  check_mimic_circles();
  check_joints();
  // Errors first if not all can be reported.
  const auto place = [](const Diagnostic& problem) { return std::tuple(problem.origin.line, problem.origin.column); };
  const std::size_t all = problems_.size();
  if (all > kMaxLintProblems) {
    std::stable_sort(problems_.begin(), problems_.end(), [&](const Diagnostic& a, const Diagnostic& b) {
      return std::tuple(a.severity, place(a)) < std::tuple(b.severity, place(b));
    });
    problems_.resize(kMaxLintProblems);
  }
  std::stable_sort(problems_.begin(), problems_.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
  if (all > kMaxLintProblems)
    add(Severity::note, "urdf-more", Origin(robot_.file, 1, 1),
        std::to_string(all - kMaxLintProblems) + " more problems are not listed", "", "fix the first ones");
  return std::move(problems_);
}

/// The name nearest to the wanted one; empty if none is near.
std::string UrdfLinter::nearest(const std::string& wanted, const std::vector<std::string>& names) {
  return ++searches_ > kMaxSearches ? std::string() : nearest_name(wanted, names);
}

void UrdfLinter::add(Severity severity, const char* code, const Origin& origin, std::string what, std::string why,
                     std::string fix) {
  problems_.push_back(make_error(code, origin, std::move(what), std::move(why), std::move(fix)));
  problems_.back().severity = severity;
}

const UrdfLink* UrdfLinter::find_link(const std::string& name) const {
  const auto found = links_.find(name);
  return found == links_.end() ? nullptr : found->second;
}

// ---- names

void UrdfLinter::check_names() {
  const auto note = [&](auto& index, const auto& element, const char* kind) {
    const std::string& name = element.name.value;
    if (name.empty()) return;
    const auto [entry, is_new] = index.emplace(name, &element);
    if (is_new) return;
    error("urdf-name-twice", element.name.origin, std::string("two ") + kind + " are called '" + name + "'",
          "the first one is in line " + std::to_string(entry->second->origin.line), "rename one of them");
  };
  for (const UrdfLink& link : robot_.links) note(links_, link, "links");
  for (const UrdfJoint& joint : robot_.joints) note(joints_, joint, "joints");
}

/// The link that an end of a joint names, or probably means; empty if there is none.
std::string UrdfLinter::meant(const UrdfJoint& joint, const Placed<std::string>& end, const char* which) {
  if (find_link(end.value) != nullptr || !end.given || end.value.empty()) return end.given ? end.value : std::string();
  const std::string found = nearest(end.value, link_names_);
  error("urdf-link-unknown", end.origin, text_of(joint) + ": there is no link '" + end.value + "', its " + which,
        "every link that a joint names must be there",
        did_you_mean(found, "add <link name=\"" + end.value + "\"/>, or remove the joint"));
  return found;
}

void UrdfLinter::find_ends() {
  for (const UrdfJoint& joint : robot_.joints) {
    parent_of_[&joint] = meant(joint, joint.parent, "parent");
    child_of_[&joint] = meant(joint, joint.child, "child");
    const std::string& child = child_of_[&joint];
    if (child != joint.child.value || child.empty()) continue;
    const auto [entry, is_first] = carrier_.emplace(child, &joint);
    if (!is_first)
      error("urdf-two-parents", joint.child.origin,
            "link '" + child + "' is the child of two joints, '" + entry->second->name.value + "' and '" +
                joint.name.value + "'",
            "the links of a URDF are a tree, with one joint to each",
            "remove one of the joints; closed loops are not supported, only mimic joints couple others");
  }
  // A misspelt child counts unless another joint has a better claim.
  for (const UrdfJoint& joint : robot_.joints) {
    std::string& child = child_of_[&joint];
    if (child != joint.child.value && !carrier_.emplace(child, &joint).second) child.clear();
    lost_child_ = lost_child_ || child.empty();
    if (!child.empty() && carrier_.at(child) == &joint) carried_[parent_of_[&joint]].push_back(&joint);
  }
  carrier_.erase("");
}

// ---- the tree

void UrdfLinter::check_tree() {
  std::map<std::string, std::string> parent_of;
  for (const auto& [link, joint] : carrier_) parent_of[link] = parent_of_.at(joint);
  for (const std::vector<std::string>& circle : cycles(link_names_, parent_of)) {
    const auto joint = carrier_.find(circle.front());
    if (joint == carrier_.end()) continue;
    error("urdf-cycle", joint->second->parent.origin, "the links form a loop: " + arrows(circle),
          "a robot has one root link, which is the child of no joint", "give one of these joints another parent");
  }
}

void UrdfLinter::check_roots() {
  std::vector<const UrdfLink*> roots;
  for (const auto& [name, link] : links_)
    if (carrier_.count(name) == 0) roots.push_back(link);
  if (roots.size() < 2 || lost_child_) return;
  const auto carried = [&](const UrdfLink* root) { return placements_.at(root->name.value).carried; };
  std::sort(roots.begin(), roots.end(), [&](const UrdfLink* a, const UrdfLink* b) {
    return std::tuple(-carried(a), a->origin.line, a->origin.column) <
           std::tuple(-carried(b), b->origin.line, b->origin.column);
  });
  const int count = carried(roots[0]);
  for (std::size_t i = 1; i < roots.size(); ++i) {
    const std::string& name = roots[i]->name.value;
    error("urdf-roots", roots[i]->name.origin, text_of(*roots[i]) + " is the child of no joint",
          "a robot has one root; here it is '" + roots[0]->name.value + "', with " + std::to_string(count) +
              (count == 1 ? " link below it" : " links below it"),
          "add a joint with <child link=\"" + name + "\"/>, or remove the link");
  }
}

void UrdfLinter::check_materials() {
  std::set<std::string> known;
  std::vector<std::string> names;
  const auto note = [&](const UrdfMaterial& material) {
    const bool defines = material.rgba.given || material.texture.given;
    if (defines && known.insert(material.name.value).second) names.push_back(material.name.value);
  };
  for (const UrdfMaterial& material : robot_.materials) note(material);
  for (const UrdfLink& link : robot_.links)
    for (const UrdfBodyShape& visual : link.visuals)
      if (visual.material) note(*visual.material);
  for (const UrdfLink& link : robot_.links) {
    for (const UrdfBodyShape& visual : link.visuals) {
      if (!visual.material || visual.material->name.value.empty() || known.count(visual.material->name.value) > 0)
        continue;
      const Placed<std::string>& name = visual.material->name;
      warning("urdf-material-unknown", name.origin, text_of(link) + ": no material '" + name.value + "' has a colour",
              "it is drawn as if it had none",
              did_you_mean(nearest(name.value, names),
                           "add <material name=\"" + name.value + "\"><color rgba=\"...\"/></material>"));
      known.insert(name.value);
    }
  }
}

/// Computes the pose of every link with all joints at zero. Links in a cycle have none.
void UrdfLinter::place_links() {
  for (const auto& entry : links_) {
    if (carrier_.count(entry.first) > 0) continue;
    placements_[entry.first] = {identity_pose<double>(), entry.first, identity_pose<double>()};
    outwards_.push_back(entry.first);
  }
  for (std::size_t i = 0; i < outwards_.size(); ++i) {
    const std::string parent = outwards_[i];
    for (const UrdfJoint* const joint : carried_[parent]) {
      const std::string& child = child_of_.at(joint);
      const LinkPlacement& on = placements_.at(parent);
      const bool welded = joint->type.given && !moves(*joint) && parent != kWorld;
      const Pose<> X_PL = pose_of(joint->pose);
      placements_[child] = {on.X_RL * X_PL, welded ? on.weld : child,
                            welded ? on.X_FL * X_PL : identity_pose<double>()};
      outwards_.push_back(child);
    }
  }
}

void UrdfLinter::count_from_the_tips() {
  for (auto name = outwards_.rbegin(); name != outwards_.rend(); ++name) {
    LinkPlacement& link = placements_.at(*name);
    link.has_mass = link.has_mass || may_have_mass(*links_.at(*name));
    const auto joint = carrier_.find(*name);
    if (joint == carrier_.end()) continue;
    LinkPlacement& on = placements_.at(parent_of_.at(joint->second));
    on.carried += 1 + link.carried;
    on.has_mass = on.has_mass || link.has_mass;
  }
}

}  // namespace pintle
