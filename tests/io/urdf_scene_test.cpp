#include "pintle/io/urdf/urdf_scene.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/memory_files.h"
#include "io/urdf_text.h"
#include "pintle/dynamics/inverse_dynamics.h"
#include "pintle/dynamics/mass_matrix.h"
#include "pintle/io/scene/compile_scene.h"
#include "pintle/io/urdf/read_urdf.h"
#include "pintle/simulation/run/check_start.h"
#include "support/random_model.h"

namespace pintle {
namespace {

using namespace test;

class NoMeshes : public MeshFiles {
 public:
  Result<std::string> read_mesh(const std::string& name, std::size_t) override {
    Diagnostic problem;
    problem.code = "file-open";
    problem.what = "'" + name + "' was not found";
    problem.fix = "none";
    return problem;
  }
};

constexpr const char* kInertial =
    "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";

std::string link(const std::string& name, const std::string& more = {}) {
  return "<link name='" + name + "'>" + kInertial + more + "</link>\n";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& more = {}) {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child + "'/>" +
         more + "</joint>\n";
}

struct Made {
  UrdfScene scene;
  LossReport losses;
};

Made made(const std::string& content, const UrdfSceneSettings& settings = {}) {
  UrdfReading reading = read_urdf_text("<robot name='r' xmlns:pintle='p'>\n" + content + "</robot>", "r.urdf");
  for (const Diagnostic& problem : reading.problems) FAIL_CHECK(format(problem));
  NoMeshes files;
  Made result{urdf_scene(reading.robot, settings, files, reading.losses), {}};
  result.losses = std::move(reading.losses);
  return result;
}

std::string losses_of(const LossReport& losses) {
  std::string text;
  for (const LossEntry& loss : losses.losses())
    text += std::string(name(loss.status)) + " " + text_of(loss) + (loss.how.empty() ? "" : ": " + loss.how) + "\n";
  return text;
}

const JointSpec& joint_of(const Made& made, const std::string& name) {
  for (const JointSpec& joint : made.scene.spec.model.joints)
    if (joint.name == name) return joint;
  FAIL("no such joint");
  return made.scene.spec.model.joints[0];
}

Scene compiled(const std::string& content, const SceneSettings& settings = {}) {
  MemoryFiles files;
  Result<Scene> scene =
      compile_scene_text("<robot name='r' xmlns:pintle='p'>\n" + content + "</robot>", "r.urdf", files, settings);
  for (const Diagnostic& problem : scene.diagnostics()) INFO(format(problem));
  for (const Diagnostic& problem : scene.diagnostics())
    if (problem.severity == Severity::error) FAIL_CHECK(format(problem));
  return *scene;
}

TEST_CASE("every type of joint becomes the kind that moves so") {
  const std::string links = link("a") + link("b");
  const struct {
    const char *type, *more;
    JointKind kind;
  } all[] = {{"fixed", "", JointKind::fixed},
             {"revolute", "<limit lower='-1' upper='1'/>", JointKind::revolute},
             {"continuous", "", JointKind::revolute},
             {"prismatic", "<limit lower='-1' upper='1'/>", JointKind::prismatic},
             {"planar", "", JointKind::planar},
             {"floating", "", JointKind::free},
             {"screw", "<pintle:screw pitch='1 m/rad'/>", JointKind::screw},
             {"continuous", "<pintle:screw pitch='1 m/rad'/>", JointKind::screw},
             {"revolute", "<limit lower='-1' upper='1'/><pintle:screw pitch='1 m/rad'/>", JointKind::screw}};
  for (const auto& one : all) {
    CAPTURE(one.type);
    const Made robot = made(links + joint("j", one.type, "a", "b", one.more));
    CHECK(joint_of(robot, "j").kind == one.kind);
    CHECK(losses_of(robot.losses) == "");
    const Scene scene = compiled(links + joint("j", one.type, "a", "b", one.more));
    CHECK(scene.model().nv() == facts(one.kind).nv);
    CHECK(joint_of(robot, "j").pitch_m_per_rad == (one.kind == JointKind::screw ? 1.0 : 0.0));
  }
}

TEST_CASE("bodies and joints come depth-first, children in the order of the file") {
  // The file has them in another order: links backwards, joints of the lower level first.
  const std::string text = link("d") + link("c") + link("b") + link("a") + link("root") +
                           joint("jd", "continuous", "b", "d") + joint("jc", "continuous", "root", "c") +
                           joint("ja", "continuous", "b", "a") + joint("jb", "continuous", "root", "b");
  const ModelSpec model = made(text).scene.spec.model;
  std::string bodies, joints;
  for (const BodySpec& body : model.bodies) bodies += body.name + " ";
  for (const JointSpec& joint : model.joints) joints += joint.name + " ";
  CHECK(bodies == "root c b d a ");
  CHECK(joints == "root_joint jc jb jd ja ");
  std::string independent;
  const Scene scene = compiled(text);
  for (const IndependentJoint& one : scene.model().independent_joints())
    independent += scene.model().joints()[static_cast<std::size_t>(one.joint)].name + " ";
  CHECK(independent == "jc jb jd ja ");
}

TEST_CASE("the root link is fixed, floats when asked to, and is the world when it is called so") {
  const std::string text = link("a") + link("b") + joint("j", "continuous", "a", "b");
  CHECK(compiled(text).model().nv() == 1);
  CHECK(compiled(text, {"model.base=free"}).model().nv() == 7);
  UrdfSceneSettings settings;
  settings.free_base = true;
  settings.X_WB.translation = {0.0, 0.0, 2.0};
  const Made free = made(text, settings);
  CHECK(free.scene.root == "a");
  CHECK(free.scene.joint == "root_joint");
  CHECK(joint_of(free, "root_joint").kind == JointKind::free);
  CHECK(joint_of(free, "root_joint").X_PJ.translation.z == 2.0);

  const std::string with_world = "<link name='world'/>\n" + link("a") + joint("j", "floating", "world", "a");
  settings.free_base = false;
  const Made world = made(with_world, settings);
  CHECK(world.scene.joint == "");
  CHECK(world.scene.spec.model.bodies.size() == 1);
  CHECK(joint_of(world, "j").parent == kWorld);
  CHECK(joint_of(world, "j").X_PJ.translation.z == 2.0);
  settings.free_base = true;
  CHECK(made(with_world, settings).scene.problems.at(0).code == "urdf-base");
  CHECK(made("<link name='world'/>\n").scene.problems.at(0).what == "the robot has no link but 'world'");
  // A name that is taken is left alone.
  const Made taken = made(link("a") + link("b") + joint("root_joint", "continuous", "a", "b"));
  CHECK(taken.scene.joint == "root_joint_2");
}

TEST_CASE("an inertia may be turned and away from the origin") {
  const Made robot = made(
      "<link name='a'><inertial><origin xyz='0.1 0.2 0.3' rpy='0 0 1.5707963267948966'/><mass value='2'/>"
      "<inertia ixx='1' ixy='0.1' ixz='0.2' iyy='2' iyz='0.3' izz='2.5'/></inertial></link>");
  const SpatialInertia<> I = robot.scene.spec.model.bodies[0].inertia;
  CHECK(I.mass == 2.0);
  CHECK(norm(center_of_mass(I) - Vec3<>{0.1, 0.2, 0.3}) < 1e-15);
  // A quarter turn about z: x becomes y, y becomes -x.
  const SymMat3<> I_c = inertia_about_center_of_mass(I);
  const std::array<double, 6> expected = {2.0, -0.1, -0.3, 1.0, 0.2, 2.5};
  const std::array<double, 6> found = to_array(I_c);
  for (std::size_t i = 0; i < 6; ++i) CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-14));
}

