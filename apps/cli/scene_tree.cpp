#include "scene_tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "pintle/model/links/joint_parts.h"
#include "pintle/model/links/unit_axis.h"
#include "pintle/text/utf8.h"

namespace pintle::cli {
namespace {

constexpr double kDegrees = 180.0 / kPi<double>;

/// One body, with the branches of the tree before its name.
struct TreeLine {
  std::string branch;  // before the name
  std::string below;   // before a further line of the same body
  int depth;
  std::size_t joint;
};

/// The dashes of a branch, "── ", which is `indent` wide together with its first character.
std::string dashes(std::size_t indent) {
  std::string text;
  for (std::size_t i = 2; i < indent; ++i) text += "─";
  return indent > 1 ? text + " " : text;
}

/// The lines of a tree, each level indented by the given width.
std::vector<TreeLine> branches(const Model& model, std::size_t indent) {
  std::vector<std::vector<std::size_t>> children(model.bodies().size() + 1);  // joints on the world, then on each body
  for (std::size_t j = 0; j < model.joints().size(); ++j)
    children[static_cast<std::size_t>(model.joints()[j].parent_body + 1)].push_back(j);
  // Without recursion: a chain may be deep.
  struct Open {
    std::size_t joint;
    std::string before;
    bool last;
    int depth;
  };
  std::vector<Open> open;
  const auto push = [&](int body, const std::string& before, int depth) {
    const std::vector<std::size_t>& joints = children[static_cast<std::size_t>(body + 1)];
    for (std::size_t i = joints.size(); i-- > 0;) open.push_back({joints[i], before, i + 1 == joints.size(), depth});
  };
  std::vector<TreeLine> lines;
  push(-1, "", 1);
  while (!open.empty()) {
    const Open next = open.back();
    open.pop_back();
    const int body = model.joints()[next.joint].child_body;
    const std::string inner = next.before + (next.last ? " " : "│") + std::string(indent - 1, ' ');
    const bool leaf = children[static_cast<std::size_t>(body + 1)].empty();
    lines.push_back(
        {next.before + (next.last ? "└" : "├") + dashes(indent), inner + (leaf ? " " : "│"), next.depth, next.joint});
    push(body, inner, next.depth + 1);
  }
  return lines;
}

/// The unit of a position or, with "/s", of a speed: an angle is in degrees unless another unit is asked for.
ShownUnit shown_of_dof(const UnitSystem& units, bool turns, const std::string& per = {}) {
  const ShownUnit own = units.shown((turns ? "rad" : "m") + per);
  return turns && own.unit == "rad" + per ? ShownUnit{"deg" + per, kDegrees, 1.0} : own;
}

/// The limits of a dof.
std::string range_text(const JointLimits& limits, const ShownUnit& shown) {
  const std::string& unit = shown.unit;
  const bool below = std::isfinite(limits.lower), above = std::isfinite(limits.upper);
  const std::string lower = short_number(shown(limits.lower)), upper = short_number(shown(limits.upper));
  if (below && above) return fmt::format("{} … {} {}", lower, upper, unit);
  if (below) return fmt::format("≥ {} {}", lower, unit);
  return above ? fmt::format("≤ {} {}", upper, unit) : "";
}

std::vector<std::string> limit_parts(const Model& model, std::size_t joint, const UnitSystem& units) {
  std::vector<std::string> parts;
  const JointKind kind = model.joints()[joint].kind;
  for (const ModelDof& dof : model.dofs()) {
    if (dof.joint != static_cast<int>(joint)) continue;
    const JointPart part = velocity_part(kind, dof.index);
    const bool turns = part.unit == "rad/s";
    const std::string name = facts(kind).nv > 1 ? std::string(part.name) + " " : "";
    const std::string range = range_text(dof.limits, shown_of_dof(units, turns));
    if (!range.empty()) parts.push_back(name + range);
    if (std::isfinite(dof.limits.speed)) {
      const ShownUnit speed = shown_of_dof(units, turns, "/s");
      parts.push_back(fmt::format("{}≤ {} {}", name, short_number(speed(dof.limits.speed)), speed.unit));
    }
    if (std::isfinite(dof.limits.effort)) {
      const ShownUnit effort = units.shown(turns ? "N m" : "N");
      parts.push_back(fmt::format("{}≤ {} {}", name, short_number(effort(dof.limits.effort)), effort.unit));
    }
  }
  return parts;
}

/// The description of a joint, in pieces that are not broken.
std::vector<std::string> joint_parts(const Scene& scene, std::size_t number, const UnitSystem& units) {
  const Model& model = scene.model();
  const ModelJoint& joint = model.joints()[number];
  const JointSpec& spec = scene.spec().model.joints[number];
  std::string kind(facts(joint.kind).name);
  if (axis_count(joint.kind) >= 1) kind += " " + axis_text(axis_in_parent(spec));
  if (axis_count(joint.kind) >= 2) kind += ", " + axis_text(second_axis_in_parent(spec));
  if (joint.name != spec.child) kind = joint.name + ": " + kind;
  std::vector<std::string> parts{kind};
  if (has_pitch(joint.kind)) {
    const ShownUnit chosen = units.shown("m");
    const ShownUnit length = chosen.unit == "m" ? ShownUnit{"mm", 1e3, 1.0} : chosen;
    const double lead = 2.0 * kPi<double> * spec.pitch_m_per_rad;
    parts.push_back(fmt::format("lead {} {}/rev", short_number(length(lead)), length.unit));
    parts.push_back(fmt::format("pitch {} {}/rad", short_number(length(spec.pitch_m_per_rad)), length.unit));
  }
  for (const CouplingSpec& coupling : scene.spec().model.couplings) {
    if (coupling.joint != joint.name) continue;
    parts.push_back(fmt::format("follows {} × {}", coupling.driver, short_number(coupling.ratio)));
    if (coupling.offset != 0.0) parts.back() += fmt::format(" + {}", short_number(coupling.offset));
  }
  for (const PrescribedMotionSpec& motion : scene.spec().prescribed)
    if (motion.joint == joint.name) parts.push_back("moved by " + motion.name);
  for (std::string& part : limit_parts(model, number, units)) parts.push_back(std::move(part));
  for (const JointLimitSpec& limit : scene.spec().joint_limits)
    if (limit.joint == joint.name) parts.push_back(fmt::format("restitution {}", short_number(limit.restitution)));
  return parts;
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t length = count_characters(text);
  return length < width ? text + std::string(width - length, ' ') : text;
}

/// Wraps parts into lines of at most `width` characters.
std::vector<std::string> wrapped_lines(const std::vector<std::string>& parts, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string& part : parts) {
    const bool fits = !lines.empty() && count_characters(lines.back()) + 2 + count_characters(part) <= width;
    if (fits) {
      lines.back() += ", " + part;
    } else {
      if (!lines.empty()) lines.back() += ",";
      lines.push_back(shortened(part, width));
    }
  }
  return lines;
}

/// The tree with the widest indentation that leaves enough space for the rest.
std::vector<TreeLine> tree_lines(const Model& model, std::size_t max_width, std::size_t& width) {
  std::vector<TreeLine> lines;
  for (const std::size_t indent : {std::size_t{3}, std::size_t{2}, std::size_t{1}}) {
    lines = branches(model, indent);
    width = 0;
    for (const TreeLine& line : lines) {
      const std::string& name = model.bodies()[static_cast<std::size_t>(model.joints()[line.joint].child_body)].name;
      width = std::max(width, count_characters(line.branch) + count_characters(name));
    }
    if (width <= max_width) return lines;
  }
  width = max_width;
  return lines;
}

}  // namespace

