#include "pintle/model/edit/attach.h"

#include "pintle/model/spec/check_spec.h"
#include "pintle/model/spec/spec_place.h"

namespace pintle {
namespace {

template <class Elements>
void add_clashes(const Elements& base, const Elements& added, const char* kind, Diagnostics& problems) {
  for (const auto& element : added) {
    if (find_named(base, element.name) == nullptr) continue;
    problems.push_back(make_error("name-double", element.origin,
                                  std::string("both mechanisms have a ") + kind + " called '" + element.name + "'",
                                  "names of one kind must differ", "give another prefix"));
  }
}

/// The other mechanism with its names prefixed and its world replaced by the place.
ModelSpec moved(ModelSpec other, const std::string& prefix, const SpecPlace& to, const Pose<>& X_TW) {
  const Pose<> X_BW = to.X_BF * X_TW;
  const auto rename_body = [&](std::string& body, Pose<>& X) {
    if (body == kWorld) {
      body = to.body;
      X = X_BW * X;
    } else {
      body = prefix + body;
    }
  };
  for (BodySpec& body : other.bodies) body.name = prefix + body.name;
  for (JointSpec& joint : other.joints) {
    joint.name = prefix + joint.name;
    joint.child = prefix + joint.child;
    rename_body(joint.parent, joint.X_PJ);
  }
  for (FrameSpec& frame : other.frames) {
    frame.name = prefix + frame.name;
    rename_body(frame.body, frame.X_BF);
  }
  for (CouplingSpec& coupling : other.couplings) {
    coupling.joint = prefix + coupling.joint;
    coupling.driver = prefix + coupling.driver;
  }
  return other;
}

/// A note that the other's gravity is ignored, when it differs.
Diagnostics gravity_note(const ModelSpec& base, const ModelSpec& other) {
  const Vec3<>&a = base.gravity, &b = other.gravity;
  if (a.x == b.x && a.y == b.y && a.z == b.z) return {};
  return {make_note("gravity-of-base", {},
                    "attach: '" + other.name + "' has a different gravity from '" + base.name + "'; that of '" +
                        base.name + "' is used")};
}

template <class Elements>
void append(Elements& elements, const Elements& more) {
  elements.insert(elements.end(), more.begin(), more.end());
}

}  // namespace

Result<ModelSpec> attach(const ModelSpec& base, const ModelSpec& other, const AttachOptions& options) {
  Diagnostics problems = check_spec(base);
  append(problems, check_spec(other));
  const Result<SpecPlace> to = find_place(base, options.to, "attach");
  append(problems, to.diagnostics());
  if (has_errors(problems)) return problems;

  const ModelSpec added = moved(other, options.prefix, *to, options.X_TW);
  add_clashes(base.bodies, added.bodies, "body", problems);
  add_clashes(base.joints, added.joints, "joint", problems);
  add_clashes(base.frames, added.frames, "frame", problems);
  if (has_errors(problems)) return problems;

  ModelSpec result = base;
  append(result.bodies, added.bodies);
  append(result.joints, added.joints);
  append(result.frames, added.frames);
  append(result.couplings, added.couplings);
  problems = check_spec(result);  // the place may not be a rotation, a prefixed name may be "world"
  if (has_errors(problems)) return problems;
  return {result, gravity_note(base, other)};
}

}  // namespace pintle