TEST_CASE("limits and friction go where they belong, and are told of where they cannot") {
  const std::string links = link("a") + link("b");
  const std::string limit = "<limit lower='-1' upper='2' effort='3' velocity='4'/>";
  const std::string dynamics = "<dynamics damping='5' friction='6'/>";
  const JointSpec plain = joint_of(made(links + joint("j", "revolute", "a", "b", limit + dynamics)), "j");
  CHECK(plain.limits.at(0) == JointLimits{-1.0, 2.0, 4.0, 3.0});
  CHECK(plain.passive.at(0) == JointPassive{0.0, 5.0, 6.0, 0.0, 0.0});

  const Made turning = made(links + joint("j", "continuous", "a", "b", limit));
  CHECK(joint_of(turning, "j").limits.at(0) == JointLimits{-__builtin_inf(), __builtin_inf(), 4.0, 3.0});
  CHECK(losses_of(turning.losses) == "");
  CHECK(turning.losses.count(ElementStatus::idle) == 3);  // xmlns, lower, upper

  const Made planar = made(links + joint("j", "planar", "a", "b", limit + dynamics));
  CHECK(losses_of(planar.losses) ==
        "ignored <limit lower> of joint 'j': it is not known which dof is meant\n"
        "ignored <limit upper> of joint 'j': it is not known which dof is meant\n"
        "approximated <limit effort> of joint 'j': the same for every dof of the joint\n"
        "approximated <limit velocity> of joint 'j': the same for every dof of the joint\n"
        "approximated <dynamics damping> of joint 'j': the same for every dof of the joint\n"
        "approximated <dynamics friction> of joint 'j': the same for every dof of the joint\n");
  const Made fixed = made(links + joint("j", "fixed", "a", "b", "<axis xyz='0 0 0'/>" + limit + dynamics));
  CHECK(losses_of(fixed.losses) == "");
  CHECK(joint_of(fixed, "j").limits.empty());
  const Made open = made(links + joint("j", "revolute", "a", "b", "<limit effort='1' velocity='1'/>"));
  CHECK(losses_of(open.losses) ==
        "approximated <limit> of joint 'j': with neither lower nor upper there is no limit of position\n");
  const Made others =
      made(links + joint("j", "continuous", "a", "b", "<safety_controller k_velocity='1'/><calibration rising='1'/>"));
  CHECK(losses_of(others.losses) ==
        "ignored <safety_controller> of joint 'j': soft limits are for a controller to enforce\n"
        "ignored <calibration> of joint 'j': it is about the real robot's sensors\n");
}

