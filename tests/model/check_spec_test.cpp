#include "pintle/model/check_spec.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>

#include "pintle/model/model.h"

using namespace pintle;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

SpatialInertia<> about_center(double mass, const Vec3<>& moments) {
  return spatial_inertia(mass, Vec3<>{0, 0, 0}, diagonal(moments));
}

BodySpec body(const std::string& name, int line = 0) {
  BodySpec spec;
  spec.name = name;
  spec.inertia = about_center(1.0, {1, 1, 1});
  spec.origin = Origin("arm.model", line, 3);
  return spec;
}

JointSpec joint(const std::string& name, const std::string& parent, const std::string& child,
                JointKind kind = JointKind::revolute, int line = 0) {
  JointSpec spec;
  spec.name = name;
  spec.kind = kind;
  spec.parent = parent;
  spec.child = child;
  spec.origin = Origin("arm.model", line, 5);
  return spec;
}

CouplingSpec coupling(const std::string& joint, const std::string& driver, double ratio = 2.0, int line = 0) {
  CouplingSpec spec;
  spec.joint = joint;
  spec.driver = driver;
  spec.ratio = ratio;
  spec.origin = Origin("arm.model", line, 7);
  return spec;
}

/// world -shoulder- upper_arm -elbow- forearm, with a frame and the elbow geared to the shoulder. Origins are lines 10
/// and 11 (bodies), 20 and 21 (joints), 30 (frame), 40 (coupling).
ModelSpec arm() {
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
ModelSpec uncoupled_arm() {
  ModelSpec spec = arm();
  spec.couplings.clear();
  return spec;
}

std::string text_of(const Diagnostics& problems) {
  std::string text = std::to_string(problems.size()) + " problems";
  for (const Diagnostic& problem : problems) text += "\n" + format(problem);
  return text;
}

/// The one problem of a spec, whose code this is.
Diagnostic only_problem(const ModelSpec& spec, const std::string& code) {
  const Diagnostics problems = check_spec(spec);
  INFO(text_of(problems));
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].code == code);
  CHECK(problems[0].severity == Severity::error);
  CHECK(!compile(spec).ok());
  return problems[0];
}

void check_origin(const Diagnostic& problem, int line, int column) {
  CHECK(problem.origin.file == "arm.model");
  CHECK(problem.origin.line == line);
  CHECK(problem.origin.column == column);
}

int count(const Diagnostics& problems, const std::string& code) {
  int n = 0;
  for (const Diagnostic& problem : problems) n += problem.code == code ? 1 : 0;
  return n;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("check_spec: a good spec has no problem, and neither has an empty one") {
  CHECK(check_spec(arm()).empty());
  CHECK(check_spec(uncoupled_arm()).empty());
  CHECK(check_spec(ModelSpec{}).empty());
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    ModelSpec spec = uncoupled_arm();
    spec.joints[1].kind = fact.kind;
    CHECK(check_spec(spec).empty());
  }
}

TEST_CASE("check_spec: a name that is missing, double or reserved") {
  ModelSpec nameless = arm();
  nameless.frames[0].name = "";
  Diagnostic problem = only_problem(nameless, "name-missing");
  CHECK(problem.what == "frame number 1 has no name");
  CHECK(problem.fix == "give it a name");
  check_origin(problem, 30, 6);
  nameless = uncoupled_arm();
  nameless.joints[1].name = "";
  CHECK(only_problem(nameless, "name-missing").what == "joint number 2 has no name");
  nameless = arm();
  nameless.bodies.push_back(body("", 12));
  CHECK(count(check_spec(nameless), "name-missing") == 1);

  ModelSpec twice = arm();
  twice.bodies.push_back(body("forearm", 12));
  problem = only_problem(twice, "name-double");
  CHECK(problem.what == "two body elements are called 'forearm'");
  check_origin(problem, 12, 3);
  twice = arm();
  twice.frames.push_back(twice.frames[0]);
  CHECK(only_problem(twice, "name-double").what == "two frame elements are called 'tool'");
  twice = arm();
  twice.bodies.push_back(body("hand", 12));
  twice.joints.push_back(joint("elbow", "forearm", "hand", JointKind::fixed, 22));
  problem = only_problem(twice, "name-double");
  CHECK(problem.what == "two joint elements are called 'elbow'");
  check_origin(problem, 22, 5);

  ModelSpec same_name_of_another_kind = arm();
  same_name_of_another_kind.frames[0].name = "elbow";
  CHECK(check_spec(same_name_of_another_kind).empty());

  ModelSpec reserved = arm();
  reserved.bodies.push_back(body("world", 12));
  reserved.joints.push_back(joint("anchor", "forearm", "world"));
  problem = only_problem(reserved, "name-reserved");
  CHECK(problem.what == "a body is called 'world'");
  check_origin(problem, 12, 3);
}

