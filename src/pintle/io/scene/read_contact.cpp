#include <algorithm>
#include <cmath>

#include "pintle/io/scene/scene_changes.h"
#include "pintle/io/scene/scene_reader.h"
#include "pintle/math/elementary.h"

namespace pintle {
namespace {

/// The visible triangles of a height field.
TriangleMesh triangles_of(const HeightField& field) {
  TriangleMesh mesh;
  for (int j = 0; j < field.ny; ++j) {
    for (int i = 0; i < field.nx; ++i) {
      const double height = field.heights[static_cast<std::size_t>(i + field.nx * j)];
      mesh.vertices.push_back({i * field.spacing, j * field.spacing, height});
    }
  }
  for (int j = 0; j + 1 < field.ny; ++j) {
    for (int i = 0; i + 1 < field.nx; ++i) {
      const int at = i + field.nx * j;
      mesh.triangles.push_back({at, at + 1, at + field.nx + 1});
      mesh.triangles.push_back({at, at + field.nx + 1, at + field.nx});
    }
  }
  return mesh;
}

/// The visible part of a bowl: its inside, so that the near wall hides nothing; for one without opening the lower half.
TriangleMesh triangles_of(const Bowl& bowl) {
  constexpr int kAround = 72, kRings = 24;
  const double lowest_cosine = max(1.0 - bowl.depth / bowl.radius, 0.0);
  const double half_angle = pintle::acos(lowest_cosine);
  TriangleMesh mesh;
  mesh.vertices.push_back({0.0, 0.0, 0.0});
  for (int ring = 1; ring <= kRings; ++ring) {
    const double angle = half_angle * ring / kRings, across = bowl.radius * pintle::sin(angle);
    const double height = bowl.radius * (1.0 - pintle::cos(angle));
    for (int k = 0; k < kAround; ++k) {
      const double turn = 2.0 * kPi<double> * k / kAround;
      mesh.vertices.push_back({across * pintle::cos(turn), across * pintle::sin(turn), height});
    }
  }
  const auto add = [&](int a, int b, int c) { mesh.triangles.push_back({a, b, c}); };
  for (int k = 0; k < kAround; ++k) {
    const int next = (k + 1) % kAround;
    add(0, 1 + k, 1 + next);
    for (int ring = 1; ring < kRings; ++ring) {
      const int low = 1 + (ring - 1) * kAround, high = low + kAround;
      add(low + k, high + k, high + next);
      add(low + k, high + next, low + next);
    }
  }
  return mesh;
}

std::optional<Bowl> read_bowl(TomlTable& table) {
  Bowl bowl{};
  bowl.radius = table.quantity("radius", 1.0);
  bowl.depth = table.quantity("depth", bowl.radius);
  table.finish();
  if (!table.is_valid()) return std::nullopt;
  const Diagnostics problems = check(bowl);
  add_all(table.file(), problems, table.origin_of("depth"), table.who());
  if (has_errors(problems)) return std::nullopt;
  return bowl;
}

/// [nx, ny]; two integers that are not too large, or {0, 0} after a problem.
std::array<int, 2> read_grid_size(TomlTable& table) {
  const Dimension two[] = {kNumber, kNumber};
  const std::vector<double> size = table.quantities("size", two);
  if (size.size() != 2) return {0, 0};
  constexpr double kMaxSize = 1e6;
  for (const double n : size) {
    if (n >= 2.0 && n <= kMaxSize && n == std::floor(n)) continue;
    table.problem("size", "scene-range", "'size' is not two integers of at least 2", "", "write size = [20, 10], say");
    return {0, 0};
  }
  return {static_cast<int>(size[0]), static_cast<int>(size[1])};
}

std::optional<HeightField> read_height_field(SceneReader& scene, TomlTable& table) {
  const auto [nx, ny] = read_grid_size(table);
  const double spacing = table.quantity("spacing", 1.0);
  const TomlValue* const value = table.value("heights");
  std::vector<double> heights;
  if (value != nullptr) heights = table.quantities("heights", std::vector<Dimension>(value->items.size(), kLength));
  table.finish();
  if (!table.is_valid()) return std::nullopt;
  if (heights.size() != static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny)) {
    table.problem("heights", "scene-count",
                  "'heights' has " + std::to_string(heights.size()) + " values, expected " +
                      std::to_string(static_cast<long long>(nx) * ny),
                  "there are nx times ny of them", "give all of them");
    return std::nullopt;
  }
  scene.triangles += 2 * heights.size();
  if (scene.triangles > scene.limits.triangles) {
    table.problem("heights", "scene-limit", "the surfaces of the scene have too many triangles", "",
                  "use a coarser grid");
    return std::nullopt;
  }
  Result<HeightField> field = height_field(nx, ny, spacing, std::move(heights));
  add_all(table.file(), field.diagnostics(), table.origin_of("heights"), table.who());
  if (!field) return std::nullopt;
  return *std::move(field);
}

/// A part of the ground: its collision shape and its visible shape; a plane is drawn separately.
struct GroundPart {
  ContactShape touched = HalfSpace{};
  std::optional<Shape> seen{};
  MeshSource mesh{};
};

GroundPart read_ground_mesh(SceneReader& scene, TomlTable& table) {
  TomlTable mesh = table.table("mesh");
  MeshSource source;
  std::optional<TriangleMesh> triangles = read_mesh_table(scene, mesh, MeshUse::surface, source);
  mesh.finish();
  if (!triangles) return {};
  Result<SurfaceMesh> surface = surface_mesh(*triangles);
  add_all(table.file(), surface.diagnostics(), mesh.text_origin_of("file"), mesh.who());
  if (!surface) return {};
  return {*std::move(surface), Shape(*std::move(triangles)), std::move(source)};
}

GroundPart read_ground_part(SceneReader& scene, TomlTable& table) {
  const auto alone = [&](std::string_view name) {
    for (const SceneKey& key : table.keys().keys)
      if (key.table != nullptr && key.name != "rotation" && key.name != "belt" && key.name != name &&
          table.has(key.name))
        return false;
    return table.has(name);
  };
  if (alone("plane")) {
    table.table("plane").finish();
    return {};
  }
  if (alone("mesh")) return read_ground_mesh(scene, table);
  if (alone("height_field")) {
    TomlTable grid = table.table("height_field");
    std::optional<HeightField> field = read_height_field(scene, grid);
    if (!field) return {};
    TriangleMesh seen = triangles_of(*field);
    return {*std::move(field), Shape(std::move(seen)), {}};
  }
  if (alone("bowl")) {
    TomlTable given = table.table("bowl");
    const std::optional<Bowl> bowl = read_bowl(given);
    if (!bowl) return {};
    return {*bowl, Shape(triangles_of(*bowl)), {}};
  }
  if (table.is_table() && !table.has("plane") && !table.has("height_field") && !table.has("bowl")) {
    GroundPart part;
    const Shape solid = read_solid(scene, table, MeshUse::solid, part.mesh);
    std::visit(
        [&](const auto& one) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(one)>, TriangleMesh>) part.touched = one;
        },
        solid);
    part.seen = solid;
    return part;
  }
  for (const SceneKey& key : table.keys().keys) table.ignore(key.name);
  if (table.is_table()) {
    table.file().add(table.origin(), "scene-shape", table.who() + " has several shapes",
                     "it is one of plane, height_field, bowl, box, sphere, ellipsoid, cylinder, capsule, cone, mesh",
                     "write shapes = [{...}, {...}] for several");
  }
  return {};
}

