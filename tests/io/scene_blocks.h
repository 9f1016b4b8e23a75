// The examples of docs/formats/scene.md, for the tests that read all of them.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "io/memory_files.h"

namespace test {

using namespace pintle;

/// A file of the sources.
inline std::string source_text(const std::string& name) {
  std::ifstream file(std::string(PINTLE_SOURCE_DIR) + "/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The examples of docs/formats/scene.md.
inline std::vector<std::string> toml_blocks() {
  std::vector<std::string> blocks;
  const std::string page = source_text("docs/formats/scene.md");
  for (std::size_t at = page.find("```toml\n"); at != std::string::npos; at = page.find("```toml\n", at)) {
    const std::size_t begin = at + 8, end = page.find("```", begin);
    blocks.push_back(page.substr(begin, end - begin));
    at = end;
  }
  return blocks;
}

inline constexpr const char* kBlockArm =
    "<robot name='arm'><link name='base'/><link name='forearm'><inertial><mass value='1'/>"
    "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
    "<joint name='elbow' type='continuous'><parent link='base'/><child link='forearm'/></joint></robot>";

/// The files that they name.
inline std::map<std::string, std::string> block_texts() {
  return {{"arm.urdf", kBlockArm},
          {"case.stl", tetrahedron_stl()},
          {"lift.csv", "time [s], lift [mm]\n0, 0\n0.5, 12\n1, 0\n"},
          {"parts/table.toml", "[[body]]\nname = \"table top\"\nmass = 5\njoint = { type = \"fixed\" }\n"}};
}

inline MemoryFiles block_files() {
  return MemoryFiles(block_texts());
}

}  // namespace test