TEST_CASE("check_spec: an unknown body is named with its user and the nearest name there is") {
  ModelSpec spec = arm();
  spec.joints[1].parent = "uper_arm";
  Diagnostic problem = only_problem(spec, "body-unknown");
  CHECK(problem.what == "joint 'elbow' (its parent) names the body 'uper_arm', which does not exist");
  CHECK(problem.fix == "did you mean 'upper_arm'?");
  check_origin(problem, 21, 5);

  spec = arm();
  spec.joints[0].parent = "wolrd";
  CHECK(only_problem(spec, "body-unknown").fix == "did you mean 'world'?");

  spec = arm();
  spec.frames[0].body = "fore_arm";
  problem = only_problem(spec, "body-unknown");
  CHECK(problem.what == "frame 'tool' names the body 'fore_arm', which does not exist");
  CHECK(problem.fix == "did you mean 'forearm'?");
  check_origin(problem, 30, 6);

  spec = arm();
  spec.frames[0].body = "propeller";
  CHECK(only_problem(spec, "body-unknown").fix.empty());

  spec = arm();
  spec.joints.push_back(joint("wrist", "forearm", "hand", JointKind::revolute, 22));
  problem = only_problem(spec, "body-unknown");
  CHECK(problem.what == "joint 'wrist' (its child) names the body 'hand', which does not exist");
  check_origin(problem, 22, 5);

  spec = arm();
  spec.frames[0].body = "world";
  CHECK(check_spec(spec).empty());
}

TEST_CASE("check_spec: the world is nobody's child") {
  ModelSpec spec = arm();
  spec.joints.push_back(joint("anchor", "forearm", "world", JointKind::fixed, 22));
  const Diagnostic problem = only_problem(spec, "child-world");
  CHECK(problem.what == "joint 'anchor' has 'world' as its child");
  CHECK(problem.fix == "swap parent and child");
  check_origin(problem, 22, 5);
}

TEST_CASE("check_spec: a body with no joint is offered one; a body with two must lose one") {
  ModelSpec spec = arm();
  spec.bodies.push_back(body("hand", 12));
  Diagnostic problem = only_problem(spec, "body-without-joint");
  CHECK(problem.what == "body 'hand' hangs on no joint");
  CHECK(problem.fix == "add a joint of kind 'free' or 'fixed' from 'world' to 'hand'");
  check_origin(problem, 12, 3);
  for (const JointKind kind : {JointKind::free, JointKind::fixed}) {
    ModelSpec mended = spec;
    mended.joints.push_back(joint("added", "world", "hand", kind));
    CHECK(check_spec(mended).empty());
  }

  spec = arm();
  spec.joints.push_back(joint("second_elbow", "world", "forearm", JointKind::revolute, 22));
  problem = only_problem(spec, "body-two-joints");
  CHECK(problem.what == "body 'forearm' is the child of two joints, 'elbow' and 'second_elbow'");
  CHECK(contains(problem.fix, "constraint"));
  check_origin(problem, 22, 5);
}

TEST_CASE("check_spec: cycles of bodies are named in order, each once") {
  for (const int length : {1, 2, 3}) {
    CAPTURE(length);
    ModelSpec spec = arm();
    const char* const names[] = {"a", "b", "c"};
    for (int i = 0; i < length; ++i) {
      spec.bodies.push_back(body(names[i], 50 + i));
      spec.joints.push_back(joint("to_" + std::string(names[i]), names[(i + length - 1) % length], names[i]));
    }
    const Diagnostic problem = only_problem(spec, "cycle");
    const char* const expected[] = {"'a' -> 'a'", "'a' -> 'b' -> 'a'", "'a' -> 'b' -> 'c' -> 'a'"};
    CHECK(problem.what == std::string("bodies carry each other in a circle: ") + expected[length - 1]);
    CHECK(contains(problem.fix, "'world'"));
    check_origin(problem, 50, 3);
  }
}

