#include <cmath>

#include "pintle/geometry/check_inertia.h"
#include "pintle/geometry/mass_properties.h"
#include "pintle/geometry/material.h"
#include "pintle/io/read_mesh.h"
#include "pintle/io/scene_reader.h"

namespace pintle {
namespace {

constexpr Dimension kDensity = kMass / power(kLength, 3);
constexpr Dimension kInertia = kMass * power(kLength, 2);

void append(Diagnostics& all, const Diagnostics& more, const Origin& origin, const std::string& who) {
  for (Diagnostic problem : more) {
    if (problem.origin.line == 0) problem.origin = origin;
    problem.what = who + ": " + problem.what;
    all.push_back(std::move(problem));
  }
}

/// The mesh of `mesh = { file = "case.stl", unit = "mm" }`.
Shape read_mesh_shape(SceneReader& scene, TomlTable& table) {
  const std::string file = table.required_text("file");
  const double scale = table.quantity("unit", kLength, 1.0);
  if (!(scale > 0.0)) table.problem("unit", "scene-range", "the unit of a mesh is above zero", "", "write \"1 mm\"");
  table.finish();
  if (file.empty()) return Sphere{1.0};
  Result<TriangleMesh> mesh = read_scene_mesh(scene, file, table.origin_of("file"), scale);
  for (const Diagnostic& problem : mesh.diagnostics()) scene.file->problems.push_back(problem);
  return mesh ? Shape(*std::move(mesh)) : Shape(Sphere{1.0});
}

/// One of box, sphere, ... in a table; a sphere when it says none, which is a problem.
Shape read_solid(SceneReader& scene, TomlTable& table) {
  static constexpr const char* kNames[] = {"box", "sphere", "ellipsoid", "cylinder", "capsule", "cone", "mesh"};
  int given = 0;
  for (const char* const name : kNames) given += table.has(name) ? 1 : 0;
  if (given != 1) {
    scene.file->add(table.origin(), "scene-shape", table.who() + " says " + (given == 0 ? "no shape" : "several shapes"),
                    "a shape is one of box, sphere, ellipsoid, cylinder, capsule, cone, mesh",
                    "write { box = { size = [1, 1, 1] } }, say");
    return Sphere{1.0};
  }
  const auto part = [&](const char* name) { return table.table(name, table.who() + ", " + name); };
  Shape shape = Sphere{1.0};
  if (table.has("box")) {
    TomlTable box = part("box");
    shape = Box{box.vector("size", kLength, {0, 0, 0})};
    box.finish();
  } else if (table.has("sphere")) {
    TomlTable sphere = part("sphere");
    shape = Sphere{sphere.required_quantity("radius", kLength)};
    sphere.finish();
  } else if (table.has("ellipsoid")) {
    TomlTable ellipsoid = part("ellipsoid");
    shape = Ellipsoid{ellipsoid.vector("semi_axes", kLength, {0, 0, 0})};
    ellipsoid.finish();
  } else if (table.has("cylinder")) {
    TomlTable cylinder = part("cylinder");
    shape = Cylinder{cylinder.required_quantity("radius", kLength), cylinder.required_quantity("length", kLength)};
    cylinder.finish();
  } else if (table.has("capsule")) {
    TomlTable capsule = part("capsule");
    shape = Capsule{capsule.required_quantity("radius", kLength), capsule.required_quantity("length", kLength)};
    capsule.finish();
  } else if (table.has("cone")) {
    TomlTable cone = part("cone");
    shape = Cone{cone.required_quantity("radius", kLength), cone.required_quantity("height", kLength)};
    cone.finish();
  } else {
    TomlTable mesh = part("mesh");
    shape = read_mesh_shape(scene, mesh);
  }
  return shape;
}

/// The density of `material` or `density`, NaN where neither is given.
double read_density(SceneReader& scene, TomlTable& table, double fallback) {
  const double density = table.quantity("density", kDensity, fallback);
  const std::string material = table.text("material");
  if (material.empty()) return density;
  if (table.has("density")) {
    table.problem("density", "scene-conflict", "both 'material' and 'density' are given", "which of them counts?",
                  "leave one of them out");
  }
  for (const BodyMaterial& own : scene.materials)
    if (own.name == material) return own.density;
  const Result<Material> common = find_material(material);
  append(scene.file->problems, common.diagnostics(), table.origin_of("material"), table.who());
  return common ? common->density : 1000.0;
}

/// What a body weighs, from what the table says: all by itself, or of shapes.
class InertiaReader {
 public:
  InertiaReader(SceneReader& scene, TomlTable& table) : scene_(scene), table_(table) {}

  SpatialInertia<> read(const std::string& body) {
    const bool by_numbers = table_.has("inertia");
    mass_ = table_.quantity("mass", kMass, __builtin_nan(""));
    density_ = read_density(scene_, table_, __builtin_nan(""));
    const Vec3<> center = table_.vector("center", kLength, {0, 0, 0});
    read_shapes(body, by_numbers || table_.has("center"));
    if (!by_numbers && !table_.has("center") && shapes_ > 0) return of_shapes();
    if (shapes_ > 0 && !std::isnan(density_)) {
      table_.problem("density", "scene-conflict", "its mass is given by numbers and by a density",
                     "which of them counts?", "leave out 'inertia' and 'center', or the density");
    }
    return of_numbers(center);
  }

