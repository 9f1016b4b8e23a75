#include "pintle/io/urdf/read_urdf.h"

#include <doctest/doctest.h>

#include <array>

namespace pintle {
namespace {

/// A robot with everything a URDF can have.
constexpr const char* kWhole = R"(<?xml version="1.0"?>
<robot name="arm" version="1.0" xmlns:pintle="urn:pintle">
  <material name="blue"><color rgba="0 0 0.8 1"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0.1 -0.2 +0.3" rpy="0.4 0.5 0.6"/>
      <mass value="2.5"/>
      <inertia ixx="0.01" ixy="0.001" ixz="0.002" iyy="0.02" iyz="0.003" izz="0.025"/>
    </inertial>
    <visual name="skin">
      <origin xyz="0 0 1"/>
      <geometry><mesh filename="package://arm/upper.stl" scale="0.001 0.001 0.001"/></geometry>
      <material name="blue"/>
    </visual>
    <visual><geometry><sphere radius="0.3"/></geometry>
      <material name="red"><color rgba="1 0 0 0.5"/><texture filename="red.png"/></material></visual>
    <collision><origin quat_xyzw="0 0 0 1"/><geometry><box size="1 2 3"/></geometry></collision>
    <collision><geometry><cylinder radius="0.1" length="2"/></geometry></collision>
    <collision><geometry><capsule radius="0.1" length="2"/></geometry></collision>
  </link>
  <link name="finger"/>
  <link name="nut"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/> <child link="upper"/>
    <origin xyz="1 2 3" rpy="0 0 1.5"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" effort="30" velocity="4"/>
    <dynamics damping="0.5" friction="0.25"/>
    <safety_controller soft_lower_limit="-0.9" soft_upper_limit="1.9" k_position="10" k_velocity="5"/>
    <calibration rising="0.5" falling="-0.5"/>
  </joint>
  <joint name="grip" type="prismatic">
    <parent link="upper"/> <child link="finger"/>
    <mimic joint="shoulder" multiplier="-0.5" offset="0.1"/>
  </joint>
  <joint name="spindle" type="screw">
    <parent link="upper"/> <child link="nut"/>
    <pintle:screw pitch="5 mm/rev"/>
  </joint>
</robot>
)";

TEST_CASE("everything a URDF can say is read, with its place") {
  const UrdfReading reading = read_urdf_text(kWhole, "arm.urdf");
  for (const Diagnostic& problem : reading.problems) FAIL_CHECK(format(problem));
  const UrdfRobot& robot = reading.robot;
  CHECK(robot.name.value == "arm");
  REQUIRE(robot.links.size() == 4);
  REQUIRE(robot.joints.size() == 3);
  REQUIRE(robot.materials.size() == 1);
  CHECK(robot.materials[0].rgba.value == std::array{0.0, 0.0, 0.8, 1.0});

  const UrdfLink& upper = robot.links[1];
  CHECK(upper.name.value == "upper");
  CHECK(upper.name.origin.line == 5);
  CHECK(upper.name.origin.column == 15);
  REQUIRE(upper.inertial);
  CHECK(to_array(upper.inertial->pose.xyz.value) == std::array<double, 3>{0.1, -0.2, 0.3});
  CHECK(to_array(upper.inertial->pose.rpy.value) == std::array<double, 3>{0.4, 0.5, 0.6});
  CHECK(upper.inertial->mass.value == 2.5);
  CHECK(upper.inertial->ixy.value == 0.001);
  CHECK(upper.inertial->iyz.value == 0.003);
  CHECK(upper.inertial->izz.value == 0.025);
  CHECK(upper.inertial->izz.origin.line == 9);
  CHECK(upper.inertial->izz.origin.column == 79);
  CHECK(!robot.links[0].inertial);

  REQUIRE(upper.visuals.size() == 2);
  CHECK(upper.visuals[0].name.value == "skin");
  CHECK(upper.visuals[0].geometry.shape == UrdfShape::mesh);
  CHECK(upper.visuals[0].geometry.file.value == "package://arm/upper.stl");
  CHECK(to_array(upper.visuals[0].geometry.scale.value) == std::array<double, 3>{0.001, 0.001, 0.001});
  CHECK(upper.visuals[0].material->name.value == "blue");
  CHECK(!upper.visuals[0].material->rgba.given);
  CHECK(upper.visuals[1].material->texture.value == "red.png");
  REQUIRE(upper.collisions.size() == 3);
  CHECK(upper.collisions[0].pose.quaternion.given);
  CHECK(to_array(upper.collisions[0].geometry.size.value) == std::array<double, 3>{1, 2, 3});
  CHECK(upper.collisions[1].geometry.shape == UrdfShape::cylinder);
  CHECK(upper.collisions[2].geometry.shape == UrdfShape::capsule);
  CHECK(upper.collisions[2].geometry.length.value == 2.0);

  const UrdfJoint& shoulder = robot.joints[0];
  CHECK(shoulder.type.value == UrdfJointType::revolute);
  CHECK(shoulder.parent.value == "base");
  CHECK(shoulder.child.value == "upper");
  CHECK(to_array(shoulder.pose.xyz.value) == std::array<double, 3>{1, 2, 3});
  CHECK(to_array(shoulder.axis.value) == std::array<double, 3>{0, 1, 0});
  CHECK(shoulder.limit->lower.value == -1.0);
  CHECK(shoulder.limit->upper.value == 2.0);
  CHECK(shoulder.limit->effort.value == 30.0);
  CHECK(shoulder.limit->velocity.value == 4.0);
  CHECK(shoulder.dynamics->damping.value == 0.5);
  CHECK(shoulder.dynamics->friction.value == 0.25);
  CHECK(shoulder.safety->k_velocity.value == 5.0);
  CHECK(shoulder.calibration->falling.value == -0.5);
  CHECK(robot.joints[1].mimic->joint.value == "shoulder");
  CHECK(robot.joints[1].mimic->multiplier.value == -0.5);
  CHECK(robot.joints[1].mimic->offset.value == 0.1);
  CHECK(to_array(robot.joints[1].axis.value) == std::array<double, 3>{1, 0, 0});
  CHECK(!robot.joints[1].axis.given);
  CHECK(robot.joints[2].screw->pitch_m_per_rad.value == doctest::Approx(0.005 / 6.283185307179586));
}

TEST_CASE("nothing of a whole robot is lost by the reader") {
  const LossReport losses = read_urdf_text(kWhole, "arm.urdf").losses;
  for (const LossEntry& loss : losses.losses()) FAIL_CHECK(text_of(loss));
  CHECK(losses.count(ElementStatus::idle) == 2);  // version, xmlns
}

TEST_CASE("what has no meaning is ignored as a whole, each with its line") {
  const LossReport losses =
      read_urdf_text(
          "<robot name='r' auxiliary='1'>\n<gazebo reference='a'><x y='1'/></gazebo>\n<link name='a' type='t'>\n"
          "<visual verbose='1'><geometry><box size='1 1 1'/></geometry></visual>hm</link>\n<transmission "
          "name='t'/></robot>",
          "r.urdf")
          .losses;
  std::string text;
  for (const LossEntry& loss : losses.losses())
    text += std::to_string(loss.line) + " " + text_of(loss) + (loss.how.empty() ? "" : ": " + loss.how) + "\n";
  CHECK(text ==
        "1 <robot auxiliary>\n2 <gazebo>: settings of another simulator\n3 <link type> of link 'a'\n"
        "4 <visual verbose> of link 'a'\n4 the text in <link> of link 'a'\n"
        "5 <transmission> 't': gear ratios belong in a scene file\n");
}

struct Wrong {
  std::string text, code;
  int line, column;
  std::string what;
  Severity severity = Severity::error;
};

TEST_CASE("what is wrong is told with its place and its fix") {
  const Wrong all[] = {
      {"<sdf/>", "urdf-root", 1, 1, "the root element is <sdf>"},
      {"<robot name='r'>\n<link/></robot>", "urdf-missing", 2, 1, "<link> has no attribute 'name'"},
      {"<robot></robot>", "urdf-missing", 1, 1, "<robot> has no attribute 'name'", Severity::warning},
      {"<robot name='r'><link name='a'><inertial>\n<mass value='1 kg'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
       "iyz='0' izz='1'/></inertial></link></robot>",
       "urdf-number", 2, 16, "link 'a': 'value' of <mass> has 'kg', which is not a number"},
      {"<robot name='r'><link name='a'><inertial>\n<mass value='nan'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
       "iyz='0' izz='1'/></inertial></link></robot>",
       "urdf-number", 2, 14, "link 'a': 'value' of <mass> is 'nan'"},
      {"<robot name='r'><link name='a'><inertial>\n<mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyyy='1' "
       "iyz='0' izz='1'/></inertial></link></robot>",
       "urdf-missing", 2, 18, "link 'a': <inertia> has no attribute 'iyy'"},
      {"<robot name='r'><link name='a'><inertial>\n<mass value='1'/></inertial></link></robot>", "urdf-missing", 1, 32,
       "link 'a': <inertial> has no <inertia>"},
      {"<robot name='r'>\n<joint name='j' type='revolut'><parent link='a'/><child link='b'/></joint></robot>",
       "urdf-word", 2, 23, "joint 'j': there is no joint type 'revolut'"},
      {"<robot name='r'>\n<joint name='j' type='fixed'><child link='b'/></joint></robot>", "urdf-missing", 2, 1,
       "joint 'j': <joint> has no <parent>"},
      {"<robot name='r'><joint name='j' type='fixed'><parent link='a'/>\n<child link=''/></joint></robot>",
       "urdf-missing", 2, 14, "joint 'j': the attribute 'link' of <child> is empty"},
      {"<robot name='r'><joint name='j' type='fixed'><parent link='a'/><child link='b'/>\n<origin xyz='1 2'/></joint>"
       "</robot>",
       "urdf-count", 2, 14, "joint 'j': 'xyz' of <origin> has 2 numbers"},
      {"<robot name='r'><joint name='j' type='screw'><parent link='a'/><child link='b'/>\n<pintle:screw pitch='5'/>"
       "</joint></robot>",
       "urdf-number", 2, 22, "joint 'j': 'pitch' of <pintle:screw> has no unit"},
      {"<robot name='r'><joint name='j' type='screw'><parent link='a'/><child link='b'/>\n<pintle:screw pitch='5 mm'/>"
       "</joint></robot>",
       "urdf-number", 2, 22, "joint 'j': 'pitch' of <pintle:screw> is not a translation per rotation"},
      {"<robot name='r'><joint name='j' type='screw'><parent link='a'/><child link='b'/>\n<pintle:screw pitch='5 "
       "mm/rev\n\n\n\n?'/></joint></robot>",
       "quantity-quotient", 2, 22, "joint 'j': another factor follows a quotient of units"},
      {"<robot name='r'>\n<joint name='j' type='screw'><parent link='a'/><child link='b'/></joint></robot>",
       "urdf-missing", 2, 23, "joint 'j': a screw joint has no <pintle:screw>"},
      {"<robot name='r'><link name='a'><collision>\n<geometry/></collision></link></robot>", "urdf-missing", 2, 1,
       "link 'a': <geometry> has no shape"},
      {"<robot name='r'><link name='a'><collision><geometry>\n<sphere "
       "radius='-1'/></geometry></collision></link></robot>",
       "urdf-range", 2, 17, "link 'a': 'radius' of <sphere> is not above zero"},
      {"<robot name='r'><link name='a'>\n<intertial/></link></robot>", "urdf-unknown", 2, 1,
       "link 'a': the element 'intertial' of <link> is not known", Severity::warning},
      {"<robot name='r'><link name='a'/><joint name='j' type='fixed'><parent link='a'/><child link='b'/>\n"
       "<limit lowr='1'/></joint></robot>",
       "urdf-unknown", 2, 8, "joint 'j': the attribute 'lowr' of <limit> is not known", Severity::warning},
      {"<robot name='r'><joint name='j' type='fixed'><parent link='a'/><child link='b'/>\n<parent link='c'/></joint>"
       "</robot>",
       "urdf-twice", 2, 1, "joint 'j': <joint> has a second <parent>", Severity::warning},
      {"<robot name='r'><material name='m'>\n<color rgba='1 2'/></material></robot>", "urdf-count", 2, 14,
       "material 'm': 'rgba' of <color> has 2 numbers", Severity::warning},
      {"<robot name='r'><link name='a'><visual><geometry>\n<box/></geometry></visual></link></robot>", "urdf-missing",
       2, 1, "link 'a': <box> has no attribute 'size'", Severity::warning},
  };
  for (const Wrong& wrong : all) {
    CAPTURE(wrong.text);
    std::string text = wrong.text;
    if (const std::size_t end = text.find("</robot>"); end != std::string::npos) text.insert(end, "<link name='l'/>");
    const UrdfReading reading = read_urdf_text(text, "r.urdf");
    REQUIRE(!reading.problems.empty());
    const Diagnostic& problem = reading.problems[0];
    CHECK(problem.code == wrong.code);
    CHECK(problem.origin.line == wrong.line);
    CHECK(problem.origin.column == wrong.column);
    CHECK(problem.what == wrong.what);
    CHECK(problem.severity == wrong.severity);
    CHECK(!problem.fix.empty());
    CHECK(reading.ok() == (wrong.severity != Severity::error));
  }
}

TEST_CASE("a robot has a link") {
  CHECK(read_urdf_text("<robot name='r'/>", "r.urdf").problems.at(0).what == "<robot> has no <link>");
}

TEST_CASE("all problems of a file are told at once, in the order of its lines") {
  const UrdfReading reading = read_urdf_text(
      "<robot name='r'>\n<link/>\n<joint name='j' type='bal'>\n<origin xyz='a b c'/>\n</joint>\n</robot>", "r.urdf");
  std::string codes;
  for (const Diagnostic& problem : reading.problems)
    codes += std::to_string(problem.origin.line) + " " + problem.code + " ";
  CHECK(codes == "2 urdf-missing 3 urdf-missing 3 urdf-missing 3 urdf-word 4 urdf-number ");
}

TEST_CASE("what is only seen stops nothing, and is listed as lost") {
  const UrdfReading reading = read_urdf_text(
      "<robot name='r'><link name='a'>\n<visual><geometry><box size='1 1'/></geometry></visual>\n"
      "<visual><geometry><box size='1 1 1'/></geometry><material name='m'><color rgba='red'/></material></visual>\n"
      "</link></robot>",
      "r.urdf");
  CHECK(reading.ok());
  REQUIRE(reading.robot.links[0].visuals.size() == 1);
  CHECK(!reading.robot.links[0].visuals[0].material);
  std::string text;
  for (const LossEntry& loss : reading.losses.losses()) text += text_of(loss) + "; ";
  CHECK(text == "<visual> of link 'a'; <material> 'm'; ");
}

TEST_CASE("a xacro template is told what to do with it") {
  for (const char* const text :
       {"<robot xmlns:xacro='http://www.ros.org/wiki/xacro' name='r'><xacro:include filename='a'/></robot>",
        "<robot name='r'><link name='${prefix}a'/></robot>", "<robot name='$(arg name)'/>"}) {
    CAPTURE(text);
    const UrdfReading reading = read_urdf_text(text, "robots/ur5.urdf.xacro");
    REQUIRE(reading.problems.size() == 1);
    CHECK(reading.problems[0].code == "urdf-xacro");
    CHECK(reading.problems[0].fix == "run: xacro ur5.urdf.xacro > ur5.urdf");
    CHECK(reading.problems[0].origin.column > 1);
  }
  // What xacro leaves behind is no template.
  CHECK(read_urdf_text("<robot xmlns:xacro='http://www.ros.org/wiki/xacro' name='r'><link name='a'/></robot>",
                       "r.urdf.xacro")
            .ok());
}

TEST_CASE("words of other formats are understood well enough to help") {
  const UrdfReading reading = read_urdf_text(
      "<robot name='r'><joint name='j' type='Ball'><parent link='a'/><child link='b'/></joint></robot>", "r.urdf");
  CHECK(reading.problems.at(1).fix.find("URDF has no ball joints") == 0);
}

TEST_CASE("of very many problems the first are kept, and an error among them") {
  std::string text = "<robot name='r'>";
  for (int i = 0; i < 500; ++i) text += "<lynk/>\n";
  text += "<link/></robot>";
  const UrdfReading reading = read_urdf_text(text, "r.urdf");
  CHECK(reading.problems.size() <= 201);
  CHECK(!reading.ok());
  CHECK(reading.problems.back().code == "urdf-more");
}

}  // namespace
}  // namespace pintle