TEST_CASE("the plane of a planar joint is across its axis, whichever that is") {
  for (const char* const axis : {"1 0 0", "0 1 0", "0 0 2", "-1 0.5 0.5", "0.3 1 0"}) {
    CAPTURE(axis);
    const std::string more = std::string("<axis xyz='") + axis + "'/>";
    CHECK(compiled(link("a") + link("b") + joint("j", "planar", "a", "b", more)).model().nv() == 3);
  }
}

TEST_CASE("a mimic joint follows exactly, one with multiplier zero stays") {
  const std::string text = link("a") + link("b") + link("c") +
                           joint("j", "continuous", "a", "b", "<axis xyz='0 0 1'/>") +
                           joint("k", "prismatic", "b", "c",
                                 "<axis xyz='0 0 1'/><limit lower='-9' upper='9'/>"
                                 "<mimic joint='j' multiplier='-0.5' offset='0.25'/>");
  const Made robot = made(text);
  REQUIRE(robot.scene.spec.model.couplings.size() == 1);
  CHECK(robot.scene.spec.model.couplings[0].driver == "j");
  CHECK(robot.scene.spec.model.couplings[0].ratio == -0.5);
  CHECK(robot.scene.spec.model.couplings[0].offset == 0.25);
  CHECK(robot.scene.spec.model.couplings[0].origin.column > 1);
  CHECK(compiled(text).model().nv() == 1);
  CHECK(losses_of(robot.losses) == "");

  const Made still = made(link("a") + link("b") + link("c") + joint("j", "continuous", "a", "b") +
                          joint("k", "continuous", "b", "c",
                                "<axis xyz='0 0 2'/><origin xyz='1 0 0'/>"
                                "<mimic joint='j' multiplier='0' offset='1.5707963267948966'/>"));
  CHECK(still.scene.spec.model.couplings.empty());
  CHECK(joint_of(still, "k").kind == JointKind::fixed);
  CHECK(joint_of(still, "k").X_PJ.rotation.yx == doctest::Approx(1.0));
  CHECK(joint_of(still, "k").X_PJ.translation.x == 1.0);
}

TEST_CASE("a joint that cannot be at zero starts at the limit that is nearest") {
  const std::string links = link("a") + link("b") + link("c");
  const std::string text = links + joint("j", "revolute", "a", "b", "<limit lower='0.5' upper='2'/>") +
                           joint("k", "revolute", "b", "c", "<limit lower='-2' upper='-0.25'/>");
  const Scene scene = compiled(text);
  CHECK(scene.initial_q()[0] == 0.5);
  CHECK(scene.initial_q()[1] == -0.25);
  CHECK(check_start(scene).empty());
  CHECK(made(text).scene.problems.at(0).code == "urdf-start");
  // What follows has limits too: -2 q + 1 within -3 and 0 leaves 0.5 to 2.
  const Scene coupled = compiled(
      links + joint("j", "revolute", "a", "b", "<limit lower='-2' upper='3'/>") +
      joint("k", "revolute", "b", "c", "<limit lower='-3' upper='0'/><mimic joint='j' multiplier='-2' offset='1'/>"));
  CHECK(coupled.initial_q()[0] == 0.5);
  // The scene may say otherwise.
  const Scene asked = compiled(text, {"model.initial=[{joint = 'k', q = -1}]"});
  CHECK(asked.initial_q()[0] == 0.5);
  CHECK(asked.initial_q()[1] == -1.0);
}

