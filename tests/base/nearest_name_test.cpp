#include "pintle/base/nearest_name.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "pintle/base/random.h"

namespace pintle {
namespace {

const std::vector<std::string> kKnown = {"shoulder", "elbow", "wrist_roll", "wrist_yaw", "gripper"};

TEST_CASE("every single edit of a name finds the name again") {
  for (const std::string& name : kKnown) {
    CHECK(nearest_name(name, kKnown) == name);
    for (std::size_t i = 0; i < name.size(); ++i) {
      std::string left_out = name, replaced = name, doubled = name, other_case = name;
      left_out.erase(i, 1);
      replaced[i] = '#';
      doubled.insert(i, 1, '#');
      if (name[i] != '_') other_case[i] = static_cast<char>(name[i] - 'a' + 'A');
      CHECK(nearest_name(left_out, kKnown) == name);
      CHECK(nearest_name(replaced, kKnown) == name);
      CHECK(nearest_name(doubled, kKnown) == name);
      CHECK(nearest_name(other_case, kKnown) == name);
      if (i > 0) {
        std::string swapped = name;
        std::swap(swapped[i - 1], swapped[i]);
        CHECK(nearest_name(swapped, kKnown) == name);
      }
    }
  }
}

TEST_CASE("words of other programs stand for ours where ours are known") {
  const std::vector<std::string> joints = {"fixed", "revolute", "prismatic", "screw", "spherical", "free"};
  CHECK(nearest_name("hinge", joints) == "revolute");
  CHECK(nearest_name("Continuous", joints) == "revolute");
  CHECK(nearest_name("slide", joints) == "prismatic");
  CHECK(nearest_name("helical", joints) == "screw");
  CHECK(nearest_name("ball", joints) == "spherical");
  CHECK(nearest_name("ball", std::vector<std::string>{"box", "sphere"}) == "sphere");
  CHECK(nearest_name("floating", joints) == "free");
  CHECK(nearest_name("pin", joints) == "revolute");
  CHECK(nearest_name("rk45", std::vector<std::string>{"rk4", "dormand-prince"}) == "dormand-prince");
  CHECK(nearest_name("time_step", std::vector<std::string>{"duration", "step"}) == "step");
  CHECK(nearest_name("turning_stiffness", std::vector<std::string>{"stiffness", "rotational_stiffness"}) ==
        "rotational_stiffness");
  CHECK(nearest_name("hinge", kKnown).empty());
}

TEST_CASE("a swap is one edit, not two") {
  // Three letters allow one edit.
  const std::vector<std::string> known = {"mas"};
  CHECK(nearest_name("ams", known) == "mas");
  CHECK(nearest_name("sam", known).empty());
}

TEST_CASE("a third of the longer name may differ, no more") {
  const std::vector<std::string> known = {"abcdefghi"};
  CHECK(nearest_name("abc##f#hi", known) == "abcdefghi");
  CHECK(nearest_name("a#c##f#hi", known).empty());
  CHECK(nearest_name("abcdef", known) == "abcdefghi");
  CHECK(nearest_name("abcde", known).empty());
  CHECK(nearest_name("abcdefghi123", known) == "abcdefghi");
  CHECK(nearest_name("abcdefghi12345", known).empty());
}

TEST_CASE("case counts half an edit, so a name in capitals is still near") {
  const std::vector<std::string> known = {"Box", "BOX", "sphere"};
  CHECK(nearest_name("box", known) == "Box");
  CHECK(nearest_name("BOX", known) == "BOX");
  CHECK(nearest_name("bOX", known) == "BOX");
  CHECK(nearest_name("SPHEre", known) == "sphere");
}

TEST_CASE("names with nothing in common are not near") {
  const std::vector<std::string> one_letter = {"x"};
  CHECK(nearest_name("y", one_letter).empty());
  CHECK(nearest_name("", one_letter).empty());
  CHECK(nearest_name("X", one_letter) == "x");
  CHECK(nearest_name("xy", one_letter) == "x");
  CHECK(nearest_name("torque", kKnown).empty());
  CHECK(nearest_name("anything", {}).empty());
  const std::vector<std::string> empty_name = {""};
  CHECK(nearest_name("a", empty_name).empty());
}

TEST_CASE("of equally near names the first wins") {
  const std::vector<std::string> known = {"joint_1", "joint_2", "joint_3"};
  CHECK(nearest_name("joint_7", known) == "joint_1");
  const std::vector<std::string> reversed(known.rbegin(), known.rend());
  CHECK(nearest_name("joint_7", reversed) == "joint_3");
}

// Optimal string alignment straight from its recursive definition, in half edits.
std::size_t defined_distance(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return 2 * (a.size() + b.size());
  const char x = a.back(), y = b.back();
  const bool same_letter = std::tolower(x) == std::tolower(y);
  const auto a1 = a.substr(0, a.size() - 1), b1 = b.substr(0, b.size() - 1);
  std::size_t d = std::min({defined_distance(a1, b) + 2, defined_distance(a, b1) + 2,
                            defined_distance(a1, b1) + (x == y        ? 0U
                                                        : same_letter ? 1U
                                                                      : 2U)});
  if (!a1.empty() && !b1.empty() && x == b1.back() && a1.back() == y) {
    d = std::min(d, defined_distance(a.substr(0, a.size() - 2), b.substr(0, b.size() - 2)) + 2);
  }
  return d;
}

TEST_CASE("the nearest name is the one of the recursive definition of the distance") {
  RandomStream random(2);
  const auto word = [&] {
    std::string w(1 + random.below(6), ' ');
    for (char& c : w) c = "abAB"[random.below(4)];
    return w;
  };
  for (int trial = 0; trial < 300; ++trial) {
    const std::string wanted = word();
    const std::vector<std::string> known = {word(), word(), word()};
    std::string expected;
    std::size_t best = static_cast<std::size_t>(-1);
    for (const std::string& candidate : known) {
      const std::size_t longer = std::max(wanted.size(), candidate.size());
      const std::size_t d = defined_distance(wanted, candidate);
      if (d < best && d <= 2 * std::max<std::size_t>(longer / 3, 1) && d < 2 * longer) {
        best = d;
        expected = candidate;
      }
    }
    CAPTURE(wanted);
    CHECK(nearest_name(wanted, known) == expected);
  }
}

}  // namespace
}  // namespace pintle