TEST_CASE("check_spec: a branch that hangs on a cycle adds no second report, two cycles are two reports") {
  ModelSpec spec = arm();
  // The branch comes first, so that the walk runs into the cycle from outside.
  spec.bodies.insert(spec.bodies.begin(), {body("leaf"), body("twig")});
  for (const char* name : {"a", "b"}) spec.bodies.push_back(body(name));
  spec.joints.push_back(joint("to_leaf", "twig", "leaf"));
  spec.joints.push_back(joint("to_twig", "a", "twig"));
  spec.joints.push_back(joint("to_a", "b", "a"));
  spec.joints.push_back(joint("to_b", "a", "b"));
  CHECK(only_problem(spec, "cycle").what == "bodies carry each other in a circle: 'a' -> 'b' -> 'a'");
  spec.bodies.push_back(body("c"));
  spec.joints.push_back(joint("to_c", "c", "c"));
  CHECK(count(check_spec(spec), "cycle") == 2);
}

TEST_CASE("check_spec: a circle of names that are no bodies is a matter of the names alone") {
  ModelSpec spec = arm();
  spec.joints[0].parent = "ghost";
  spec.joints.push_back(joint("spook", "ghost", "ghost"));
  const Diagnostics problems = check_spec(spec);
  CHECK(problems.size() == 3);
  CHECK(count(problems, "body-unknown") == 3);
  ModelSpec nameless;
  nameless.bodies = {body("")};
  nameless.joints = {joint("j", "", "")};
  CHECK(count(check_spec(nameless), "name-missing") == 1);
}

TEST_CASE("check_spec: inertias no body can have are reported for the body; a thin rod and a point mass pass") {
  ModelSpec spec = arm();
  spec.bodies[1].inertia = about_center(2.0, {0, 1, 1});
  CHECK(check_spec(spec).empty());
  spec.bodies[1].inertia = about_center(2.0, {0, 0, 0});
  CHECK(check_spec(spec).empty());

  spec.bodies[1].inertia = about_center(1.0, {1, 1, 2.5});
  Diagnostic problem = only_problem(spec, "inertia-triangle");
  CHECK(contains(problem.what, "body 'forearm': "));
  CHECK(!problem.fix.empty());
  check_origin(problem, 11, 3);
  spec.bodies[1].inertia = about_center(-1.0, {1, 1, 1});
  CHECK(only_problem(spec, "inertia-mass").what == "body 'forearm': the mass is -1 kg");
  spec.bodies[1].inertia = about_center(1.0, {-1, 1, 1});
  only_problem(spec, "inertia-negative");
  spec.bodies[1].inertia = {0.0, {1, 0, 0}, {1, 0, 0, 1, 0, 1}};
  only_problem(spec, "inertia-first-moment");
}

TEST_CASE("check_spec: a matrix that is no rotation") {
  ModelSpec spec = arm();
  spec.joints[1].X_PJ.rotation = Mat3<>{1, 0, 0, 0, 1, 0, 0, 0, -1};
  Diagnostic problem = only_problem(spec, "pose-not-a-rotation");
  CHECK(problem.what == "joint 'elbow': its place in the parent has a matrix that is no rotation (off by 2)");
  check_origin(problem, 21, 5);
  spec = arm();
  spec.joints[1].X_CJ.rotation.xy = 0.5;
  CHECK(contains(only_problem(spec, "pose-not-a-rotation").what, "joint 'elbow': its place in the child"));
  spec = arm();
  spec.frames[0].X_BF.rotation = Mat3<>{1e200, 1e200, 0, -1e200, 1e200, 0, 0, 0, 1};
  problem = only_problem(spec, "pose-not-a-rotation");
  CHECK(contains(problem.what, "frame 'tool': its place"));
  check_origin(problem, 30, 6);
  // Eight digits are enough.
  spec = arm();
  spec.joints[1].X_PJ.rotation = Mat3<>{0.70710678, -0.70710678, 0, 0.70710678, 0.70710678, 0, 0, 0, 1};
  CHECK(check_spec(spec).empty());
}

