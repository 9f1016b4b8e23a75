#include "pintle/io/urdf/lint_urdf.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "pintle/io/urdf/read_urdf.h"

using namespace pintle;

namespace {

// Nothing is wrong with it. Every number stands once, so that it can be replaced.
const std::string kGood = R"(<?xml version="1.0"?>
<robot name="good">
  <material name="steel"><color rgba="0.6 0.6 0.6 1"/></material>
  <link name="base"/>
  <link name="arm">
    <inertial>
      <origin xyz="0 0 0.2"/>
      <mass value="1.5"/>
      <inertia ixx="0.021" ixy="0" ixz="0" iyy="0.022" iyz="0" izz="0.003"/>
    </inertial>
    <visual>
      <origin xyz="0 0 0.21"/>
      <geometry><cylinder radius="0.04" length="0.41"/></geometry>
      <material name="steel"/>
    </visual>
    <collision>
      <origin xyz="0 0 0.22"/>
      <geometry><cylinder radius="0.05" length="0.42"/></geometry>
    </collision>
  </link>
  <link name="finger">
    <inertial>
      <mass value="0.2"/>
      <inertia ixx="0.0002" ixy="0" ixz="0" iyy="0.00021" iyz="0" izz="0.0001"/>
    </inertial>
    <visual><geometry><mesh filename="finger.stl" scale="0.001 0.001 0.001"/></geometry></visual>
  </link>
  <link name="thumb">
    <inertial>
      <mass value="0.3"/>
      <inertia ixx="0.0003" ixy="0" ixz="0" iyy="0.00031" iyz="0" izz="0.00015"/>
    </inertial>
  </link>
  <link name="tip"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/>
    <child link="arm"/>
    <origin xyz="0 0 0.5"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="2.5" effort="30" velocity="4"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
  <joint name="grip" type="prismatic">
    <parent link="arm"/>
    <child link="finger"/>
    <origin xyz="0 0.1 0.4"/>
    <axis xyz="0 0 1"/>
    <limit lower="0" upper="0.04" effort="5" velocity="0.1"/>
  </joint>
  <joint name="counter" type="prismatic">
    <parent link="arm"/>
    <child link="thumb"/>
    <axis xyz="1 0 0"/>
    <limit lower="-0.04" upper="0" effort="6" velocity="0.2"/>
    <mimic joint="grip" multiplier="-1"/>
  </joint>
  <joint name="end" type="fixed"><parent link="finger"/><child link="tip"/></joint>
</robot>
)";

/// The mesh of the finger, in millimetres.
const UrdfMeshRoom kFinger{"finger.stl", {2e5, {{-20, -20, -50}, {20, 20, 50}}}};

struct Change {
  std::string from, to;
};

std::string changed(std::string text, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    const std::size_t at = text.find(change.from);
    REQUIRE_MESSAGE(at != std::string::npos, change.from);
    REQUIRE_MESSAGE(text.find(change.from, at + 1) == std::string::npos, change.from);
    text.replace(at, change.from.size(), change.to);
  }
  return text;
}

Diagnostics lint(const std::string& text) {
  const UrdfReading reading = read_urdf_text(text, "robot.urdf");
  Diagnostics problems = reading.problems;
  for (const Diagnostic& problem : lint_urdf(reading.robot, {&kFinger, 1})) problems.push_back(problem);
  return problems;
}

/// What stands at the place of a problem, to the end of the line.
std::string at(const std::string& text, const Origin& origin) {
  std::size_t begin = 0;
  for (int line = 1; line < origin.line; ++line) begin = text.find('\n', begin) + 1;
  begin += static_cast<std::size_t>(origin.column - 1);
  return text.substr(begin, text.find('\n', begin) - begin);
}

struct Expected {
  const char* code;
  Severity severity;
  const char *place, *what, *fix;  // what stands at the place, and parts of the texts
};

