#include <algorithm>
#include <cmath>

#include "pintle/geometry/mass/check_holes.h"
#include "pintle/geometry/mass/mass_properties.h"
#include "pintle/geometry/mass/material.h"
#include "pintle/io/scene/color.h"
#include "pintle/io/scene/scene_reader.h"
#include "pintle/model/spec/valid_spec.h"
#include "pintle/spatial/check_inertia.h"
#include "pintle/text/quantity.h"

namespace pintle {
namespace {

constexpr Dimension kInertia = kMass * power(kLength, 2);
constexpr double kNone = __builtin_nan("");

/// How the mass of a body or of a shape is given: not at all, or in one of three ways.
struct MassGiven {
  double mass = kNone;
  double density = kNone;  // also from a material
  std::string color{};     // of the material
  std::string material{};
  bool may_be_surface = false;  // the material has contact parameters, or is not known
  const char* key = nullptr;    // the key that gives the mass
};

/// A material with contact parameters may be combined with mass values, which then override its density.
MassGiven read_mass(SceneReader& scene, TomlTable& table) {
  MassGiven given;
  given.material = table.text("material");
  const BodyMaterial* const material = given.material.empty() ? nullptr : find_material(scene, table, given.material);
  given.may_be_surface = !given.material.empty() && (material == nullptr || material->has_surface);
  const bool only_surface = given.may_be_surface && (table.has("mass") || table.has("density"));
  for (const char* const key : {"mass", "density", "material"}) {
    if (!table.has(key) || (only_surface && key == std::string_view("material"))) continue;
    if (given.key != nullptr) {
      table.problem(key, "scene-conflict", std::string("both '") + given.key + "' and '" + key + "' are given",
                    "it is not clear which one applies", "leave one of them out");
    }
    given.key = key;
  }
  given.mass = table.quantity("mass", kNone);
  given.density = table.quantity("density", kNone);
  if (given.material.empty()) return given;
  if (material != nullptr) given.color = material->color;
  if (!only_surface) given.density = material != nullptr ? material->density : 1000.0;
  if (std::isnan(given.density) && std::isnan(given.mass)) given.key = nullptr;
  return given;
}

/// The inertia of a body: given by values, or computed from its shapes.
class InertiaReader {
 public:
  InertiaReader(SceneReader& scene, TomlTable& table) : scene_(scene), table_(table) {}