std::string short_number(double x, double scale, int digits) {
  if (std::abs(x) <= 1e-12 * scale) x = 0.0;
  return fmt::format("{:.{}g}", x + 0.0, digits);
}

std::string quantity_text(const UnitSystem& units, double si, std::string_view si_unit, int digits) {
  const ShownUnit shown = units.shown(si_unit);
  return short_number(shown(si), 0.0, digits) + (shown.unit == "1" ? "" : " " + shown.unit);
}

std::string axis_text(const Vec3<>& axis) {
  constexpr const char* kNames[] = {"x", "y", "z"};
  const double parts[] = {axis.x, axis.y, axis.z};
  for (int i = 0; i < 3; ++i)
    if (std::abs(std::abs(parts[i]) - 1.0) < 1e-9) return std::string(parts[i] < 0.0 ? "-" : "") + kNames[i];
  return fmt::format("({}, {}, {})", short_number(axis.x, 1.0, 4), short_number(axis.y, 1.0, 4),
                     short_number(axis.z, 1.0, 4));
}

Vec3<> axis_in_parent(const JointSpec& joint) {
  return joint.X_PJ.rotation * unit_axis(joint.axis);
}

Vec3<> second_axis_in_parent(const JointSpec& joint) {
  return joint.X_PJ.rotation * unit_axis(joint.second_axis);
}

std::string scene_tree(const Scene& scene, int width, const UnitSystem& units) {
  const Model& model = scene.model();
  const ShownUnit mass = units.shown("kg");
  const std::size_t room = static_cast<std::size_t>(std::max(width, 60));
  std::size_t left = 0;
  const std::vector<TreeLine> lines = tree_lines(model, room * 9 / 20, left);
  constexpr std::size_t kMassWidth = 10;
  std::string text = "world\n";
  for (const TreeLine& line : lines) {
    const ModelBody& body = model.bodies()[static_cast<std::size_t>(model.joints()[line.joint].child_body)];
    std::string branch = line.branch, below = line.below;
    if (count_characters(branch) + std::min<std::size_t>(count_characters(body.name), 8) > left) {  // too deep
      branch = fmt::format("… {} └ ", line.depth);
      below = "";
    }
    const std::string name = shortened(body.name, left - count_characters(branch));
    const std::vector<std::string> parts =
        wrapped_lines(joint_parts(scene, line.joint, units), room - left - kMassWidth - 2 - 2);
    text += padded(branch + name, left) +
            fmt::format("{:>{}}  ", short_number(mass(body.inertia.mass), 0.0, 4) + " " + mass.unit, kMassWidth) + parts.front() + "\n";
    for (std::size_t i = 1; i < parts.size(); ++i)
      text += padded(below, left + kMassWidth + 2) + "  " + parts[i] + "\n";
  }
  return text;
}

}  // namespace pintle::cli