void check_problems(const std::vector<Change>& changes, const std::vector<Expected>& expected) {
  const std::string text = changed(kGood, changes);
  const Diagnostics problems = lint(text);
  std::string all;
  for (const Diagnostic& problem : problems) all += format(problem, text) + "\n";
  CAPTURE(all);
  REQUIRE(problems.size() == expected.size());
  for (std::size_t i = 0; i < problems.size(); ++i) {
    CHECK(problems[i].code == expected[i].code);
    CHECK(problems[i].severity == expected[i].severity);
    CHECK_MESSAGE(at(text, problems[i].origin).starts_with(expected[i].place), at(text, problems[i].origin));
    CHECK_MESSAGE(problems[i].what.find(expected[i].what) != std::string::npos, problems[i].what);
    CHECK_MESSAGE(problems[i].fix.find(expected[i].fix) != std::string::npos, problems[i].fix);
    CHECK(problems[i].origin.file == "robot.urdf");
  }
}

constexpr Severity kError = Severity::error, kWarning = Severity::warning;

}  // namespace

TEST_CASE("lint: a good robot raises nothing") {
  check_problems({}, {});
}

TEST_CASE("lint: names that do not fit, with the nearest one") {
  check_problems({{"<child link=\"arm\"/>", "<child link=\"amr\"/>"}},
                 {{"urdf-link-unknown", kError, "amr\"/>", "joint 'shoulder': there is no link 'amr', its child",
                   "did you mean 'arm'?"}});
  check_problems({{"<parent link=\"base\"/>", "<parent link=\"chassis\"/>"}},
                 {{"urdf-link-unknown", kError, "chassis\"", "no link 'chassis', its parent",
                   "add <link name=\"chassis\"/>, or remove the joint"}});
  check_problems(
      {{"<link name=\"thumb\">", "<link name=\"finger\">"}, {"<child link=\"thumb\"/>", "<child link=\"tip\"/>"}},
      {{"urdf-name-twice", kError, "finger\">", "two links are called 'finger'", "rename"},
       {"urdf-two-parents", kError, "tip\"/></joint>", "'counter' and 'end'", "remove one"}});
  check_problems({{"<joint name=\"end\"", "<joint name=\"grip\""}},
                 {{"urdf-name-twice", kError, "grip\" type=\"fixed\"", "two joints are called 'grip'", "rename"}});
  check_problems({{"<mimic joint=\"grip\"", "<mimic joint=\"gripp\""}},
                 {{"urdf-mimic-unknown", kError, "gripp\"", "mimics 'gripp', and there is no such joint",
                   "did you mean 'grip'?"}});
  check_problems({{"<mimic joint=\"grip\"", "<mimic joint=\"counter2\""}},  // nearest is the joint itself
                 {{"urdf-mimic-unknown", kError, "counter2\"", "joint 'counter' mimics 'counter2'",
                   "name a joint of this robot"}});
  check_problems(
      {{"      <material name=\"steel\"/>", "      <material name=\"stele\"/>"}},
      {{"urdf-material-unknown", kWarning, "stele\"", "no material 'stele' has a colour", "did you mean 'steel'?"}});
}

TEST_CASE("lint: links that are no tree") {
  check_problems(
      {{"  <joint name=\"end\" type=\"fixed\"><parent link=\"finger\"/><child link=\"tip\"/></joint>\n", ""}},
      {{"urdf-roots", kError, "tip\"/>", "link 'tip' is the child of no joint", "<child link=\"tip\"/>"}});
  check_problems({{"<parent link=\"base\"/>", "<parent link=\"finger\"/>"}},
                 {{"urdf-cycle", kError, "", "form a loop: ", "another parent"}});
  check_problems({{"<child link=\"thumb\"/>", "<child link=\"finger\"/>"}},
                 {{"urdf-roots", kError, "thumb\">", "link 'thumb' is the child of no joint", ""},
                  {"urdf-two-parents", kError, "finger\"/>", "'grip' and 'counter'", "remove one"}});
}