 private:
  void read_shapes(const std::string& body, bool only_seen) {
    if (table_.has("shape")) read_shape(table_.table("shape", table_.who() + ", shape"), body, only_seen);
    for (const toml::table* const shape : table_.tables("shapes"))
      read_shape(TomlTable(*scene_.file, *shape, table_.who() + ", shapes"), body, only_seen);
  }

  void read_shape(TomlTable shape, const std::string& body, bool only_seen) {
    const Origin origin = shape.origin();
    const Pose<> X_BS = read_pose(shape);
    BodyShape part{body, read_solid(scene_, shape), X_BS, shape.text("color", table_.text("color")), origin};
    const double density = read_density(scene_, shape, density_);
    const double mass = shape.quantity("mass", kMass, __builtin_nan(""));
    shape.finish();
    ++shapes_;
    append(scene_.file->problems, check(part.shape), origin, shape.who());
    if (!has_errors(check(part.shape)) && !only_seen) weigh(part, density, mass, shape);
    scene_.spec.shapes.push_back(std::move(part));
  }

  void weigh(const BodyShape& part, double density, double mass, TomlTable& shape) {
    if (std::isnan(density) && std::isnan(mass) && std::isnan(mass_)) {
      scene_.file->add(shape.origin(), "scene-mass", shape.who() + " has no mass",
                       "without a mass, a density or a material it cannot be weighed",
                       "add mass = \"2 kg\", density = \"7850 kg/m^3\" or material = \"steel\"");
      return;
    }
    // Without a density of their own, shapes share the body's mass by volume.
    const Result<SpatialInertia<>> inertia = !std::isnan(mass) ? inertia_from_mass(part.shape, mass, part.X_BS)
                                                               : inertia_from_density(part.shape,
                                                                                      std::isnan(density) ? 1.0 : density,
                                                                                      part.X_BS);
    append(scene_.file->problems, inertia.diagnostics(), shape.origin(), shape.who());
    if (inertia) sum_ = sum_ + *inertia;
  }

  SpatialInertia<> of_shapes() {
    if (std::isnan(mass_)) return sum_;
    if (!std::isnan(density_)) {
      table_.problem("mass", "scene-conflict", "both its mass and its density are given", "which of them counts?",
                     "leave one of them out");
    }
    if (!(mass_ > 0.0)) {
      table_.problem("mass", "scene-range", "its mass is not above zero", "", "give a mass above zero");
      return sum_;
    }
    const double scale = sum_.mass > 0.0 ? mass_ / sum_.mass : 1.0;
    return {scale * sum_.mass, scale * sum_.first_moment, scale * sum_.inertia};
  }

  SpatialInertia<> of_numbers(const Vec3<>& center) {
    SymMat3<> I{};
    if (table_.has("inertia")) {
      const toml::node* const node = table_.node("inertia");
      const std::size_t count = node->is_array() ? node->as_array()->size() : 1;
      const std::vector<Dimension> dimensions(count == 6 ? 6 : 3, kInertia);
      const std::vector<double> x = table_.quantities("inertia", dimensions);
      if (x.size() >= 3) I = {x[0], x[1], x[2], 0.0, 0.0, 0.0};
      if (x.size() == 6) {
        I.xy = x[3];
        I.xz = x[4];
        I.yz = x[5];
      }
    }
    if (std::isnan(mass_)) {
      scene_.file->add(table_.origin(), "scene-mass", table_.who() + " has no mass", "",
                       "add mass = \"2 kg\", or a shape with a density");
      return {};
    }
    return spatial_inertia(mass_, center, I);
  }

  SceneReader& scene_;
  TomlTable& table_;
  double mass_ = 0.0, density_ = 0.0;
  SpatialInertia<> sum_{};
  int shapes_ = 0;
};

}  // namespace

void read_material(SceneReader& scene, TomlTable& table, const std::string& name) {
  BodyMaterial material{name, table.required_quantity("density", kDensity), table.text("color"), table.origin()};
  if (table.has("density") && !(material.density > 0.0))
    table.problem("density", "scene-range", "a density is above zero", "", "write \"8500 kg/m^3\", say");
  table.finish();
  scene.materials.push_back(std::move(material));
}

void read_body(SceneReader& scene, TomlTable& table) {
  BodySpec body;
  body.name = table.required_text("name");
  body.origin = table.origin();
  if (!body.name.empty()) table.set_who("body '" + body.name + "'");
  body.inertia = InertiaReader(scene, table).read(body.name);
  TomlTable joint = table.table("joint", table.who() + ", joint");
  const bool floats = !table.has("joint");
  TomlTable initial = table.table("initial", table.who() + ", initial");
  scene.spec.model.bodies.push_back(body);
  const JointKind kind = read_joint(scene, joint, body.name, floats);
  if (table.has("initial")) read_initial(scene, initial, scene.spec.model.joints.back().name, kind);
  table.finish();
}

}  // namespace pintle
