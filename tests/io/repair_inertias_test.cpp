#include "pintle/io/urdf/repair_inertias.h"

#include <doctest/doctest.h>

#include <string>

#include "pintle/io/urdf/lint_urdf.h"
#include "pintle/io/urdf/read_urdf.h"
#include "pintle/math/distributions.h"
#include "pintle/spatial/check_inertia.h"

using namespace pintle;

namespace {

std::string link(const std::string& name, const std::string& mass, const std::string& inertia) {
  return "  <link name='" + name + "'><!-- <inertia ixx='9'/> --><inertial>\r\n    <mass value=\"" + mass +
         "\" />\t<inertia " + inertia + "/>\n  </inertial></link>\n";
}

std::string robot(const std::string& links) {
  return "\xEF\xBB\xBF<?xml version='1.0'?>\n<robot name=\"r\xC3\xA4\">\n" + links + "</robot>\n<!-- end -->";
}

bool has_impossible(const std::string& text) {
  for (const Diagnostic& problem : lint_urdf(read_urdf_text(text, "r.urdf").robot))
    if (problem.code.starts_with("inertia-") && problem.severity == Severity::error) return true;
  return false;
}

const std::string kFine = R"(ixx="2.50" ixy="+0" ixz="0.0" iyy="2e0" iyz="0" izz=" 1.5 ")";

}  // namespace

TEST_CASE("repairing: a file with nothing to repair keeps all of its bytes") {
  const std::string text = robot(link("a", "1.0", kFine) + "  <link name=\"b\"/>\n");
  const Result<RepairedUrdf> repaired = repair_inertias(text, "r.urdf");
  REQUIRE(repaired);
  CHECK(repaired->text == text);
  CHECK(repaired->changes.empty());
  CHECK(repaired->inertias == 1);
}

TEST_CASE("repairing: only the numbers that change do, whatever stands around them") {
  const std::string head = robot(link("a", "1.0", kFine)).substr(0, robot(link("a", "1.0", kFine)).find("</robot>"));
  // Attributes in another order, spaces around the equals sign, both kinds of quotes.
  const auto file = [&](const std::string& xx, const std::string& yy, const std::string& zz) {
    return head +
           link("bad", "2", "izz = '" + zz + "' ixx=\"" + xx + "\" iyy='" + yy + "' ixy='0' ixz=\"0.0\" iyz='0'") +
           "</robot>\n";
  };
  const Result<RepairedUrdf> repaired = repair_inertias(file("1.0", "1.0", "3.00"), "r.urdf", 0.0);
  REQUIRE(repaired);
  REQUIRE(repaired->changes.size() == 1);
  const InertiaChange& change = repaired->changes[0];
  CHECK(change.link == "bad");
  CHECK(change.mass == 2.0);
  CHECK(change.origin.line == 7);
  CHECK(change.before[5] == 3.0);
  CHECK(repaired->text == file("1.3333333333333333", "1.3333333333333333", "2.6666666666666665"));
  CHECK_FALSE(has_impossible(repaired->text));
  CHECK(has_impossible(file("1.0", "1.0", "3.00")));
}

TEST_CASE("repairing: what is written is read back as the same numbers, and can be; again nothing changes") {
  RandomStream stream(5);
  for (int i = 0; i < 200; ++i) {
    std::string links;
    for (int k = 0; k < 3; ++k) {
      std::string numbers;
      for (const char* const name : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"})
        numbers += std::string(name) + "=\"" + std::to_string(stream.uniform(-0.3, 1.0)) + "\" ";
      links += link("l" + std::to_string(k), "1", numbers);
    }
    const std::string text = robot(links);
    const Result<RepairedUrdf> repaired = repair_inertias(text, "r.urdf");
    REQUIRE(repaired);
    CHECK_FALSE(has_impossible(repaired->text));
    const UrdfReading reading = read_urdf_text(repaired->text, "r.urdf");
    for (const InertiaChange& change : repaired->changes) {
      const UrdfInertial& I = *reading.robot.links[static_cast<std::size_t>(change.link[1] - '0')].inertial;
      CHECK(I.ixx.value == change.after[0]);
      CHECK(I.iyz.value == change.after[4]);
      CHECK(I.izz.value == change.after[5]);
      CHECK(change.nearest.changed);
    }
    const Result<RepairedUrdf> again = repair_inertias(repaired->text, "r.urdf");
    CHECK(again->changes.empty());
    CHECK(again->text == repaired->text);
  }
}

TEST_CASE("repairing: masses that are not above zero are left, and told; so is what is no URDF") {
  const std::string text =
      robot(link("a", "-1", kFine) + link("b", "0", "ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='3'") +
            link("c", "1", "ixx='one' ixy='0' ixz='0' iyy='1' iyz='0' izz='3'"));
  const Result<RepairedUrdf> repaired = repair_inertias(text, "r.urdf");
  REQUIRE(repaired);
  CHECK(repaired->text == text);
  CHECK(repaired->inertias == 2);
  REQUIRE(repaired->left.size() == 2);
  CHECK(repaired->left[0].what == "link 'a': the mass is -1 kg");
  CHECK(repaired->left[1].what == "link 'b': the mass is 0 kg");
  CHECK(repair_inertias("<robot name='x'><link", "r.urdf").diagnostics()[0].code == "xml-syntax");
  CHECK(repair_inertias("<sdf/>", "r.urdf").diagnostics()[0].code == "urdf-root");
}
