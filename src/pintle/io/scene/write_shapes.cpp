#include <algorithm>

#include "pintle/io/scene/scene_writer.h"
#include "pintle/text/exact_numbers.h"

namespace pintle {
namespace {

/// Writes the shapes that are the same whether visible or collidable.
struct SolidLines {
  TomlLines& lines;

  void operator()(const Box& box) {
    TomlLines numbers;
    numbers.vector("size", box.size);
    lines.table("box", numbers);
  }
  void operator()(const Sphere& sphere) {
    TomlLines numbers;
    numbers.number("radius", sphere.radius, "m");
    lines.table("sphere", numbers);
  }
  void operator()(const Ellipsoid& ellipsoid) {
    TomlLines numbers;
    numbers.vector("semi_axes", ellipsoid.semi_axes);
    lines.table("ellipsoid", numbers);
  }
  void operator()(const Cylinder& cylinder) { round("cylinder", cylinder.radius, "length", cylinder.length); }
  void operator()(const Capsule& capsule) { round("capsule", capsule.radius, "length", capsule.length); }
  void operator()(const Cone& cone) { round("cone", cone.radius, "height", cone.height); }
  void operator()(const HalfSpace&) { lines.table("plane", {}); }
  void operator()(const Bowl& bowl) { round("bowl", bowl.radius, "depth", bowl.depth); }
  void operator()(const HeightField& field) {
    TomlLines numbers;
    numbers.numbers("size", std::array{static_cast<double>(field.nx), static_cast<double>(field.ny)});
    numbers.number("spacing", field.spacing, "m");
    numbers.numbers("heights", field.heights);
    lines.table("height_field", numbers);
  }

  void round(const char* name, double radius, const char* other, double length) {
    TomlLines numbers;
    numbers.number("radius", radius, "m");
    numbers.number(other, length, "m");
    lines.table(name, numbers);
  }
  void mesh(const WrittenFiles::Name& name) {
    TomlLines numbers;
    numbers.text("file", name.file);
    if (name.unit == 1e-3) {
      numbers.text("unit", "mm");
    } else if (name.unit != 1.0) {
      numbers.text("unit", exact_text(name.unit) + " m");
    }
    lines.table("mesh", numbers);
  }
};

template <class T>
constexpr bool kIsMesh =
    std::is_same_v<T, TriangleMesh> || std::is_same_v<T, ConvexHull> || std::is_same_v<T, SurfaceMesh>;

template <class AnyShape>
void add_any(SceneWriter& writer, TomlLines& lines, const AnyShape& shape, const MeshSource& source,
             const std::string& wish) {
  SolidLines solid{lines};
  std::visit(
      [&](const auto& one) {
        if constexpr (kIsMesh<std::decay_t<decltype(one)>>) {
          const WrittenFiles::Name name = writer.files.mesh(one, source, wish);
          solid.mesh(name);
          if (name.is_copy && !source.colors.empty())
            writer.lose(ElementStatus::approximated, "the colours of '" + source.file + "'",
                        "the mesh is copied without its materials");
        } else {
          solid(one);
        }
      },
      shape);
}

/// Whether the visible triangles are those of the collision shape.
bool is_seen_as(const TriangleMesh& mesh, const BodyShape& seen, const ContactShapeSpec& touched) {
  const std::string& file = seen.mesh.file;
  const bool same_file =
      !file.empty() && file == touched.mesh.file && same_numbers(seen.mesh.scale, touched.mesh.scale);
  if (std::holds_alternative<HeightField>(touched.shape) || std::holds_alternative<Bowl>(touched.shape))
    return file.empty();
  if (std::holds_alternative<SurfaceMesh>(touched.shape) || !file.empty()) return same_file;
  const ConvexHull* const hull = std::get_if<ConvexHull>(&touched.shape);
  const Result<ConvexHull> own = hull == nullptr ? Result<ConvexHull>(ConvexHull()) : convex_hull(mesh.vertices);
  return hull != nullptr && own &&
         std::equal(own->vertices.begin(), own->vertices.end(), hull->vertices.begin(), hull->vertices.end(),
                    [](const Vec3<>& a, const Vec3<>& b) { return same_numbers(a, b); });
}

bool are_one(const BodyShape& seen, const ContactShapeSpec& touched) {
  if (!same_numbers(seen.X_BS.translation, touched.X_BS.translation) ||
      !same_numbers(seen.X_BS.rotation, touched.X_BS.rotation))
    return false;
  return std::visit(
      [&](const auto& one) {
        using Solid = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<Solid, TriangleMesh>) {
          return is_seen_as(one, seen, touched);
        } else {
          const Solid* const other = std::get_if<Solid>(&touched.shape);
          if (other == nullptr) return false;
          TomlLines a, b;
          SolidLines{a}(one);
          SolidLines{b}(*other);
          return a.as_inline() == b.as_inline();
        }
      },
      seen.shape);
}

}  // namespace