TEST_CASE("lint: inertias that no body has, at the number that is wrong") {
  check_problems({{"izz=\"0.003\"", "izz=\"3\""}},
                 {{"inertia-triangle", kError, "3\"/>", "link 'arm': the principal moments",
                   "izz=\"0.003\" or \"0.03\" would fix it"}});
  check_problems({{"ixx=\"0.021\"", "ixx=\"-0.021\""}},
                 {{"inertia-negative", kError, "-0.021", "-0.021 < 0", "--fix-inertia"}});
  check_problems({{"ixx=\"0.021\" ixy=\"0\" ixz=\"0\" iyy=\"0.022\" iyz=\"0\" izz=\"0.003\"",
                   "ixx=\"1\" ixy=\"1\" ixz=\"1\" iyy=\"1\" iyz=\"1\" izz=\"1\""}},
                 {{"inertia-triangle", kError, "1\" ixy", "", "check the six numbers"}});
  check_problems({{"mass value=\"1.5\"", "mass value=\"-1.5\""}},
                 {{"inertia-mass", kError, "-1.5", "link 'arm': the mass is -1.5 kg", "0 kg or more"}});
}

TEST_CASE("lint: an inertia that no body has is a warning where what it is welded to makes up for it") {
  const auto tip = [](const std::string& number) {
    const std::string six = "ixx=\"" + number + "1\" ixy=\"" + number + "2\" ixz=\"" + number + "2\" iyy=\"" + number +
                            "1\" iyz=\"" + number + "2\" izz=\"" + number + "1\"";
    return Change{"<link name=\"tip\"/>",
                  "<link name=\"tip\"><inertial><mass value=\"0.01\"/><inertia " + six + "/></inertial></link>"};
  };
  check_problems({tip("0.00000")},
                 {{"inertia-alone", kWarning, "0.00000", "link 'tip': the principal moments", "--fix-"}});
  check_problems({tip("0.0")}, {{"inertia-negative", kError, "0.01", "link 'tip': the principal moments", "--fix-"}});
  check_problems({tip("0.00000"), {"name=\"end\" type=\"fixed\"", "name=\"end\" type=\"continuous\""}},
                 {{"inertia-negative", kError, "0.00000", "link 'tip': the principal moments", ""}});
  // A mass 0.2 m away from its joint, with an inertia that is off by less than the rounding of its 0.06 kg m^2 there.
  const auto nearly_a_point = [](const char* izz) {
    return Change{"ixx=\"0.021\" ixy=\"0\" ixz=\"0\" iyy=\"0.022\" iyz=\"0\" izz=\"0.003\"",
                  std::string("ixx=\"1e-18\" ixy=\"0\" ixz=\"0\" iyy=\"1e-18\" iyz=\"0\" izz=\"") + izz + "\""};
  };
  check_problems({nearly_a_point("3e-18")},
                 {{"inertia-alone", kWarning, "3e-18", "link 'arm': the principal moments", ""}});
  check_problems({nearly_a_point("3e-13")},
                 {{"inertia-triangle", kError, "3e-13", "link 'arm': the principal moments", ""}});
  check_problems({{"<link name=\"base\"/>",
                   "<link name=\"base\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" "
                   "iyz=\"0\" izz=\"2.1\"/></inertial></link>"}},
                 {{"inertia-triangle", kError, "2.1", "link 'base'", ""}});
}

TEST_CASE("lint: what was not read is not told again, nor what follows from it") {
  check_problems({{"izz=\"0.003\"", "izz=\"none\""}}, {{"urdf-number", kError, "none", "'none'", ""}});
  check_problems({{" izz=\"0.003\"", ""}}, {{"urdf-missing", kError, "<inertia", "'izz'", ""}});
  check_problems({{"    <child link=\"arm\"/>\n", ""}}, {{"urdf-missing", kError, "<joint", "<child>", ""}});
  check_problems({{"type=\"revolute\"", "type=\"revolve\""},
                  {"    <limit lower=\"-1.5\" upper=\"2.5\" effort=\"30\" velocity=\"4\"/>\n", ""}},
                 {{"urdf-word", kError, "revolve", "no joint type 'revolve'", "'revolute'"}});
}