TEST_CASE("check_spec: axes need a direction, two axes must differ, and their length does not matter") {
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::screw, JointKind::cylindrical,
                               JointKind::universal, JointKind::planar}) {
    ModelSpec spec = uncoupled_arm();
    spec.joints[1].kind = kind;
    spec.joints[1].axis = {0, 0, 0};
    const Diagnostic problem = only_problem(spec, "axis-zero");
    CHECK(problem.what == "joint 'elbow': its axis is zero");
    check_origin(problem, 21, 5);
    for (const double length : {5e-324, 1e-200, 1e200}) {
      spec.joints[1].axis = {0, length, 0};
      CHECK(check_spec(spec).empty());
    }
  }
  for (const JointKind kind : {JointKind::universal, JointKind::planar}) {
    ModelSpec spec = uncoupled_arm();
    spec.joints[1].kind = kind;
    spec.joints[1].second_axis = {0, 0, 0};
    CHECK(only_problem(spec, "axis-zero").what == "joint 'elbow': its second axis is zero");
    for (const double length : {-1e200, -1.0, 1e-200, 3.0}) {
      spec.joints[1].second_axis = {0, 0, length};
      const Diagnostic problem = only_problem(spec, "axes-parallel");
      CHECK(problem.what == "joint 'elbow': its two axes are parallel");
      check_origin(problem, 21, 5);
    }
    spec.joints[1].second_axis = {1e-5, 0, 1};
    CHECK(check_spec(spec).empty());
    spec.joints[1].axis = spec.joints[1].second_axis = {0, 0, 0};
    CHECK(count(check_spec(spec), "axis-zero") == 2);
  }
  // Kinds without an axis do not ask for one.
  for (const JointKind kind : {JointKind::fixed, JointKind::spherical, JointKind::translational, JointKind::free}) {
    ModelSpec spec = uncoupled_arm();
    spec.joints[1].kind = kind;
    spec.joints[1].axis = spec.joints[1].second_axis = {0, 0, 0};
    CHECK(check_spec(spec).empty());
  }
}

TEST_CASE("check_spec: passive properties and limits come once for all or once for each freedom") {
  ModelSpec spec = uncoupled_arm();
  JointSpec& elbow = spec.joints[1];
  elbow.kind = JointKind::planar;
  for (const std::size_t n : {0u, 1u, 3u}) {
    elbow.passive.resize(n);
    elbow.limits.resize(n);
    CHECK(check_spec(spec).empty());
  }
  elbow.passive.resize(2);
  Diagnostic problem = only_problem(spec, "freedom-count");
  CHECK(problem.what == "joint 'elbow' has 3 freedoms and 2 entries of passive properties");
  check_origin(problem, 21, 5);
  elbow.passive.clear();
  elbow.limits.resize(4);
  CHECK(only_problem(spec, "freedom-count").what == "joint 'elbow' has 3 freedoms and 4 entries of limits");
}

TEST_CASE("check_spec: passive properties are finite and not negative") {
  const std::pair<const char*, double JointPassive::*> fields[] = {{"armature", &JointPassive::armature},
                                                                   {"damping", &JointPassive::damping},
                                                                   {"friction", &JointPassive::friction},
                                                                   {"stiffness", &JointPassive::stiffness}};
  for (const auto& [name, field] : fields) {
    for (const auto& [value, value_text] : {std::pair{-0.5, "-0.5"}, std::pair{kInf, "inf"}, std::pair{kNan, "nan"}}) {
      ModelSpec spec = arm();
      spec.joints[1].passive.resize(1);
      spec.joints[1].passive[0].*field = value;
      const Diagnostic problem = only_problem(spec, "passive-negative");
      CHECK(problem.what == std::string("joint 'elbow': its ") + name + " is " + value_text);
      check_origin(problem, 21, 5);
    }
  }
  ModelSpec spec = arm();
  spec.joints[1].passive.resize(1);
  spec.joints[1].passive[0].rest = -2.0;
  CHECK(check_spec(spec).empty());
  spec.joints[1].passive[0].rest = kInf;
  CHECK(only_problem(spec, "rest-not-finite").what == "joint 'elbow': its rest position is not finite");
}

