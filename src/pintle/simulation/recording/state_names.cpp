#include "pintle/simulation/recording/state_names.h"

#include <utility>

#include "pintle/model/links/configuration_impl.h"
#include "pintle/model/links/joint_parts.h"

namespace pintle {

using Kind = StateVariable::Kind;

double value_of(const StateVariable& variable, double t, std::span<const double> q, std::span<const double> v) {
  if (variable.kind == Kind::time) return t;
  const CoordinateSource& from = variable.value;
  const std::span<const double> numbers = variable.kind == Kind::velocity ? v : q;
  return from.ratio * numbers[static_cast<std::size_t>(from.source)] + from.offset;
}

std::string name_in_formulas(std::string_view joint) {
  std::string text;
  bool part_begins = true;
  for (const char c : joint) {
    const bool digit = c >= '0' && c <= '9';
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (part_begins && (digit || c == '.')) text += '_';
    text += digit || letter || c == '.' ? c : '_';
    part_begins = c == '.';
  }
  return part_begins ? text + '_' : text;
}

StateNames::StateNames(const Model& model) {
  add("t", "", {});
  for (const ModelJoint& joint : model.joints()) add_joint(model, joint);
}

void StateNames::add_joint(const Model& model, const ModelJoint& joint) {
  const JointFacts& kind = facts(joint.kind);
  const bool scalars = quaternion_place(joint.kind) < 0;
  const std::string name = '.' + name_in_formulas(joint.name);
  const auto add_value = [&](char letter, int k, int count, std::string_view part, const StateVariable& variable) {
    if (letter == 'v' || scalars) add(letter + std::to_string(k + 1) + name, joint.name, variable);
    if (count == 1) {
      add(letter + name, joint.name, variable);
    } else {
      add(letter + name + '.' + std::string(part), joint.name, variable);
    }
  };
  for (int k = 0; k < kind.nv; ++k) {
    const CoordinateSource& v = model.v_sources()[static_cast<std::size_t>(joint.v + k)];
    add_value('v', k, kind.nv, velocity_part(joint.kind, k).name, {Kind::velocity, v, v});
  }
  for (int k = 0; k < kind.nq; ++k) {
    StateVariable coordinate{Kind::coordinate, model.q_sources()[static_cast<std::size_t>(joint.q + k)]};
    if (scalars) coordinate.rate = model.v_sources()[static_cast<std::size_t>(joint.v + k)];
    add_value('q', k, kind.nq, position_part(joint.kind, k).name, coordinate);
  }
}

void StateNames::add(const std::string& name, const std::string& joint, const StateVariable& variable) {
  const auto [at, is_new] = index_.emplace(name, static_cast<int>(names_.size()));
  if (!is_new) {
    others_[static_cast<std::size_t>(at->second)] = joint;
    return;
  }
  names_.push_back(name);
  joints_.push_back(joint);
  others_.emplace_back();
  variables_.push_back(variable);
}

int StateNames::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? -1 : found->second;
}

Diagnostic StateNames::ambiguous(std::size_t i, const Origin& origin) const {
  return make_error("formula-joint-ambiguous", origin,
                    "'" + names_[i] + "' may be joint '" + joints_[i] + "' or joint '" + others_[i] + "'",
                    "in expressions, '_' replaces every character of a joint's name but letters, digits, '_' and '.'",
                    "rename one of the joints");
}

}  // namespace pintle