/// The material of a ground or of a part of it, with its colour.
struct GroundMaterial {
  std::string name{}, color{};
};

GroundMaterial read_ground_material(SceneReader& scene, TomlTable& table, const GroundMaterial& fallback) {
  GroundMaterial given;
  given.name = table.text("material");
  const BodyMaterial* const material = given.name.empty() ? nullptr : find_material(scene, table, given.name);
  if (material != nullptr) given.color = material->color;
  given.color = read_color(table, given.color.empty() ? fallback.color : given.color);
  if (given.name.empty()) given.name = fallback.name;
  return given;
}

void read_ground_shape(SceneReader& scene, TomlTable shape, const GroundMaterial& of_ground) {
  const Pose<> X_WS = read_pose(shape);
  const GroundMaterial material = read_ground_material(scene, shape, of_ground);
  const bool touches = shape.flag("contact", true), seen = shape.flag("visible", true);
  const SurfaceVelocity velocity = read_surface_velocity(shape);
  GroundPart part = read_ground_part(scene, shape);
  check_surface_velocity(shape, velocity, touches, material.name);
  shape.finish("a ground does not move and has no mass");
  if (!shape.is_valid()) return;
  if (!material.color.empty()) part.mesh.colors.clear();
  if (seen && part.seen) {
    scene.spec.shapes.push_back({kWorld, *std::move(part.seen), X_WS, material.color, shape.origin(), part.mesh});
  } else if (seen) {
    scene.spec.planes.push_back({X_WS, material.color});
  }
  if (!touches) return;
  ContactShapeSpec touched{kWorld, std::move(part.touched), X_WS};
  touched.material = material.name;
  touched.surface_velocity = velocity;
  touched.origin = shape.origin();
  touched.mesh = std::move(part.mesh);
  scene.spec.contact.shapes.push_back(std::move(touched));
}