TEST_CASE("check_spec: limits the wrong way round, infinite on the wrong side, or negative") {
  ModelSpec spec = arm();
  spec.joints[1].limits.resize(1);
  JointLimits& limits = spec.joints[1].limits[0];
  limits.lower = 1.5;
  CHECK(check_spec(spec).empty());
  limits.upper = 1.5;
  CHECK(check_spec(spec).empty());
  limits.upper = 1.0;
  Diagnostic problem = only_problem(spec, "limits-reversed");
  CHECK(problem.what == "joint 'elbow': its lower limit is 1.5, its upper one 1");
  CHECK(problem.fix == "swap them");
  check_origin(problem, 21, 5);

  for (const auto& [lower, upper] : {std::pair{kInf, kInf}, std::pair{-kInf, -kInf}, std::pair{kInf, -kInf}}) {
    limits = JointLimits{};
    limits.lower = lower;
    limits.upper = upper;
    only_problem(spec, "limits-not-numbers");
  }

  limits = JointLimits{};
  limits.speed = -2.0;
  CHECK(only_problem(spec, "limits-negative").what == "joint 'elbow': its speed limit is -2");
  limits = JointLimits{};
  limits.effort = -3.0;
  CHECK(only_problem(spec, "limits-negative").what == "joint 'elbow': its effort limit is -3");
  limits.effort = 0.0;
  CHECK(check_spec(spec).empty());
}

TEST_CASE("check_spec: a coupling of unknown joints, of joints with more freedoms, or with a wrong ratio") {
  ModelSpec spec = arm();
  spec.couplings[0].driver = "shouldr";
  Diagnostic problem = only_problem(spec, "joint-unknown");
  CHECK(problem.what == "the coupling of 'elbow' names the joint 'shouldr', which does not exist");
  CHECK(problem.fix == "did you mean 'shoulder'?");
  check_origin(problem, 40, 7);
  spec = arm();
  spec.couplings[0].joint = "Elbow";
  CHECK(only_problem(spec, "joint-unknown").fix == "did you mean 'elbow'?");
  spec.couplings[0].joint = "rudder";
  CHECK(only_problem(spec, "joint-unknown").fix.empty());

  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    spec = arm();
    spec.joints[0].kind = fact.kind;
    if (fact.nv == 1) {
      CHECK(check_spec(spec).empty());
    } else {
      problem = only_problem(spec, "coupling-freedoms");
      CHECK(contains(problem.what, "the coupling of 'elbow' needs joints with one freedom; 'shoulder' is "));
      CHECK(contains(problem.what, std::string(fact.name)));
      check_origin(problem, 40, 7);
    }
  }

  spec = arm();
  spec.couplings[0].ratio = 0.0;
  problem = only_problem(spec, "coupling-ratio");
  CHECK(problem.what == "the coupling of 'elbow' has the ratio 0 and the offset 0");
  CHECK(contains(problem.fix, "fixed"));
  check_origin(problem, 40, 7);
}

TEST_CASE("check_spec: a joint coupled twice, couplings in a circle") {
  ModelSpec spec = arm();
  spec.couplings.push_back(coupling("elbow", "shoulder", 3.0, 41));
  Diagnostic problem = only_problem(spec, "coupling-double");
  CHECK(problem.what == "joint 'elbow' is coupled twice");
  check_origin(problem, 41, 7);

  spec = arm();
  spec.couplings = {coupling("elbow", "elbow", 1.0, 40)};
  problem = only_problem(spec, "coupling-cycle");
  CHECK(problem.what == "joints drive each other in a circle: 'elbow' -> 'elbow'");
  check_origin(problem, 40, 7);

  spec = arm();
  spec.couplings.push_back(coupling("shoulder", "elbow", 1.0, 41));
  problem = only_problem(spec, "coupling-cycle");
  CHECK(problem.what == "joints drive each other in a circle: 'elbow' -> 'shoulder' -> 'elbow'");
  CHECK(!problem.fix.empty());

  // A third joint that follows the circle is no circle of its own.
  spec.bodies.push_back(body("hand"));
  spec.joints.push_back(joint("a_wrist", "forearm", "hand"));
  spec.couplings.push_back(coupling("a_wrist", "elbow"));
  only_problem(spec, "coupling-cycle");
  spec.couplings[1].driver = "a_wrist";
  CHECK(only_problem(spec, "coupling-cycle").what ==
        "joints drive each other in a circle: 'a_wrist' -> 'shoulder' -> 'elbow' -> 'a_wrist'");
}

