// A small arm with the lines of its file, and what check_spec says of it when it is spoilt.
#pragma once

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "pintle/model/compiled/model.h"
#include "pintle/model/spec/check_spec.h"

namespace test {

using namespace pintle;

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

inline SpatialInertia<> about_center(double mass, const Vec3<>& moments) {
  return spatial_inertia(mass, Vec3<>{0, 0, 0}, diagonal(moments));
}

inline BodySpec body(const std::string& name, int line = 0) {
  BodySpec spec;
  spec.name = name;
  spec.inertia = about_center(1.0, {1, 1, 1});
  spec.origin = Origin("arm.model", line, 3);
  return spec;
}

inline JointSpec joint(const std::string& name, const std::string& parent, const std::string& child,
                       JointKind kind = JointKind::revolute, int line = 0) {
  JointSpec spec;
  spec.name = name;
  spec.kind = kind;
  spec.parent = parent;
  spec.child = child;
  spec.origin = Origin("arm.model", line, 5);
  return spec;
}

inline CouplingSpec coupling(const std::string& joint, const std::string& driver, double ratio = 2.0, int line = 0) {
  CouplingSpec spec;
  spec.joint = joint;
  spec.driver = driver;
  spec.ratio = ratio;
  spec.origin = Origin("arm.model", line, 7);
  return spec;
}

/// world -shoulder- upper_arm -elbow- forearm, with a frame and the elbow geared to the shoulder. Origins are lines 10
/// and 11 (bodies), 20 and 21 (joints), 30 (frame), 40 (coupling).
inline ModelSpec arm() {
  ModelSpec spec;
  spec.name = "arm";
  spec.bodies = {body("upper_arm", 10), body("forearm", 11)};
  spec.joints = {joint("shoulder", "world", "upper_arm", JointKind::revolute, 20),
                 joint("elbow", "upper_arm", "forearm", JointKind::revolute, 21)};
  FrameSpec tool;
  tool.name = "tool";
  tool.body = "forearm";
  tool.origin = Origin("arm.model", 30, 6);
  spec.frames = {tool};
  spec.couplings = {coupling("elbow", "shoulder", -1.0, 40)};
  return spec;
}

/// The same without the coupling, so that the elbow may be of any kind.
inline ModelSpec uncoupled_arm() {
  ModelSpec spec = arm();
  spec.couplings.clear();
  return spec;
}

inline std::string text_of(const Diagnostics& problems) {
  std::string text = std::to_string(problems.size()) + " problems";
  for (const Diagnostic& problem : problems) text += "\n" + format(problem);
  return text;
}

/// The one problem of a spec, whose code this is.
inline Diagnostic only_problem(const ModelSpec& spec, const std::string& code) {
  const Diagnostics problems = check_spec(spec);
  INFO(text_of(problems));
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].code == code);
  CHECK(problems[0].severity == Severity::error);
  CHECK(!compile(spec).ok());
  return problems[0];
}

inline void check_origin(const Diagnostic& problem, int line, int column) {
  CHECK(problem.origin.file == "arm.model");
  CHECK(problem.origin.line == line);
  CHECK(problem.origin.column == column);
}

inline int count(const Diagnostics& problems, const std::string& code) {
  int n = 0;
  for (const Diagnostic& problem : problems) n += problem.code == code ? 1 : 0;
  return n;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace test