TEST_CASE("lint: units that were mistaken") {
  check_problems({{"mass value=\"1.5\"", "mass value=\"1500\""}},
                 {{"inertia-density", kWarning, "1500", "link 'arm': the mass of 1500 kg", "if the mass is in grams"}});
  check_problems(
      {{"ixx=\"0.021\"", "ixx=\"21000\""}, {"iyy=\"0.022\"", "iyy=\"22000\""}, {"izz=\"0.003\"", "izz=\"3000\""}},
      {{"inertia-size", kWarning, "21000", "kg mm^2?", "1e-06 times"}});
  check_problems({{" scale=\"0.001 0.001 0.001\"", ""}},
                 {{"urdf-mesh-size", kWarning, "finger.stl", "its mesh measures 110 m: millimetres?",
                   "scale=\"0.001 0.001 0.001\""}});
  check_problems({{"0.001 0.001 0.001", "1e-06 1e-06 1e-06"}},
                 {{"urdf-mesh-size", kWarning, "1e-06", "its mesh measures 0.00011 m", "scaled twice"}});
  check_problems({{"lower=\"-1.5\" upper=\"2.5\"", "lower=\"-90\" upper=\"45\""}},
                 {{"urdf-limits-degrees", kWarning, "-90", "its lower limit is -90 rad, 14 revolutions: degrees?",
                   "write -1.57079633"}});
  check_problems(
      {{"<origin xyz=\"0 0 0.5\"/>", "<origin xyz=\"0 0 0.5\" rpy=\"0 -90 180\"/>"}},
      {{"urdf-rpy-degrees", kWarning, "0 -90 180", "joint 'shoulder': a frame is rotated by 180 rad, 29 revolutions",
        "rpy=\"0 -1.57079633 3.14159265\""}});
  check_problems({{"<origin xyz=\"0 0 0.21\"/>", "<origin xyz=\"0 0 0.21\" rpy=\"0 0 45\"/>"}},
                 {{"urdf-rpy-degrees", kWarning, "0 0 45", "link 'arm'", "0.785398163"}});
  check_problems({{"<origin xyz=\"0 0 0.2\"/>", "<origin xyz=\"0 0 0.2\" rpy=\"0 0 -6.2832\"/>"}}, {});
  check_problems({{"upper=\"2.5\"", "upper=\"1e16\""}},
                 {{"urdf-limits-degrees", kWarning, "1e16", "revolutions", "type=\"continuous\""}});
  check_problems({{"lower=\"-1.5\" upper=\"2.5\"", "lower=\"-12.566\" upper=\"12.566\""}}, {});
}

TEST_CASE("lint: a mass without shapes around it, and shapes without the mass") {
  // The joint of the arm is at 0 0 0.5: in the frame of the base the centre of mass is at 0 0 0.7.
  check_problems({{"<origin xyz=\"0 0 0.2\"/>", "<origin xyz=\"0 3 0.7\"/>"}},
                 {{"urdf-inertia-place", kWarning, "0 3 0.7", "is 3 m away from its shapes, which measure 0.44 m",
                   "check <origin> of <inertial>"}});
  check_problems({{"<origin xyz=\"0 0 0.2\"/>", "<origin xyz=\"0 2 0.7\"/>"}, {"xyz=\"0 0 0.5\"", "xyz=\"0 2 0.5\""}},
                 {{"urdf-inertia-place", kWarning, "0 2 0.7", "link 'arm': its centre of mass",
                   "in the frame of link 'base'; in its own frame it is xyz=\"0 0 0.2\" then"}});
  check_problems(
      {{"<origin xyz=\"0 0 0.22\"/>", "<origin xyz=\"0 3 0.22\"/>"}},
      {{"urdf-shape-place", kWarning, "0 3 0.22", "its collision shapes are 3 m away", "frame of the link"}});
  check_problems({{"<origin xyz=\"0 0 0.21\"/>", "<origin xyz=\"0 3 0.21\"/>"}},
                 {{"urdf-shape-place", kWarning, "0 3 0.21", "its visual shapes are 3 m away", "frame of the link"}});
}