TEST_CASE("check_spec: no number that is not one gets through") {
  struct Field {
    const char* name;
    std::function<double&(ModelSpec&)> number;
    const char* code;
    bool infinity_is_wrong_too = true;
  };
  const Field fields[] = {
      {"gravity.x", [](ModelSpec& s) -> double& { return s.gravity.x; }, "gravity-not-finite"},
      {"gravity.y", [](ModelSpec& s) -> double& { return s.gravity.y; }, "gravity-not-finite"},
      {"gravity.z", [](ModelSpec& s) -> double& { return s.gravity.z; }, "gravity-not-finite"},
      {"mass", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.mass; }, "inertia-not-finite"},
      {"h.x", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.first_moment.x; }, "inertia-not-finite"},
      {"h.y", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.first_moment.y; }, "inertia-not-finite"},
      {"h.z", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.first_moment.z; }, "inertia-not-finite"},
      {"Ixx", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.inertia.xx; }, "inertia-not-finite"},
      {"Ixy", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.inertia.xy; }, "inertia-not-finite"},
      {"Ixz", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.inertia.xz; }, "inertia-not-finite"},
      {"Iyy", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.inertia.yy; }, "inertia-not-finite"},
      {"Iyz", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.inertia.yz; }, "inertia-not-finite"},
      {"Izz", [](ModelSpec& s) -> double& { return s.bodies[1].inertia.inertia.zz; }, "inertia-not-finite"},
      {"axis.x", [](ModelSpec& s) -> double& { return s.joints[1].axis.x; }, "axis-not-finite"},
      {"axis.y", [](ModelSpec& s) -> double& { return s.joints[1].axis.y; }, "axis-not-finite"},
      {"axis.z", [](ModelSpec& s) -> double& { return s.joints[1].axis.z; }, "axis-not-finite"},
      {"second_axis.x", [](ModelSpec& s) -> double& { return s.joints[1].second_axis.x; }, "axis-not-finite"},
      {"second_axis.y", [](ModelSpec& s) -> double& { return s.joints[1].second_axis.y; }, "axis-not-finite"},
      {"second_axis.z", [](ModelSpec& s) -> double& { return s.joints[1].second_axis.z; }, "axis-not-finite"},
      {"pitch", [](ModelSpec& s) -> double& { return s.joints[1].pitch_m_per_rad; }, "pitch-not-finite"},
      {"armature", [](ModelSpec& s) -> double& { return s.joints[1].passive[0].armature; }, "passive-negative"},
      {"damping", [](ModelSpec& s) -> double& { return s.joints[1].passive[0].damping; }, "passive-negative"},
      {"friction", [](ModelSpec& s) -> double& { return s.joints[1].passive[0].friction; }, "passive-negative"},
      {"stiffness", [](ModelSpec& s) -> double& { return s.joints[1].passive[0].stiffness; }, "passive-negative"},
      {"rest", [](ModelSpec& s) -> double& { return s.joints[1].passive[0].rest; }, "rest-not-finite"},
      {"lower", [](ModelSpec& s) -> double& { return s.joints[1].limits[0].lower; }, "limits-not-numbers"},
      {"upper", [](ModelSpec& s) -> double& { return s.joints[1].limits[0].upper; }, "limits-not-numbers", false},
      {"speed", [](ModelSpec& s) -> double& { return s.joints[1].limits[0].speed; }, "limits-negative", false},
      {"effort", [](ModelSpec& s) -> double& { return s.joints[1].limits[0].effort; }, "limits-negative", false},
      {"ratio", [](ModelSpec& s) -> double& { return s.couplings[0].ratio; }, "coupling-ratio"},
      {"offset", [](ModelSpec& s) -> double& { return s.couplings[0].offset; }, "coupling-ratio"},
  };
  for (const Field& field : fields) {
    CAPTURE(field.name);
    for (const double value : {kNan, kInf}) {
      CAPTURE(value);
      ModelSpec spec = arm();
      spec.joints[1].passive.resize(1);
      spec.joints[1].limits.resize(1);
      field.number(spec) = value;
      if (value == kInf && !field.infinity_is_wrong_too) {
        CHECK(check_spec(spec).empty());
      } else {
        only_problem(spec, field.code);
      }
    }
  }
  // Poses: each of their twelve numbers, in each of the three places.
  const std::function<Pose<>&(ModelSpec&)> poses[] = {
      [](ModelSpec& s) -> Pose<>& { return s.joints[1].X_PJ; },
      [](ModelSpec& s) -> Pose<>& { return s.joints[1].X_CJ; },
      [](ModelSpec& s) -> Pose<>& { return s.frames[0].X_BF; },
  };
  for (const auto& pose_of : poses) {
    for (std::size_t i = 0; i < 12; ++i) {
      ModelSpec spec = arm();
      Pose<>& X = pose_of(spec);
      double* const p[] = {&X.translation.x, &X.translation.y, &X.translation.z};
      if (i < 3) {
        *p[i] = kNan;
      } else {
        auto entries = to_array(X.rotation);
        entries[i - 3] = kNan;
        X.rotation = mat3_from_array(entries);
      }
      const Diagnostic problem = only_problem(spec, "pose-not-finite");
      CHECK(contains(problem.what, "is not finite"));
    }
  }
}

