#include <cmath>

#include "pintle/geometry/check_inertia.h"
#include "pintle/geometry/mass_properties.h"
#include "pintle/geometry/material.h"
#include "pintle/io/quantity.h"
#include "pintle/io/read_mesh.h"
#include "pintle/io/scene_reader.h"
#include "pintle/model/sound_spec.h"

namespace pintle {
namespace {

constexpr Dimension kInertia = kMass * power(kLength, 2);
constexpr double kNone = __builtin_nan("");

/// Problems of something that was made of a table: they stand where it does.
void add_all(TomlFile& file, const Diagnostics& problems, const Origin& origin, const std::string& who) {
  for (Diagnostic problem : problems) {
    if (problem.origin.line == 0) problem.origin = origin;
    problem.what = who + ": " + problem.what;
    file.add(std::move(problem));
  }
}

/// The unit of a mesh's numbers [m]: "mm", or "25.4 mm".
double read_mesh_unit(TomlTable& table) {
  const std::string given = table.text("unit", "m");
  const bool begins_with_number = !given.empty() && (given[0] == '.' || (given[0] >= '0' && given[0] <= '9'));
  Origin origin = table.text_origin_of("unit");
  if (!begins_with_number && origin.column > 0) origin.column -= 2;
  const Result<double> unit =
      read_quantity_of((begins_with_number ? "" : "1 ") + given, kLength, table.who() + ": 'unit'", origin);
  table.file().add(unit.diagnostics());
  if (!unit) return 1.0;
  if (!(*unit > 0.0)) table.problem("unit", "scene-range", "'unit' is not above zero", "", "write \"mm\"");
  return *unit > 0.0 ? *unit : 1.0;
}

Shape read_mesh_shape(SceneReader& scene, TomlTable& table, bool only_seen) {
  const std::string file = table.text("file");
  const double unit = read_mesh_unit(table);
  if (file.empty()) return Sphere{1.0};
  Result<TriangleMesh> mesh = read_scene_mesh(scene, file, table.text_origin_of("file"), unit, only_seen);
  add_all(table.file(), mesh.diagnostics(), table.text_origin_of("file"), table.who());
  return mesh ? Shape(*std::move(mesh)) : Shape(Sphere{1.0});
}

Shape read_solid(SceneReader& scene, TomlTable& table, std::string_view name, bool only_seen) {
  if (name == "box") return Box{table.vector("size", {1, 1, 1})};
  if (name == "sphere") return Sphere{table.quantity("radius", 1.0)};
  if (name == "ellipsoid") return Ellipsoid{table.vector("semi_axes", {1, 1, 1})};
  if (name == "cylinder") return Cylinder{table.quantity("radius", 1.0), table.quantity("length", 1.0)};
  if (name == "capsule") return Capsule{table.quantity("radius", 1.0), table.quantity("length", 1.0)};
  if (name == "cone") return Cone{table.quantity("radius", 1.0), table.quantity("height", 1.0)};
  return read_mesh_shape(scene, table, only_seen);
}

/// The one of box, sphere, ... that a table gives; a sphere when it gives none, which is a problem.
Shape read_any_solid(SceneReader& scene, TomlTable& table, bool only_seen) {
  static constexpr std::string_view kNames[] = {"box", "sphere", "ellipsoid", "cylinder", "capsule", "cone", "mesh"};
  int given = 0;
  Shape shape = Sphere{1.0};
  for (const std::string_view name : kNames) {
    if (!table.has(name)) continue;
    ++given;
    TomlTable solid = table.table(name);
    shape = read_solid(scene, solid, name, only_seen);
    solid.finish();
  }
  if (given != 1 && table.is_table()) {
    table.file().add(
        table.origin(), "scene-shape", table.who() + " has " + (given == 0 ? "no shape" : "several shapes"),
        "it is one of box, sphere, ellipsoid, cylinder, capsule, cone, mesh",
        given == 0 ? "write { box = { size = [1, 1, 1] } }, say" : "write shapes = [{...}, {...}] for several");
  }
  return shape;
}

/// How the mass of a body or of a shape is given: not at all, or in one of three ways.
struct MassGiven {
  double mass = kNone;
  double density = kNone;  // of a material too
  std::string color{};     // of the material
  const char* key = nullptr;
};

MassGiven read_mass(SceneReader& scene, TomlTable& table) {
  MassGiven given;
  for (const char* const key : {"mass", "density", "material"}) {
    if (!table.has(key)) continue;
    if (given.key != nullptr) {
      table.problem(key, "scene-conflict", std::string("both '") + given.key + "' and '" + key + "' are given",
                    "which of them counts?", "leave one of them out");
    }
    given.key = key;
  }
  given.mass = table.quantity("mass", kNone);
  given.density = table.quantity("density", kNone);
  const std::string material = table.text("material");
  if (material.empty()) return given;
  for (const BodyMaterial& own : scene.materials) {
    if (own.name != material) continue;
    given.density = own.density;
    given.color = own.color;
    return given;
  }
  const Result<Material> common = find_material(material);
  given.density = common ? common->density : 1000.0;
  if (common || scene.names.lost()) return given;
  std::vector<std::string> known;
  for (const BodyMaterial& own : scene.materials) known.push_back(own.name);
  for (const Material& one : materials()) known.push_back(one.name);
  table.problem("material", "scene-material", "there is no material '" + material + "'",
                "it is neither one of the scene's own nor a common one",
                did_you_mean(material, known, "add [material." + material + "] with its density"));
  return given;
}

/// What a body weighs: by numbers, or of its shapes.
class InertiaReader {
 public:
  InertiaReader(SceneReader& scene, TomlTable& table) : scene_(scene), table_(table) {}