/// The two texts of a key; empty ones after a problem.
std::array<std::string, 2> read_two(TomlTable& table, const char* key, const char* example) {
  const std::vector<std::string> given = table.texts(key);
  if (table.has(key) && table.is_valid() && given.size() != 2) {
    table.problem(
        key, "scene-count",
        "'" + std::string(key) + "' has " + std::to_string(given.size()) + (given.size() == 1 ? " name" : " names"),
        "a contact is between two", example);
  }
  return given.size() == 2 ? std::array{given[0], given[1]} : std::array<std::string, 2>{};
}

/// Stores what a table says about two names. A second table for them is a problem; a setting replaces the first.
template <class Spec>
void keep_one(TomlTable& table, const char* key, std::vector<Spec>& specs, Spec spec) {
  const auto is_same = [&](const Spec& other) {
    return (other.first == spec.first && other.second == spec.second) ||
           (other.first == spec.second && other.second == spec.first);
  };
  const bool is_setting = spec.origin.file == kSettingsFile;
  if (is_setting) std::erase_if(specs, is_same);
  const auto known = std::find_if(specs.begin(), specs.end(), is_same);
  if (known == specs.end()) {
    specs.push_back(std::move(spec));
    return;
  }
  table.problem(
      key, "scene-conflict",
      "'" + spec.first + "' and '" + spec.second + "' have two tables of the kind " + std::string(table.keys().name),
      "the first is in line " + std::to_string(known->origin.line), "leave one of them out");
}

void read_pair(SceneReader& scene, TomlTable& table) {
  const std::array<std::string, 2> names = read_two(table, "materials", "write materials = [\"steel\", \"ice\"], say");
  for (const std::string& name : names)
    if (!name.empty()) find_material(scene, table, name, "materials");
  SurfacePairSpec pair;
  pair.first = names[0];
  pair.second = names[1];
  pair.surface = read_surface(table);
  pair.origin = table.origin();
  table.finish();
  if (table.is_valid()) keep_one(table, "materials", scene.spec.contact.pairs, std::move(pair));
}

void read_rule(SceneReader& scene, TomlTable& table) {
  const std::array<std::string, 2> names = read_two(table, "bodies", "write bodies = [\"hand\", \"ball\"], say");
  ContactRuleSpec rule;
  rule.first = names[0];
  rule.second = names[1];
  rule.may_touch = table.flag("touch", false);
  rule.origin = table.origin();
  table.finish();
  if (!table.is_valid()) return;
  for (std::size_t i = 0; i < 2; ++i) {
    const Origin origin = table.text_origin_of(table.value("bodies")->items[i]);
    scene.names.use(table, NameKind::body_or_world, names[i], origin);
  }
  keep_one(table, "bodies", scene.spec.contact.rules, std::move(rule));
}

}  // namespace

bool gives_surface(const TomlTable& table) {
  for (const char* const key : {"restitution", "friction", "static_friction", "rolling_friction", "spinning_friction"})
    if (table.has(key)) return true;
  return false;
}

Surface read_surface(TomlTable& table) {
  Surface surface;
  surface.restitution = table.quantity("restitution", 0.0);
  surface.friction = table.quantity("friction", 0.0);
  surface.static_friction = table.quantity("static_friction", surface.friction);
  surface.rolling_friction = table.quantity("rolling_friction", 0.0);
  surface.spinning_friction = table.quantity("spinning_friction", 0.0);
  if (surface.restitution > 1.0) {
    table.problem("restitution", "contact-restitution", "'restitution' is above 1",
                  "a body cannot rebound faster than it approached",
                  "give a number from 0 (no rebound) to 1 (no loss)");
    surface.restitution = 1.0;
  }
  if (surface.static_friction < surface.friction) {
    table.problem("static_friction", "contact-friction", "'static_friction' is less than 'friction'",
                  "sticking contacts bear at least as much friction as sliding ones",
                  "make it at least as large as 'friction'");
    surface.static_friction = surface.friction;
  }
  return surface;
}

