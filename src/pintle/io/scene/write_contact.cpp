#include <algorithm>

#include "pintle/io/scene/scene_writer.h"
#include "pintle/text/exact_numbers.h"

namespace pintle {
namespace {

void add_surface(TomlLines& lines, const Surface& surface) {
  const std::size_t before = lines.size();
  lines.number_unless("restitution", surface.restitution, 0.0);
  lines.number_unless("friction", surface.friction, 0.0);
  lines.number_unless("static_friction", surface.static_friction, surface.friction);
  lines.number_unless("rolling_friction", surface.rolling_friction, 0.0, "m");
  lines.number_unless("spinning_friction", surface.spinning_friction, 0.0, "m");
  if (lines.size() == before) lines.number("friction", 0.0);
}

void write_ground(SceneWriter& writer, TomlLines lines, const Pose<>& pose, const std::string& color,
                  const ContactShapeSpec* touched, bool seen) {
  add_pose(lines, pose);
  if (touched == nullptr) lines.flag("contact", false);
  if (touched != nullptr) add_surface_velocity(writer, lines, *touched);
  if (!seen) lines.flag("visible", false);
  TomlLines ground;
  ground.table("shape", lines);
  if (touched != nullptr) ground.text_unless("material", touched->material, "");
  ground.text_unless("color", color, "");
  writer.add_table("[[ground]]", ground);
  const ContactGroups usual;
  if (touched != nullptr && (touched->groups.belongs_to != usual.belongs_to || touched->groups.meets != usual.meets))
    writer.lose(ElementStatus::ignored, "the contact groups of a ground", "a scene file has groups of bodies only");
}

void write_planes(SceneWriter& writer) {
  std::vector<const GroundPlane*> seen;
  for (const GroundPlane& plane : writer.spec.planes) seen.push_back(&plane);
  TomlLines lines;
  lines.table("plane", {});
  for (const ContactShapeSpec& touched : writer.spec.contact.shapes) {
    if (touched.body != kWorld || !std::holds_alternative<HalfSpace>(touched.shape)) continue;
    const auto is_it = [&](const GroundPlane* plane) {
      return same_numbers(plane->X_WS.translation, touched.X_BS.translation) &&
             same_numbers(plane->X_WS.rotation, touched.X_BS.rotation);
    };
    const auto plane = std::find_if(seen.begin(), seen.end(), is_it);
    write_ground(writer, lines, touched.X_BS, plane == seen.end() ? "" : (*plane)->color, &touched,
                 plane != seen.end());
    if (plane != seen.end()) seen.erase(plane);
  }
  for (const GroundPlane* const plane : seen) write_ground(writer, lines, plane->X_WS, plane->color, nullptr, true);
}

std::string two(const std::string& first, const std::string& second) {
  return "[" + toml_text(first) + ", " + toml_text(second) + "]";
}

}  // namespace

void write_materials(SceneWriter& writer) {
  for (const SurfaceSpec& surface : writer.spec.contact.surfaces) {
    TomlLines lines;
    add_surface(lines, surface.surface);
    writer.add_table("[material." + toml_key(surface.material) + "]", lines);
  }
}

void write_grounds(SceneWriter& writer) {
  write_planes(writer);
  for (const WrittenShape& shape : shapes_of(writer.spec, kWorld)) {
    TomlLines lines;
    add_solid(writer, lines, shape);
    write_ground(writer, lines, shape.pose(), shape.seen == nullptr ? "" : shape.seen->color, shape.touched,
                 shape.seen != nullptr);
  }
}

void write_contact(SceneWriter& writer) {
  const ContactSpec& contact = writer.spec.contact;
  const ContactSpec usual;
  TomlLines lines;
  if (contact.law != usual.law) lines.text("law", std::string(name(contact.law)));
  if (contact.several != usual.several) lines.text("several", std::string(name(contact.several)));
  lines.flag_unless("single_point", contact.single_point, false);
  const bool has_ground = writer.text.find("\n[[ground]]\n") != std::string::npos;
  if (!lines.empty()) writer.add_table("[contact]", lines);
  if (lines.empty() && writer.has_contacts && !has_ground)
    writer.add_table("[contact]  # shapes touch each other; add a [[ground]] for something to stand on", lines);
  for (const SurfacePairSpec& pair : contact.pairs) {
    TomlLines of_pair;
    of_pair.raw("materials", two(pair.first, pair.second));
    add_surface(of_pair, pair.surface);
    writer.add_table("[[contact.pair]]", of_pair);
  }
  for (const ContactRuleSpec& rule : contact.rules) {
    TomlLines of_rule;
    of_rule.raw("bodies", two(rule.first, rule.second));
    of_rule.flag("touch", rule.may_touch);
    writer.add_table("[[contact.rule]]", of_rule);
  }
}

}  // namespace pintle