  SpatialInertia<> read(const std::string& body) {
    given_ = read_mass(scene_, table_);
    color_ = read_color(table_, given_.color);
    const bool has_shapes = table_.has("shape") || table_.has("shapes");
    by_numbers_ = table_.has("inertia") || !has_shapes;
    if (table_.has("shape") && table_.has("shapes")) {
      table_.problem("shapes", "scene-conflict", "both 'shape' and 'shapes' are given", "", "put all into 'shapes'");
    }
    if (by_numbers_ && !std::isnan(given_.density)) {
      table_.problem(given_.key, "scene-conflict", "its density says nothing about its mass",
                     has_shapes ? "with 'inertia' its mass is given by numbers" : "it has no shape",
                     has_shapes ? "give its mass instead" : "give its mass, or add a shape");
    }
    if (!by_numbers_ && table_.has("center")) {
      table_.problem("center", "scene-conflict", "its centre of mass follows from its shapes", "",
                     "leave 'center' out, or give 'inertia' too");
    }
    if (table_.has("shape")) read_shape(table_.table("shape"), body);
    for (TomlTable& shape : table_.tables("shapes", table_.who() + ", shapes")) read_shape(std::move(shape), body);
    table_.ignore("center");
    return by_numbers_ ? of_numbers() : of_shapes();
  }

 private:
  void read_shape(TomlTable shape, const std::string& body) {
    const Origin origin = shape.origin();
    const Pose<> X_BS = read_pose(shape);
    const MassGiven given = read_mass(scene_, shape);
    BodyShape part{body, read_any_solid(scene_, shape, by_numbers_), X_BS,
                   read_color(shape, given.color.empty() ? color_ : given.color), origin};
    shape.finish();
    if (given.key != nullptr && (by_numbers_ || !std::isnan(given_.mass))) {
      shape.problem(given.key, "scene-conflict", "the mass of the whole body is given already",
                    "a shape cannot have its own besides", "leave one of the two out");
    }
    if (shape.is_sound() && !by_numbers_) weigh(part, given, shape);
    scene_.spec.shapes.push_back(std::move(part));
  }

  void weigh(const BodyShape& part, const MassGiven& given, TomlTable& shape) {
    const double density = std::isnan(given.density) ? given_.density : given.density;
    if (std::isnan(density) && std::isnan(given.mass) && std::isnan(given_.mass)) {
      scene_.file->add(shape.origin(), "scene-mass", shape.who() + " has no mass",
                       "without a mass, a density or a material it cannot be weighed",
                       "add mass = \"2 kg\", density = \"7850 kg/m^3\" or material = \"steel\"");
      return;
    }
    // Without any density of their own, shapes share the body's mass by volume.
    const Result<SpatialInertia<>> inertia =
        !std::isnan(given.mass) ? inertia_from_mass(part.shape, given.mass, part.X_BS)
                                : inertia_from_density(part.shape, std::isnan(density) ? 1.0 : density, part.X_BS);
    add_all(*scene_.file, inertia.diagnostics(), shape.origin(), shape.who());
    if (inertia) sum_ = sum_ + *inertia;
  }