std::vector<WrittenShape> shapes_of(const SceneSpec& spec, const std::string& body) {
  std::vector<const BodyShape*> seen;
  for (const BodyShape& shape : spec.shapes)
    if (shape.body == body) seen.push_back(&shape);
  // Both lists keep their order: a collision shape is searched after the last one that was found.
  std::vector<WrittenShape> touched;
  std::size_t next = 0;
  for (const ContactShapeSpec& shape : spec.contact.shapes) {
    if (shape.body != body || std::holds_alternative<HalfSpace>(shape.shape)) continue;
    std::size_t same = next;
    while (same < seen.size() && !are_one(*seen[same], shape)) ++same;
    touched.push_back({same < seen.size() ? seen[same] : nullptr, &shape});
    if (same < seen.size()) next = same + 1;
  }
  std::vector<WrittenShape> shapes;
  auto left = seen.begin();
  for (auto one = touched.begin(); one != touched.end(); ++one) {
    const auto found =
        std::find_if(one, touched.end(), [](const WrittenShape& shape) { return shape.seen != nullptr; });
    // Shapes that are only visible come before those that are only collidable.
    const BodyShape* const until = found == touched.end() ? nullptr : found->seen;
    for (; left != seen.end() && *left != until; ++left) shapes.push_back({*left, nullptr});
    if (one->seen != nullptr) ++left;
    shapes.push_back(*one);
  }
  for (; left != seen.end(); ++left) shapes.push_back({*left, nullptr});
  return shapes;
}

void add_solid(SceneWriter& writer, TomlLines& lines, const WrittenShape& shape) {
  // Height fields and bowls are drawn as triangles, but written as their collision shape.
  const bool by_touch = shape.touched != nullptr && (shape.seen == nullptr || shape.touched->body == kWorld);
  if (by_touch) {
    add_any(writer, lines, shape.touched->shape, shape.touched->mesh, shape.touched->body);
  } else {
    add_any(writer, lines, shape.seen->shape, shape.seen->mesh, shape.seen->body);
  }
}

void add_holes(SceneWriter& writer, TomlLines& lines, std::span<const Hole> holes) {
  if (holes.empty()) return;
  std::string list;
  for (const Hole& hole : holes) {
    TomlLines one;
    add_any(writer, one, hole.shape, {}, {});
    add_pose(one, hole.X_SH);
    list += (list.empty() ? "[" : ", ") + one.as_inline();
  }
  lines.raw("subtract", list + "]");
}

void add_surface_velocity(SceneWriter& writer, TomlLines& lines, const ContactShapeSpec& shape) {
  const SurfaceVelocity& velocity = shape.surface_velocity;
  const double speed = norm(velocity.around);
  if (speed > 0.0 && norm(velocity.linear) > 0.0)
    writer.lose(ElementStatus::ignored, "the constant part of the surface velocity of a shape of '" + shape.body + "'",
                "a scene file has 'surface_velocity' or 'belt'");
  if (!(speed > 0.0)) {
    lines.vector_unless("surface_velocity", velocity.linear, {0, 0, 0});
    return;
  }
  TomlLines belt;
  belt.vector("axis", velocity.around / speed);
  belt.number("speed", speed, "m/s");
  lines.table("belt", belt);
}

}  // namespace pintle