/// A random tree with the joints that URDF has, one root on the world.
ModelSpec random_robot(RandomStream& stream) {
  ModelSpec spec = random_spec(stream, {.links = 8, .armature = false, .couplings = true});
  constexpr JointKind kKinds[] = {JointKind::revolute, JointKind::prismatic, JointKind::screw,
                                  JointKind::planar,   JointKind::free,      JointKind::fixed};
  spec.gravity = {0.0, 0.0, -9.81};
  for (std::size_t i = 0; i < spec.joints.size(); ++i) {
    JointSpec& joint = spec.joints[i];
    const bool coupled = std::any_of(spec.couplings.begin(), spec.couplings.end(), [&](const CouplingSpec& coupling) {
      return coupling.joint == joint.name || coupling.driver == joint.name;
    });
    if (facts(joint.kind).nv != 1 || !coupled) joint.kind = kKinds[stream.below(coupled ? 3 : 6)];
    if (joint.kind == JointKind::fixed && i == 0) joint.kind = JointKind::revolute;
    joint.X_CJ = identity_pose<double>();
    joint.passive.clear();
    joint.limits.clear();
    if (i > 0 && joint.parent == kWorld) joint.parent = spec.bodies[i - 1].name;
    if (joint.kind != JointKind::screw) joint.pitch_m_per_rad = 0.0;
    const Vec3<>& n = joint.axis;
    const bool along_x = std::abs(n.x) >= std::abs(n.y) && std::abs(n.x) >= std::abs(n.z);
    joint.second_axis = joint.kind == JointKind::planar && along_x ? Vec3<>{0, 1, 0} : Vec3<>{1, 0, 0};
    if (facts(joint.kind).nv != 1) continue;
    joint.passive.push_back({.damping = stream.uniform(0.1, 1.0), .friction = stream.uniform(0.1, 1.0)});
    if (coupled) continue;
    joint.limits.push_back({-stream.uniform(1.0, 2.0), stream.uniform(1.0, 2.0), 5.0, 7.0});
  }
  return spec;
}

std::string text_of(const ModelSpec& spec, RandomStream& stream) {
  std::string text = "<robot name=\"random\" xmlns:pintle=\"p\">\n<link name=\"world\"/>\n";
  for (const BodySpec& body : spec.bodies) text += link_text(body.name, body.inertia, random_pose(stream));
  for (const JointSpec& joint : spec.joints) {
    const CouplingSpec* mimic = nullptr;
    for (const CouplingSpec& coupling : spec.couplings)
      if (coupling.joint == joint.name) mimic = &coupling;
    text += joint_text(joint, mimic);
  }
  return text + "</robot>\n";
}

TEST_CASE("a random robot that is written and read back is the same mechanism") {
  RandomStream stream(20261116, 9);
  double worst = 0.0;
  for (int round = 0; round < 100; ++round) {
    CAPTURE(round);
    const ModelSpec spec = random_robot(stream);
    const std::string text = text_of(spec, stream);
    LossReport losses;
    MemoryFiles files;
    const Result<Scene> scene = compile_scene_text(text, "r.urdf", files, {}, {}, &losses);
    for (const Diagnostic& problem : scene.diagnostics())
      if (problem.severity == Severity::error) FAIL_CHECK(format(problem, text));
    REQUIRE(scene.ok());
    CHECK(losses_of(losses) == "");
    const Model expected = *compile(spec);
    const Model& model = scene->model();
    REQUIRE(model.nv() == expected.nv());
    REQUIRE(model.joints().size() == expected.joints().size());

    // The file's order is the spec's, not depth-first: the state goes over by names.
    std::vector<double> q(static_cast<std::size_t>(model.nq())), v(static_cast<std::size_t>(model.nv()));
    std::vector<double> qe(q.size()), ve(v.size());
    random_configuration(expected, stream, qe);
    for (double& x : ve) x = stream.uniform(-1.0, 1.0);
    std::vector<std::size_t> dof_of;  // in `expected` of each dof of `model`
    for (const IndependentJoint& joint : model.independent_joints()) {
      const std::string& name = model.joints()[static_cast<std::size_t>(joint.joint)].name;
      for (const IndependentJoint& other : expected.independent_joints()) {
        if (expected.joints()[static_cast<std::size_t>(other.joint)].name != name) continue;
        for (int i = 0; i < facts(joint.kind).nq; ++i)
          q[static_cast<std::size_t>(joint.q + i)] = qe[static_cast<std::size_t>(other.q + i)];
        for (int i = 0; i < facts(joint.kind).nv; ++i) {
          v[static_cast<std::size_t>(joint.v + i)] = ve[static_cast<std::size_t>(other.v + i)];
          dof_of.push_back(static_cast<std::size_t>(other.v + i));
        }
      }
    }
    const std::vector<double> zero(v.size());
    std::vector<double> tau(v.size()), tau_e(v.size());
    InverseDynamicsWorkspace<> work(model), work_e(expected);
    inverse_dynamics(model, q, v, zero, work, tau);
    inverse_dynamics(expected, qe, ve, zero, work_e, tau_e);
    double scale = 1.0;
    for (const double x : tau_e) scale = std::max(scale, std::abs(x));
    for (std::size_t i = 0; i < tau.size(); ++i) worst = std::max(worst, std::abs(tau[i] - tau_e[dof_of[i]]) / scale);
  }
  MESSAGE("worst difference of efforts, relative: " << worst);
  CHECK(worst < 1e-12);  // poses go through roll, pitch and yaw
}

}  // namespace
}  // namespace pintle