TEST_CASE("lint: what moves and has no mass; the first joint on the way out") {
  check_problems(
      {{"type=\"fixed\"><parent", "type=\"continuous\"><parent"}},
      {{"urdf-massless", kError, "tip\"/></joint>", "joint 'end' moves link 'tip', which has no mass", "<inertial>"}});
  const std::string more =
      "<link name=\"a\"/><link name=\"b\"/>"
      "<joint name=\"ja\" type=\"floating\"><parent link=\"tip\"/><child link=\"a\"/></joint>"
      "<joint name=\"jb\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint>\n</robot>";
  check_problems({{"</robot>", more}}, {{"urdf-massless", kError, "a\"/></joint>",
                                         "joint 'ja' moves link 'a' and 1 more", "type=\"fixed\""}});
  check_problems({{"mass value=\"1.5\"", "mass value=\"0\""}},
                 {{"inertia-without-mass", kWarning, "0\"/>", "link 'arm' has an inertia but no mass", "in kg"}});
  // A mimic moves with what it follows; a massless link with masses behind it is fine.
  check_problems({{"mass value=\"0.3\"", "mass value=\"0\""},
                  {"ixx=\"0.0003\" ixy=\"0\" ixz=\"0\" iyy=\"0.00031\" iyz=\"0\" izz=\"0.00015\"",
                   "ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"0\""}},
                 {});
}

TEST_CASE("lint: axes and limits") {
  check_problems({{"<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 0 0\"/>"}},
                 {{"urdf-axis-zero", kError, "0 0 0\"", "joint 'shoulder': its axis is zero", "0 0 1"}});
  check_problems({{"<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 3 4\"/>"}},
                 {{"urdf-axis-length", kWarning, "0 3 4", "its axis is of length 5", "divide the three numbers by 5"}});
  check_problems({{"<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 0.7071 0.7071\"/>"}}, {});
  check_problems({{"lower=\"-1.5\" upper=\"2.5\"", "lower=\"1.5\" upper=\"-2.5\""}},
                 {{"urdf-limits-reversed", kError, "1.5\"", "its lower limit is 1.5, its upper one -2.5", "swap"}});
  check_problems({{" upper=\"0.04\"", ""}},
                 {{"urdf-limits-equal", kWarning, "0\" effort=\"5\"", "are both 0", "type=\"fixed\""}});
  check_problems({{"lower=\"-1.5\" upper=\"2.5\" ", ""}},
                 {{"urdf-limit-missing", kWarning, "<limit effort=\"30\"", "has neither lower nor upper", "lower="}});
  check_problems({{"effort=\"30\" velocity=\"4\"", "effort=\"0\" velocity=\"0\""}},
                 {{"urdf-limit-zero", kWarning, "0\" velocity", "its limit of effort and velocity is 0", "actuator"}});
  check_problems({{"effort=\"30\"", "effort=\"-30\""}},
                 {{"urdf-limit-negative", kError, "-30", "its effort limit is -30", "above 0"}});
  check_problems({{"    <limit lower=\"-1.5\" upper=\"2.5\" effort=\"30\" velocity=\"4\"/>\n", ""}},
                 {{"urdf-limit-missing", kWarning, "revolute", "is revolute and has no <limit>", "continuous"}});
  check_problems({{"damping=\"0.1\"", "damping=\"-0.1\""}},
                 {{"urdf-dynamics", kError, "-0.1", "its damping is -0.1", "at least 0"}});
}

