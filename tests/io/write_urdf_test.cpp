#include "pintle/io/urdf/write_urdf.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "io/memory_files.h"
#include "io/spec_text.h"
#include "pintle/io/scene/compile_scene.h"
#include "pintle/io/scene/read_scene.h"
#include "pintle/text/exact_numbers.h"
#include "support/random_model.h"

namespace pintle {
namespace {

using namespace test;

SceneSpec read(const std::string& text, std::map<std::string, std::string> others = {}) {
  MemoryFiles files(std::move(others));
  const Result<SceneSpec> spec = read_scene_text(text, "robot.urdf", files, {"contact.single_point=false"});
  for (const Diagnostic& problem : spec.diagnostics())
    if (problem.severity == Severity::error) FAIL_CHECK(format(problem, text));
  return spec ? *spec : SceneSpec();
}

std::map<std::string, std::string> beside(const WrittenUrdf& written) {
  std::map<std::string, std::string> files;
  for (const CompanionFile& file : written.files) files[file.path] = file.bytes;
  return files;
}

std::string listed(const WriteLosses& losses) {
  std::string text;
  for (const WriteLoss& loss : losses)
    text += std::string(name(loss.status)) + " " + loss.what + ": " + loss.how + "\n";
  return text;
}

constexpr const char* kArm = R"(<robot name="arm &amp; hand" xmlns:pintle="p">
  <material name="red"><color rgba="0.8 0.1 0 1"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0.01 -0.02 0.3" rpy="0.1 0.2 0.3"/><mass value="2.7"/>
      <inertia ixx="0.04" ixy="0.001" ixz="0" iyy="0.05" iyz="-0.002" izz="0.03"/></inertial>
    <visual><origin xyz="0 0 0.1" rpy="1.5708 0 -1.5708"/><geometry><cylinder radius="0.05" length="0.6"/></geometry>
      <material name="red"/></visual>
    <visual><geometry><sphere radius="0.07"/></geometry></visual>
    <collision><origin rpy="0 1.5708 0"/><geometry><box size="0.1 0.1 0.6"/></geometry></collision>
  </link>
  <link name="slide">
    <inertial><mass value="0.5"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
    <collision><geometry><capsule radius="0.02" length="0.1"/></geometry></collision>
  </link>
  <link name="nut">
    <inertial><mass value="0.1"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial>
  </link>
  <link name="finger">
    <inertial><mass value="0.1"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0.1 0 1" rpy="0 0 0.7853981633974483"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2.5" effort="30" velocity="4"/><dynamics damping="0.3" friction="0.2"/>
  </joint>
  <joint name="rail" type="prismatic">
    <parent link="upper"/><child link="slide"/><origin xyz="0 0 0.6" rpy="-1.57 0.3 3.1"/><axis xyz="0 0 1"/>
    <limit lower="0.1" upper="0.4" effort="10" velocity="1"/>
  </joint>
  <joint name="spindle" type="continuous">
    <parent link="slide"/><child link="nut"/><axis xyz="1 0 0"/><pintle:screw pitch="5 mm/rev"/>
  </joint>
  <joint name="grip" type="continuous">
    <parent link="slide"/><child link="finger"/><origin xyz="0 0.05 0"/><axis xyz="1 1 0"/>
    <mimic joint="spindle" multiplier="-0.5" offset="0.25"/>
  </joint>
</robot>
)";

TEST_CASE("a robot that is written and read again has the same bits") {
  const SceneSpec spec = read(kArm);
  const WrittenUrdf written = write_urdf(spec);
  CHECK(listed(written.losses) == "");
  const SceneSpec again = read(written.text);
  CHECK(spec_text(spec) == spec_text(again));
  CHECK(write_urdf(again).text == written.text);
  for (const char* const part :
       {"<origin xyz=\"0.1 0 1\" rpy=\"0 0 0.7853981633974483\"/>", "<origin xyz=\"0.01 -0.02 0.3\"/>",
        "<limit lower=\"-2\" upper=\"2.5\" effort=\"30\" velocity=\"4\"/>",
        "<mimic joint=\"spindle\" multiplier=\"-0.5\" offset=\"0.25\"/>", "rpy=\"1.5708 0 -1.5708\"",
        "<robot name=\"arm &amp; hand\""})
    CHECK_MESSAGE(written.text.find(part) != std::string::npos, part, "\n", written.text);
}

/// The largest difference of the entries of two poses, and whether all else of two joints is the same.
double pose_difference(const Pose<>& A, const Pose<>& B) {
  double most = norm(A.translation - B.translation);
  for (int i = 0; i < 3; ++i) {
    const Vec3<> d = row(A.rotation, i) - row(B.rotation, i);
    most = std::max({most, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
  }
  return most;
}

TEST_CASE("random robots are the same after they were written, but for the last bit of turned frames") {
  RandomStream stream(20261116, 41);
  constexpr JointKind kKinds[] = {JointKind::revolute, JointKind::prismatic, JointKind::screw, JointKind::free,
                                  JointKind::fixed};
  for (int round = 0; round < 100; ++round) {
    CAPTURE(round);
    SceneSpec spec;
    spec.model = random_spec(stream, {.links = 8, .armature = false});
    spec.model.gravity = ModelSpec().gravity;
    for (JointSpec& joint : spec.model.joints) {
      const JointSpec usual;
      joint.kind = kKinds[stream.below(joint.parent == kWorld ? 4 : 5)];
      joint.X_CJ = identity_pose<double>();
      joint.second_axis = usual.second_axis;
      if (joint.kind == JointKind::free || joint.kind == JointKind::fixed) joint.axis = usual.axis;
      if (joint.kind != JointKind::screw) joint.pitch_m_per_rad = 0.0;
      joint.passive.clear();
      joint.limits.clear();
      if (facts(joint.kind).nv != 1) continue;
      joint.passive = {{.damping = stream.uniform(0.1, 1.0), .friction = stream.uniform(0.1, 1.0)}};
      joint.limits = {{-stream.uniform(1.0, 2.0), stream.uniform(1.0, 2.0), stream.uniform(), 1.0 / 3.0}};
    }
    const WrittenUrdf written = write_urdf(spec);
    CHECK(listed(written.losses) == "");
    SceneSpec again = read(written.text);
    REQUIRE(again.model.joints.size() == spec.model.joints.size());
    // A reader walks along the branches.
    const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
    for (SceneSpec* const one : {&spec, &again}) {
      std::sort(one->model.bodies.begin(), one->model.bodies.end(), by_name);
      std::sort(one->model.joints.begin(), one->model.joints.end(), by_name);
    }
    for (std::size_t i = 0; i < spec.model.joints.size(); ++i) {
      CHECK(pose_difference(spec.model.joints[i].X_PJ, again.model.joints[i].X_PJ) <= 0x1p-50);
      again.model.joints[i].X_PJ = spec.model.joints[i].X_PJ;
      const SpatialInertia<>&was = spec.model.bodies[i].inertia, &now = again.model.bodies[i].inertia;
      CHECK(was.mass == now.mass);
      CHECK(norm(was.first_moment - now.first_moment) <= 0x1p-52 * norm(was.first_moment));
      CHECK(std::abs(was.inertia.xx - now.inertia.xx) <= 0x1p-51 * was.inertia.xx);
      again.model.bodies[i].inertia = was;
    }
    CHECK(spec_text(spec) == spec_text(again));
  }
}

TEST_CASE("meshes of no file are written beside a robot") {
  SceneSpec spec = read(kArm);
  const TriangleMesh mesh{{{0, 0, 0}, {0.1, 0, 0}, {0, 1.0 / 3.0, 0}, {0, 0, 0.7}},
                          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  spec.shapes.push_back({"nut", mesh});
  spec.contact.shapes.push_back({"nut", *convex_hull(mesh.vertices)});
  spec.contact.shapes.back().groups = spec.contact.shapes[0].groups;
  const WrittenUrdf written = write_urdf(spec);
  CHECK(listed(written.losses) == "");
  REQUIRE(written.files.size() == 2);
  CHECK(written.files[0].path == "files/nut.obj");
  CHECK(spec_text(spec) == spec_text(read(written.text, beside(written))));
}

TEST_CASE("what URDF cannot say is listed") {
  const Result<SceneSpec> spec = read_scene_text(R"(
[world]
gravity = [0, 0, -1.6]
[material.rubber]
friction = 0.5
[[ground]]
shape = { plane = {} }
[[body]]
name = "cart"
mass = 1
inertia = [1, 1, 1]
shape = { cone = { radius = 0.1, height = 0.2 } }
joint = { type = "prismatic", lower = 0, stiffness = 3, restitution = 0.5, child_at = [0, 0, 1] }
initial = { q = 0.1 }
[[body]]
name = "bob"
mass = 1
inertia = [1, 1, 1]
joint = { type = "universal", parent = "cart", axis = [1, 0, 0], second_axis = [0, 1, 0] }
[[frame]]
name = "tip"
body = "bob"
[[motor]]
joint = "cart"
effort = 1
[[event]]
name = "late"
zero_of = "t - 1"
)",
                                                 "cart.toml");
  REQUIRE(spec.ok());
  const WrittenUrdf written = write_urdf(*spec);
  CHECK(listed(written.losses) ==
        "approximated body 'cart': the origin of its link is at its joint\n"
        "ignored a cone on 'cart' (seen): URDF has boxes, spheres, cylinders, capsules and meshes only\n"
        "ignored a cone on 'cart' (touched): URDF has boxes, spheres, cylinders, capsules and meshes only\n"
        "ignored the limits of joint 'cart': URDF has both of a single dof or none\n"
        "ignored 'stiffness' of joint 'cart': URDF joints have none\n"
        "approximated universal joint 'bob': 2 joints with massless links between them\n"
        "approximated frame 'tip': a massless link, fixed there\n"
        "ignored the start of joint 'cart': URDF does not say where joints start\n"
        "ignored 'restitution' of joint 'cart': URDF joints have none\n"
        "ignored the gravity of the world: URDF describes only the mechanism\n"
        "ignored motor 'cart_motor': URDF describes only the mechanism\n"
        "ignored event 'late': URDF describes only the mechanism\n"
        "ignored a plane of the ground: URDF has no ground\n"
        "ignored the surface of material 'rubber': URDF has no contact parameters\n");
  const SceneSpec again = read(written.text);
  const Result<Scene> scene = compile(again);
  REQUIRE(scene.ok());
  CHECK(scene->model().nv() == 3);
  // The cart's own inertia, about its joint.
  CHECK(again.model.bodies[0].inertia.inertia.xx == 2.0);
}

}  // namespace
}  // namespace pintle
