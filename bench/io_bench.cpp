// The time from the text of a robot's file to a scene that is ready to run. No peer does the same (others read without
// checks, or not in C++), so these are absolute times: a robot of 50 links must load in less than 5 ms.
#include <benchmark/benchmark.h>

#include <string>

#include "pintle/io/scene/compile_scene.h"
#include "pintle/io/urdf/lint_urdf.h"
#include "pintle/io/urdf/read_urdf.h"

namespace {

using namespace pintle;

std::string link_text(int number) {
  return "  <link name=\"link" + std::to_string(number) + R"(">
    <inertial>
      <origin xyz="0 0.01 0.1" rpy="0 0 0.2"/>
      <mass value="1.5"/>
      <inertia ixx="0.012" ixy="0.0001" ixz="0" iyy="0.013" iyz="0" izz="0.002"/>
    </inertial>
    <visual>
      <origin xyz="0 0 0.1"/>
      <geometry><cylinder radius="0.05" length="0.2"/></geometry>
      <material name="grey"/>
    </visual>
    <collision>
      <origin xyz="0 0 0.1"/>
      <geometry><box size="0.1 0.1 0.2"/></geometry>
    </collision>
  </link>
)";
}

std::string joint_text(int parent, int child) {
  return "  <joint name=\"joint" + std::to_string(child) + "\" type=\"revolute\">\n    <parent link=\"link" +
         std::to_string(parent) + "\"/>\n    <child link=\"link" + std::to_string(child) + R"("/>
    <origin xyz="0 0 0.2" rpy="0.1 0 1.57"/>
    <axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="50" velocity="4"/>
    <dynamics damping="0.1" friction="0.05"/>
  </joint>
)";
}

/// A trunk with five limbs, without meshes.
std::string robot_text(int links) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<robot name=\"many\">\n"
      "  <material name=\"grey\"><color rgba=\"0.5 0.5 0.5 1\"/></material>\n";
  for (int i = 0; i < links; ++i) text += link_text(i);
  for (int i = 1; i < links; ++i) text += joint_text(i <= 5 ? 0 : i - 5, i);
  return text + "</robot>\n";
}

void load_robot(benchmark::State& state) {
  const std::string text = robot_text(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const Result<Scene> scene = compile_scene_text(text, "robot.urdf", {"model.base=free"});
    if (!scene) state.SkipWithError("the robot was refused");
    benchmark::DoNotOptimize(&scene);
  }
}
BENCHMARK(load_robot)->Arg(10)->Arg(50)->Arg(200)->Unit(benchmark::kMillisecond);

void read_robot(benchmark::State& state) {
  const std::string text = robot_text(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(read_urdf_text(text, "robot.urdf").robot.links.data());
}
BENCHMARK(read_robot)->Arg(50)->Unit(benchmark::kMillisecond);

void lint_robot(benchmark::State& state) {
  const UrdfReading reading = read_urdf_text(robot_text(static_cast<int>(state.range(0))), "robot.urdf");
  for (auto _ : state) benchmark::DoNotOptimize(lint_urdf(reading.robot).size());
}
BENCHMARK(lint_robot)->Arg(50)->Unit(benchmark::kMillisecond);

}  // namespace
