#include "pintle/io/report/report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "io/sample_run.h"
#include "pintle/base/usage_error.h"
#include "pintle/io/recording/events_kept.h"
#include "pintle/io/recording/run_json.h"
#include "pintle/io/recording/sink_group.h"
#include "pintle/io/report/report_page.h"
#include "pintle/simulation/run/row_bodies.h"
#include "pintle/text/json.h"

using namespace pintle;
namespace {

std::string bytes_of(const std::string& base64) {
  static const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t word = 0;
  int bits = 0;
  for (const char c : base64) {
    if (c == '=') break;
    word = word << 6 | static_cast<std::uint32_t>(letters.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<char>(word >> bits & 255));
  }
  return bytes;
}

template <class Number>
std::vector<Number> numbers_of(const Json& base64) {
  const std::string bytes = bytes_of(base64.as_string());
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

/// A run and the data of its report.
struct Run {
  Scene scene;
  RecordingOutline outline;
  std::string data;

  explicit Run(SceneSpec spec, const ReportLimits& limits = {}) : scene(compile(spec).value()) {
    Simulation simulation(scene);
    EventsKept events;
    RecordSink* const sinks[] = {&outline, &events};
    SinkGroup group(sinks);
    const RunReport report = simulation.run({.sink = &group});
    const std::string json = run_json(simulation, report, {.events = events.events()});
    data =
        report_data(scene, outline, {.run_json = json, .command = "pintle run sample", .about = "A sample."}, limits);
  }
};

/// The sample with shapes, a mesh, a spring and a name that is a script.
SceneSpec spec_with_shapes() {
  SceneSpec spec = sample_spec();
  spec.shapes.push_back({.body = "upper",
                         .shape = Box{{0.3, 0.05, 0.04}},
                         .X_BS = {identity3<double>(), {0.15, 0.0, 0.0}},
                         .color = "#aabbcc"});
  spec.shapes.push_back({.body = "stone", .shape = Cone{0.1, 0.2}});
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  spec.shapes.push_back({.body = "lower", .shape = mesh});
  LineSpringSpec spring;
  spring.name = "rope";
  spring.first = {.on = "stone", .point = {0.0, 0.1, 0.0}};
  spring.second = {.on = "world", .point = {0.0, 0.0, 5.0}};
  spring.stiffness = 1.0;
  spec.line_springs.push_back(spring);
  spec.model.name = "<script>alert(1)</script>";
  return spec;
}

}  // namespace

TEST_CASE("report: bodies, shapes, joints with axes, springs and meshes are those of the scene") {
  const Json data = Json::parse(Run(spec_with_shapes()).data).value();
  CHECK(data["format"] == "pintle-report");
  CHECK(data["command"] == "pintle run sample");
  CHECK(data["run"]["format"] == "pintle-run");
  const Json& scene = data["scene"];
  CHECK(scene["name"] == "<script>alert(1)</script>");
  CHECK(scene["about"] == "A sample.");
  REQUIRE(scene["bodies"].size() == 4);
  CHECK(scene["bodies"][1]["parent"] == 0);
  CHECK(scene["bodies"][2]["parent"] == -1);
  CHECK(scene["bodies"][0]["com"][0].as_number() == doctest::Approx(0.15));
  CHECK(scene["bodies"][0]["inertia"][3].as_number() == doctest::Approx(4e-3));
  CHECK(scene["bodies"][0]["shapes"][0]["size"] == Json({0.3, 0.05, 0.04}));
  CHECK(scene["bodies"][0]["shapes"][0]["p"] == Json({0.15, 0.0, 0.0}));
  CHECK(scene["bodies"][0]["shapes"][0]["color"] == "#aabbcc");
  CHECK(scene["bodies"][3]["shapes"][0]["color"].is_null());
  CHECK(scene["bodies"][3]["shapes"][0]["height"] == 0.2);
  CHECK(scene["bodies"][1]["shapes"][0]["mesh"] == 0);
  CHECK(numbers_of<float>(scene["meshes"][0]["vertices"]).size() == 12);
  CHECK(numbers_of<std::uint32_t>(scene["meshes"][0]["triangles"])[3] == 0);
  const Json& slide = scene["joints"][2];
  CHECK(slide["type"] == "prismatic");
  CHECK(slide["axes"][0]["kind"] == "prismatic");
  CHECK(slide["axes"][0]["axis"][0].as_number() == doctest::Approx(1.0));
  CHECK(slide["axes"][0]["pitch"].is_null());
  CHECK(scene["joints"][1]["axes"][0]["kind"] == "revolute");
  CHECK(scene["joints"][1]["axes"][0]["axis"][1].as_number() == doctest::Approx(1.0));
  CHECK(scene["joints"][1]["lower"][0] == -0.8);
  CHECK(scene["joints"][0]["lower"][0].is_null());
  CHECK(scene["joints"][3]["axes"].empty());
  CHECK(scene["springs"][0]["a"] == Json({{"body", 3}, {"p", {0.0, 0.1, 0.0}}}));
  CHECK(scene["springs"][0]["b"] == Json({{"body", -1}, {"p", {0.0, 0.0, 5.0}}}));
}

TEST_CASE("report: a shape with holes is a mesh, and a mesh of several colours is several of them") {
  SceneSpec spec = spec_with_shapes();
  BodyShape plate{spec.model.bodies[0].name, Box{{1.0, 1.0, 0.1}}};
  plate.color = "#123456";
  plate.holes = {{Cylinder{0.2, 0.1}}};
  BodyShape painted = plate;
  painted.shape =
      TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
  painted.holes.clear();
  painted.mesh.colors = {{1, "#ff0000"}, {2, ""}, {3, "#ff0000"}};
  spec.shapes.push_back(plate);
  spec.shapes.push_back(painted);
  const Json data = Json::parse(Run(spec).data).value();
  const Json& scene = data["scene"];
  const Json& shapes = scene["bodies"][0]["shapes"];
  const std::size_t n = shapes.size();
  REQUIRE(n >= 4);
  CHECK(shapes[n - 3]["kind"] == "mesh");
  CHECK(shapes[n - 3]["color"] == "#123456");
  const auto triangles = [&](std::size_t k) {
    const Json& mesh = scene["meshes"][static_cast<std::size_t>(shapes[k]["mesh"].as_number())];
    return numbers_of<std::uint32_t>(mesh["triangles"]).size() / 3;
  };
  CHECK(triangles(n - 3) > 96u * 2u);
  CHECK(shapes[n - 2]["color"] == "#123456");  // without one of its own
  CHECK(triangles(n - 2) == 2u);
  CHECK(shapes[n - 1]["color"] == "#ff0000");
  CHECK(triangles(n - 1) == 2u);
}

TEST_CASE("report: an axis of a screw has its pitch, the first of a universal joint is on the parent") {
  const SpatialInertia<> bar = spatial_inertia(0.5, Vec3<>{0.15, 0.0, 0.0}, diagonal(Vec3<>{1e-3, 4e-3, 4e-3}));
  ModelBuilder model("axes");
  model.body("nut", bar).screw({0, 1, 0}, 0.02, "thread").at({0.0, 0.0, 1.0});
  model.body("cross", bar).universal({1, 0, 0}, {0, 1, 0}, "cardan").at({0.3, 0.0, 0.0});
  SceneSpec spec;
  spec.model = model.spec();
  spec.initial.push_back({.joint = "cardan", .q = {0.4, 0.7}, .v = {}});
  spec.run.duration = 0.01;
  const Json data = Json::parse(Run(spec).data).value();
  const Json& screw = data["scene"]["joints"][0]["axes"][0];
  CHECK(screw["kind"] == "screw");
  CHECK(screw["pitch"].as_number() == doctest::Approx(0.02));
  CHECK(screw["body"] == 0);
  CHECK(screw["axis"][1].as_number() == doctest::Approx(1.0));
  const Json& first = data["scene"]["joints"][1]["axes"][0];
  const Json& second = data["scene"]["joints"][1]["axes"][1];
  CHECK(first["body"] == 0);
  CHECK(first["p"][0].as_number() == doctest::Approx(0.3));
  CHECK(first["axis"][0].as_number() == doctest::Approx(1.0));
  CHECK(second["body"] == 1);
  CHECK(second["axis"][1].as_number() == doctest::Approx(1.0));
}

TEST_CASE("report: poses, twists and wrenches are those of the rows") {
  const Run run(spec_with_shapes());
  const Json data = Json::parse(run.data).value();
  const Json& frames = data["frames"];
  const Model& model = run.scene.model();
  const std::size_t count = frames["count"].as<std::size_t>(), bodies = model.bodies().size();
  const std::vector<double> t = numbers_of<double>(frames["t"]);
  const std::vector<float> poses = numbers_of<float>(frames["poses"]), twists = numbers_of<float>(frames["twists"]);
  const std::vector<float> wrenches = numbers_of<float>(frames["wrenches"]);
  REQUIRE(t.size() == count);
  REQUIRE(poses.size() == count * bodies * 7);
  REQUIRE(twists.size() == count * bodies * 6);
  REQUIRE(wrenches.size() == count * model.joints().size() * 6);
  REQUIRE(numbers_of<float>(frames["momentum"]).size() == count * 6);
  REQUIRE(numbers_of<float>(frames["com"]).size() == count * 3);
  RowBodies at(run.scene);
  const std::span<const double> last = run.outline.kept_row(run.outline.kept_rows() - 1);
  const std::size_t nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
  REQUIRE(at.find(last[0], last.subspan(1, nq), last.subspan(1 + nq, nv), last.subspan(1 + nq + nv, nv)));
  CHECK(t.back() == last[0]);
  const std::size_t stone = bodies - 1;
  const Place place = body_place(model, static_cast<int>(stone));
  const double origin = frames["origin"][2].as_number();
  const float* const pose = poses.data() + ((count - 1) * bodies + stone) * 7;
  const float* const twist = twists.data() + ((count - 1) * bodies + stone) * 6;
  CHECK(pose[2] == static_cast<float>(pose_of(at.places(), place).translation.z - origin));
  CHECK(twist[4] == static_cast<float>(velocity_of(at.places(), place, Axes::local_world_aligned).angular.y));
  const float length = std::sqrt(pose[3] * pose[3] + pose[4] * pose[4] + pose[5] * pose[5] + pose[6] * pose[6]);
  CHECK(length == doctest::Approx(1.0).epsilon(1e-6));
}

TEST_CASE("report: columns have their group, unit and numbers, and their extremes over all rows") {
  const Run run(spec_with_shapes());
  const Json data = Json::parse(run.data).value();
  CHECK(data["columns"].size() + 1 == run.outline.columns().size());
  CHECK(data["rows"]["thinned"] == false);
  const std::vector<double> times = numbers_of<double>(data["times"][0]);
  REQUIRE(times.size() == run.outline.kept_rows());
  const auto elbow = std::find_if(data["columns"].begin(), data["columns"].end(),
                                  [](const Json& column) { return column["name"] == "q.elbow"; });
  REQUIRE(elbow != data["columns"].end());
  CHECK((*elbow)["group"] == "coordinates");
  CHECK((*elbow)["unit"] == "rad");
  CHECK((*elbow)["lowest"].as_number() == doctest::Approx(-0.8));
  const std::vector<float> y = numbers_of<float>((*elbow)["y"]);
  const std::size_t column = static_cast<std::size_t>(run.outline.column_number("q.elbow"));
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(y[i] == static_cast<float>(run.outline.kept_row(i)[column]));
  CHECK(data["events"].size() > 0);
  CHECK_FALSE(data["run"].contains("events"));
}

TEST_CASE("report: numbers beyond float are written as double") {
  SceneSpec spec = spec_with_shapes();
  RecordingOutline outline;
  const std::vector<Column> columns{{"t", "s"}, {"x", "m"}, {"y", "m"}};
  REQUIRE(outline.begin(columns).ok());
  for (int i = 0; i < 3; ++i) REQUIRE(outline.row(std::array{1.0 * i, -1e40 * i, 3e38 * i / 2}).ok());
  // Rows of another scene have no motion; their columns are all the same.
  const Scene scene = compile(SceneSpec{}).value();
  const Json data = Json::parse(report_data(scene, outline, {.run_json = "{\"events\": []}"})).value();
  CHECK(data["columns"][0]["type"] == "f64");
  CHECK(numbers_of<double>(data["columns"][0]["y"]) == std::vector<double>{0.0, -1e40, -2e40});
  CHECK(data["columns"][1]["type"] == "f32");
}

TEST_CASE("report: long runs are thinned to the limits, and it says so") {
  const ReportLimits limits{.plot_numbers = 5000, .motion_numbers = 5000, .events = 1};
  const Run run(spec_with_shapes(), limits);
  const Json data = Json::parse(run.data).value();
  CHECK(data["rows"]["thinned"] == true);
  CHECK(data["rows"]["total"] == run.outline.rows());
  const std::size_t drawn = data["rows"]["drawn"].as<std::size_t>();
  CHECK(drawn * run.outline.columns().size() <= limits.plot_numbers);
  CHECK(numbers_of<double>(data["times"][0]).size() == drawn);
  CHECK(numbers_of<double>(data["times"][0]).back() == run.outline.kept_row(run.outline.kept_rows() - 1)[0]);
  CHECK(data["frames"]["count"].as<std::size_t>() * (4 * 13 + 4 * 6 + 9) <= limits.motion_numbers);
  CHECK(data["events"].size() == 1);
  CHECK(data["run"]["events_left_out"].as<int>() > 0);
}

TEST_CASE("report: nothing in the data ends its element, and the page keeps its own text") {
  const Run run(spec_with_shapes());
  const std::string html = page_with_data(
      "<p>before</p><script id=\"pintle-data\" type=\"application/json\">{}</script><p>after</p>", run.data);
  CHECK(html.starts_with("<p>before</p><script id=\"pintle-data\""));
  CHECK(html.ends_with("</script><p>after</p>"));
  const std::size_t begin = html.find("json\">") + 6;
  const std::string text = html.substr(begin, html.rfind("</script>") - begin);
  CHECK(text.find_first_of("<>&") == std::string::npos);
  CHECK(Json::parse(text).value() == Json::parse(run.data).value());
  CHECK_THROWS_AS(page_with_data("<p></p>", "{}"), UsageError);
  CHECK(report_page().find("<script id=\"pintle-data\" type=\"application/json\">{}</script>") !=
        std::string_view::npos);
}

TEST_CASE("report: what is not run.json is refused") {
  const Run run(sample_spec());
  CHECK_THROWS_AS(report_data(run.scene, run.outline, {.run_json = "[]"}), UsageError);
}

TEST_CASE("report: the forces of contacts are those of the instants, and joints carry what they leave") {
  SceneSpec spec = sample_spec();
  ContactShapeSpec floor, stone;
  floor.body = std::string(kWorld);
  floor.shape = HalfSpace{};
  stone.body = "stone";
  stone.shape = Box{{0.2, 0.2, 0.2}};
  floor.material = stone.material = "rock";
  spec.contact.shapes = {floor, stone};
  spec.contact.surfaces.push_back({"rock", {0.0, 0.3, 0.3}, {}});
  spec.initial.back() = {.joint = "flight", .q = {2.0, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0}, .v = {1.0, 0, 0, 0, 0, 0}};
  spec.run.duration = 0.5;
  const Run run(spec);
  const Json frames = Json::parse(run.data).value()["frames"];
  const std::size_t count = frames["count"].as<std::size_t>(), joints = run.scene.model().joints().size();
  const Json& contacts = frames["contacts"];
  const std::vector<std::uint32_t> first = numbers_of<std::uint32_t>(contacts["first"]);
  const std::vector<std::int32_t> who = numbers_of<std::int32_t>(contacts["who"]);
  const std::vector<float> points = numbers_of<float>(contacts["points"]);
  const std::vector<float> forces = numbers_of<float>(contacts["normal_forces"]);
  const std::vector<float> friction = numbers_of<float>(contacts["friction"]);
  REQUIRE(first.size() == count + 1);
  REQUIRE(who.size() == 3 * first.back());
  REQUIRE(points.size() == who.size());
  REQUIRE(friction.size() == who.size());
  CHECK(numbers_of<float>(contacts["moments"]).size() == who.size());
  const std::vector<float> wrenches = numbers_of<float>(frames["wrenches"]);
  const double origin = frames["origin"][2].as_number();
  bool slid = false, stuck = false;
  for (std::size_t i = 0; i < count; ++i) {
    REQUIRE(first[i + 1] == first[i] + 4);
    double up = 0.0, along = 0.0;
    for (std::size_t c = first[i]; c < first[i + 1]; ++c) {
      CHECK((who[3 * c] == -1 && who[3 * c + 1] == 3));
      CHECK(std::abs(points[3 * c + 2] + origin) < 1e-6);
      up += static_cast<double>(forces[3 * c + 2]);
      along += static_cast<double>(friction[3 * c]);
      slid = slid || who[3 * c + 2] == 1;
      stuck = stuck || who[3 * c + 2] == 0;
    }
    CHECK(up == doctest::Approx(9.81).epsilon(1e-6));
    CHECK(std::abs(along + (who[3 * first[i] + 2] == 1 ? 0.3 * 9.81 : 0.0)) < 1e-5);
    for (std::size_t k = 0; k < 6; ++k) CHECK(wrenches[(i * joints + 3) * 6 + k] == 0.0f);
  }
  CHECK((slid && stuck));
  CHECK(Json::parse(Run(sample_spec()).data).value()["frames"]["contacts"].is_null());
}