SurfaceVelocity read_surface_velocity(TomlTable& shape) {
  SurfaceVelocity velocity;
  velocity.linear = shape.vector("surface_velocity", {0, 0, 0});
  if (!shape.has("belt")) {
    shape.ignore("belt");
    return velocity;
  }
  if (shape.has("surface_velocity")) {
    shape.problem("belt", "scene-conflict", "both 'surface_velocity' and 'belt' are given",
                  "a surface has one velocity", "leave one of the two out");
  }
  TomlTable belt = shape.table("belt");
  const Vec3<> axis = belt.vector("axis", {0, 0, 1});
  const double speed = belt.quantity("speed", 0.0);
  const double largest = max(std::abs(axis.x), max(std::abs(axis.y), std::abs(axis.z)));
  if (largest == 0.0)
    belt.problem("axis", "scene-axis", "an axis of length zero has no direction", "", "write [0, 1, 0], say");
  if (largest > 0.0) velocity.around = speed * normalized(axis / largest);
  belt.finish();
  return velocity;
}

void check_surface_velocity(TomlTable& shape, const SurfaceVelocity& velocity, bool touches,
                            const std::string& material) {
  if (!velocity.moves()) return;
  const char* const key = shape.has("belt") ? "belt" : "surface_velocity";
  if (!touches) {
    shape.problem(key, "scene-conflict", "its surface moves, but it does not collide",
                  "a surface moves what it touches",
                  std::string("leave out '") + key + "' or 'contact = false'; without a [[ground]] add [contact]");
  } else if (material.empty()) {
    shape.problem(key, "scene-missing", "its surface moves, but it has no 'material'",
                  "without a material there is no friction, by which a surface moves what it touches",
                  "add material = \"rubber\", with [material.rubber] friction = 0.6, say");
  }
}

void add_contact_shape(SceneReader& scene, TomlTable& table, const BodyShape& shape, const std::string& material,
                       const ContactGroups& groups, const SurfaceVelocity& velocity) {
  ContactShapeSpec spec{shape.body, HalfSpace{}, shape.X_BS};
  spec.surface_velocity = velocity;
  spec.material = material;
  spec.groups = groups;
  spec.origin = shape.origin;
  spec.mesh = shape.mesh;
  spec.holes = static_cast<int>(shape.holes.size());
  if (const TriangleMesh* const mesh = std::get_if<TriangleMesh>(&shape.shape)) {
    Result<ConvexHull> hull = convex_hull(mesh->vertices);
    add_all(table.file(), hull.diagnostics(), shape.origin, table.who());
    if (!hull) return;
    spec.shape = *std::move(hull);
  } else {
    std::visit(
        [&](const auto& one) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(one)>, TriangleMesh>) spec.shape = one;
        },
        shape.shape);
  }
  scene.spec.contact.shapes.push_back(std::move(spec));
}

void complete_surfaces(ContactSpec& contact) {
  const auto add = [&](const std::string& material, const Origin& origin) {
    const auto is_it = [&](const SurfaceSpec& surface) { return surface.material == material; };
    if (material.empty() || std::any_of(contact.surfaces.begin(), contact.surfaces.end(), is_it)) return;
    contact.surfaces.push_back({material, {}, origin});
  };
  for (const ContactShapeSpec& shape : contact.shapes) add(shape.material, shape.origin);
  for (const SurfacePairSpec& pair : contact.pairs) {
    add(pair.first, pair.origin);
    add(pair.second, pair.origin);
  }
}

void read_ground(SceneReader& scene, TomlTable& table) {
  scene.names.give_or(table, NameKind::ground, "ground");
  const GroundMaterial material = read_ground_material(scene, table, {});
  const bool one = table.has("shape"), several = table.has("shapes");
  if (one && several) {
    table.problem("shapes", "scene-conflict", "both 'shape' and 'shapes' are given", "",
                  "put all of them into 'shapes'");
  } else if (!one && !several && table.is_table()) {
    table.file().add(table.origin(), "scene-missing", table.who() + " has no 'shape'", "it has no default",
                     "add shape = { plane = {} } for level ground at z = 0");
  }
  if (one) read_ground_shape(scene, table.table("shape"), material);
  for (TomlTable& shape : table.tables("shapes", table.who() + ", shapes"))
    read_ground_shape(scene, std::move(shape), material);
  table.ignore("shape");
  table.finish();
}

void read_contact(SceneReader& scene, TomlTable& table) {
  ContactSpec& contact = scene.spec.contact;
  contact.law = static_cast<ImpactLaw>(table.word("law", static_cast<int>(contact.law)));
  contact.several = static_cast<SeveralImpacts>(table.word("several", static_cast<int>(contact.several)));
  contact.single_point = table.flag("single_point", contact.single_point);
  for (TomlTable& pair : table.tables("pair", "contact.pair")) read_pair(scene, pair);
  for (TomlTable& rule : table.tables("rule", "contact.rule")) read_rule(scene, rule);
  table.finish();
}

}  // namespace pintle
