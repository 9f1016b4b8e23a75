#include "pintle/io/scene/write_scene.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "io/memory_files.h"
#include "io/scene_blocks.h"
#include "io/spec_text.h"
#include "pintle/io/scene/compile_scene.h"
#include "pintle/model/links/joint_parts.h"
#include "pintle/simulation/hybrid/scene_hash.h"
#include "pintle/spatial/exp_log.h"
#include "pintle/text/exact_numbers.h"
#include "support/random_model.h"

namespace pintle {
namespace {

using namespace test;

/// The first lines in which two texts differ.
std::string difference(const std::string& a, const std::string& b) {
  std::istringstream first(a), second(b);
  std::string x, y;
  while (std::getline(first, x) && std::getline(second, y))
    if (x != y) return "was " + x + "\nnow " + y + "\n";
  return a.size() == b.size() ? "" : "one is longer";
}

/// What is written of a scene, read back along with the files beside it.
struct Back {
  WrittenScene written;
  Result<SceneSpec> spec;
};

Back back(const SceneSpec& spec, std::map<std::string, std::string> others = {}) {
  WrittenScene written = write_scene(spec);
  for (const CompanionFile& file : written.files) others[file.path] = file.bytes;
  MemoryFiles files(std::move(others));
  Result<SceneSpec> read = read_scene_text(written.text, "written.toml", files);
  for (const Diagnostic& problem : read.diagnostics())
    if (problem.severity == Severity::error) FAIL_CHECK(format(problem, written.text));
  return {std::move(written), std::move(read)};
}

std::uint64_t hash_of(const SceneSpec& spec) {
  const Result<Scene> scene = compile(spec);
  for (const Diagnostic& problem : scene.diagnostics()) INFO(format(problem));
  REQUIRE(scene.ok());
  SceneSystem system(*scene, {});
  return scene_hash(system);
}

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::filesystem::path> scene_files() {
  std::vector<std::filesystem::path> paths;
  for (const char* const folder : {"/scenes", "/tests/house/reference_scenes"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(PINTLE_SOURCE_DIR) + folder))
      if (entry.path().extension() == ".toml") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// The largest difference of two inertias, against the largest of their numbers of a kind.
double difference(const SpatialInertia<>& a, const SpatialInertia<>& b) {
  const Vec3<> diagonal{a.inertia.xx - b.inertia.xx, a.inertia.yy - b.inertia.yy, a.inertia.zz - b.inertia.zz};
  const Vec3<> beside{a.inertia.xy - b.inertia.xy, a.inertia.xz - b.inertia.xz, a.inertia.yz - b.inertia.yz};
  const double trace = a.inertia.xx + a.inertia.yy + a.inertia.zz;
  if (same_numbers(a, b)) return 0.0;
  return std::max({std::abs(a.mass - b.mass) / a.mass,
                   norm(a.first_moment - b.first_moment) / std::max(norm(a.first_moment), 1e-300),
                   norm(diagonal) / trace, norm(beside) / trace});
}

/// Not every double is a product of the mass: inertias may be off in the last places, and count as equal then. How many
/// are.
int settle_inertias(const SceneSpec& was, SceneSpec& now) {
  int count = 0;
  for (std::size_t i = 0; i < was.model.bodies.size() && i < now.model.bodies.size(); ++i) {
    const SpatialInertia<>& inertia = was.model.bodies[i].inertia;
    const double off = difference(inertia, now.model.bodies[i].inertia);
    CHECK(off <= 0x1p-51);
    count += off > 0.0 ? 1 : 0;
    now.model.bodies[i].inertia = inertia;
  }
  return count;
}

TEST_CASE("every scene that comes with the program is the same after it was written") {
  const std::vector<std::filesystem::path> paths = scene_files();
  REQUIRE(paths.size() > 20);
  int off = 0;
  for (const std::filesystem::path& path : paths) {
    CAPTURE(path.filename().string());
    const Result<SceneSpec> spec = read_scene_text(file_text(path), path.filename().string());
    REQUIRE(spec.ok());
    const Back again = back(*spec);
    REQUIRE(again.spec.ok());
    CHECK(again.written.losses.empty());
    SceneSpec read = *again.spec;
    off += settle_inertias(*spec, read);
    CHECK(difference(spec_text(*spec), spec_text(read)) == "");
    CHECK(hash_of(*spec) == hash_of(read));
    CHECK(write_scene(*again.spec).text == again.written.text);
  }
  CHECK(off <= 2);  // bodies of several materials
}

TEST_CASE("every example of docs/formats/scene.md is the same after it was written") {
  for (const std::string& block : toml_blocks()) {
    CAPTURE(block);
    MemoryFiles others = block_files();
    const Result<SceneSpec> spec = read_scene_text(block, "scene.md", others);
    REQUIRE(spec.ok());
    if (spec->model.bodies.empty()) continue;
    const Back again = back(*spec, block_texts());
    REQUIRE(again.spec.ok());
    CHECK(again.written.losses.empty());
    SceneSpec read = *again.spec;
    settle_inertias(*spec, read);
    CHECK(difference(spec_text(*spec), spec_text(read)) == "");
  }
}

Drive random_drive(RandomStream& stream) {
  if (stream.below(2) == 0) return constant_drive(stream.uniform(-3.0, 3.0));
  return *expression_drive("sin(" + exact_text(stream.uniform(0.1, 3.0)) + "*t) + 1");
}

PlaceSpec random_place(RandomStream& stream, const ModelSpec& model) {
  return {model.bodies[stream.below(model.bodies.size())].name,
          stream.below(2) == 0 ? Vec3<>{0, 0, 0} : uniform_direction(stream)};
}

Shape random_solid(RandomStream& stream) {
  const double a = stream.uniform(0.01, 1.0), b = stream.uniform(0.01, 1.0);
  switch (stream.below(6)) {
    case 0:
      return Box{{a, b, a}};
    case 1:
      return Sphere{a};
    case 2:
      return Ellipsoid{{a, b, b}};
    case 3:
      return Cylinder{a, b};
    case 4:
      return Capsule{a, b};
    default:
      return Cone{a, b};
  }
}

void add_random_elements(RandomStream& stream, SceneSpec& spec) {
  const ModelSpec& model = spec.model;
  for (const JointSpec& joint : model.joints) {
    const int nv = facts(joint.kind).nv, dof = static_cast<int>(stream.below(static_cast<std::uint64_t>(nv)));
    MotorSpec motor;
    motor.name = stream.below(2) == 0 ? joint.name + "_motor" : "motor of \"" + joint.name + "\"";
    motor.joint = joint.name;
    motor.dof = dof;
    motor.effort = *command_expression("cos(t) - " + exact_text(stream.uniform()) + "*v");
    motor.gear = stream.uniform(0.5, 2.0);
    motor.rotor_inertia = stream.uniform(0.0, 0.1);
    motor.effort_limit = stream.uniform(1.0, 9.0);
    motor.sampling = {stream.uniform(0.001, 0.01), stream.uniform(), stream.uniform(0.0, 0.1)};
    spec.motors.push_back(motor);
    spec.controllers.push_back({joint.name + "_controller", joint.name, dof, random_drive(stream), 1.0 / 3.0,
                                stream.uniform(), stream.uniform(), random_drive(stream), stream.uniform(1.0, 2.0)});
    if (joint.kind != JointKind::spherical && joint.kind != JointKind::free)
      spec.joint_springs.push_back({joint.name + "_spring", joint.name, dof, stream.uniform(), stream.uniform(),
                                    stream.uniform(), stream.uniform()});
  }
  const Vec3<> some = uniform_direction(stream);
  spec.line_springs.push_back(
      {"line", {}, random_place(stream, model), stream.uniform(), stream.uniform(), 0.1, 0.7, stream.below(2) == 0});
  spec.bushings.push_back(
      {"seat", kWorld, model.bodies[0].name, {1, 2, 1.0 / 3.0}, {1, 1, 1}, some, {3, 2, 1}, {0.1, 0.2, 0.3}, some});
  BodyForceSpec force;
  force.name = "push";
  force.at = random_place(stream, model);
  for (Drive& drive : force.force) drive = random_drive(stream);
  force.axes = ForceAxes::body;
  spec.body_forces.push_back(force);
  spec.drags.push_back({"air", random_place(stream, model), 0.1, stream.uniform(), 0.3, stream.uniform(), some});
  spec.events.push_back({"late", "t - 1/3", EventDirection::rising, true});
  SensorSpec sensor;
  sensor.name = "pose";
  sensor.place = model.bodies[0].name;
  spec.sensors.push_back(sensor);
}

SceneSpec random_scene(RandomStream& stream) {
  SceneSpec spec;
  spec.model = random_spec(stream, {.links = 6, .passive = true, .couplings = true});
  for (JointSpec& joint : spec.model.joints) {  // as a reader makes them
    joint.passive.assign(static_cast<std::size_t>(facts(joint.kind).nv), joint.passive[0]);
    const JointSpec usual;
    if (axis_count(joint.kind) < 1) joint.axis = usual.axis;
    if (axis_count(joint.kind) < 2) joint.second_axis = usual.second_axis;
    if (joint.kind != JointKind::screw) joint.pitch_m_per_rad = 0.0;
    if (facts(joint.kind).nv == 1)
      joint.limits = {{-stream.uniform(1.0, 2.0), stream.uniform(1.0, 2.0), stream.uniform(1.0, 9.0), 1.0 / 3.0}};
    if (stream.below(2) == 0 && facts(joint.kind).nv == 1) spec.joint_limits.push_back({joint.name, stream.uniform()});
  }
  spec.model.frames.push_back({"tip", spec.model.bodies.back().name, random_pose(stream)});
  for (const BodySpec& body : spec.model.bodies) {
    for (std::uint64_t i = stream.below(3); i > 0; --i) {
      BodyShape shape{body.name, random_solid(stream), random_pose(stream), stream.below(2) == 0 ? "#102030" : "", {}};
      if (stream.below(3) > 0) {
        ContactShapeSpec touched{body.name, HalfSpace{}, shape.X_BS};
        std::visit(
            [&](const auto& one) {
              if constexpr (!std::is_same_v<std::decay_t<decltype(one)>, TriangleMesh>) touched.shape = one;
            },
            shape.shape);
        touched.material = "rubber";
        if (spec.contact.shapes.size() % 3 == 0) touched.surface_velocity.linear = {0.1, 1.0 / 3.0, -2.0};
        if (spec.contact.shapes.size() % 3 == 1) touched.surface_velocity.around = {0.0, 0.7, 0.0};
        spec.contact.shapes.push_back(std::move(touched));
      }
      if (stream.below(4) > 0) spec.shapes.push_back(std::move(shape));
    }
  }
  spec.planes.push_back({random_pose(stream), "#aabbcc"});
  spec.contact.shapes.push_back({kWorld, HalfSpace{}, spec.planes[0].X_WS, "ice"});
  spec.contact.surfaces = {{"rubber", {0.5, 0.7, 0.9, 0.01, 1.0 / 3.0}}, {"ice", {}}};
  spec.contact.pairs.push_back({"rubber", "ice", {0.1, 0.2, 0.2, 0.0, 0.0}});
  spec.contact.law = ImpactLaw::newton;
  add_random_elements(stream, spec);
  spec.run.duration = stream.uniform();
  spec.run.largest_step = stream.uniform();
  spec.run.rows = 77;
  return spec;
}

TEST_CASE("a random scene is the same after it was written") {
  RandomStream stream(20261116, 31);
  for (int round = 0; round < 100; ++round) {
    CAPTURE(round);
    const SceneSpec spec = random_scene(stream);
    const Back again = back(spec);
    REQUIRE(again.spec.ok());
    CHECK(again.written.losses.empty());
    SceneSpec read = *again.spec;
    settle_inertias(spec, read);
    CHECK(difference(spec_text(spec), spec_text(read)) == "");
  }
}

TEST_CASE("angles are found whose rotation has the same bits, or nearly") {
  RandomStream stream(20261116, 32);
  double worst = 0.0;
  for (int round = 0; round < 2000; ++round) {
    Mat3<> R = rotation_matrix(uniform_rotation(stream));
    if (round % 4 == 1) R = rotation_of_rpy({stream.uniform(-3.0, 3.0), kPi<double> / 2, stream.uniform(-3.0, 3.0)});
    if (round % 4 == 2) R = rotation_of_rpy({stream.uniform(-3.0, 3.0), -1.570796, stream.uniform(-3.0, 3.0)});
    if (round % 4 == 3) R = transpose(exp_so3(Vec3<>{0.0, stream.uniform(1.570795, 1.570797), 0.0})) * R;
    const RpyNumbers found = rpy_of(R);
    worst = std::max(worst, found.error);
    const Mat3<> again = rotation_of_rpy(found.rpy);
    for (int i = 0; i < 3; ++i) CHECK(norm(row(again, i) - row(R, i)) <= 2.0 * found.error);
  }
  MESSAGE("worst entry of a rotation after roll, pitch and yaw: " << worst);
  CHECK(worst <= 0x1p-50);
  // As people write them.
  for (const Vec3<>& rpy :
       {Vec3<>{0, 0, 1.5708}, Vec3<>{-1.57079632679, 0, 0}, Vec3<>{3.14159, 0, -1.5708}, Vec3<>{0.1, -0.2, 0.3},
        Vec3<>{1.5707963267948966, 0, 1.5707963267948966}, Vec3<>{0, 1.5708, 3.1416}, Vec3<>{0, -1.570796, 0},
        Vec3<>{3.14159, 1.570796326794897, 0.3}, Vec3<>{-1.5708, 1.57079632679, 0}, Vec3<>{0, 3.14159265359, 0}}) {
    CAPTURE(rpy.x);
    CAPTURE(rpy.y);
    CAPTURE(rpy.z);
    const RpyNumbers found = rpy_of(rotation_of_rpy(rpy));
    CHECK(found.error == 0.0);
    CHECK(exact_text(found.rpy.x).size() <= 20);
  }
}

TEST_CASE("inertias that were given by decimals are told by them again") {
  const SymMat3<> I_c{0.0123, -1e-5, 0.0, 0.034, 2.5e-4, 0.0402};
  const CentralInertia found = central_inertia(spatial_inertia(1.37, Vec3<>{0.1, -0.033, 1e-3}, I_c));
  CHECK(same_numbers(found.center, {0.1, -0.033, 1e-3}));
  CHECK(found.inertia.xx == 0.0123);
  CHECK(found.inertia.xy == -1e-5);
  CHECK(found.inertia.zz == 0.0402);
  const CentralInertia point = central_inertia(spatial_inertia(2.0, Vec3<>{0.3, 0.0, -0.7}, SymMat3<>{}));
  CHECK(point.inertia.xx == 0.0);
  CHECK(point.inertia.xz == 0.0);
}

TEST_CASE("what is written can be read by people") {
  const Result<SceneSpec> spec = read_scene_text(R"(name = "press"
[[body]]
name = "nut"
shape = { cylinder = { radius = "20 mm", length = "15 mm" } }
density = 8500
joint = { type = "screw", lead = "2 mm/rev", damping = "1e-4 N m s/rad" }
initial = { v = "10 rad/s" }
[[motor]]
joint = "nut"
effort = "0.02 * sin(2*pi*t) - 0.001*v"
)",
                                                 "press.toml");
  REQUIRE(spec.ok());
  CHECK(write_scene(*spec).text ==
        R"(# A scene, written by Pintle. Numbers are in SI units and radians unless they say otherwise.
name = "press"

[[body]]
name = "nut"
density = "8500 kg/m^3"
shape = { cylinder = { radius = "0.02 m", length = "0.015 m" } }
initial = { v = "10 rad/s" }
joint = { type = "screw", lead = "0.002 m/rev", damping = "1e-04 N m s/rad" }

[[motor]]
joint = "nut"
effort = "0.02 * sin(2*pi*t) - 0.001*v"
)");
}

TEST_CASE("what a scene file cannot say is listed") {
  RandomStream stream(20261116, 33);
  SceneSpec spec = random_scene(stream);
  DriveTable table;
  table.rows = {{0.0, 0.0}, {1.0, 1.0}};
  spec.controllers[0].target = *table_drive(table);
  spec.contact.shapes[0].groups = {5, 7};
  const WrittenScene written = write_scene(spec);
  REQUIRE(written.losses.size() == 2);
  CHECK(written.losses[0].what.starts_with("the contact groups of body"));
  CHECK(written.losses[1].how == "its table is from no file");
}

}  // namespace
}  // namespace pintle