  SpatialInertia<> of_shapes() {
    if (std::isnan(given_.mass)) return sum_;
    if (given_.mass == 0.0) {
      table_.problem("mass", "scene-range", "a body with a shape has a mass above zero", "", "give it, or a density");
    }
    const double scale = sum_.mass > 0.0 ? given_.mass / sum_.mass : 1.0;
    return {scale * sum_.mass, scale * sum_.first_moment, scale * sum_.inertia};
  }

  SpatialInertia<> of_numbers() {
    const Vec3<> center = table_.vector("center", {0, 0, 0});
    SymMat3<> I{};
    if (const TomlValue* const value = table_.value("inertia"); value != nullptr) {
      const std::vector<Dimension> dimensions(value->items.size() == 6 ? 6 : 3, kInertia);
      const std::vector<double> x = table_.quantities("inertia", dimensions);
      if (x.size() >= 3) {
        I.xx = x[0];
        I.yy = x[1];
        I.zz = x[2];
      }
      if (x.size() == 6) {
        I.xy = x[3];
        I.xz = x[4];
        I.yz = x[5];
      }
    }
    if (!std::isnan(given_.mass)) return spatial_inertia(given_.mass, center, I);
    if (std::isnan(given_.density)) {
      scene_.file->add(table_.origin(), "scene-mass", table_.who() + " has no mass", "",
                       "add mass = \"2 kg\", or a shape with a density");
    }
    return {};
  }

  SceneReader& scene_;
  TomlTable& table_;
  MassGiven given_;
  std::string color_;
  bool by_numbers_ = false;
  SpatialInertia<> sum_{};
};

}  // namespace

std::string read_color(TomlTable& table, const std::string& fallback) {
  const std::string color = table.text("color");
  if (color.empty()) return fallback;
  const bool is_color =
      color.size() == 7 && color[0] == '#' && color.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
  if (!is_color)
    table.problem("color", "scene-color", "'" + color + "' is no color", "", "write \"#rrggbb\": \"#c0a040\"");
  return is_color ? color : fallback;
}

void read_material(SceneReader& scene, TomlTable& table, const std::string& name) {
  BodyMaterial material;
  material.name = name;
  material.density = table.quantity("density", 1000.0);
  material.color = read_color(table, {});
  material.origin = table.origin();
  table.finish();
  for (const BodyMaterial& other : scene.materials) {
    if (other.name != name) continue;
    table.file().add(table.origin(), "scene-name-twice", "a second material is called '" + name + "'",
                     "the first is in " + other.origin.file + ", line " + std::to_string(other.origin.line),
                     "rename one of them");
  }
  scene.materials.push_back(std::move(material));
}

void read_body(SceneReader& scene, TomlTable& table) {
  BodySpec body;
  body.name = scene.names.give(table, NameKind::body);
  const bool is_named = table.is_sound();
  body.origin = table.origin_of(table.has("inertia") ? "inertia" : "name");
  body.inertia = InertiaReader(scene, table).read(body.name);
  const bool has_inertia = table.is_sound();
  TomlTable joint_table = table.table("joint");
  ReadJoint joint = read_joint(scene, joint_table, body, !table.has("joint"));
  const bool has_joint = joint_table.is_sound();
  bool has_initial = has_joint;
  if (table.has("initial")) {
    TomlTable initial_table = table.table("initial");
    const InitialSpec initial = joint.is_known ? read_initial(initial_table, joint.spec) : InitialSpec();
    has_initial = has_initial && joint.is_known && initial_table.is_sound();
    if (is_named && has_initial) scene.spec.initial.push_back(initial);
  }
  table.finish();
  if (!is_named) {  // what refers to it, by whatever name, is in doubt
    scene.doubts.tree = scene.doubts.inertia = true;
    return;
  }
  if (!has_inertia || !has_joint) body.inertia = harmless_inertia();
  if (!has_initial) scene.doubts.unplaced.push_back(joint.spec.name);
  if (has_joint && joint.stop) scene.spec.stops.push_back(*joint.stop);
  if (joint.is_known) scene.joints.push_back({joint.spec.name, joint.spec.kind});
  scene.spec.model.bodies.push_back(std::move(body));
  scene.spec.model.joints.push_back(has_joint ? std::move(joint.spec) : harmless_joint(joint.spec));
}

}  // namespace pintle