  SpatialInertia<> read(const std::string& body) {
    given_ = read_mass(scene_, table_);
    color_ = read_color(table_, given_.color);
    touches_ = table_.flag("contact", true) && scene_.has_contacts;
    groups_ = read_group();
    const bool has_shapes = table_.has("shape") || table_.has("shapes");
    by_numbers_ = table_.has("inertia") || !has_shapes;
    if (table_.has("shape") && table_.has("shapes")) {
      table_.problem("shapes", "scene-conflict", "both 'shape' and 'shapes' are given", "",
                     "put all of them into 'shapes'");
    }
    if (by_numbers_ && !std::isnan(given_.density)) {
      table_.problem(given_.key, "scene-conflict", "a density does not determine its mass",
                     has_shapes ? "with 'inertia' its mass is given explicitly" : "it has no shape",
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
  /// Each group name has its own bit: its bodies collide with all but that bit. The first bit belongs to bodies without
  /// a group; the links of a robot have the second one, which the first group shares.
  ContactGroups read_group() {
    const std::string group = table_.text("group");
    if (group.empty()) return {};
    auto at = std::find(scene_.groups.begin(), scene_.groups.end(), group);
    if (at == scene_.groups.end()) at = scene_.groups.insert(at, group);
    constexpr std::ptrdiff_t kMaxGroups = 30;
    const std::ptrdiff_t number = at - scene_.groups.begin() + (scene_.model.path.empty() ? 0 : 1);
    if (number > kMaxGroups) {
      table_.problem("group", "scene-limit", "the scene has more than " + std::to_string(kMaxGroups) + " groups", "",
                     "use [[contact.rule]] for some of them");
      return {};
    }
    const std::uint32_t bit = std::uint32_t{2} << number;
    return {bit, ~bit};
  }

  void read_shape(TomlTable shape, const std::string& body) {
    const Origin origin = shape.origin();
    const Pose<> X_BS = read_pose(shape);
    MassGiven given = read_mass(scene_, shape);
    MeshSource mesh;
    BodyShape part{body,   read_solid(scene_, shape, by_numbers_ ? MeshUse::seen : MeshUse::solid, mesh),
                   X_BS,   read_color(shape, given.color.empty() ? color_ : given.color),
                   origin, {}};
    part.mesh = std::move(mesh);
    if (!part.color.empty()) part.mesh.colors.clear();  // one that is given takes precedence
    part.holes = read_holes(scene_, shape);
    const bool touches = shape.flag("contact", true) && touches_;
    const bool seen = shape.flag("visible", true);
    const std::string material = given.material.empty() ? given_.material : given.material;
    const SurfaceVelocity velocity = read_surface_velocity(shape);
    check_surface_velocity(shape, velocity, touches, material);
    shape.finish();
    if (by_numbers_ || !std::isnan(given_.mass)) leave_mass_to_body(given, shape);
    if (shape.is_valid() && !by_numbers_) weigh(part, given, shape);
    if (shape.is_valid() && by_numbers_ && !part.holes.empty())
      add_all(*scene_.file, check_holes(part.shape, part.holes), origin, shape.who());
    if (shape.is_valid() && touches)
      add_contact_shape(scene_, shape, part, material, groups_, velocity);
    if (seen) scene_.spec.shapes.push_back(std::move(part));
  }

  /// If the mass of a body is given as a whole, only the contact parameters of a shape's material count.
  void leave_mass_to_body(MassGiven& given, TomlTable& shape) {
    if (given.key == nullptr) return;
    const bool only_surface = given.key == std::string_view("material") && given.may_be_surface;
    if (!only_surface) {
      shape.problem(given.key, "scene-conflict", "the mass of the whole body is given already",
                    "a shape cannot have its own besides", "leave one of the two out");
    }
    if (only_surface) given.density = kNone;
  }

  void weigh(const BodyShape& part, const MassGiven& given, TomlTable& shape) {
    const double density = std::isnan(given.density) ? given_.density : given.density;
    if (std::isnan(density) && std::isnan(given.mass) && std::isnan(given_.mass)) {
      scene_.file->add(shape.origin(), "scene-mass", shape.who() + " has no mass",
                       "without a mass, a density or a material its mass is unknown",
                       "add mass = \"2 kg\", density = \"7850 kg/m^3\" or material = \"steel\"");
      return;
    }
    // Without densities of their own, shapes share the body's mass by volume.
    const Result<SpatialInertia<>> inertia =
        !std::isnan(given.mass)
            ? inertia_from_mass(part.shape, part.holes, given.mass, part.X_BS)
            : inertia_from_density(part.shape, part.holes, std::isnan(density) ? 1.0 : density, part.X_BS);
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
  bool by_numbers_ = false, touches_ = false;
  ContactGroups groups_{};
  SpatialInertia<> sum_{};
};

}  // namespace

std::string read_color(TomlTable& table, const std::string& fallback) {
  const std::string given = table.text("color");
  if (given.empty()) return fallback;
  const std::string color = color_of(given);
  if (color.empty()) {
    table.problem("color", "scene-color", "'" + given + "' is not a color", "",
                  did_you_mean(given, color_names(), "write \"#rrggbb\": \"#c0a040\", or a name such as \"orange\""));
  }
  return color.empty() ? fallback : color;
}

void read_material(SceneReader& scene, TomlTable& table, const std::string& name) {
  BodyMaterial material;
  material.name = name;
  material.has_surface = gives_surface(table);
  material.density = table.quantity("density", kNone);
  if (std::isnan(material.density) && !material.has_surface && table.is_valid()) {
    table.file().add(table.origin(), "scene-missing", table.who() + " has no 'density'", "it has no default",
                     "add density = \"1420 kg/m^3\", or restitution and friction for a surface only");
    material.density = 1000.0;
  }
  material.color = read_color(table, {});
  material.origin = table.origin();
  const Surface surface = read_surface(table);
  table.finish();
  for (const BodyMaterial& other : scene.materials) {
    if (other.name != name) continue;
    table.file().add(table.origin(), "scene-name-twice", "a second material is called '" + name + "'",
                     "the first is in " + other.origin.file + ", line " + std::to_string(other.origin.line),
                     "rename one of them");
  }
  if (material.has_surface) scene.spec.contact.surfaces.push_back({name, surface, table.origin()});
  scene.materials.push_back(std::move(material));
}

const BodyMaterial* find_material(SceneReader& scene, TomlTable& table, const std::string& name, std::string_view key) {
  for (const BodyMaterial& own : scene.materials)
    if (own.name == name) return &own;
  if (const Result<Material> common = find_material(name)) {
    scene.common = {.name = name, .density = common->density, .color = {}, .origin = {}};
    return &scene.common;
  }
  if (scene.names.lost()) return nullptr;
  std::vector<std::string> known;
  for (const BodyMaterial& own : scene.materials) known.push_back(own.name);
  for (const Material& one : materials()) known.push_back(one.name);
  table.problem(key, "scene-material", "there is no material '" + name + "'",
                "it is neither one of the scene's own nor a common one",
                did_you_mean(name, known, "add [material." + name + "] with its density"));
  return nullptr;
}

void read_body(SceneReader& scene, TomlTable& table) {
  BodySpec body;
  body.name = scene.names.give(table, NameKind::body);
  const bool is_named = table.is_valid();
  body.origin = table.origin_of(table.has("inertia") ? "inertia" : "name");
  body.inertia = InertiaReader(scene, table).read(body.name);
  const bool has_inertia = table.is_valid();
  TomlTable joint_table = table.table("joint");
  ReadJoint joint = read_joint(scene, joint_table, body, !table.has("joint"));
  const bool has_joint = joint_table.is_valid();
  bool has_initial = has_joint;
  if (table.has("initial")) {
    TomlTable initial_table = table.table("initial");
    const InitialSpec initial = joint.is_known ? read_initial(initial_table, joint.spec) : InitialSpec();
    has_initial = has_initial && joint.is_known && initial_table.is_valid();
    if (is_named && has_initial) scene.spec.initial.push_back(initial);
  }
  table.finish();
  if (!is_named) {  // all references, by whatever name, are uncertain
    scene.unknowns.tree = scene.unknowns.inertia = true;
    return;
  }
  if (!has_inertia || !has_joint) body.inertia = harmless_inertia();
  if (!has_initial) scene.unknowns.unplaced.push_back(joint.spec.name);
  if (has_joint && joint.limit) scene.spec.joint_limits.push_back(*joint.limit);
  if (joint.is_known) scene.joints.push_back({joint.spec.name, joint.spec.kind});
  scene.spec.model.bodies.push_back(std::move(body));
  scene.spec.model.joints.push_back(has_joint ? std::move(joint.spec) : harmless_joint(joint.spec));
}

}  // namespace pintle