TEST_CASE("check_spec: what is not finite is found on joints of every kind") {
  for (const JointFacts& fact : kJointFacts) {
    CAPTURE(fact.name);
    ModelSpec spec = uncoupled_arm();
    spec.joints[1].kind = fact.kind;
    spec.joints[1].axis.y = kNan;
    const Diagnostic problem = only_problem(spec, "axis-not-finite");
    CHECK(problem.what == "joint 'elbow': its axis is not finite");
    check_origin(problem, 21, 5);
    spec.joints[1].axis = {0, 0, 1};
    spec.joints[1].second_axis.x = kInf;
    CHECK(only_problem(spec, "axis-not-finite").what == "joint 'elbow': its second axis is not finite");
    spec.joints[1].second_axis = {1, 0, 0};
    spec.joints[1].pitch_m_per_rad = kInf;
    CHECK(contains(only_problem(spec, "pitch-not-finite").fix, "prismatic"));
  }
}

TEST_CASE("check_spec: several mistakes are all reported, and compile passes them on") {
  ModelSpec spec = arm();
  spec.gravity.z = kNan;
  spec.bodies[0].inertia.mass = -1.0;
  spec.bodies.push_back(body("hand", 12));
  spec.joints[0].axis = {0, 0, 0};
  spec.joints[1].parent = "uper_arm";
  spec.joints[1].limits.resize(1);
  spec.joints[1].limits[0].speed = -1.0;
  spec.frames[0].body = "forarm";
  spec.couplings[0].driver = "sholder";
  const Diagnostics problems = check_spec(spec);
  INFO(text_of(problems));
  CHECK(problems.size() == 8);
  for (const char* code :
       {"gravity-not-finite", "inertia-mass", "body-without-joint", "axis-zero", "limits-negative", "joint-unknown"}) {
    CHECK(count(problems, code) == 1);
  }
  CHECK(count(problems, "body-unknown") == 2);
  const Result<Model> model = compile(spec);
  CHECK(!model.ok());
  CHECK(text_of(model.diagnostics()) == text_of(problems));
}

TEST_CASE("check_spec: the text a person sees") {
  ModelSpec spec = arm();
  spec.joints[1].parent = "uper_arm";
  CHECK(format(check_spec(spec)[0]) ==
        "arm.model:21:5: error[body-unknown]: joint 'elbow' (its parent) names the body 'uper_arm', which does not "
        "exist\n"
        "  fix: did you mean 'upper_arm'?");
}

TEST_CASE("pitch_from_lead: a turn is 2 pi radians") {
  CHECK(pitch_from_lead(2.0 * kPi<double>) == 1.0);
  CHECK(pitch_from_lead(0.0) == 0.0);
}
