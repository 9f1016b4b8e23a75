#include "pintle/simulation/elements/element_checker.h"

#include <cmath>
#include <utility>

#include "pintle/math/number_text.h"
#include "pintle/model/spec/spec_place.h"

namespace pintle {

ElementChecker::ElementChecker(const char* kind, const std::string& name, const Origin& origin)
    : user_(std::string(kind) + " '" + name + "'"), origin_(origin) {
  if (!name.empty()) return;
  user_ = std::string("a ") + kind;
  add("name-missing", " has no name", "elements are addressed by name", "give it a name");
}

void ElementChecker::add(const char* code, std::string what, std::string why, std::string fix) {
  add_at(origin_, code, std::move(what), std::move(why), std::move(fix));
}

void ElementChecker::add_at(const Origin& origin, const char* code, std::string what, std::string why,
                            std::string fix) {
  problems_.push_back(make_error(code,
                                 origin.file.empty() && (origin.line == 0 || !origin_.file.empty()) ? origin_ : origin,
                                 user_ + std::move(what), std::move(why), std::move(fix)));
}

void ElementChecker::finite(const char* what, double value) {
  if (std::isfinite(value)) return;
  add("number-not-finite", std::string(": its ") + what + " is " + number_text(value), "it must be finite",
      "give a number");
}

void ElementChecker::finite(const char* what, const Vec3<>& value) {
  if (std::isfinite(value.x) && std::isfinite(value.y) && std::isfinite(value.z)) return;
  add("number-not-finite", std::string(": its ") + what + " is " + point_text(value), "it must be finite",
      "give three numbers");
}

void ElementChecker::not_negative(const char* what, double value) {
  if (value >= 0.0 && std::isfinite(value)) return;
  add("number-negative", std::string(": its ") + what + " is " + number_text(value),
      "it must be finite and not negative", "give a number of at least 0");
}

void ElementChecker::not_negative(const char* what, const Vec3<>& value) {
  for (const double x : to_array(value)) {
    if (x >= 0.0 && std::isfinite(x)) continue;
    add("number-negative", std::string(": its ") + what + " is " + point_text(value),
        "each component must be finite and not negative", "give three numbers of at least 0");
    return;
  }
}

void ElementChecker::limit(const char* what, double value) {
  if (value > 0.0) return;
  add("limit-not-positive", std::string(": its ") + what + " is " + number_text(value), "it must be above 0",
      "give a number above 0, or leave it out where there is no limit");
}

void ElementChecker::unknown(const char* kind, const std::string& name, const std::vector<std::string>& known) {
  problems_.push_back(unknown_name(kind, name, user_, known));
  problems_.back().origin = origin_;
}

bool ElementChecker::dof(const std::string& joint, JointKind kind, int dof) {
  const int nv = facts(kind).nv;
  if (dof >= 0 && dof < nv) return true;
  const std::string count = nv == 0 ? "no dof" : std::to_string(nv) + (nv == 1 ? " dof" : " dofs");
  add("dof-unknown", " names dof " + std::to_string(dof) + " of joint '" + joint + "'",
      "that joint is " + std::string(facts(kind).name) + " and has " + count + (nv == 0 ? "" : ", counted from 0"),
      nv == 0 ? "choose a joint that moves" : "give a number from 0 to " + std::to_string(nv - 1));
  return false;
}

JointCoordinate ElementChecker::coordinate(const Model& model, const std::string& joint, int number) {
  const std::span<const ModelJoint> joints = model.joints();
  const ModelJoint* const found = find_named(joints, joint);
  if (found == nullptr) {
    unknown("joint", joint, names_of(joints));
    return {};
  }
  if (!dof(joint, found->kind, number)) return {};
  return joint_coordinate(model, static_cast<int>(found - joints.data()), number);
}

void ElementChecker::needs_position(const Model& model, const JointCoordinate& coordinate, const char* why,
                                    const Origin& where) {
  if (coordinate.joint < 0 || coordinate.has_position()) return;
  const ModelJoint& joint = model.joints()[static_cast<std::size_t>(coordinate.joint)];
  add_at(where, "dof-without-position",
         ": dof " + std::to_string(coordinate.dof) + " of joint '" + joint.name + "' has no position", why,
         "the dofs of a " + std::string(facts(joint.kind).name) +
             " joint are velocities in the child's axes: use its speed alone, or a joint with one coordinate per dof");
}

BoundCommand ElementChecker::command(const Command& command, const Model& model, const FormulaNames& known) {
  Result<BoundCommand> bound = bind(command, model, known);
  for (const Diagnostic& problem : bound.diagnostics())
    add_at(problem.origin, problem.code.c_str(), ": " + problem.what, problem.why, problem.fix);
  return bound ? std::move(bound).value() : BoundCommand();
}

Place ElementChecker::place(const Model& model, const PlaceSpec& spec, bool world_allowed) {
  finite("point", spec.point);
  const Pose<> X_FP{identity3(), spec.point};
  const std::span<const ModelBody> bodies = model.bodies();
  const std::span<const ModelFrame> frames = model.frames();
  const ModelBody* const body = find_named(bodies, spec.on);
  const ModelFrame* const frame = find_named(frames, spec.on);
  if (body != nullptr && frame != nullptr) {
    add("place-ambiguous", " names '" + spec.on + "', which is a body and a frame",
        "the two need not be at the same place", "rename the frame");
    return {-1, X_FP};
  }
  Place found{-1, identity_pose<double>()};
  if (body != nullptr) {
    found = body_place(model, static_cast<int>(body - bodies.data()));
  } else if (frame != nullptr) {
    found = frame_place(model, static_cast<int>(frame - frames.data()));
  } else if (spec.on != kWorld) {
    std::vector<std::string> known = names_of(bodies);
    for (const std::string& name : names_of(frames)) known.push_back(name);
    known.emplace_back(kWorld);
    unknown("place", spec.on, known);
    problems_.back().what = user_ + " names '" + spec.on + "', which is neither a body nor a frame";
    return {-1, X_FP};
  }
  if (found.body < 0 && !world_allowed) {
    add("place-world", " acts on '" + spec.on + "', which is the world or fixed to it", "the world does not move",
        "name a body or a frame on one");
  }
  return {found.link, found.X_LF * X_FP, found.body};
}

void ElementChecker::apart(const Place& a, const Place& b) {
  if (!ok() || a.link != b.link) return;
  add("ends-together", " has both ends on one body", "its ends never move relative to each other",
      "name a place on another body, or the world");
}

}  // namespace pintle
