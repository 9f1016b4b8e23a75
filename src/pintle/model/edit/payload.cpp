#include "pintle/model/edit/payload.h"

#include <algorithm>
#include <utility>

#include "pintle/model/spec/check_spec.h"
#include "pintle/model/spec/spec_place.h"

namespace pintle {
namespace {

/// Whether a body is a payload: attached by a fixed joint of its own name.
bool is_payload(const ModelSpec& spec, const std::string& name) {
  const JointSpec* const joint = find_named(spec.joints, name);
  return joint != nullptr && joint->child == name && joint->kind == JointKind::fixed;
}

Diagnostic taken(const ModelSpec& spec, const std::string& name) {
  const BodySpec* const body = find_named(spec.bodies, name);
  const JointSpec* const joint = find_named(spec.joints, name);
  return make_error("payload-name-taken", body != nullptr ? body->origin : joint->origin,
                    std::string("there is a ") + (body != nullptr ? "body" : "joint") + " called '" + name +
                        "' that is not a payload",
                    "a payload is a body attached by a fixed joint of the same name", "choose another name");
}

}  // namespace

Result<ModelSpec> set_payload(const ModelSpec& spec, const std::string& place, const std::string& name,
                              const SpatialInertia<>& inertia) {
  Diagnostics problems = check_spec(spec);
  const Result<SpecPlace> at = find_place(spec, place, "set_payload");
  problems.insert(problems.end(), at.diagnostics().begin(), at.diagnostics().end());
  const bool replaces = is_payload(spec, name);
  const bool name_used = find_named(spec.bodies, name) != nullptr || find_named(spec.joints, name) != nullptr;
  if (name_used && !replaces) problems.push_back(taken(spec, name));
  if (has_errors(problems)) return problems;

  ModelSpec result = spec;
  if (!replaces) {
    result.bodies.emplace_back().name = name;
    JointSpec& added = result.joints.emplace_back();
    added.name = name;
    added.child = name;
  }
  find_named(result.bodies, name)->inertia = inertia;
  JointSpec& weld = *find_named(result.joints, name);
  weld.parent = at->body;
  weld.X_PJ = at->X_BF;
  weld.X_CJ = identity_pose<double>();
  problems = check_spec(result);  // the inertia may be impossible, the payload may be attached to itself
  if (has_errors(problems)) return problems;
  return result;
}

Result<ModelSpec> remove_payload(const ModelSpec& spec, const std::string& name) {
  Diagnostics problems = check_spec(spec);
  if (find_named(spec.bodies, name) == nullptr) {
    problems.push_back(unknown_name("body", name, "remove_payload", names_of(spec.bodies)));
  } else if (!is_payload(spec, name)) {
    problems.push_back(taken(spec, name));
  }
  const auto still_used = [&](const char* kind, const std::string& user, const Origin& origin) {
    problems.push_back(make_error("payload-in-use", origin,
                                  std::string(kind) + " '" + user + "' is attached to the payload '" + name + "'",
                                  "it would be left without a body", "attach it to another body first"));
  };
  for (const JointSpec& joint : spec.joints)
    if (joint.parent == name) still_used("joint", joint.name, joint.origin);
  for (const FrameSpec& frame : spec.frames)
    if (frame.body == name) still_used("frame", frame.name, frame.origin);
  if (has_errors(problems)) return problems;

  ModelSpec result = spec;
  const auto is_it = [&](const auto& element) { return element.name == name; };
  result.bodies.erase(std::find_if(result.bodies.begin(), result.bodies.end(), is_it));
  result.joints.erase(std::find_if(result.joints.begin(), result.joints.end(), is_it));
  return result;
}

}  // namespace pintle
