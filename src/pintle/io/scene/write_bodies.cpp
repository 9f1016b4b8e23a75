#include <algorithm>
#include <array>

#include "pintle/geometry/mass/mass_properties.h"
#include "pintle/io/scene/scene_writer.h"
#include "pintle/text/exact_numbers.h"

namespace pintle {
namespace {

constexpr std::size_t kLongLine = 110;

/// The value that several shapes have in common; empty if they differ.
template <class Get>
std::string common(const std::vector<WrittenShape>& shapes, Get get) {
  std::string value;
  bool first = true;
  for (const WrittenShape& shape : shapes) {
    const std::string* const one = get(shape);
    if (one == nullptr) continue;
    if (!first && *one != value) return {};
    value = *one;
    first = false;
  }
  return value;
}

const std::string* color_of(const WrittenShape& shape) {
  return shape.seen == nullptr ? nullptr : &shape.seen->color;
}
const std::string* material_of(const WrittenShape& shape) {
  return shape.touched == nullptr ? nullptr : &shape.touched->material;
}

class BodyWriter {
 public:
  BodyWriter(SceneWriter& writer, const BodySpec& body)
      : writer_(writer), body_(body), shapes_(shapes_of(writer.spec, body.name)) {}

  void write(const JointSpec& joint) {
    lines_.text("name", body_.name);
    if (!by_density()) by_numbers();
    write_shapes();
    for (const InitialSpec& initial : writer_.spec.initial)
      if (initial.joint == joint.name) lines_.table("initial", initial_lines(initial, joint.kind));
    const TomlLines of_joint = joint_lines(writer_, joint);
    const std::string one_line = of_joint.as_inline();
    const bool is_short = one_line.size() <= kLongLine;
    if (!of_joint.empty() && is_short) lines_.table("joint", of_joint);
    writer_.add_table("[[body]]", lines_);
    if (!is_short) writer_.text += "[body.joint]\n" + of_joint.as_lines();
  }

 private:
  SpatialInertia<> weighed(double density) const {
    SpatialInertia<> sum{};
    for (const WrittenShape& shape : shapes_) {
      const BodyShape& seen = *shape.seen;
      const Result<SpatialInertia<>> one = inertia_from_density(seen.shape, seen.holes, density, seen.X_BS);
      if (!one) return {};
      sum = sum + *one;
    }
    return sum;
  }

  /// Writes a density or a mass from which the reader computes the same inertia, bit for bit.
  bool by_density() {
    const SpatialInertia<>& I = body_.inertia;
    const bool all_seen =
        std::all_of(shapes_.begin(), shapes_.end(), [](const WrittenShape& s) { return s.seen != nullptr; });
    if (shapes_.empty() || !all_seen || !(I.mass > 0.0)) return false;
    const SpatialInertia<> unit = weighed(1.0);
    if (!(unit.mass > 0.0)) return false;
    const double density = I.mass / unit.mass;
    for (const double candidate : {shortest_within(density, 1e-13 * density), density}) {
      if (!same_numbers(weighed(candidate), I)) continue;
      lines_.number("density", candidate, "kg/m^3");
      return true;
    }
    for (const double candidate : {shortest_within(I.mass, 1e-15 * I.mass), I.mass}) {
      const double scale = candidate / unit.mass;
      if (!same_numbers({scale * unit.mass, scale * unit.first_moment, scale * unit.inertia}, I)) continue;
      lines_.number("mass", candidate, "kg");
      return true;
    }
    return false;
  }

  void by_numbers() {
    const CentralInertia central = central_inertia(body_.inertia);
    const SymMat3<>& I = central.inertia;
    lines_.number("mass", central.mass, "kg");
    lines_.vector_unless("center", central.center, {0, 0, 0});
    const bool turned = I.xy != 0.0 || I.xz != 0.0 || I.yz != 0.0;
    if (turned) {
      lines_.numbers("inertia", std::array{I.xx, I.yy, I.zz, I.xy, I.xz, I.yz});
    } else if (!shapes_.empty() || I.xx != 0.0 || I.yy != 0.0 || I.zz != 0.0) {
      lines_.numbers("inertia", std::array{I.xx, I.yy, I.zz});
    }
  }

  void write_shapes() {
    const std::string material = common(shapes_, material_of), color = common(shapes_, color_of);
    const bool touched =
        std::any_of(shapes_.begin(), shapes_.end(), [](const WrittenShape& s) { return s.touched != nullptr; });
    lines_.text_unless("material", material, "");
    lines_.text_unless("color", color, "");
    if (writer_.has_contacts && !touched && !shapes_.empty()) lines_.flag("contact", false);
    write_group();
    std::vector<std::string> each;
    for (const WrittenShape& shape : shapes_) {
      TomlLines lines;
      add_solid(writer_, lines, shape);
      add_pose(lines, shape.pose());
      if (shape.seen != nullptr) add_holes(writer_, lines, shape.seen->holes);
      if (shape.touched != nullptr) lines.text_unless("material", shape.touched->material, material);
      if (shape.seen != nullptr) lines.text_unless("color", shape.seen->color, color);
      if (writer_.has_contacts && touched && shape.touched == nullptr) lines.flag("contact", false);
      if (shape.seen == nullptr) lines.flag("visible", false);
      if (shape.touched != nullptr) add_surface_velocity(writer_, lines, *shape.touched);
      each.push_back(lines.as_inline());
    }
    if (each.size() == 1) lines_.raw("shape", each[0]);
    if (each.size() < 2) return;
    std::string list = "[\n";
    for (const std::string& one : each) list += "  " + one + ",\n";
    lines_.raw("shapes", list + "]");
  }

  /// Bodies that do not collide with each other share one bit, which they do not collide with.
  void write_group() {
    const ContactGroups usual;
    ContactGroups groups = usual;
    bool first = true, alike = true;
    for (const WrittenShape& shape : shapes_) {
      if (shape.touched == nullptr) continue;
      const ContactGroups& own = shape.touched->groups;
      alike = alike && (first || (own.belongs_to == groups.belongs_to && own.meets == groups.meets));
      groups = own;
      first = false;
    }
    if (alike && groups.belongs_to == usual.belongs_to && groups.meets == usual.meets) return;
    const std::uint32_t bit = groups.belongs_to;
    const bool one_bit = bit > 1 && (bit & (bit - 1)) == 0 && groups.meets == ~bit;
    if (!alike || !one_bit) {
      writer_.lose(ElementStatus::ignored, "the contact groups of body '" + body_.name + "'",
                   "a scene file says of groups only that their bodies do not touch each other");
      return;
    }
    int number = 0;
    while ((std::uint32_t{2} << number) != bit) ++number;
    lines_.text("group", number == 0 ? "robot" : "group" + std::to_string(number + 1));
  }

  SceneWriter& writer_;
  const BodySpec& body_;
  std::vector<WrittenShape> shapes_;
  TomlLines lines_;
};

}  // namespace

void write_bodies(SceneWriter& writer) {
  const ModelSpec& model = writer.spec.model;
  bool in_order = true;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const BodySpec& body = model.bodies[i];
    const auto carries = [&](const JointSpec& joint) { return joint.child == body.name; };
    const auto joint = std::find_if(model.joints.begin(), model.joints.end(), carries);
    if (joint == model.joints.end()) continue;  // `compile` refuses it
    in_order = in_order && joint - model.joints.begin() == static_cast<std::ptrdiff_t>(i);
    BodyWriter(writer, body).write(*joint);
  }
  if (!in_order)
    writer.lose(ElementStatus::approximated, "the order of the joints", "they are in the order of their bodies");
}

}  // namespace pintle