TEST_CASE("lint: mimics") {
  check_problems(
      {{"<mimic joint=\"grip\"", "<mimic joint=\"counter\""}},
      {{"urdf-mimic-circle", kError, "counter\" multiplier", "joint 'counter' mimics itself", "another joint"}});
  check_problems({{"effort=\"5\" velocity=\"0.1\"/>", "effort=\"5\" velocity=\"0.1\"/><mimic joint=\"counter\"/>"}},
                 {{"urdf-mimic-circle", kError, "", "in a loop: 'counter' -> 'grip' -> 'counter'", "remove"}});
  check_problems({{"effort=\"5\" velocity=\"0.1\"/>",
                   "effort=\"5\" velocity=\"0.1\"/><mimic joint=\"shoulder\" multiplier=\"2\" offset=\"0.5\"/>"}},
                 {{"urdf-mimic-chain", kWarning, "grip\" multiplier", "mimics 'grip', which mimics 'shoulder'",
                   "mimic 'shoulder', with multiplier -2 and offset -0.5"}});
  check_problems({{"<mimic joint=\"grip\"", "<mimic joint=\"end\""}},
                 {{"urdf-mimic-dof", kError, "end\" multiplier", "joint 'end' is fixed", "revolute"}});
  check_problems({{"multiplier=\"-1\"", "multiplier=\"0\""}},
                 {{"urdf-mimic-zero", kWarning, "0\"/>", "its multiplier is 0", "fixed"}});
  check_problems({{"<child link=\"tip\"/></joint>", "<child link=\"tip\"/><mimic joint=\"nobody\"/></joint>"}}, {});
}

TEST_CASE("lint: all problems at once, in the order of the lines") {
  const std::string text = changed(kGood, {{"<child link=\"thumb\"/>", "<child link=\"thum\"/>"},
                                           {"<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 2 0\"/>"},
                                           {"mass value=\"1.5\"", "mass value=\"-1\""},
                                           {"effort=\"5\"", "effort=\"0\""},
                                           {"<mimic joint=\"grip\"", "<mimic joint=\"tip\""}});
  const Diagnostics problems = lint(text);
  std::vector<std::string> codes;
  for (const Diagnostic& problem : problems) codes.push_back(problem.code);
  CHECK(codes == std::vector<std::string>{"inertia-mass", "urdf-axis-length", "urdf-limit-zero", "urdf-link-unknown",
                                          "urdf-mimic-unknown"});
  CHECK(std::is_sorted(problems.begin(), problems.end(),
                       [](const Diagnostic& a, const Diagnostic& b) { return a.origin.line < b.origin.line; }));
}

TEST_CASE("lint: doubts about what is welded to something much heavier are not raised") {
  const std::string speck =
      "<link name=\"speck\"><inertial><mass value=\"0.001\"/>"
      "<inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"0\"/></inertial>"
      "<collision><geometry><box size=\"0.05 0.05 0.05\"/></geometry></collision></link>"
      "<joint name=\"glue\" type=\"TYPE\"><parent link=\"arm\"/><child link=\"speck\"/></joint>\n</robot>";
  check_problems({{"</robot>", changed(speck, {{"TYPE", "fixed"}})}}, {});
  check_problems({{"</robot>", changed(speck, {{"TYPE", "continuous"}})}},
                 {{"inertia-size", kWarning, "0\" ixy", "link 'speck'", ""}});
}

TEST_CASE("lint: of very many problems the errors are told first; long chains are no trouble") {
  std::string text = "<robot name=\"many\"><link name=\"l0\"/>\n";
  constexpr int kLinks = 4000;
  for (int i = 1; i <= kLinks; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    text += "<link name=\"l" + n + "\"/><joint name=\"j" + n + "\" type=\"continuous\"><parent link=\"l" + before +
            "\"/><child link=\"l" + n + "\"/><axis xyz=\"0 0 2\"/></joint>\n";
  }
  const Diagnostics problems = lint(text + "</robot>");
  REQUIRE(problems.size() == 201);
  CHECK(problems[0].code == "urdf-massless");
  CHECK(problems[0].what == "joint 'j1' moves link 'l1' and 3999 more, none of which has a mass");
  CHECK(problems[200].code == "urdf-more");
  CHECK(problems[200].what == "3801 more problems are not listed");
  // Every joint names a link that is not there.
  std::string lost = text + "</robot>";
  for (std::size_t at = 0; (at = lost.find("<child link=\"l", at)) != std::string::npos; ++at) lost[at + 13] = 'k';
  CHECK(lint(lost).size() == 201);
}
